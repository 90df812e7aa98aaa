/**
 * How fast entries are sent one by one. Where the backend takes no batches, a large import meets its
 * limit of writes (a real Appwrite: 120 creates a minute, in windows that begin with the minute). From
 * then on fewer are sent in each window, so that a timer can still be started and stopped meanwhile.
 */
import type { BackendError } from './errors.ts'

/** A real Appwrite's limit, and the length of its windows; a page of another origin cannot read them. */
const USUAL_LIMIT = 120
const WINDOW_MILLISECONDS = 60_000
/** Of the limit, so much is for the entries of an import. */
const SHARE = 0.75

export interface Pace {
  /** Counts a write and returns 0, or returns the milliseconds to wait until the next is due. */
  take(): number
  /** The backend refused a write for coming too soon. */
  refused(error: BackendError): void
  /** Writes a minute; null while nothing was refused. */
  readonly perMinute: () => number | null
}

/** A pace that knows no limit yet. `now` returns server time, epoch milliseconds. */
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

/** How long to wait after a refusal at `now`: as the server says, else until the next minute begins. */
export function millisecondsToWait(rateLimit: BackendError['rateLimit'], now: number): number {
  if (rateLimit) return rateLimit.retryAfterSeconds * 1000
  return WINDOW_MILLISECONDS - (now % WINDOW_MILLISECONDS)
}
