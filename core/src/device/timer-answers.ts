/**
 * Changes of the timer after an answer of the backend or its absence, as pure changes of a draft.
 * The changes that people press are in timer.ts.
 */
import { continuationId, entryFromStopped, hadNothingToSave } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { clipIntervals } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { fold, isPressedAfter, turnsOf } from '#timer/presses.ts'
import type { Press, TimerOrigin } from '#timer/presses.ts'
import { foldLateNote } from '#timer/late-presses.ts'
import { pressedAt as whenPressed } from '#record/timer-session.ts'
import type { TimerSession } from '#record/timer-session.ts'
import {
  endTimer,
  pauseTimer,
  reopenPause,
  startTimer,
  stopTimer,
  workedAfter,
} from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { change, isHeld, RULES, sessionOf } from './edits.ts'
import { foldForgotten } from './forgotten.ts'
import { GAP_MILLISECONDS, gapsOf } from './gaps.ts'
import { carryOver, isCountedIn, keepChanged, offerWorkIn, withOpenEnd } from './continuation.ts'
import { addOffer, MAX_NEWS_MILLISECONDS, offerEnds } from './offers.ts'
import { unsentPresses } from './press.ts'
import { keepPauses, partsAfter, partsThrough, takeBackStep } from './steps.ts'
import type { Edit, QueuedOperation, TimerValue } from './stored.ts'
import { takeAnswer, takeIn } from './take-in.ts'
import { PAUSE_FAILED, RESUME_FAILED, SAVE_FAILED } from './timer-texts.ts'
import { save, showBanner, stopActive } from './timer.ts'

/**
 * Removes acknowledged operations and takes in the session as the backend has it now. Unsent
 * presses are folded into it.
 */
export function acknowledge(
  draft: Draft,
  sequences: readonly number[],
  session: TimerSession | null,
): void {
  for (const sequence of sequences) draft.operations.remove(sequence)
  if (session?.state.kind !== 'active') return
  // A stop that was pressed while the answer was pending gets the answer as its base.
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind === 'stop' && operation.stopped.sessionId === session.id)
      draft.operations.put({ ...queued, operation: { ...operation, base: session } })
  }
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== session.id) return
  const presses = unsentPresses(draft, session.id)
  const folded = fold(session.state.timer, presses, session.updatedAt)
  if (folded.kind === 'stopped') return
  draft.putValue({ ...shown, timer: folded.timer, base: session, phase: 'confirmed' })
}

/**
 * Handles a session that could not be created. The timer stops with `text`. The session is
 * discarded, because the backend may have created it and only the reply was lost. The banner offers
 * to continue with every press.
 */
export function failStart(draft: Draft, started: ActiveTimer, text: string, now: number): void {
  const { sessionId } = started
  const shown = draft.value('timer')
  // The timer was stopped meanwhile. The stop behind this start saves it and ends the session.
  if (shown?.timer.sessionId !== sessionId) return
  draft.values.remove('timer')
  for (const queued of draft.operations.all()) {
    if (sessionOf(queued) === sessionId) draft.operations.remove(queued.sequence)
  }
  draft.addOperation({ kind: 'discard', sessionId, timer: shown.timer })
  showBanner(draft, { text, action: { kind: 'track-offline', timer: shown.timer } }, now)
}

/**
 * Handles a pause or resume that did not reach the backend. The timer stops with an error text, the
 * time until then is saved, and the banner offers to resume.
 */
export function failTurn(
  draft: Draft,
  sessionId: string,
  kind: 'pause' | 'resume',
  now: number,
): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const stopped = stopActive(draft, shown.timer.status === 'paused' ? shown.timer.pausedAt : now)
  const text = kind === 'pause' ? PAUSE_FAILED : RESUME_FAILED
  // The gap depends on the current status, because the timer may have been paused again since.
  const gap = shown.timer.status === 'paused' ? 'pause' : 'work'
  if (stopped) showBanner(draft, { text, action: { kind: 'resume', stopped, gap } }, now)
}

/**
 * Takes over the timer as another device left it. Nothing changes while an operation waits to be
 * sent, because the local state is newer.
 */
export function adopt(draft: Draft, session: TimerSession): void {
  const { state, device } = session
  if (state.kind !== 'active') return
  if (draft.operations.all().some((queued) => !isHeld(queued))) return
  draft.putValue({ key: 'timer', timer: state.timer, phase: 'confirmed', device, base: session })
}

