import { MIN_PASSWORD_STRENGTH, passwordStrength } from '@stint/core/password.ts'

/**
 * The first reason why the form cannot be sent, as a text for the form, or null. The submit button is
 * disabled then, but autofill and Enter can still send it.
 */
export function signupProblem(form: {
  password: string
  confirmPassword: string
  agreeToTerms: boolean
}): string | null {
  const problem = passwordProblem(form)
  if (problem !== null) return problem
  return form.agreeToTerms ? null : 'Please agree to the Terms & Conditions'
}

/** The first reason why a new password is refused, as a text for the form, or null. */
export function passwordProblem(form: {
  password: string
  confirmPassword: string
}): string | null {
  if (form.password !== form.confirmPassword) return 'Passwords do not match'
  if (passwordStrength(form.password) < MIN_PASSWORD_STRENGTH) {
    return 'Password is too weak. Please choose a stronger password.'
  }
  return null
}
