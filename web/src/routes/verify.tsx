import { useLocation } from 'react-router'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { mailLinkOf } from '#features/auth/mail-link.ts'
import { VerifyEmailForm } from '#features/auth/recovery-forms.tsx'

/** /verify: where the link of a verification mail leads. */
export function Component() {
  return (
    <AuthPage title="Confirm your e-mail address" subtitle="One click confirms it is yours">
      <VerifyEmailForm opened={mailLinkOf(useLocation().state)} />
    </AuthPage>
  )
}
