/** The errors of the ways in beside the password. Loaded lazily, as `other-ways.tsx` is. */
import { t } from '@stint/core/text.ts'
import { failureFrom } from '#session/failure.ts'

import { NO_CONNECTION } from './error-text.ts'

/** Returns the text of a failed sign-in by one of these ways. */
export function externalErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  return unreachable ? NO_CONNECTION : (REFUSALS.get(type) ?? message)
}

/** What the server's refusals mean, by the type of the error. */
export const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['user_auth_method_unsupported', t('Sign-ups are closed on this server.')],
  [
    'stint_invite_invalid',
    t(
      'Your invitation can’t be used: it is missing or wrong, was used, has expired, or is for another address. Ask your administrator for a new link.',
    ),
  ],
  ['stint_sign_in_denied', t('The sign-in was cancelled or refused.')],
  [
    'stint_sign_in_expired',
    t('The sign-in took too long, or was begun in another window. Please try again.'),
  ],
  [
    'stint_email_unverified',
    t('Your email address isn’t verified there. Verify it, then sign in again.'),
  ],
  [
    'stint_identity_conflict',
    t(
      'The account with your email address belongs to somebody else there. Ask your administrator.',
    ),
  ],
  ['stint_provider_unavailable', t('The sign-in service doesn’t respond. Please try again later.')],
  [
    'stint_person_refused',
    t('The proxy in front of this server doesn’t say who you are. Ask your administrator.'),
  ],
  ['user_blocked', t('This account is blocked. Ask your administrator.')],
  ['general_rate_limit_exceeded', t('Too many attempts. Try again later.')],
  ['general_service_unavailable', t('The server is temporarily unavailable. Please try again.')],
])
