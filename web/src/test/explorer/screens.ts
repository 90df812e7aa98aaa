/**
 * What a device showed as worked never leaves its screen silently: afterwards it counts, or its owner
 * is asked about it. Only what is stored is read.
 */
import type { Interval } from '@stint/core/time/instant.ts'

import type { Pressed } from './scenario.ts'
import { length, without } from '../simulation/spans.ts'
import { askedBy, storageOf, timerOf, unfinishedIn } from './storage.ts'
import type { Storage } from './storage.ts'
import { discardedBy, workOn } from './worked.ts'

/** Devices hear of each other within this time, and nobody is asked about less. */
const MAX_UNASKED_MILLISECONDS = 5000

/**
 * Returns whether news took more work from the screen of a client than it counts or asks about
 * afterwards. A timer that goes on is not taken, and a session that was discarded was seen before.
 *
 * @param now the clock of the client, in epoch milliseconds
 * @param undone the storages of other clients that have undone a stop: their timer comes back with their next request
 */
export function isTaken(
  before: string,
  after: string,
  now: number,
  pressed: readonly Pressed[],
  undone: readonly string[] = [],
): boolean {
  if (before === after) return false
  const [earlier, later] = [storageOf({ storage: before }), storageOf({ storage: after })]
  const discarded = pressed.flatMap(discardedBy)
  // What runs after the news counts on, beyond what this client's clock says.
  const elsewhere = undone.flatMap((storage) => workOn(timerOf(storageOf({ storage })), Infinity))
  const kept = [...knownBy(later, Infinity), ...discarded, ...elsewhere]
  const taken = without(without(knownBy(earlier, now), kept), unseenIn(earlier, pressed))
  const [timer, next] = [timerOf(earlier), timerOf(later)]
  const goesOn = next?.status === 'running' && next.sessionId === timer?.sessionId
  return !goesOn && length(taken) > MAX_UNASKED_MILLISECONDS
}

/**
 * Returns what the entries of pressed timers count without a screen having shown it as worked. A device whose screen
 * showed a pause has stopped the timer and reads only then that another one had resumed it: the time between counts until
 * it hears when that one ended.
 */
function unseenIn({ entries }: Storage, pressed: readonly Pressed[]): readonly Interval[] {
  return entries.flatMap(({ startedAt, endedAt, sessionId }) => {
    const timers = pressed.flatMap(({ press: { at }, timer, after }) =>
      [timer, after].flatMap((each) => (each?.sessionId === sessionId ? { timer: each, at } : [])),
    )
    if (timers.length === 0) return []
    const shown = timers.flatMap(({ timer, at }) => workOn(timer, at))
    return without([{ start: startedAt, end: endedAt }], shown)
  })
}

/** Returns what counts on a device and what it asks about. */
function knownBy(storage: Storage, now: number): readonly Interval[] {
  const entries = storage.entries.filter(({ deletedAt }) => deletedAt === null)
  return [
    ...workOn(timerOf(storage), now),
    ...entries.flatMap(({ startedAt, endedAt, pauses }) =>
      without([{ start: startedAt, end: endedAt }], pauses.intervals),
    ),
    ...askedBy(storage).flatMap(({ spans }) => spans),
    ...unfinishedIn(storage).flatMap(({ state }) =>
      state.kind === 'stopped' ? [] : workOn(state.timer, now),
    ),
  ]
}
