import { useLocation } from 'react-router'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { mailLinkOf } from '#features/auth/mail-link.ts'
import { AskForLinkForm, ChoosePasswordForm } from '#features/auth/recovery-forms.tsx'

/** /recovery: asks for the mail; the link in it leads here again, to a new password. */
export function Component() {
  const opened = mailLinkOf(useLocation().state)
  if (opened.kind === 'link') {
    return (
      <AuthPage title="Choose a new password" subtitle="Your tasks and hours are kept">
        <ChoosePasswordForm link={opened.link} />
      </AuthPage>
    )
  }
  return (
    <AuthPage
      title="Forgot your password?"
      subtitle="We mail a link to the address of your account"
    >
      <AskForLinkForm unusable={opened.kind === 'none' ? null : opened.kind} />
    </AuthPage>
  )
}