/** Hides the timer. Its session stays on the backend and is offered on a recovery card. */
export function putAside(draft: Draft, sessionId: string): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId === sessionId) draft.values.remove('timer')
}

/**
 * Replaces the timer by one that was started later on another device. This timer ends at the start
 * of the newer one. If the news came late, both timers ran at once, and both keep their whole time.
 */
export function endForNewerSession(
  draft: Draft,
  sessionId: string,
  newer: TimerSession,
  now: number,
): void {
  const { state, device } = newer
  if (state.kind !== 'active') return
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const { startedAt } = state.timer
  const until = awakeUntil(draft, shown.timer, now)
  const isLate = until - startedAt > MAX_NEWS_MILLISECONDS
  draft.values.remove('timer')
  save(draft, stopTimer(shown.timer, isLate ? until : startedAt), shown.base)
  draft.putValue({ key: 'timer', timer: state.timer, phase: 'confirmed', device, base: newer })
}

/**
 * Ends a timer, whose session could not be created, for one that was started later on another device.
 * Its presses are sent with the stop, because another device may have saved the session without them.
 */
export function endUnsentForNewerSession(
  draft: Draft,
  sessionId: string,
  newer: TimerSession,
  now: number,
): void {
  for (const { operation, sequence } of draft.operations.all())
    if (operation.kind === 'start' && operation.timer.sessionId === sessionId)
      draft.operations.remove(sequence)
  endForNewerSession(draft, sessionId, newer, now)
}

/** The end of a session on another device, and the local state of that session. */
export interface EndElsewhere {
  /** The saved entry of the session. */
  readonly entry: TimeEntry
  /**
   * Whether this device has just created the entry. Otherwise the entry existed and may have been
   * changed on another device.
   */
  readonly isCreated: boolean
  /** The timer as this device stopped it, or null when this device did not stop it. */
  readonly stopped: StoppedTimer | null
  /**
   * Whether the owner discarded the session on this device. Then none of its work is offered here.
   */
  readonly isDiscarded: boolean
  /**
   * The session that continues after the stop was undone on another device, or null when none is
   * known.
   */
  readonly continuation: StoppedTimer | null
  /** The sequence numbers of the operations that come too late. */
  readonly sequences: readonly number[]
  readonly now: number
}

/**
 * Handles a session that was ended on another device and whose entry is saved. Work from here after
 * that end is offered and not lost.
 */
