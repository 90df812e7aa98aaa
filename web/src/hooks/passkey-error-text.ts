/** What went wrong with passkeys, for all screens. */
import { t } from '@stint/core/text.ts'
import { failureFrom } from '#session/failure.ts'

/** Returns the text of what the browser or the server refused about passkeys; undefined: it is about something else. */
export function passkeyErrorText(thrown: unknown): string | undefined {
  return TEXTS[failureFrom(thrown).type]
}

const TEXTS: Readonly<Record<string, string>> = {
  passkey_cancelled: t('No passkey was used. Try again when you are ready.'),
  passkey_replaced: t('No passkey was used. Try again when you are ready.'),
  passkey_exists: t('This device or security key already has a passkey for your account.'),
  passkey_unsupported: t('This browser can’t use a passkey here.'),
  stint_passkey_expired: t('That took too long. Try again.'),
  stint_passkey_unknown: t('No account here has this passkey. It may have been removed.'),
  stint_passkey_refused: t('This passkey wasn’t accepted.'),
  stint_passkey_last: t(
    'It is the only way into your account. Set a password first, then remove it.',
  ),
  stint_proof_missing: t('Confirm with your password or a passkey first.'),
}
