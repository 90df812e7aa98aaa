/** The error texts of the sign-in, sign-up and email link forms. */
import { t } from '@stint/core/text.ts'
import { failureFrom } from '#session/failure.ts'

export const NO_CONNECTION = t('No internet connection detected')

/**
 * Returns the text of a failed sign-in. An invalid argument means wrong credentials; other errors show
 * the server's message.
 */
export function signInErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  if (unreachable) return NO_CONNECTION
  if (type === 'general_argument_invalid') {
    return t('Invalid credentials. Please check the email and password.')
  }
  if (type === 'stint_code_refused') return t('This code is wrong or was used already.')
  return message
}

/** Returns whether a sign-in needs a code after the password. */
export function needsCode(thrown: unknown): boolean {
  return failureFrom(thrown).type === 'stint_code_required'
}

const LINK_EXPIRED = t('This link has expired or was already used.')

/**
 * Returns the text of a failed email link. A link works once and for an hour; the server's error does
 * not tell which limit applied. A rejected password shows the server's message.
 */
export function linkErrorText(thrown: unknown): string {
  const { unreachable, message } = failureFrom(thrown)
  if (unreachable) return NO_CONNECTION
  return isLinkExpired(thrown) ? LINK_EXPIRED : message
}

/** Returns whether the server refuses a link, and not its new password. */
export function isLinkExpired(thrown: unknown): boolean {
  const { type, message } = failureFrom(thrown)
  return LINK_ERRORS.has(type) && !message.includes('`password`')
}

const LINK_ERRORS = new Set(['user_invalid_token', 'user_not_found', 'general_argument_invalid'])

/**
 * Returns the text of a failed sign-up. An existing account has its own text; other errors show the
 * server's message.
 */
export function signUpErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  if (unreachable) return NO_CONNECTION
  if (type === 'user_already_exists') return t('A user with the same email already exists.')
  return message
}
