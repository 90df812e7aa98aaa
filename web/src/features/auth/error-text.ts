/** The texts of failed sign-ins and sign-ups, in their one place (spec 8). */
import { failureFrom } from '#sync/failure.ts'

const NO_CONNECTION = 'No internet connection detected'

/** Spec 8: an invalid argument reads as wrong credentials; other errors show the server's message. */
export function signInErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  if (unreachable) return NO_CONNECTION
  if (type === 'general_argument_invalid') {
    return 'Invalid credentials. Please check the email and password.'
  }
  return message
}

/** A link of a mail works once, and for an hour: the answer does not say which of these it was. */
export function linkErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  if (unreachable) return NO_CONNECTION
  if (LINK_ERRORS.has(type)) return 'This link has expired or was used already.'
  return message
}

const LINK_ERRORS = new Set(['user_invalid_token', 'user_not_found', 'general_argument_invalid'])

/** Spec 8: an existing account has its own text; other errors show the server's message. */
export function signUpErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  if (unreachable) return NO_CONNECTION
  if (type === 'user_already_exists') return 'A user with the same email already exists.'
  return message
}
