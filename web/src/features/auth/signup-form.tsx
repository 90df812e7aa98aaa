import { useState } from 'react'
import { Link, useLocation } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Form } from '#ui/form.tsx'
import { later } from '#ui/later.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { takeFirstFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { signupPolicy } from './signup-policy.ts'
import { useAuthCommands } from './use-auth-commands.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import type { ServerInfo } from '#hooks/use-server-info.ts'
import { offersPasskeys } from '#hooks/offers-passkeys.ts'
import { emailFromState } from './email-draft.ts'
import { PasskeyPlace } from './passkey-place.tsx'
import { keptInvite } from '#session/invite.ts'
import { NewPassword } from './new-password.tsx'
import { signupProblem } from './signup-problem.ts'
import { usePasswordCheck } from '#hooks/use-password-check.ts'

/** Loaded lazily: most servers have no other way in. */
const OtherWays = later(async () => (await import('./other-ways.tsx')).OtherWays)

/** Loaded lazily: neither the first paint nor a password needs it. */
const PasskeySignUp = later(async () => (await import('./passkey-ways.tsx')).PasskeySignUp)

/** The sign-up form, or why this visitor cannot sign up. */
export function Signup() {
  const serverInfo = useServerInfo()
  const policy = signupPolicy(serverInfo)
  if (policy === 'closed') return <NoSignup text={t('Sign-ups are closed on this server.')} />
  if (policy === 'invite' && keptInvite() === null) {
    return (
      <NoSignup
        text={t('Sign-ups on this server need an invitation. Ask your administrator for a link.')}
      />
    )
  }
  return <SignupForm serverInfo={serverInfo} />
}

/** Says why there is no form. Whoever has an account goes on from here. */
function NoSignup({ text }: { text: string }) {
  return (
    <>
      <Banner tone="notice">{text}</Banner>
      <Link to="/login" className={buttonClasses('primary', 'large')}>
        {t('Sign in')}
      </Link>
    </>
  )
}

/** The form. A failed sign-up keeps what was typed. */
function SignupForm({ serverInfo }: { serverInfo: ServerInfo | null }) {
  const { signUp } = useAuthCommands()
  const [fullName, setFullName] = useState('')
  const [email, setEmail] = useState(emailFromState(useLocation().state))
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  const [agreeToTerms, setAgreeToTerms] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const refusal = usePasswordCheck(password)
  const problem = signupProblem({ password, confirmPassword, agreeToTerms })
  const sendable = problem === null && password !== ''

  async function send() {
    const name = fullName.trim()
    const reason = problem ?? refusal(password, { name, email: email.trim() })
    setError(reason)
    if (reason !== null) return
    setBusy(true)
    try {
      await signUp({ name, email: email.trim(), password })
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {error !== null && <Banner>{error}</Banner>}
      <Form onSend={send} aria-label={t('Sign up')} className="flex flex-col gap-4">
        <TextField
          ref={takeFirstFocus}
          label={t('Full Name')}
          name="fullName"
          autoComplete="name"
          required
          value={fullName}
          onChange={(event) => setFullName(event.target.value)}
        />
        <TextField
          type="email"
          label={t('Email Address')}
          name="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <NewPassword
          password={password}
          confirmPassword={confirmPassword}
          onPassword={setPassword}
          onConfirmPassword={setConfirmPassword}
        />
        <Checkbox
          name="agreeToTerms"
          checked={agreeToTerms}
          onChange={(event) => setAgreeToTerms(event.target.checked)}
          label={
            <RichText
              text={t(
                'I agree to the <terms>Terms & Conditions</terms> and the <privacy>Privacy Policy</privacy>',
              )}
              tags={{
                terms: (words) => <PolicyLink to="/terms" text={words} />,
                privacy: (words) => <PolicyLink to="/privacy" text={words} />,
              }}
            />
          }
        />
        <Button type="submit" variant="primary" size="large" busy={busy} disabled={!sendable}>
          {busy ? t('Creating Account...') : t('Create Account')}
        </Button>
        <PasskeyPlace>
          {offersPasskeys(serverInfo) && (
            <PasskeySignUp
              person={{ name: fullName, email }}
              agreeToTerms={agreeToTerms}
              onError={setError}
            />
          )}
        </PasskeyPlace>
      </Form>
      {serverInfo !== null && (serverInfo.provider !== null || serverInfo.proxy !== null) && (
        <OtherWays {...serverInfo} rememberMe onError={setError} />
      )}
      <p className="text-center text-sm text-quiet">
        <RichText
          text={t('Already have an account? <link>Sign in</link>')}
          tags={{
            link: (words) => (
              <Link to="/login" state={{ email }} className="font-semibold text-accent underline">
                {words}
              </Link>
            ),
          }}
        />
      </p>
    </>
  )
}

/** Opens in a new tab, so that the form keeps what was typed. */
function PolicyLink({ to, text }: { to: string; text: string }) {
  return (
    <Link to={to} target="_blank" className="font-semibold text-accent underline">
      {text}
      <span className="sr-only"> {t('(opens in a new tab)')}</span>
    </Link>
  )
}