export function endElsewhere(draft: Draft, end: EndElsewhere): void {
  const { entry, isCreated, stopped, sequences, continuation, now } = end
  const late = sequences.flatMap((sequence) => draft.operations.get(sequence) ?? [])
  const presses = late.flatMap(pressOf)
  for (const sequence of sequences) draft.operations.remove(sequence)
  const shown = draft.value('timer')
  const own = shown?.timer.sessionId === entry.id ? shown : null
  const timer = own?.timer ?? null
  if (timer) draft.values.remove('timer')
  const edit = draft.edit('entry', entry.id)
  const isDecided = edit?.changedAt['times'] !== undefined
  if (edit && isDecided && !isCreated && isChangedElsewhere(draft, edit, end)) {
    // The times were changed after the save, perhaps by a split. The local change of the times
    // refers to an outdated entry.
    const { times: _, ...changedAt } = edit.changedAt
    draft.edits.put({ ...edit, changedAt })
    // A pull may have made the saved entry the base already.
    const changed = draft.entries.get(entry.id)
    if (changed) draft.entries.put(RULES.entry.parts.take(changed, entry, ['times']))
    // What continues a session that was split first does so without the second half. If nothing was
    // saved elsewhere, no other entry has the time of that half.
    const isKept = continuationId(changed) !== null && entry.durationSeconds === 0
    if (!isKept) takeBackStep(draft, edit)
  }
  if (end.isDiscarded && isWorkedOn(draft, entry)) draft.entries.remove(entry.id)
  // The backend never had the state from here.
  if (stopped && !edit && (isCreated || !end.isDiscarded)) draft.entries.remove(entry.id)
  // The backend had no entry, so no change of it has arrived.
  const unsent = isCreated && draft.edit('entry', entry.id)
  if (unsent) draft.edits.put({ ...unsent, sent: [] })
  if (isCreated) takeAnswer(draft, 'entry', entry.id, entry)
  else takeIn(draft, 'entry', entry.id, entry)
  if (end.isDiscarded) return
  const isNotedHere = stopped !== null && 'note' in (edit?.changedAt ?? {})
  if (!isNotedHere && continuationId(entry) === null) keepNote(draft, entry.id, presses, now)
  if (stopped) {
    goOnFrom(draft, stopped, entry)
    if (isDecided) keepPauses(draft, stopped, entry)
    offerEnds(draft, stopped, entry)
  }
  // The owner undid the stop, or deleted or split the entry. The work continues under another id, or
  // counts as its owner decided.
  const isTakenBack = stopped !== null && isDecidedHere(draft, stopped, edit)
  const isDecidedNow = 'times' in (draft.edit('entry', entry.id)?.changedAt ?? {})
  // A restored backend may have lost the saved entry of which the change was made.
  const counted = (isDecidedNow && isCreated && edit?.base) || entry
  // A lost pause that is folded in below is no decision of the owner.
  const base = own?.base ?? late.map(baseOf).find((known) => known !== null)
  if (base?.state.kind === 'active') {
    const pressed = presses.filter(({ kind }) => kind === 'pause' || kind === 'resume')
    foldForgotten(draft, [...turnsOf(base.state.timer), ...pressed], entry)
  }
  const here = stopped ?? (timer && endTimer(timer, awakeUntil(draft, timer, now)))
  if (!here || isTakenBack) return
  // What continues a failed start has all turns that the backend had. Only unsent ones are new to it.
  const isFailedStart = entry.durationSeconds === 0
  const turns = turnsOf(timer ?? { ...here, status: 'running' })
  const later = isFailedStart
    ? presses.filter(({ kind }) => kind !== 'note')
    : turns.filter(({ at }) => at > entry.endedAt)
  // The stop ended a pause from before that end. It is no resume.
  const isResumed = later[0]?.kind !== 'resume' || later[0].at !== stopped?.endedAt
  const since = isResumed ? later : []
  const continuedBy = continuationId(entry)
  if (continuedBy !== null) carryOver(draft, continuedBy, since)
  const isDiscarded = entry.deletedAt !== null && !hadNothingToSave(entry) && !continuation
  // The other device may have split the session. Its parts count.
  const parts = [counted, ...partsAfter(draft, counted, here.endedAt)]
  const countedUntil = Math.max(...parts.map(({ endedAt }) => endedAt))
  const worked = workedAfter(here, isDiscarded ? -Infinity : countedUntil)
  // A note is no sign that the work went on.
  const isSent = presses.some(({ kind }) => kind !== 'note') || presses.length < sequences.length
  const isPressed = stopped !== null || isSent || (own && isPressedSince(draft, own, entry.endedAt))
  const least = isPressed ? 1000 : MAX_NEWS_MILLISECONDS
  const isTrifle = worked.durationSeconds * 1000 < least
  // An offer of no time keeps the presses for what continues.
  if (isTrifle && since.length === 0) return
  if (continuation && isCountedIn(continuation, worked)) return
  if (!isDiscarded) addOffer(draft, { why: 'went-on', worked, presses: since })
  else if (isPressed) addOffer(draft, { why: 'discarded', worked })
}

function pressOf({ operation }: QueuedOperation): readonly Press[] {
  return operation.kind === 'press' ? [operation.press] : []
}

function baseOf({ operation }: QueuedOperation): TimerSession | null {
  return operation.kind === 'stop' ? operation.base : null
}

/** Keeps the unsent note of a session in its entry. One that ended with nothing to save has none. */
function keepNote(draft: Draft, id: string, presses: readonly Press[], now: number): void {
  const entry = draft.entries.get(id)
  if (!entry || entry.durationSeconds === 0) return
  change(draft, 'entry', id, { ...entry, note: foldLateNote(entry.note, presses) }, now)
}

/** Returns whether something was pressed on the shown timer after it ended on another device. */
function isPressedSince(draft: Draft, { timer, base }: TimerValue, endedAt: number): boolean {
  const isChanged = (base?.updatedAt ?? -Infinity) > endedAt
  // Presses during the request are not sent yet.
  const isUnsent = unsentPresses(draft, timer.sessionId).some(({ kind }) => kind !== 'note')
  return isChanged || isUnsent || isPressedAfter(timer, endedAt)
}

