import { useLocation } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { mailLinkOf } from '#features/auth/mail-link.ts'
import { VerifyEmailForm } from '#features/auth/recovery-forms.tsx'

/** /verify: the page that the link of a verification email opens. */
export function Component() {
  return (
    <AuthPage title={t('Confirm your email address')} subtitle={t('Click below to finish')}>
      <VerifyEmailForm opened={mailLinkOf(useLocation().state)} />
    </AuthPage>
  )
}
