/** The error texts for a failed start. */
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
  if (error.kind === 'over-quota') return 'Storage on the server is used up'
  if (error.kind === 'unreachable') return 'No internet connection detected'
  if (error.kind === 'signed-out' || error.kind === 'forbidden') return 'Authentication error'
  if (message.includes('network') || message.includes('fetch')) {
    return 'No internet connection detected'
  }
  if (message.includes('session')) return 'Could not create session'
  if (message.includes('auth')) return 'Authentication error'
  return 'Unknown error occurred'
}