/**
 * Returns whether someone else has ended the session with nothing to save, or has changed the times
 * of its entry since it was saved. Such times differ from all versions that this device knew or sent.
 * A session that was split and then sent again to a restored backend shows it only by its parts.
 */
function isChangedElsewhere(
  draft: Draft,
  { base, sent }: Edit<'entry'>,
  { entry, stopped }: EndElsewhere,
): boolean {
  // A pull may have made the deleted entry the base already.
  if (entry.deletedAt !== null && entry.durationSeconds === 0) return true
  if (entry.updatedAt === entry.createdAt)
    return stopped !== null && partsAfter(draft, entry, stopped.endedAt).length > 0
  return [base, ...sent].every(
    (known) => known === null || RULES.entry.parts.differing(known, entry).includes('times'),
  )
}

/**
 * Returns whether this device has deleted the entry of a stop, or changed its times, and the backend
 * does not know it yet. A note on an entry that was deleted elsewhere is no such change, and neither
 * are times that were changed in an entry that another device had saved with another end. `known` is
 * the edit before the answer.
 */
function isDecidedHere(
  draft: Draft,
  { sessionId, endedAt }: StoppedTimer,
  known: Edit<'entry'> | undefined,
): boolean {
  const changedAt = draft.edit('entry', sessionId)?.changedAt ?? {}
  const isDeleted = typeof draft.entries.get(sessionId)?.deletedAt === 'number'
  const isOfStop = !known?.base || known.base.endedAt === endedAt
  return (isOfStop && 'times' in changedAt) || (isDeleted && 'deletion' in changedAt)
}

/**
 * Returns whether a session that was discarded here was worked on elsewhere afterwards. Such an
 * entry stays.
 */
function isWorkedOn(draft: Draft, { id, endedAt, deletedAt }: TimeEntry): boolean {
  const discardedAt = draft.entries.get(id)?.deletedAt ?? null
  return discardedAt !== null && deletedAt === null && endedAt > discardedAt
}

/**
 * Corrects the timer that continues a stop from here under another id. It began with the state that
 * this device knew. The saved session also has the presses of other devices, and they count in the
 * continuing timer as well. Work that was saved after its end is offered. An entry that someone has
 * changed since is kept.
 */
function goOnFrom(
  draft: Draft,
  stopped: StoppedTimer,
  entry: TimeEntry,
  saved: TimeEntry = entry,
): void {
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind !== 'start') continue
    const { timer } = operation
    if (timer.sessionId === stopped.sessionId || !isContinuedUnchanged(timer, stopped)) continue
    // The session may have been split elsewhere, and what continues begins after the last part. A
    // split that was sent again to a restored backend shows itself only by its parts.
    const later = partsThrough(draft, entry, Math.max(operation.pressedAt, stopped.endedAt))
    const isChanged = entry.updatedAt !== entry.createdAt || later.length > 0
    const parts = [stopped, entry, ...later]
    const end = Math.max(...parts.map(({ endedAt }) => endedAt))
    if (isChanged) {
      keepChanged(draft, entry)
      offerWorkIn(draft, [entry, ...later], asPressed(draft, timer), operation.pressedAt)
    }
    const continued = isChanged
      ? continuedAfter(timer, end, entry)
      : continuedAsSaved(operation, stopped, {
          ...entry,
          note: (draft.entries.get(entry.id) ?? entry).note,
        })
    draft.operations.put({ ...queued, operation: { ...operation, timer: continued } })
    // A start that was moved since may lie before the kept entry.
    if (isChanged && unsentPresses(draft, timer.sessionId).some(({ kind }) => kind === 'move'))
      carryOver(draft, timer.sessionId, [
        { kind: 'take-out', at: end, away: { start: entry.startedAt, end } },
      ])
    startAgain(draft, continued, isChanged ? null : saved)
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
  // device showed a running timer then.
  const saved =
    timer.status === 'paused'
      ? others
      : others.map(({ start, end }) =>
          start < pressedAt ? { start, end: Math.min(end, pressedAt) } : { start, end },
        )
  const here = clipIntervals(stopped.pauses.intervals, entry.endedAt, endedAt)
  const since = clipIntervals(timer.pauses.intervals, endedAt, Infinity).flatMap((pause) =>
    pause.start === endedAt ? asSaved(pause, entry) : pause,
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
  return isPausedAgain ? reopenPause(continued) : continued
}

