import { useState } from 'react'
import { Link, useLocation, useNavigate } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Form } from '#ui/form.tsx'
import { later } from '#ui/later.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { takeFirstFocus, takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { signupPolicy } from './signup-policy.ts'
import { useAuth } from '#hooks/use-auth.ts'
import { useAuthCommands } from './use-auth-commands.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import { offersPasskeys } from '#hooks/offers-passkeys.ts'
import { emailFromState } from './email-draft.ts'
import { needsCode } from './error-text.ts'
import { PasskeyPlace } from './passkey-place.tsx'

/** Loaded lazily: most people never open it. */
const ForgottenPasswordDialog = later(
  async () => (await import('./forgotten-password-dialog.tsx')).ForgottenPasswordDialog,
)

/** Loaded lazily: most servers have no other way in. */
const OtherWays = later(async () => (await import('./other-ways.tsx')).OtherWays)

/** Loaded lazily: neither the first paint nor a password needs it. */
const PasskeySignIn = later(async () => (await import('./passkey-ways.tsx')).PasskeySignIn)

const Refusal = later(async () => (await import('./other-ways.tsx')).Refusal)

/** The sign-in form. A failed sign-in keeps what was typed. */
export function LoginForm() {
  const { signIn, fetchServerInfo } = useAuthCommands()
  const serverInfo = useServerInfo()
  const auth = useAuth()
  const { unsaved, refused }: { unsaved?: number; refused?: string } =
    auth.status === 'signed-out' ? auth : {}
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const [email, setEmail] = useState(emailFromState(state))
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(false)
  const [asksCode, setAsksCode] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  // The dialog stays mounted after its first use, so that it can restore the focus.
  const [wasHelpOpened, setWasHelpOpened] = useState(false)

  async function send() {
    setBusy(true)
    setError(null)
    try {
      await signIn({ email: email.trim(), password, rememberMe, code: code.trim() })
    } catch (cause) {
      if (cause instanceof Error && needsCode(cause.cause)) return setAsksCode(true)
      setCode('')
      setError(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setBusy(false)
    }
  }

  async function openPasswordHelp() {
    // Before the server's information has arrived, it is requested. Appwrite has none; there the
    // recovery page shows whether email works.
    const info = serverInfo ?? (await fetchServerInfo())
    if (info?.recovery !== false) return navigate('/recovery', { state: { email } })
    setWasHelpOpened(true)
    setIsHelpOpen(true)
  }

  // Why the proxy's person or the provider's was refused, until something newer is known.
  const refusal = refused ?? new URLSearchParams(search).get('problem')
  const isRefused = error === null && !busy && refusal !== null

  return (
    <>
      {error !== null && <Banner>{error}</Banner>}
      {isRefused && <Refusal type={refusal} />}
      {error === null && !isRefused && unsaved !== undefined && (
        <Banner tone="notice">{signedOutText(unsaved)}</Banner>
      )}
      <Form onSend={send} aria-label={t('Sign in')} className="flex flex-col gap-4">
        <TextField
          ref={takeFirstFocus}
          type="email"
          label={t('Email Address')}
          name="email"
          autoComplete="username webauthn"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          ref={takeFirstFocus}
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {asksCode && (
          <TextField
            ref={takeFocus}
            label={t('Code')}
            hint={t('Of your authenticator app, or a recovery code.')}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Checkbox
            label={t('Remember me')}
            name="rememberMe"
            checked={rememberMe}
            onChange={(event) => setRememberMe(event.target.checked)}
          />
          <button
            type="button"
            className="inline-flex min-h-11 items-center text-sm font-semibold text-accent hover:underline md:min-h-8"
            onClick={() => void openPasswordHelp()}
          >
            {t('Forgot password?')}
          </button>
        </div>
        <Button type="submit" variant="primary" size="large" busy={busy}>
          {busy ? t('Signing In...') : t('Sign In')}
        </Button>
        <PasskeyPlace>
          {offersPasskeys(serverInfo) && (
            <PasskeySignIn rememberMe={rememberMe} onError={setError} />
          )}
        </PasskeyPlace>
      </Form>
      {serverInfo !== null && (serverInfo.provider !== null || serverInfo.proxy !== null) && (
        <OtherWays {...serverInfo} rememberMe={rememberMe} onError={setError} />
      )}
      {signupPolicy(serverInfo) !== 'closed' && (
        // The prerendered page does not know yet whether sign-up is closed.
        <p className="text-center text-sm text-quiet in-[[data-signup=closed]]:hidden">
          <RichText
            text={t('Don’t have an account? <link>Sign up</link>')}
            tags={{
              link: (words) => (
                <Link
                  to="/signup"
                  state={{ email }}
                  className="font-semibold text-accent underline"
                >
                  {words}
                </Link>
              ),
            }}
          />
        </p>
      )}
      {wasHelpOpened && (
        <ForgottenPasswordDialog
          open={isHelpOpen}
          supportEmail={serverInfo?.supportEmail ?? ''}
          onClose={() => setIsHelpOpen(false)}
        />
      )}
    </>
  )
}

/** Says that the server has ended the sign-in, and what happens to the unsaved changes. */
function signedOutText(unsaved: number): string {
  if (unsaved === 0) return t('You were signed out. Sign in again.')
  return t(
    '{count, plural, one {You were signed out. # change is kept on this device and syncs when you sign in.} other {You were signed out. # changes are kept on this device and sync when you sign in.}}',
    { count: unsaved },
  )
}
