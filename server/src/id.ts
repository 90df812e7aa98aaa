/** Ids: names of things, never secrets. */
import { randomBytes } from 'node:crypto'

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

/** A client sends this to let the server choose an id. */
export const GENERATE_ID = 'unique()'

/** Returns whether `value` may be the id of a document, a user or a session. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

/**
 * Returns a new id in the SDK's form: 20 hex digits, the time (epoch milliseconds) followed by
 * random ones.
 */
export function newId(now: number): string {
  const seconds = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, '0')
  const milliseconds = (now % 1000).toString(16).padStart(5, '0')
  return seconds + milliseconds + randomBytes(4).toString('hex').slice(0, 7)
}

/** Returns a new name of a writer of events (docs/log.md). */
export function newWriter(): string {
  return randomBytes(6).toString('base64url').slice(0, 6)
}
