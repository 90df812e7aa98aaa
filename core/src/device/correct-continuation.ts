/**
 * Corrects what continues an undone stop, after the backend has answered how the stopped session was
 * saved, or after news of its entry.
 */
import {
  continuationId,
  entryFromStopped,
  stoppedFromEntry,
  withTimes,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { clipIntervals } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { pressesBetween } from '#timer/late-presses.ts'
import { fold, takenOut } from '#timer/presses.ts'
import type { Press } from '#timer/presses.ts'
import {
  endTimer,
  moveStart,
  pauseAfter,
  pauseTimer,
  reopenPause,
  startTimer,
  stoppedBetween,
} from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import {
  carryOver,
  carryOverStopped,
  continuationOf,
  joinElsewhere,
  keepChanged,
  offerWorkIn,
  withOpenEnd,
} from './continuation.ts'
import type { Draft, View } from './draft.ts'
import { deleteEntry } from './edits.ts'
import { offerEnds } from './offers.ts'
import { unsentPresses } from './press.ts'
import { dropCountedHalves, keepPauses, partsAfter, partsThrough, takeBackStep } from './steps.ts'
import type { Edit, Operation, QueuedOperation } from './stored.ts'

/**
 * Corrects the timer that continues a stop from here under another id. It began with the state that
 * this device knew. The saved session also has the presses of other devices, and they count in the
 * continuing timer as well. Work that was saved after its end is offered. An entry that someone has
 * changed since is kept. `stoppedIn` is the place of the stop in the queue, if it is queued. `cutAt` is when
 * the stopped session ends since it was split or trimmed here.
 */
export function correctContinuation(
  draft: Draft,
  whole: StoppedTimer,
  entry: TimeEntry,
  {
    saved = entry,
    stoppedIn = -Infinity,
    cutAt,
  }: {
    readonly saved?: TimeEntry
    readonly stoppedIn?: number
    readonly cutAt: number
  },
): void {
  const stopped = upTo(cutAt, whole)
  const queued = continuingStart(draft, stopped, stoppedIn)
  if (!queued) return
  const { operation } = queued
  // The session may have been split elsewhere, and what continues begins after the last part. A
  // split that was sent again to a restored backend shows itself only by its parts.
  const later = partsThrough(draft, entry, Math.max(operation.pressedAt, stopped.endedAt))
  const isCut = stopped.endedAt < whole.endedAt
  const isChanged = entry.updatedAt !== entry.createdAt && !hasEndOf(entry, stopped)
  if (isChanged || later.length > 0) {
    // What continues the first part of a split counts more than the entry, which the undo deletes.
    if (isCut && entry.endedAt < stopped.endedAt) return
    return continueAfter(draft, queued, stopped, [entry, ...later])
  }
  const note = (draft.entries.get(entry.id) ?? entry).note
  const isLonger = isCut && stopped.endedAt < entry.endedAt
  const first = isLonger ? withTimes(entry, entry.startedAt, stopped.endedAt, entry.pauses) : entry
  const timer = continuedAsSaved(operation, stopped, { ...first, note })
  draft.operations.put({ ...queued, operation: { ...operation, timer } })
  // Nothing was to save here, so the undo had no entry to delete. Another device has worked longer.
  const here = draft.entries.get(entry.id)
  if (here?.deletedAt === null)
    deleteEntry(draft, { ...here, sessionId: timer.sessionId }, operation.pressedAt)
  startAgain(draft, timer, saved)
}

/**
 * Returns whether an entry that was changed since its save has the end of the stop from here. Then it was
 * neither split nor trimmed, and what continues has its note, its task and its pauses.
 */
function hasEndOf(entry: TimeEntry, stopped: StoppedTimer): boolean {
  return entry.deletedAt === null && entry.endedAt === stopped.endedAt
}

/**
 * Returns when the session of a stop from here ends since its owner has split or trimmed it, or Infinity.
 * What continues the stop does so from there.
 */
export function cutOf(draft: Draft, sessionId: string): number {
  const isCut = draft.edit('entry', sessionId)?.changedAt['times'] !== undefined
  return isCut ? (draft.entries.get(sessionId)?.endedAt ?? Infinity) : Infinity
}

function upTo(instant: number, stopped: StoppedTimer): StoppedTimer {
  const { sessionId, taskId, startedAt, endedAt, pauses } = stopped
  if (instant >= endedAt) return stopped
  return stoppedBetween(sessionId, taskId, startedAt, instant, pauses)
}

/** A start in the queue. */
interface QueuedStart extends QueuedOperation {
  readonly operation: Extract<Operation, { kind: 'start' }>
}

/**
 * Keeps the entry of a stop as someone has changed it, with the parts that were split off it. What
 * continues the stop begins after them, and its work within them is offered.
 */
function continueAfter(
  draft: Draft,
  queued: QueuedStart,
  stopped: StoppedTimer,
  [entry, ...later]: readonly [TimeEntry, ...TimeEntry[]],
): void {
  const { operation } = queued
  const { sessionId } = operation.timer
  const end = Math.max(...[stopped, entry, ...later].map(({ endedAt }) => endedAt))
  keepChanged(draft, entry)
  const pressed = asPressed(draft, operation.timer)
  offerWorkIn(draft, [entry, ...later], pressed, stopped.endedAt)
  const after = continuedAfter(operation.timer, end, entry)
  // A pause that was pressed before that end may last longer. Its press is too early for a timer that begins there.
  const known = operation.timer.pauses.intervals
  const isPaused = pressed.pauses.intervals.some(
    (each) =>
      each.start < end && end < each.end && known.every(({ start }) => start !== each.start),
  )
  const timer = isPaused && after.status === 'running' ? pauseTimer(after, end) : after
  draft.operations.put({ ...queued, operation: { ...operation, timer } })
  // A start that was moved since may lie before the kept entry.
  if (unsentPresses(draft, sessionId).some(({ kind }) => kind === 'move'))
    carryOver(draft, sessionId, [takenOut(entry.startedAt, end)])
  startAgain(draft, timer, null)
}

/**
 * Returns the unsent start that continues a stop: the first one after it in the queue. A later one
 * continues the stop of that one.
 */
export function continuingStart(
  draft: Pick<View, 'operations'>,
  stopped: StoppedTimer,
  stoppedIn = -Infinity,
): QueuedStart | null {
  for (const { operation, ...queued } of draft.operations.all()) {
    if (operation.kind !== 'start' || queued.sequence < stoppedIn) continue
    const { timer } = operation
    if (timer.sessionId !== stopped.sessionId && isContinuedUnchanged(timer, stopped))
      return { ...queued, operation }
  }
  return null
}

/** Returns the start of a session, if no request has carried it yet. */
function unsentStart(draft: Draft, sessionId: string): QueuedStart | null {
  for (const { operation, ...queued } of draft.operations.all()) {
    const isStart = operation.kind === 'start' && operation.timer.sessionId === sessionId
    if (isStart && queued.attempts === 0) return { ...queued, operation }
  }
  return null
}

/**
 * Corrects what Track offline has continued under a new id, because the session of the failed start exists
 * and others have pressed something on it. If it is still active, it continues here as well. If it has
 * ended at `endedAt`, what it counts is left out.
 */
export function correctTrackedOffline(
  draft: Draft,
  failed: ActiveTimer,
  endedAt: number | null,
): void {
  for (const { operation, ...queued } of draft.operations.all()) {
    if (operation.kind !== 'start') continue
    const { sessionId, startedAt, taskId } = operation.timer
    const isSame = startedAt === failed.startedAt && taskId === failed.taskId
    if (sessionId === failed.sessionId || !isSame) continue
    if (endedAt === null) joinElsewhere(draft, sessionId, failed.sessionId)
    else {
      const timer = moveStart(operation.timer, Math.max(startedAt, endedAt))
      draft.operations.put({ ...queued, operation: { ...operation, timer } })
      startAgain(draft, timer, null)
    }
    return
  }
}

/** Returns a timer that was not sent yet with every press on it, and with the latest possible end. */
function asPressed(draft: Draft, timer: ActiveTimer): StoppedTimer {
  const { sessionId } = timer
  for (const { operation } of draft.operations.all()) {
    if (operation.kind === 'stop' && operation.stopped.sessionId === sessionId)
      return operation.stopped
  }
  const folded = fold(timer, unsentPresses(draft, sessionId), -Infinity)
  return folded.kind === 'active' ? withOpenEnd(folded.timer) : folded.stopped
}

/**
 * Returns the timer that continues the stopped one as it was saved. After the saved end it has the
 * pauses that were pressed here.
 */
function continuedAsSaved(
  { timer, pressedAt }: { readonly timer: ActiveTimer; readonly pressedAt: number },
  stopped: StoppedTimer,
  entry: TimeEntry,
): ActiveTimer {
  const { endedAt } = stopped
  // A pause that begins with the stop had been resumed here before.
  const others = entry.pauses.intervals.filter(({ start }) => start !== endedAt)
  // A pause on another device counts after the stop as well, but until the undo at most if this
  // device showed a running timer then. The stop of such a timer does not end it.
  const known = new Set(stopped.pauses.intervals.map(({ start }) => start))
  const untilUndo = ({ start, end }: Interval) => {
    const isEndedByStop = end === endedAt && !known.has(start)
    const until = isEndedByStop ? Math.max(end, pressedAt) : Math.min(end, pressedAt)
    return { start, end: start < pressedAt ? until : end }
  }
  const saved = timer.status === 'paused' ? others : others.map(untilUndo)
  const here = clipIntervals(stopped.pauses.intervals, entry.endedAt, endedAt)
  const since = clipIntervals(timer.pauses.intervals, endedAt, Infinity).flatMap((pause) =>
    pause.start === endedAt ? pauseAfter(stopped, pause, entry) : pause,
  )
  const pauses = [...saved, ...here, ...since]
  const began = startTimer(timer.sessionId, entry.taskId, entry.startedAt, entry.note)
  const withPauses = (intervals: readonly Interval[]) => {
    return { ...began, pauses: { ...entry.pauses, intervals: mergeIntervals(intervals) } }
  }
  if (timer.status === 'running') return withPauses(pauses)
  // A timer that was stopped in a pause is in that pause again, unless another device has ended the
  // pause. The end at the stop is no resume.
  const { pausedAt } = timer
  const resumed = entry.pauses.intervals.find(
    ({ end }) => end > pausedAt && end !== endedAt && end < entry.endedAt,
  )
  if (!resumed)
    return pauseTimer(withPauses(clipIntervals(pauses, entry.startedAt, pausedAt)), pausedAt)
  const continued = withPauses([...pauses, { start: pausedAt, end: resumed.end }])
  const isPausedAgain = entry.pauses.intervals.at(-1)?.end === entry.endedAt
  if (isPausedAgain) return reopenPause(continued)
  // The other device has stopped after the undo what it had resumed.
  return entry.endedAt > pressedAt ? pauseTimer(continued, entry.endedAt) : continued
}

/**
 * Returns the continuing timer without the time until `endedAt`. It is in the pause in which the
 * timer was stopped, unless another device had ended that pause.
 */
function continuedAfter(timer: ActiveTimer, endedAt: number, entry: TimeEntry): ActiveTimer {
  const began = startTimer(timer.sessionId, timer.taskId, endedAt, timer.note)
  const intervals = clipIntervals(timer.pauses.intervals, endedAt, Infinity)
  const continued = { ...began, pauses: { ...began.pauses, intervals } }
  const isResumed = entry.endedAt === endedAt && entry.pauses.intervals.at(-1)?.end !== endedAt
  return timer.status === 'paused' && !isResumed ? pauseTimer(continued, endedAt) : continued
}

/**
 * Returns whether a timer continues the stopped one and its owner has changed nothing of it in
 * between.
 */
function isContinuedUnchanged(timer: ActiveTimer, stopped: StoppedTimer): boolean {
  const { taskId, startedAt, pauses } = endTimer(timer, stopped.endedAt)
  const isSame = taskId === stopped.taskId && startedAt === stopped.startedAt
  return isSame && JSON.stringify(pauses.intervals) === JSON.stringify(stopped.pauses.intervals)
}

/**
 * Folds the unsent presses on a timer into the corrected start state. `saved` is the entry
 * that it continues, or null when that entry is kept. Then a local change of the times of its own
 * entry is dropped.
 */
function startAgain(draft: Draft, timer: ActiveTimer, saved: TimeEntry | null): void {
  const { sessionId } = timer
  const presses = unsentPresses(draft, sessionId)
  const folded = fold(timer, presses, -Infinity)
  const shown = draft.value('timer')
  if (shown?.timer.sessionId === sessionId && folded.kind === 'active')
    draft.putValue({ ...shown, timer: folded.timer })
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind !== 'stop' || operation.stopped.sessionId !== sessionId) continue
    const { stopped } = operation
    const again = fold(timer, [...presses, { kind: 'stop', at: stopped.endedAt }], -Infinity)
    if (again.kind === 'active') continue
    draft.operations.put({ ...queued, operation: { ...operation, stopped: again.stopped } })
    const entry = entryFromStopped(again.stopped)
    const edit = draft.edit('entry', sessionId)
    if (edit && !saved && !('deletion' in edit.changedAt)) {
      takeBackStep(draft, edit)
      keepChanged(draft, entry)
    } else if (edit) keepPauses(draft, stopped, entry)
    else if (draft.entries.get(sessionId)) draft.entries.put(entry)
    const cutAt = cutOf(draft, sessionId)
    const stoppedIn = queued.sequence
    correctContinuation(draft, stopped, entry, { saved: saved ?? entry, stoppedIn, cutAt })
    if (saved) offerEnds(draft, again.stopped, { ...saved, id: sessionId })
  }
}

