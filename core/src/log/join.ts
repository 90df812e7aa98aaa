/** The union of what two places know of one session. */
import { encodeLog } from './codec.ts'
import { idOf } from './event.ts'
import type { Log, LogEvent } from './event.ts'
import { compareEvents } from './order.ts'

/**
 * Returns the events of both, each once, sorted: the same in whatever order logs are joined, and however often.
 * Of two versions of one event, which no device writes on purpose, every device takes the same one.
 */
export function join(one: readonly LogEvent[], other: readonly LogEvent[]): Log {
  const events = new Map<string, LogEvent>()
  for (const event of [...one, ...other]) {
    const id = idOf(event)
    const known = events.get(id)
    const isTaken = !known || (known !== event && encodeLog([event]) < encodeLog([known]))
    if (isTaken) events.set(id, event)
  }
  return [...events.values()].sort(compareEvents)
}

/** Returns the events of the first log that the second one lacks. */
export function missingIn(log: Log, other: Log): Log {
  const known = new Set(other.map(idOf))
  return log.filter((event) => !known.has(idOf(event)))
}
