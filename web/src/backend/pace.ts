/**
 * Limits how fast entries are sent one by one. A backend without batches rejects a large import at its
 * rate limit (Appwrite: 120 creates a minute, in windows aligned to the minute). From the first refusal
 * on, each window keeps a share of the limit free for the timer.
 */
import type { BackendError } from './errors.ts'

/**
 * Appwrite's limit and the length of its windows. Pages of another origin cannot read the rate limit
 * headers.
 */
const USUAL_LIMIT = 120
const WINDOW_MILLISECONDS = 60_000
/** The share of the limit that an import may use. */
const SHARE = 0.75

export interface Pace {
  /** Counts a write and returns 0, or returns the milliseconds until the next write is allowed. */
  take(): number
  /** Notes that the backend refused a write for its rate limit. */
  refused(error: BackendError): void
  /** Returns the writes allowed per minute; null until a write was refused. */
  readonly perMinute: () => number | null
}

/** Creates a pace without a limit. `now` returns server time in epoch milliseconds. */
export function createPace(now: () => number): Pace {
  let perMinute: number | null = null
  let left = 0
  let windowEnd = 0

  return {
    perMinute: () => perMinute,
    take() {
      if (perMinute === null) return 0
      const time = now()
      if (time >= windowEnd) {
        left = perMinute
        windowEnd = time + WINDOW_MILLISECONDS
      }
      if (left === 0) return windowEnd - time
      left -= 1
      return 0
    },
    refused({ rateLimit }) {
      const time = now()
      perMinute = Math.max(1, Math.floor((rateLimit?.limit ?? USUAL_LIMIT) * SHARE))
      left = 0
      windowEnd = time + millisecondsToWait(rateLimit, time)
    },
  }
}

/**
 * Returns how long to wait after a refusal at `now`: what the server said, else until the next minute.
 */
export function millisecondsToWait(rateLimit: BackendError['rateLimit'], now: number): number {
  if (rateLimit) return rateLimit.retryAfterSeconds * 1000
  return WINDOW_MILLISECONDS - (now % WINDOW_MILLISECONDS)
}
