import { useSearchParams } from 'react-router'
import { mailLinkFrom } from '#features/auth/api.ts'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { AskForLinkForm, ChoosePasswordForm } from '#features/auth/recovery-forms.tsx'

/** /recovery: asks for the mail; the link in it leads here again, to a new password. */
export function Component() {
  const link = mailLinkFrom(useSearchParams()[0])
  if (link === null) {
    return (
      <AuthPage
        title="Forgot your password?"
        subtitle="We mail a link to the address of your account"
      >
        <AskForLinkForm />
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Choose a new password" subtitle="Your tasks and hours are kept">
      <ChoosePasswordForm key={link.secret} link={link} />
    </AuthPage>
  )
}
