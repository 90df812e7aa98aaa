/** The error texts for a failed start. */
import { t } from '@stint/core/text.ts'
import type { BackendError } from '#backend/errors.ts'

/**
 * Returns 'Timer stopped: …' for a failed start. The kind of the error decides first, then words in
 * its message.
 */
export function startFailedText(error: BackendError): string {
  return `Timer stopped: ${startFailure(error)}`
}

function startFailure(error: BackendError): string {
  const message = error.message.toLowerCase()
  if (error.kind === 'over-quota') return t('Storage on the server is used up')
  if (error.kind === 'unreachable') return t('No internet connection detected')
  if (error.kind === 'signed-out' || error.kind === 'forbidden') return t('Authentication error')
  if (message.includes('network') || message.includes('fetch')) {
    return t('No internet connection detected')
  }
  if (message.includes('session')) return t('Could not create session')
  if (message.includes('auth')) return t('Authentication error')
  return t('Unknown error occurred')
}
