import { MIN_PASSWORD_STRENGTH, passwordStrength } from '@stint/core/password.ts'

/**
 * Why the form cannot be sent, in the specification's words and order (spec 5), or null. The submit
 * button is disabled meanwhile; autofill and Enter still meet these.
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

/** Why a new password cannot be taken, in the specification's words (spec 5), or null. */
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
