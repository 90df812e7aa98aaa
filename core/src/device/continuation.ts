/**
 * The session that continues an undone stop, or a start that failed. The entry of the stop is
 * deleted, and the timer continues under another session id.
 */
import { clipIntervals, intervalsBetween } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { fold, takenOut, turnsOf } from '#timer/presses.ts'
import type { Press } from '#timer/presses.ts'
import { continuationId, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { endTimer, stoppedBetween } from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import { editKey } from './draft.ts'
import type { Draft, View } from './draft.ts'
import { change, RULES, sessionOf } from './edits.ts'
import { addOffer, MAX_NEWS_MILLISECONDS, offersOf, offerWork } from './offers.ts'
import { unsentPresses } from './press.ts'
import type { Operation } from './stored.ts'

/**
 * Returns an active timer as a stopped one with the latest possible end, for comparison with work
 * on other devices.
 */
export function withOpenEnd(timer: ActiveTimer): StoppedTimer {
  return endTimer(timer, Infinity)
}

type Known = Pick<View, 'value' | 'entries'>

/** How often the stop of one session can be undone. Only a foreign client exceeds it. */
const MAX_UNDONE = 100

/**
 * Returns the session that continues an entry, as far as this device knows, or null: the shown
 * timer, `restored`, a session on a recovery card, or an entry.
 */
export function continuationOf(
  record: Known,
  entry: TimeEntry,
  restored: ActiveTimer | null = null,
): StoppedTimer | null {
  const offered = (record.value('unfinished')?.sessions ?? []).map(({ state }) => state)
  const timers = [
    record.value('timer')?.timer,
    restored,
    ...offered.map((state) => (state.kind === 'active' ? state.timer : null)),
  ]
  let id = continuationId(entry)
  for (let hops = 0; id !== null && hops < MAX_UNDONE; hops += 1) {
    const timer = timers.find((each) => each?.sessionId === id)
    if (timer) return withOpenEnd(timer)
    const saved = record.entries.get(id)
    if (saved?.deletedAt === null) return stoppedFromEntry(saved)
    id = continuationId(saved)
  }
  return null
}

/** Returns the part of `worked` that the continuation does not count. It may have no time. */
export function uncountedBy(continuation: StoppedTimer, worked: StoppedTimer): StoppedTimer {
  const { sessionId, taskId, startedAt, endedAt, pauses } = worked
  const start = Math.max(startedAt, continuation.startedAt)
  const end = Math.max(start, Math.min(endedAt, continuation.endedAt))
  const paused = clipIntervals(continuation.pauses.intervals, start, end)
  const counted = intervalsBetween(paused, { start, end })
  const intervals = mergeIntervals([...pauses.intervals, ...counted])
  const from = intervals.find((each) => each.start <= startedAt)?.end ?? startedAt
  return {
    ...worked,
    ...stoppedBetween(sessionId, taskId, Math.min(from, endedAt), endedAt, {
      ...pauses,
      intervals,
    }),
  }
}

/** Returns the part of the work of a session that the continuation that this device knows does not count. */
export function uncountedWork(record: Known, worked: StoppedTimer): StoppedTimer {
  const entry = record.entries.get(worked.sessionId)
  const continuation = entry && continuationOf(record, entry)
  return continuation ? uncountedBy(continuation, worked) : worked
}

/**
 * Adds presses on a session to the session that continues it: to the shown timer at once, and to
 * the queue. Other devices pressed them on the old session, and the backend received them only
 * after the undo.
 */
export function carryOver(draft: Draft, sessionId: string, presses: readonly Press[]): void {
  for (const press of presses) {
    draft.addOperation({ kind: 'press', sessionId, press, keepTrying: true })
  }
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const folded = fold(shown.timer, presses, -Infinity)
  if (folded.kind === 'active') draft.putValue({ ...shown, timer: folded.timer })
}

/**
 * Carries over the presses on a session that was stopped at `endedAt`. A pause that this stop has ended
 * lasts until then, or until the stop was undone at `undoneAt`, and the stop resumes nothing.
 */
export function carryOverStopped(
  draft: Draft,
  sessionId: string,
  presses: readonly Press[],
  endedAt: number,
  undoneAt = endedAt,
): void {
  const [pause, end] = presses.slice(-2)
  const isEndedByStop = pause?.kind === 'pause' && end?.kind === 'resume' && end.at === endedAt
  if (!isEndedByStop) return carryOver(draft, sessionId, presses)
  const away = takenOut(pause.at, Math.max(endedAt, undoneAt))
  carryOver(draft, sessionId, [...presses.slice(0, -2), away])
}

/**
 * Returns presses of which the last resume ends at `endedAt`, because its device has shown the timer until
 * then only. In a session that other devices have paused before, the pause goes on from there.
 */
export function workedUntil(presses: readonly Press[], endedAt: number): readonly Press[] {
  const [pause, resume] = [presses.at(-2), presses.at(-1)]
  if (resume?.kind !== 'resume' || resume.at >= endedAt) return presses
  const worked = { start: resume.at, end: endedAt }
  const last: Press = { kind: 'put-in', at: endedAt, worked }
  return pause?.kind === 'pause'
    ? [...presses.slice(0, -2), takenOut(pause.at, resume.at), last]
    : [...presses.slice(0, -1), last]
}

/**
 * Goes on with the session with which another device continues the same stop, in place of the one
 * from here, which was not sent yet. Both count the same time. Returns whether there was one here.
 */
export function joinElsewhere(draft: Draft, sessionId: string, id: string): boolean {
  const queued = draft.operations.all().filter((each) => sessionOf(each) === sessionId)
  const operations = queued.map(({ operation }) => operation)
  const start = operations.find((each) => each.kind === 'start')
  const stop = operations.find((each) => each.kind === 'stop')
  if (!start) return false
  offerMeanwhile(draft, start)
  const presses = [...turnsOf(start.timer), ...unsentPresses(draft, sessionId)]
  for (const { sequence } of queued) draft.operations.remove(sequence)
  const others = draft.operations.all()
  carryOver(draft, id, presses)
  const shown = draft.value('timer')
  if (shown?.timer.sessionId === sessionId)
    draft.putValue({ ...shown, timer: { ...shown.timer, sessionId: id }, base: null })
  const seen = draft.value('seen')
  if (seen?.sessionId === sessionId) draft.putValue({ ...seen, sessionId: id })
  const resumed = draft.value('resumed')
  if (resumed?.sessionId === sessionId) draft.putValue({ ...resumed, sessionId: id })
  if (stop) {
    draft.addOperation({ ...stop, stopped: { ...stop.stopped, sessionId: id } })
    moveStopped(draft, sessionId, id)
    // What was pressed since the stop, such as the start that continues it, comes after it.
    const since = queued.at(-1)?.sequence ?? Infinity
    for (const { sequence, operation, refused } of others) {
      if (sequence < since || refused !== null) continue
      draft.operations.remove(sequence)
      draft.addOperation(operation)
    }
  }
  return true
}

/** Moves the entry of an unsent stop, and its changes such as the undo of that stop, to another session. */
function moveStopped(draft: Draft, sessionId: string, id: string): void {
  const [entry, edit] = [draft.entries.get(sessionId), draft.edit('entry', sessionId)]
  draft.entries.remove(sessionId)
  if (!entry || !edit) return
  const moved = (each: TimeEntry): TimeEntry => ({
    ...each,
    id,
    sessionId: each.sessionId === sessionId ? id : each.sessionId,
  })
  draft.edits.remove(editKey(edit))
  draft.entries.put(moved(entry))
  draft.edits.put({ ...edit, id, base: edit.base && moved(edit.base), sent: [] })
}

/**
 * Offers the work between a stop and its undo here, together with what is offered already. The other device
 * may have been in a pause then, of which this one had pressed the end. What counts is not asked about.
 */
function offerMeanwhile(
  draft: Draft,
  { timer, pressedAt }: Extract<Operation, { kind: 'start' }>,
): void {
  const stopped = draft.entries.all().find((each) => continuationId(each) === timer.sessionId)
  if (!stopped || timer.status === 'paused') return
  const { id, taskId, endedAt } = stopped
  const worked = stoppedBetween(id, taskId, endedAt, Math.max(endedAt, pressedAt), timer.pauses)
  if (worked.durationSeconds > 0) offerWork(draft, 'went-on', worked)
}

/**
 * Keeps the entry as someone has changed it, without the local deletion and the local times. Other
 * local changes, such as a note, stay.
 */
export function keepChanged(draft: Draft, entry: TimeEntry): void {
  const { id } = entry
  const { parts } = RULES.entry
  const [here, edit] = [draft.entries.get(id), draft.edit('entry', id)]
  draft.entries.put(entry)
  draft.edits.remove(editKey({ kind: 'entry', id }))
  if (!here || !edit) return
  const others = parts
    .differing(entry, here)
    .filter((part) => part in edit.changedAt && part !== 'deletion' && part !== 'times')
  const changedAt = Math.max(...others.map((part) => edit.changedAt[part] ?? 0))
  change(draft, 'entry', id, parts.take(entry, here, others), changedAt)
}

/**
 * Offers to count what a continuation has worked within the parts of an entry that someone has
 * changed, who did not know of the continuation. Before `since`, the parts and the presses that are
 * offered already count.
 */
export function offerWorkIn(
  draft: Draft,
  parts: readonly TimeEntry[],
  continuation: StoppedTimer,
  since = -Infinity,
): void {
  const rest = { start: continuation.endedAt, end: Infinity }
  const notWorked = [...continuation.pauses.intervals, rest]
  for (const part of parts) {
    const instead = stoppedFromEntry(part)
    const { sessionId, taskId, startedAt, endedAt, pauses } = instead
    const offer = offersOf(draft).find(
      ({ why, worked }) => why === 'not-counted' && worked.sessionId === sessionId,
    )
    const intervals = mergeIntervals(
      [
        ...clipIntervals((offer?.worked ?? instead).pauses.intervals, startedAt, since),
        ...clipIntervals(notWorked, Math.max(startedAt, since), endedAt),
      ],
      since,
    )
    const worked = stoppedBetween(sessionId, taskId, startedAt, endedAt, { ...pauses, intervals })
    if (worked.durationSeconds > instead.durationSeconds)
      addOffer(draft, { why: 'not-counted', worked, instead })
  }
}

/**
 * Carries over the presses from here that came after a stop that was undone since. The stop had cut
 * them off, and the work was offered.
 */
export function carryOverOffered(draft: Draft, entry: TimeEntry): void {
  const id = continuationId(entry)
  for (const offer of offersOf(draft)) {
    if (id === null || offer.worked.sessionId !== entry.id || offer.instead || !offer.presses)
      continue
    const stop = offer.presses.find(({ kind }) => kind === 'stop')
    const endedAt = stop?.at ?? offer.worked.endedAt
    const undoneAt = Number(entry.deletedAt)
    // The device has heard of the end long before the undo, and has shown the timer until then only. Or it
    // was stopped here after the undo.
    const isOver = undoneAt - endedAt > MAX_NEWS_MILLISECONDS
    const isStopped = stop !== undefined && stop.at > undoneAt
    const turns = offer.presses.filter(({ kind }) => kind !== 'stop')
    const presses = isOver || isStopped ? workedUntil(turns, endedAt) : turns
    carryOverStopped(draft, id, presses, endedAt)
    addOffer(draft, { ...offer, presses: undefined })
  }
}
