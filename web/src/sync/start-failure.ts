/** Why a start failed, in words. */
import type { BackendError } from '#backend/errors.ts'

/** 'Timer stopped: …' for a start that failed: by kind of error first, then by words in the message. */
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
