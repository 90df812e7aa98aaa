/** Classifies every error of a backend call, by status and type rather than by message. */

export type BackendErrorKind =
  /** No response: offline, refused, cut off, timed out, or a response that is not the backend's. */
  | 'unreachable'
  /** Not signed in: 401 on the account itself. */
  | 'signed-out'
  /** Signed in, without permission. */
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  /** Too many requests. `rateLimit` says when to retry, if the server said so. */
  | 'rate-limited'
  /** The user's storage quota on the server is used up. Writes fail until there is room. */
  | 'over-quota'
  /** The backend will never accept this request. */
  | 'invalid'
  /** The backend failed (5xx). The request can be retried. */
  | 'failed'

export class BackendError extends Error {
  override readonly name = 'BackendError'
  readonly kind: BackendErrorKind
  /** Appwrite's error type, '' without a response. */
  readonly type: string
  readonly status: number
  /** The limit that a 'rate-limited' response described; null when it described none. */
  readonly rateLimit: RateLimit | null

  constructor(
    kind: BackendErrorKind,
    message: string,
    type = '',
    status = 0,
    rateLimit: RateLimit | null = null,
  ) {
    super(message)
    this.kind = kind
    this.type = type
    this.status = status
    this.rateLimit = rateLimit
  }
}

/** A rate limit of the server, from its response headers. */
export interface RateLimit {
  /** Seconds until the server accepts the next request. */
  readonly retryAfterSeconds: number
  /** Requests per window; null when unknown. */
  readonly limit: number | null
}

/** Returns whether the same request may succeed later without a change. */
export function isTemporary(error: BackendError): boolean {
  return error.kind === 'unreachable' || error.kind === 'rate-limited' || error.kind === 'failed'
}

/** Returns whether the document exists, or the change conflicts with its current version. */
export function isConflict(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'conflict'
}

/** Returns whether the document is missing. Another user's document gives the same answer. */
export function isNotFound(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'not-found'
}

/**
 * Returns what a request threw as a BackendError. The SDK throws its own class or fetch's TypeError.
 */
export function fromRequest(thrown: unknown): BackendError {
  if (thrown instanceof BackendError) return thrown
  if (!isSdkException(thrown)) return new BackendError('unreachable', messageOf(thrown))
  const { code, type, message } = thrown
  return new BackendError(kindOf(code, type), message, type, code)
}

/**
 * Returns what other code threw as a BackendError. The kind is 'failed', so that a bug or a database
 * error is not taken for a missing network.
 */
export function asBackendError(thrown: unknown): BackendError {
  return thrown instanceof BackendError ? thrown : new BackendError('failed', messageOf(thrown))
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

interface SdkException extends Error {
  readonly code: number
  readonly type: string
}

function isSdkException(thrown: unknown): thrown is SdkException {
  return (
    thrown instanceof Error &&
    thrown.name === 'AppwriteException' &&
    'code' in thrown &&
    typeof thrown.code === 'number' &&
    'type' in thrown &&
    typeof thrown.type === 'string'
  )
}

function kindOf(status: number, type: string): BackendErrorKind {
  if (type === 'stint_quota_exceeded') return 'over-quota'
  // An error page of a proxy has a status but no type, so it does not come from the backend.
  if (status >= 400 && type === '') return status >= 500 ? 'failed' : 'unreachable'
  if (status === 401) return type === 'user_unauthorized' ? 'forbidden' : 'signed-out'
  if (status === 403) return type === 'user_blocked' ? 'signed-out' : 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 409) return 'conflict'
  if (status === 429) return 'rate-limited'
  if (status >= 500) return 'failed'
  return 'invalid'
}
