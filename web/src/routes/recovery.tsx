import { useLocation } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { mailLinkOf } from '#features/auth/mail-link.ts'
import { RequestLinkForm, ChoosePasswordForm } from '#features/auth/recovery-forms.tsx'

/** /recovery: requests the recovery email. The email's link opens it again to choose a password. */
export function Component() {
  const opened = mailLinkOf(useLocation().state)
  if (opened.kind === 'link') {
    return (
      <AuthPage title={t('Choose a new password')} subtitle={t('Your tasks and sessions are kept')}>
        <ChoosePasswordForm link={opened.link} />
      </AuthPage>
    )
  }
  return (
    <AuthPage title={t('Forgot your password?')} subtitle={t('We’ll email you a reset link')}>
      <RequestLinkForm unusable={opened.kind === 'none' ? null : opened.kind} />
    </AuthPage>
  )
}
