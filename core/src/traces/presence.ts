/** When a device was in use, as this app has noted it there: traces without a text. */
import type { Interval } from '#time/instant.ts'
import { clipIntervals } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { traceOf } from './trace.ts'
import type { Trace } from './trace.ts'

/** The id of its source. */
export const PRESENCE_SOURCE = 'presence'
/** So long it is kept, in days. */
export const PRESENCE_DAYS = 90
/** The most stretches that are kept: the latest ones. */
export const MAX_PRESENCE = 5000

const DAY_MILLISECONDS = 24 * 3_600_000

/** Returns what is kept once a stretch is known, or has grown. */
export function withPresence(kept: readonly Trace[], seen: Interval): readonly Trace[] {
  const known = kept.map(({ from, to }) => ({ start: from, end: to }))
  const oldest = seen.end - PRESENCE_DAYS * DAY_MILLISECONDS
  return clipIntervals(mergeIntervals([...known, seen]), oldest, Infinity)
    .slice(-MAX_PRESENCE)
    .map(presenceOf)
}

/** A stretch that grows keeps its id, so that what is dismissed of it stays away. */
function presenceOf({ start, end }: Interval): Trace {
  return {
    ...traceOf({ kind: 'presence', from: start, to: start, title: '', where: '' }),
    to: end,
  }
}
