import { MIN_PASSWORD_STRENGTH, passwordStrength } from '@stint/core/password.ts'
import { t } from '@stint/core/text.ts'

/**
 * Returns the first reason why the form cannot be submitted, or null. It is checked on submit too, as
 * autofill and Enter can submit a form whose button is disabled.
 */
export function signupProblem(form: {
  password: string
  confirmPassword: string
  agreeToTerms: boolean
}): string | null {
  const problem = passwordProblem(form)
  if (problem !== null) return problem
  return form.agreeToTerms ? null : t('Please agree to the Terms & Conditions')
}

/** Returns the first reason why a new password is refused, or null. */
export function passwordProblem(form: {
  password: string
  confirmPassword: string
}): string | null {
  if (form.password !== form.confirmPassword) return t('Passwords do not match')
  if (passwordStrength(form.password) < MIN_PASSWORD_STRENGTH) {
    return t('Password is too weak. Please choose a stronger password.')
  }
  return null
}
