import { useSearchParams } from 'react-router'
import { mailLinkFrom } from '#features/auth/api.ts'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { VerifyEmailForm } from '#features/auth/recovery-forms.tsx'

/** /verify: where the link of a verification mail leads. */
export function Component() {
  return (
    <AuthPage
      title="Confirm your e-mail address"
      subtitle="One press, and it is proved to be yours"
    >
      <VerifyEmailForm link={mailLinkFrom(useSearchParams()[0])} />
    </AuthPage>
  )
}
