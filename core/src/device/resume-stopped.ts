/**
 * Continues a stopped timer: Undo of a stop, and Resume in the message of a pause or resume that failed. The
 * entry of the stop is deleted, and the timer continues under another session id.
 */
import { clipIntervals } from '#time/instant.ts'
import { addPause, mergeIntervals } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import { hadNothingToSave, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { pauseAfter, pauseTimer, reopenPause, startTimer, takeOut } from '#timer/timer.ts'
import type { ActiveTimer, RunningTimer, StoppedTimer } from '#timer/timer.ts'

import { continuationOf } from './continuation.ts'
import type { Draft } from './draft.ts'
import { deleteEntry, isStopping } from './edits.ts'
import { addOffer, offersOf } from './offers.ts'
import { begin, clearBanner, stopActive } from './timer.ts'

/** A stop to continue, as it was pressed here, and the id of the session that continues it. */
interface Resumption {
  readonly sessionId: string
  readonly stopped: StoppedTimer
  /** What the time since the stop is. After Undo, the timer continues as it was. */
  readonly gap: 'pause' | 'work' | 'undo'
  readonly device: string
  readonly now: number
}

/** What is known of the stopped session, with the changes of its owner and of other devices. */
type Known = Pick<StoppedTimer, 'taskId' | 'startedAt' | 'endedAt' | 'pauses'> & {
  readonly note?: string | null | undefined
}

/**
 * Continues a stopped timer under a new session id and deletes its entry. The time since the stop
 * counts as a pause (after a failed pause) or as work (after a failed resume). After Undo the timer
 * continues as it was. A timer that runs meanwhile is stopped and keeps its time.
 */
export function resumeStopped(draft: Draft, input: Resumption): void {
  const { sessionId, gap, now } = input
  const stopped = stopAsKnown(draft, input.stopped, now)
  clearBanner(draft, now)
  const entry = draft.entries.get(stopped.sessionId)
  if (entry && entry.deletedAt !== null && !hadNothingToSave(entry))
    return resumeDeleted(draft, entry, { ...input, stopped })
  const known = knownOf(draft, stopped, entry)
  const { taskId, startedAt, endedAt } = known
  // Another device has undone the same stop, and what continues it is shown already.
  const shown = draft.value('timer')?.timer
  if (shown?.taskId === taskId && shown.startedAt === startedAt) return
  const other = stopActive(draft, now)
  // The deleted entry names what continues it.
  if (entry) deleteEntry(draft, { ...entry, sessionId }, now)
  const stoppedAt = stopped.endedAt > now ? endedAt : stopped.endedAt
  const pauses =
    gap === 'pause'
      ? pausedSince(known, stopped, Math.min(endedAt, stoppedAt), now)
      : pausesUntil(known, stopped, stoppedAt, input)
  const timer = { ...startTimer(sessionId, taskId, startedAt, known.note), pauses }
  const wasPaused = wasStoppedInPause(input)
  if (wasPaused || gap === 'pause') forgetStop(draft, input.stopped, gap)
  const continued = wasPaused ? inItsPause(timer, known, stoppedAt, input) : null
  begin(draft, continued ?? takeOut(timer, other?.startedAt ?? now, now), 'offline', input)
}

/**
 * Returns the stopped session as it is known. While the stop is unsent, times that were not changed here are
 * of a stop on another device, which this stop has yet to meet.
 */
function knownOf(draft: Draft, stopped: StoppedTimer, entry: TimeEntry | undefined): Known {
  const saved = entry && hadNothingToSave(entry) ? undefined : entry
  const { taskId, note } = saved ?? stopped
  const isElsewhere =
    isStopping(draft, stopped.sessionId) &&
    draft.edit('entry', stopped.sessionId)?.changedAt['times'] === undefined
  // Pauses of other devices may have left nothing of it to save.
  const times = saved ?? (entry?.endedAt === stopped.endedAt ? entry : undefined)
  const { startedAt, endedAt, pauses } = times && !isElsewhere ? times : stopped
  return { taskId, note, startedAt, endedAt, pauses }
}

/** Returns whether a stop that is undone was pressed in a pause. */
function wasStoppedInPause({ gap, stopped }: Resumption): boolean {
  return gap === 'undo' && stopped.pauses.intervals.at(-1)?.end === stopped.endedAt
}

/** Returns the pauses of what continues after Undo or a failed resume. */
function pausesUntil(
  { endedAt, pauses }: Known,
  stopped: StoppedTimer,
  stoppedAt: number,
  input: Resumption,
): Pauses {
  const { gap, now } = input
  // The stop ended a pause of another device, of which this one had not heard. It lasts until now: this device
  // showed a running timer until then. A failed resume has ended it if it was pressed before.
  const elsewhere = pauses.intervals.at(-1)
  const turnedAt = input.stopped.pauses.intervals.at(-1)?.end ?? Infinity
  const isPausedElsewhere =
    elsewhere?.end === endedAt &&
    (gap === 'undo' ? !wasStoppedInPause(input) : elsewhere.start > turnedAt)
  const isEnded = gap === 'work' && !isPausedElsewhere
  const before = isEnded ? endPauseAt(pauses, stopped.endedAt) : pauses
  return addPause(before, endedAt, isPausedElsewhere ? now : stoppedAt)
}

/**
 * Returns a timer that was stopped in a pause in that pause again, or null if the owner has removed the
 * pause. Another device may have ended the session in that pause a moment later, and a correction of
 * the clock may have left nothing of it before the stop.
 */
function inItsPause(
  timer: RunningTimer,
  { endedAt }: Known,
  stoppedAt: number,
  { stopped }: Resumption,
): ActiveTimer | null {
  const isKept = timer.pauses.intervals.at(-1)?.end === Math.max(endedAt, stoppedAt)
  if (isKept) return reopenPause(timer)
  const began = stopped.pauses.intervals.at(-1)?.start ?? -Infinity
  return began >= endedAt ? pauseTimer(timer, endedAt) : null
}

/**
 * Continues a stopped timer whose entry is deleted. Another device may have continued it, and ended what
 * continued it since. If that is not known here, or the entry was deleted otherwise, the task is timed
 * again from now on, or since a failed resume.
 */
function resumeDeleted(draft: Draft, entry: TimeEntry, input: Resumption): void {
  const { sessionId, stopped, gap, now } = input
  const continued = continuationOf(draft, entry)
  // It is shown already. A second click must not count its time twice.
  if (gap === 'undo' || continued?.endedAt === Infinity) return
  if (continued) return resumeStopped(draft, { ...input, stopped: continued })
  const startedAt = gap === 'work' ? Math.min(stopped.endedAt, now) : now
  stopActive(draft, now)
  begin(draft, startTimer(sessionId, entry.taskId, startedAt, entry.note), 'offline', input)
}

/**
 * Returns the pauses without the rest of the one that goes on at this instant. The stop of a failed resume
 * leaves the session in the pause of another device, and the time since counts.
 */
function endPauseAt(pauses: Pauses, instant: number): Pauses {
  const intervals = [
    ...clipIntervals(pauses.intervals, -Infinity, instant),
    ...pauses.intervals.filter(({ start }) => start > instant),
  ]
  return { ...pauses, intervals }
}

/**
 * Returns the pauses of a session with a failed pause that began at `start`. Another device may have ended
 * the session later, which had not heard of that pause.
 */
function pausedSince(
  saved: Pick<StoppedTimer, 'startedAt' | 'endedAt' | 'pauses'>,
  stopped: StoppedTimer,
  start: number,
  now: number,
): Pauses {
  const since = pauseAfter(stopped, { start, end: now }, saved)
  return { ...saved.pauses, intervals: mergeIntervals([...saved.pauses.intervals, ...since]) }
}

/**
 * Returns a stop as the record knows it now. It may have been written by a wrong clock, which has been
 * corrected since, and so has the record. Or it counts in the session with which another device had continued
 * the same timer.
 */
function stopAsKnown(draft: Draft, stopped: StoppedTimer, now: number): StoppedTimer {
  const { sessionId, taskId, startedAt } = stopped
  for (const { operation } of draft.operations.all())
    if (operation.kind === 'stop' && operation.stopped.sessionId === sessionId)
      return operation.stopped
  const saved = draft.entries.get(sessionId)
  if (saved) return stopped.endedAt > now ? stoppedFromEntry(saved) : stopped
  const isJoined = (each: TimeEntry) =>
    each.deletedAt === null && each.startedAt === startedAt && each.taskId === taskId
  const joined = draft.entries.all().find(isJoined)
  return joined ? { ...stopped, sessionId: joined.id } : stopped
}

/**
 * Removes an undone stop, which had ended a pause, from the presses that are offered with the work up to
 * it. After a failed pause, removes all of them: what continues the session is paused since before them.
 */
function forgetStop(
  draft: Draft,
  { sessionId, endedAt }: StoppedTimer,
  gap: Resumption['gap'],
): void {
  for (const offer of offersOf(draft)) {
    if (offer.worked.sessionId !== sessionId || offer.instead || !offer.presses) continue
    const presses = offer.presses.filter(({ at }) => gap !== 'pause' && at !== endedAt)
    addOffer(draft, { ...offer, presses })
  }
}