/**
 * Returns the pause from a stop to the press that continues the timer, without the work that another
 * device has saved after a resume there.
 */
function asSaved({ start, end }: Interval, { pauses, endedAt }: TimeEntry): readonly Interval[] {
  const resumed = pauses.intervals.find((each) => each.end > start && each.end < endedAt)
  if (!resumed || resumed.end >= end) return [{ start, end }]
  const before = { start, end: resumed.end }
  return endedAt < end ? [before, { start: endedAt, end }] : [before]
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
    } else if (draft.entries.get(sessionId) && !edit) draft.entries.put(entry)
    goOnFrom(draft, stopped, entry, saved ?? entry)
    if (saved) offerEnds(draft, again.stopped, { ...saved, id: sessionId })
  }
}

/**
 * Returns until when this device knows that the timer ran, because the device may have slept since.
 * A paused timer ran until the begin of its pause.
 */
function awakeUntil(draft: Draft, timer: ActiveTimer, now: number): number {
  if (timer.status === 'paused') return timer.pausedAt
  const { sessionId } = timer
  const seen = draft.value('seen')
  if (seen?.sessionId === sessionId && now - seen.at >= GAP_MILLISECONDS) return seen.at
  const asleep = gapsOf(draft).findLast((gap) => gap.sessionId === sessionId)
  // The device has just woken.
  return asleep && now - asleep.end < JUST_AWAKE_MILLISECONDS ? asleep.start : now
}

const JUST_AWAKE_MILLISECONDS = 120_000

/**
 * Creates a session again that is missing on the backend and left no entry. Its time continues, and
 * its owner decides.
 */
export function recreateSession(draft: Draft, sessionId: string): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  draft.putValue({ ...shown, phase: 'offline', base: null })
  const { timer, base } = shown
  for (const queued of draft.operations.all()) {
    if (sessionOf(queued) === sessionId) draft.operations.remove(queued.sequence)
  }
  // The time of this press is that of the start and not now, because timers that were started since
  // are newer.
  const pressedAt = base ? whenPressed(base) : timer.startedAt
  draft.addOperation({ kind: 'start', timer, pressedAt, keepTrying: true })
}

/**
 * Sends presses again that the backend had confirmed and has lost, because it was restored from a
 * backup. That includes presses of other devices. If someone has changed the session since, its
 * start, task and note stay.
 */
export function requeuePresses(draft: Draft, session: TimerSession): void {
  const shown = draft.value('timer')
  const { state, id } = session
  if (shown?.timer.sessionId !== id || state.kind !== 'active') return
  const { timer } = shown
  const at = shown.base?.updatedAt ?? session.updatedAt
  const edits = session.updatedAt > at ? [] : editsBetween(state.timer, timer, at)
  const presses = [...turnsOf(timer), ...edits]
  if (presses.length === 0) return adopt(draft, session)
  draft.putValue({ ...shown, base: session })
  for (const press of presses) {
    draft.addOperation({ kind: 'press', sessionId: id, press, keepTrying: true })
  }
}

/** Returns the presses that change the start, the task and the note of a timer into those of another. */
function editsBetween(before: ActiveTimer, after: ActiveTimer, at: number): readonly Press[] {
  const presses: Press[] = []
  const [from, to] = [originOf(before), originOf(after)]
  if (from.startedAt !== to.startedAt || from.taskId !== to.taskId) {
    presses.push({ kind: 'move', at, from, to, pauses: after.pauses.intervals })
  }
  const [noted, note] = [before.note ?? '', after.note ?? '']
  if (noted !== note) presses.push({ kind: 'note', at, from: noted, to: note })
  return presses
}

function originOf({ startedAt, taskId }: ActiveTimer): TimerOrigin {
  return { startedAt, taskId }
}

/** Stores the sessions that the recovery cards show. */
export function setUnfinished(draft: Draft, sessions: readonly TimerSession[]): void {
  if (sessions.length === 0) draft.values.remove('unfinished')
  else draft.putValue({ key: 'unfinished', sessions })
}

/**
 * Shows that a stop could not be saved yet. A banner with an action (Track offline, Resume) stays
 * instead. The chip counts unsaved changes in any case.
 */
export function showSaveFailed(draft: Draft, now: number): void {
  const banner = draft.value('banner')
  if (!banner?.action) showBanner(draft, { text: SAVE_FAILED, action: null }, now)
}
