import { t } from '@stint/core/text.ts'
import { AuthPage } from '#features/auth/auth-page.tsx'
import { LoginForm } from '#features/auth/login-form.tsx'

/** /login. */
export function Component() {
  return (
    <AuthPage title={t('Welcome back')} subtitle={t('Sign in to your account')}>
      <LoginForm />
    </AuthPage>
  )
}