/**
 * Carries over the presses with which other devices have saved an entry again that is deleted here.
 * An entry that they have split or trimmed is kept instead, and what continues it begins after it.
 * Returns what was done, or null when nothing was.
 */
export function carryOverFrom(
  draft: Draft,
  edit: Edit<'entry'>,
  remote: TimeEntry,
): 'kept' | 'carried over' | null {
  const { id, base, changedAt } = edit
  if (base === null || !('deletion' in changedAt) || remote.deletedAt !== null) return null
  // A restored backend has the entry again. Another device has split it or knew presses in it.
  const isKept = remote.endedAt !== base.endedAt
  const isSplit = partsAfter(draft, remote, base.endedAt).length > 0
  const isChangedAgain = base.createdAt < remote.createdAt && (isSplit || !isKept)
  const isLater = base.createdAt === remote.createdAt && base.updatedAt < remote.updatedAt
  if (!isLater && !isChangedAgain) return null
  const here = draft.entries.get(id)
  const continuation = here && continuationOf(draft, here)
  if (!continuation) return null
  if ('times' in changedAt && !isKept) return null
  const { sessionId, taskId, startedAt } = continuation
  const { updatedAt: at } = remote
  if (isKept) {
    const parts = [remote, ...partsAfter(draft, remote, base.endedAt)] as const
    dropCountedHalves(draft, parts)
    const queued = unsentStart(draft, sessionId)
    if (queued) {
      continueAfter(draft, queued, stoppedFromEntry(base), parts)
      return 'kept'
    }
    keepChanged(draft, remote)
    offerWorkIn(draft, parts, continuation)
  }
  const from = { startedAt, taskId }
  const to = { startedAt: base.endedAt, taskId }
  const presses: readonly Press[] = isKept
    ? [{ kind: 'move', at, from, to, pauses: [] }]
    : [...pressesSince(base, remote), ...workedSinceMove(continuation, base, remote)]
  carryOverStopped(draft, sessionId, presses, remote.endedAt, Number(here.deletedAt))
  const noted: Press = { kind: 'note', at, from: base.note ?? '', to: remote.note ?? '' }
  if (noted.from !== noted.to) carryOver(draft, sessionId, [noted])
  return isKept ? 'kept' : 'carried over'
}

