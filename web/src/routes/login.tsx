import { AuthPage } from '#features/auth/auth-page.tsx'
import { LoginForm } from '#features/auth/login-form.tsx'

/** /login. */
export function Component() {
  return (
    <AuthPage title="Welcome back" subtitle="Sign in to your account">
      <LoginForm />
    </AuthPage>
  )
}
