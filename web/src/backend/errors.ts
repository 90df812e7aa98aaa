/**
 * Everything that can go wrong with a call, classified once: code and type first, words last.
 */

export type BackendErrorKind =
  /** No answer: offline, refused, cut, timed out, or an answer that is not the backend's. */
  | 'unreachable'
  /** Signed out: 401 for the account itself. */
  | 'signed-out'
  /** Signed in, but this is not allowed. */
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  /** Too many requests; `rateLimit` tells when to come back, where the server said so. */
  | 'rate-limited'
  /** The person's storage on the server is used up: it takes nothing more until there is room. */
  | 'over-quota'
  /** The backend will never accept this request. */
  | 'invalid'
  /** The backend failed (5xx): try again later. */
  | 'failed'

export class BackendError extends Error {
  override readonly name = 'BackendError'
  readonly kind: BackendErrorKind
  /** Appwrite's error type, '' when there was no answer. */
  readonly type: string
  readonly status: number
  /** What a 'rate-limited' answer said of the limit; null when it said nothing, or for another kind. */
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

/** A limit of the server's, as its headers describe it. */
export interface RateLimit {
  /** From now on until the next request is taken. */
  readonly retryAfterSeconds: number
  /** Requests in one window; null when the answer did not say. */
  readonly limit: number | null
}

/** Whether the same request may succeed later without anyone doing anything. */
export function isTemporary(error: BackendError): boolean {
  return error.kind === 'unreachable' || error.kind === 'rate-limited' || error.kind === 'failed'
}

/** The document is there already, or says something that cannot be changed. */
export function isConflict(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'conflict'
}

/** The document is not there, or not ours, which is the same answer. */
export function isNotFound(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'not-found'
}

/** What a request threw, as a BackendError. The SDK throws its own class, or fetch's TypeError. */
export function fromRequest(thrown: unknown): BackendError {
  if (thrown instanceof BackendError) return thrown
  if (!isSdkException(thrown)) return new BackendError('unreachable', messageOf(thrown))
  const { code, type, message } = thrown
  return new BackendError(kindOf(code, type), message, type, code)
}

/**
 * What anything else threw, as a BackendError: a fault of the local database or of Stint must not
 * pass for a missing network.
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
  // A proxy's own error page has a status but no type: nobody answered for the backend.
  if (status >= 400 && type === '') return status >= 500 ? 'failed' : 'unreachable'
  if (status === 401) return type === 'user_unauthorized' ? 'forbidden' : 'signed-out'
  if (status === 403) return type === 'user_blocked' ? 'signed-out' : 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 409) return 'conflict'
  if (status === 429) return 'rate-limited'
  if (status >= 500) return 'failed'
  return 'invalid'
}