/**
 * Returns the work in a pause from here that another device has moved the start past: that device showed the
 * timer running from there on. A pause that is still open stays.
 */
function workedSinceMove(
  { pauses }: StoppedTimer,
  base: TimeEntry,
  { startedAt, updatedAt: at }: TimeEntry,
): readonly Press[] {
  if (startedAt <= base.startedAt) return []
  return pauses.intervals.flatMap(({ start, end }) =>
    start < startedAt && startedAt < end && end < Infinity
      ? { kind: 'put-in', at, worked: { start: startedAt, end } }
      : [],
  )
}

/**
 * Carries presses in a saved session that a restored backend had lost over to what continues the session.
 * `other` is the session as another device or this one knew it, which had not heard of the undo of its stop.
 */
export function carryOverLost(draft: Draft, continued: TimeEntry, other: TimeEntry): void {
  const id = continuationId(continued)
  if (id === null || other.deletedAt !== null || other.endedAt !== continued.endedAt) return
  const presses = pressesSince(continued, other)
  carryOverStopped(draft, id, presses, other.endedAt, Number(continued.deletedAt))
}

/**
 * Returns the presses with which an entry was saved again. A new pause that lasts until the end of the
 * entry has that end, which is the end of the pause before it as well.
 */
function pressesSince(base: TimeEntry, remote: TimeEntry): readonly Press[] {
  const { endedAt, pauses, updatedAt } = remote
  const presses = pressesBetween(stoppedFromEntry(base), stoppedFromEntry(remote), updatedAt)
  const last = pauses.intervals.at(-1)
  const isNew = last?.end === endedAt && presses.at(-1)?.at === last.start
  return isNew ? [...presses, { kind: 'resume', at: endedAt }] : presses
}
