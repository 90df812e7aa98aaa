/** When the log of a saved session is not needed any more: its entries then stand for themselves. */
import { encodeLog } from './codec.ts'
import { eventsOf } from './event.ts'
import type { Log } from './event.ts'
import { foldSession } from './asked.ts'

/** A log is kept for so long, and forever when it has at most so many characters. */
const MIN_LOG_AGE_MILLISECONDS = 90 * 24 * 60 * 60 * 1000
const MAX_KEPT_LENGTH = 200

/**
 * Returns the log that a device keeps of a session at `now`, or an empty one when its entry stands for
 * itself: it has ended in one part, nothing is asked, and the last event is old. An edit then begins a new
 * log with the entry as it is. The other parts of a session need the log with their cuts.
 */
export function compacted(log: Log, now: number): Log {
  const last = Math.max(...log.map(({ stamp, at }) => Math.max(stamp.milliseconds, at)))
  if (now - last < MIN_LOG_AGE_MILLISECONDS || encodeLog(log).length <= MAX_KEPT_LENGTH) return log
  const folded = foldSession(log)
  const isPlain = folded?.timer === null && folded.parts.length <= 1 && folded.asked.length === 0
  return isPlain && eventsOf(log, 'cut').length === 0 ? [] : log
}
