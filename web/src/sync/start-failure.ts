/** The error texts for a failed start. */
import { t } from '@stint/core/text.ts'
import type { BackendError } from '#backend/errors.ts'

/**
 * Returns 'Timer stopped: …' for a failed start. The kind of the error decides first, then words in
 * its message.
 */
export function startFailedText(error: BackendError): string {
  const message = error.message.toLowerCase()
  if (error.kind === 'over-quota') return t('Timer stopped: Storage on the server is used up')
  if (error.kind === 'unreachable') return t('Timer stopped: No internet connection detected')
  if (error.kind === 'signed-out' || error.kind === 'forbidden')
    return t('Timer stopped: Authentication error')
  if (message.includes('network') || message.includes('fetch')) {
    return t('Timer stopped: No internet connection detected')
  }
  if (message.includes('session')) return t('Timer stopped: Could not create session')
  if (message.includes('auth')) return t('Timer stopped: Authentication error')
  return t('Timer stopped: Unknown error occurred')
}
