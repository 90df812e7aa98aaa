/** When the log of a saved session is not needed any more: its entries then stand for themselves. */
import { eventsOf } from './event.ts'
import type { Log } from './event.ts'
import { foldSession } from './asked.ts'

/** A log is kept for so long, and forever when it has at most so many characters. */
const MIN_LOG_AGE_MILLISECONDS = 90 * 24 * 60 * 60 * 1000
const MAX_KEPT_LENGTH = 200

/**
 * Returns whether a device keeps a log with a text of this length at `now`. It does not when the session has
 * ended in one part, nothing is asked, and the last event is old. Other parts need the log with their cuts.
 */
export function isKept(log: Log, length: number, now: number): boolean {
  const last = Math.max(...log.map(({ stamp, at }) => Math.max(stamp.milliseconds, at)))
  if (now - last < MIN_LOG_AGE_MILLISECONDS || length <= MAX_KEPT_LENGTH) return true
  const folded = foldSession(log)
  const isPlain = folded?.timer === null && folded.parts.length <= 1 && folded.asked.length === 0
  return !isPlain || eventsOf(log, 'cut').length > 0
}

/** One device, as codec.ts writes it, and the kinds of events about which it may be asked (`mayAsk`). */
const OF_ONE_DEVICE = /^\[1,\d+,\["[\w-]+"\],/
const FAILED_OR_UNDONE = /"(?:fail|undo)"/

/**
 * Returns whether a log is kept and asks nothing, as far as its text tells: most of a long history is not read.
 * `changedAt` is when its entry was last changed.
 */
export function isSurelyKept(text: string, changedAt: number, now: number): boolean {
  const isNeeded = now - changedAt < MIN_LOG_AGE_MILLISECONDS || text.length <= MAX_KEPT_LENGTH
  return isNeeded && OF_ONE_DEVICE.test(text) && !FAILED_OR_UNDONE.test(text)
}
