/** What features may know of a failed call: its kind and message, not the backend. */
import { asBackendError } from '#backend/errors.ts'

export interface Failure {
  readonly unreachable: boolean
  /** Appwrite's error type, '' without one. */
  readonly type: string
  readonly message: string
}

/** Describes any thrown value as a Failure. */
export function failureFrom(thrown: unknown): Failure {
  const { kind, type, message } = asBackendError(thrown)
  return { unreachable: kind === 'unreachable', type, message }
}
