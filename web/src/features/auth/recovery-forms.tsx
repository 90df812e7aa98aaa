import { useState } from 'react'
import { Link, useLocation } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Form } from '#ui/form.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useAuthCommands } from './use-auth-commands.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import { emailFromState } from './email-draft.ts'
import type { MailLink, MailLinkState } from './mail-link.ts'
import { NewPassword } from './new-password.tsx'
import { isLinkExpired } from './error-text.ts'
import { passwordProblem } from './signup-problem.ts'
import { usePasswordCheck } from '#hooks/use-password-check.ts'

/**
 * Requests a recovery email. The confirmation does not reveal whether the address has an account.
 * `unusable` is why the link that opened the page cannot be used; null without a link.
 */
export function RequestLinkForm({ unusable }: { unusable: keyof typeof UNUSABLE | null }) {
  const { requestRecovery } = useAuthCommands()
  const cannotSend = useServerInfo()?.recovery === false
  const [email, setEmail] = useState(emailFromState(useLocation().state))
  const { busy, error, done, send } = useSending(() => requestRecovery(email.trim()))

  if (done) {
    return (
      <>
        <Banner tone="notice">
          {t('If {email} has an account, a reset link is on its way. It expires in one hour.', {
            email: email.trim(),
          })}
        </Banner>
        <BackToSignIn />
      </>
    )
  }
  return (
    <>
      {unusable !== null && (
        <Banner tone="notice">
          {UNUSABLE[unusable]}
          {!cannotSend && ` ${t('Or request a new one below.')}`}
        </Banner>
      )}
      {cannotSend && <Banner tone="notice">{t('This server can’t send email.')}</Banner>}
      {error !== null && <Banner>{error}</Banner>}
      <Form onSend={send} aria-label={t('Forgot password')} className="flex flex-col gap-4">
        <TextField
          type="email"
          label={t('Email Address')}
          name="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" variant="primary" size="large" busy={busy} disabled={cannotSend}>
          {busy ? t('Sending...') : t('Send link')}
        </Button>
      </Form>
      <BackToSignIn />
    </>
  )
}

/**
 * A recovery link does not name its user. The server checks the password against the name and the
 * address.
 */
const UNKNOWN_OWNER = { name: '', email: '' }

/** Sets a new password with the secret of the emailed link. */
export function ChoosePasswordForm({ link }: { link: MailLink }) {
  const { resetPassword } = useAuthCommands()
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  const refusal = usePasswordCheck(password)
  const problem = passwordProblem({ password, confirmPassword })
  const { busy, error, expired, done, send } = useSending(async () => {
    const reason = problem ?? refusal(password, UNKNOWN_OWNER)
    if (reason !== null) throw new Error(reason)
    await resetPassword(link, password)
  })

  if (done) {
    return (
      <>
        <Banner tone="notice">
          {t(
            'Your password was changed and all devices were signed out. Sign in with your new password.',
          )}
        </Banner>
        <Link to="/login" className={buttonClasses('primary', 'large')}>
          {t('Sign In')}
        </Link>
      </>
    )
  }
  return (
    <>
      {error !== null && (
        <Banner>
          {error}{' '}
          {expired && (
            <Link to="/recovery" className="font-semibold underline">
              {t('Request a new link')}
            </Link>
          )}
        </Banner>
      )}
      <Form onSend={send} aria-label={t('New password')} className="flex flex-col gap-4">
        <NewPassword
          password={password}
          confirmPassword={confirmPassword}
          onPassword={setPassword}
          onConfirmPassword={setConfirmPassword}
        />
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={busy}
          disabled={problem !== null || password === ''}
        >
          {busy ? t('Saving...') : t('Set password')}
        </Button>
      </Form>
      <BackToSignIn />
    </>
  )
}

/** Confirms an email address. It waits for a press, because email programs open links on their own. */
export function VerifyEmailForm({ opened }: { opened: MailLinkState }) {
  const { verifyEmail } = useAuthCommands()
  const link = opened.kind === 'link' ? opened.link : null
  const { busy, error, done, send } = useSending(async () => {
    if (link) await verifyEmail(link)
  })
  if (link === null) {
    return opened.kind === 'forgotten' ? (
      <Banner tone="notice">{UNUSABLE.forgotten}</Banner>
    ) : (
      <Banner>{UNUSABLE.broken}</Banner>
    )
  }
  if (done) {
    return (
      <>
        <Banner tone="notice">{t('Your email address is confirmed.')}</Banner>
        <Link to="/dashboard" className={buttonClasses('primary', 'large')}>
          {t('Dashboard')}
        </Link>
      </>
    )
  }
  return (
    <>
      {error !== null && <Banner>{error}</Banner>}
      <Form onSend={send} aria-label={t('Confirm email address')}>
        <Button type="submit" variant="primary" size="large" busy={busy} className="w-full">
          {busy ? t('Confirming...') : t('Confirm email')}
        </Button>
      </Form>
    </>
  )
}

/** Why an emailed link cannot be used, and what to do. */
const UNUSABLE = {
  broken: t('This link is incomplete. Open it again from the email, or copy all of it.'),
  forgotten: t('This page was reloaded. Open the link in your email again.'),
} as const

/** Sends a form: whether it is in progress, whether it succeeded, its error, and an expired link. */
function useSending(work: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)

  async function send() {
    setBusy(true)
    setFailure(null)
    try {
      await work()
      setDone(true)
    } catch (cause) {
      setFailure(cause instanceof Error ? cause : new Error(String(cause)))
    } finally {
      setBusy(false)
    }
  }

  const error = failure?.message ?? null
  return { busy, done, error, expired: isLinkExpired(failure?.cause), send }
}

function BackToSignIn() {
  return (
    <p className="text-center text-sm text-quiet">
      <RichText
        text={t('Remembered it? <link>Sign in</link>')}
        tags={{
          link: (words) => (
            <Link to="/login" className="font-semibold text-accent underline">
              {words}
            </Link>
          ),
        }}
      />
    </p>
  )
}
