/**
 * Signs that the backend was restored from an older backup: it has less, or earlier states, than it
 * had confirmed.
 */
import type { SystemFields } from '#collections.ts'
import { stampsOf } from '#record/fields.ts'
import type { Stamped } from '#record/fields.ts'
import { stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import type { Parts } from '#record/unsent.ts'
import { turnsOf } from '#timer/presses.ts'
import type { Press } from '#timer/presses.ts'
import type { Interval } from '#time/instant.ts'
import { reopenPause } from '#timer/timer.ts'
import type { ActiveTimer, RunningTimer } from '#timer/timer.ts'

import type { Draft, View } from './draft.ts'
import { isEditOf, sessionOf } from './edits.ts'
import { deletesForGood } from './schema.ts'
import type { Kind } from './stored.ts'

/**
 * Returns by id what the backend had confirmed, and must still have, of the documents that changed since
 * an instant (epoch milliseconds).
 */
export function confirmedSince(
  view: View,
  kind: 'task' | 'entry',
  instant: number,
): Map<string, Stamped> {
  const { tasks, entries, edits, operations } = view
  const isThere = deletesForGood(view)
    ? (thing: Stamped) => !('deletedAt' in thing) || thing.deletedAt === null
    : () => true
  const ofKind = edits.all().filter((edit) => isEditOf(kind, edit))
  const bases = new Map<string, Stamped | null>(ofKind.map(({ id, base }) => [id, base]))
  const stopped = operations.all().filter(({ operation }) => operation.kind === 'stop')
  const unsaved = new Set(stopped.map(sessionOf))
  const confirmed = new Map<string, Stamped>()
  for (const thing of kind === 'task' ? tasks.all() : entries.all()) {
    const base = bases.get(thing.id)
    const known = base === undefined ? thing : base
    if (known && known.updatedAt >= instant && !unsaved.has(thing.id) && isThere(known)) {
      confirmed.set(thing.id, known)
    }
  }
  return confirmed
}

/**
 * Lets the next pull ask for everything, because the backend has lost a thing that was created again
 * since. The thing itself no longer shows what else is lost.
 */
export function compareAgain(draft: Draft, kind: Kind): void {
  if (kind === 'settings') return
  const pulled = draft.value(kind === 'task' ? 'pull:tasks' : 'pull:time_entries')
  if (pulled?.complete) draft.putValue({ ...pulled, since: new Date(0).toISOString() })
}

/** Returns whether a document is an earlier state of what the backend had confirmed. */
export function isEarlier(document: SystemFields, known: Stamped): boolean {
  const { createdAt, updatedAt } = stampsOf(document)
  return createdAt === known.createdAt && updatedAt < known.updatedAt
}

/**
 * Returns whether a document is the confirmed one or a later state of it. A document that was
 * created anew under the same id is neither.
 */
export function isKept(document: SystemFields, known: Stamped): boolean {
  return stampsOf(document).createdAt === known.createdAt && !isEarlier(document, known)
}

/** Returns whether the backend has an earlier state of a session than it had confirmed. */
export function isBefore(read: TimerSession | null, known: TimerSession | null): boolean {
  return read?.createdAt === known?.createdAt && (read?.updatedAt ?? 0) < (known?.updatedAt ?? 0)
}

/**
 * Returns whether the backend has lost a pause or a resume: it counts a pause from here, or it has one of
 * these pauses for longer, or one that is still open. Another device may have pressed something since. A
 * longer pause that begins earlier and has ended is no such sign: another device may have taken out a gap.
 */
export function lacksTurns(there: ActiveTimer, here: ActiveTimer): boolean {
  const pauses = pausesOf(there)
  // A move of the start to later may drop pauses, and a resume from before it changes nothing.
  const isMoved = there.startedAt > here.startedAt
  return pausesOf(here).some(({ start, end }) => {
    const isLonger = pauses.some(
      (each) =>
        (each.start === start || each.end === Infinity) && each.start < end && end < each.end,
    )
    const isCounted = pauses.every((each) => start < each.start || each.end <= start)
    return (end > there.startedAt && isLonger) || (!isMoved && isCounted)
  })
}

/** Returns the pauses of a timer. An open one has no end. */
function pausesOf({ pauses, ...timer }: ActiveTimer): readonly Interval[] {
  const open = timer.status === 'paused' ? [{ start: timer.pausedAt, end: Infinity }] : []
  return [...pauses.intervals, ...open]
}

/**
 * Returns the pauses and resumes that the backend had confirmed of a session that was saved without them, or
 * null when none of them is missing.
 */
export function turnsSavedWithout(
  saved: TimeEntry,
  confirmed: ActiveTimer,
): readonly Press[] | null {
  const running: RunningTimer = { ...stoppedFromEntry(saved), status: 'running' }
  const wasPaused = saved.pauses.intervals.at(-1)?.end === saved.endedAt
  // The start was moved past a resume, which no field shows.
  const { startedAt } = confirmed
  const isHidden = saved.pauses.intervals.some(
    ({ start, end }) => start < startedAt && startedAt < end,
  )
  if (!isHidden && !lacksTurns(wasPaused ? reopenPause(running) : running, confirmed)) return null
  const resumed: readonly Press[] = isHidden ? [{ kind: 'resume', at: startedAt }] : []
  return [...resumed, ...turnsOf(confirmed)]
}

/**
 * Returns the presses to fold into a session that another device, which had heard of less, may have
 * created again or changed: those that the backend had confirmed and has lost come first.
 */
export function withLost(
  presses: readonly Press[],
  base: TimerSession | null,
  { createdAt, state }: TimerSession,
): readonly Press[] {
  if (base?.state.kind !== 'active') return presses
  const { timer } = base.state
  const isLost =
    base.createdAt !== createdAt || (state.kind === 'active' && lacksTurns(state.timer, timer))
  return isLost ? [...turnsOf(timer), ...presses] : presses
}

/**
 * Returns the presses to fold into a session that was saved without them. Pauses and resumes that the backend
 * had confirmed, and had lost when the session was saved, come first.
 */
export function withLostBefore(
  presses: readonly Press[],
  base: TimerSession | null,
  saved: TimeEntry,
): readonly Press[] {
  const lost = base?.state.kind === 'active' ? turnsSavedWithout(saved, base.state.timer) : null
  return [...(lost ?? []), ...presses]
}

/** Returns whether `remote` was created under the id of a known thing, which the backend had lost. */
export function isCreatedAgain<T>(parts: Parts<T>, known: T, remote: T): boolean {
  const [stamps, news] = [parts.stamps(known), parts.stamps(remote)]
  return stamps !== null && news !== null && news.createdAt > stamps.createdAt
}
