import { t } from '@stint/core/text.ts'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { Signup } from '#features/auth/signup-form.tsx'

/** /signup. */
export function Component() {
  return (
    <AuthPage
      title={t('Create your account')}
      subtitle={t('Create a task, press Start, see where the time went')}
    >
      <Signup />
    </AuthPage>
  )
}
