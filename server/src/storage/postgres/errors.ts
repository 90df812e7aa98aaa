/** Classifies PostgreSQL's errors. */
import { DatabaseError } from 'pg'
import {
  DatabaseUnavailable,
  QUOTA_EXCEEDED_STATE,
  QueryTooSlow,
  QuotaExceeded,
  UniqueViolation,
  UserGone,
} from '#storage/database.ts'

const CLASSIFIED = [UniqueViolation, UserGone, QuotaExceeded, QueryTooSlow, DatabaseUnavailable]

/**
 * Returns the interface's error for one of PostgreSQL's or of its connection; any other error
 * unchanged.
 */
export function classifyError(error: unknown): unknown {
  if (!(error instanceof Error) || CLASSIFIED.some((each) => error instanceof each)) return error
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    if (code === '23505') return new UniqueViolation(error.message, { cause: error })
    // Every foreign key refers to a user.
    if (code === '23503') return new UserGone(error.message, { cause: error })
    if (code === QUOTA_EXCEEDED_STATE) {
      const quota = error.message.endsWith('documents') ? 'documents' : 'bytes'
      return new QuotaExceeded(quota, { cause: error })
    }
    // Classes of connections, resources, operator intervention, timeouts, read-only and
    // serialisation.
    if (/^(08|53|57|58|40|25006|55P03)/.test(code)) {
      return new DatabaseUnavailable(error.message, { cause: error })
    }
    return error
  }
  const isLost =
    /terminated|timeout|closed|not queryable|after calling end/i.test(error.message) ||
    ('code' in error && /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENOTFOUND)/.test(String(error.code)))
  return isLost ? new DatabaseUnavailable(error.message, { cause: error }) : error
}

/**
 * Returns whether the transaction was rolled back because of a deadlock or a serialisation failure,
 * so that it can be repeated.
 */
export function isRetryable(error: unknown): boolean {
  return /^(40001|40P01)$/.test(stateOf(error))
}

/** Returns whether PostgreSQL cancelled the statement because it ran too long. */
export function isCancelled(error: unknown): boolean {
  return stateOf(error) === '57014'
}

/** Returns the messages of an error; several addresses of one host fail together. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Returns the SQLSTATE that made the database unavailable; '' for any other error. */
function stateOf(error: unknown): string {
  const cause = error instanceof DatabaseUnavailable ? error.cause : null
  return (cause instanceof DatabaseError && cause.code) || ''
}
