/**
 * What becomes of the timer when the backend answers, or does not: pure changes of a draft, beside those
 * that people press (timer.ts).
 */
import { entryFromStopped, stoppedFromEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { clipIntervals } from '@stint/core/time/instant.ts'
import { mergeIntervals } from '@stint/core/timer/pauses.ts'
import { fold, isPressedAfter, turnsOf } from '@stint/core/timer/presses.ts'
import type { Press, TimerOrigin } from '@stint/core/timer/presses.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import {
  endTimer,
  pauseTimer,
  reopenPause,
  startTimer,
  stoppedBetween,
  stopTimer,
  workedAfter,
} from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { change, isHeld, RULES, sessionOf } from './edits.ts'
import { GAP_MILLISECONDS, gapsOf } from './gaps.ts'
import { isCountedIn } from './goes-on.ts'
import { addOffer } from './offers.ts'
import { unsentPresses } from './press.ts'
import { keepPauses, takeBackStep } from './steps.ts'
import type { Edit } from './stored.ts'
import { takeAnswer, takeIn } from './take-in.ts'
import { PAUSE_FAILED, RESUME_FAILED, SAVE_FAILED } from './timer-texts.ts'
import { save, showBanner, stopActive } from './timer.ts'

/** A timer that nobody pressed may run on so long after its end elsewhere: the news of it takes a while. */
const MAX_NEWS_MILLISECONDS = 5000

/**
 * The backend has these operations of a session, and the session as it is there now: what was pressed
 * since is folded into it.
 */
export function acknowledge(
  draft: Draft,
  sequences: readonly number[],
  session: TimerSession | null,
): void {
  for (const sequence of sequences) draft.operations.remove(sequence)
  if (session?.state.kind !== 'active') return
  // A stop that was pressed while the answer was on its way is written over what it says.
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
 * The session could not be created: the timer stops with `text`, the session is thrown away (the reply may be all that was lost), and
 * the banner offers to go on with everything that was pressed.
 */
export function failStart(draft: Draft, started: ActiveTimer, text: string, now: number): void {
  const { sessionId } = started
  const shown = draft.value('timer')
  // Stopped in the meantime: the stop behind this start saves it and ends the session.
  if (shown?.timer.sessionId !== sessionId) return
  draft.values.remove('timer')
  for (const queued of draft.operations.all()) {
    if (sessionOf(queued) === sessionId) draft.operations.remove(queued.sequence)
  }
  draft.addOperation({ kind: 'discard', sessionId, timer: shown.timer })
  showBanner(draft, { text, action: { kind: 'track-offline', timer: shown.timer } }, now)
}

/**
 * A pause or resume did not reach the backend: the timer stops and says so, the time up
 * to then is saved, and the banner offers to resume.
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
  // As it was left: it may have been paused again since.
  const gap = shown.timer.status === 'paused' ? 'pause' : 'work'
  if (stopped) showBanner(draft, { text, action: { kind: 'resume', stopped, gap } }, now)
}

/**
 * The timer as another device left it. While an operation waits to be sent, what is here is
 * newer, and nothing changes.
 */
export function adopt(draft: Draft, session: TimerSession): void {
  const { state, device } = session
  if (state.kind !== 'active') return
  if (draft.operations.all().some((queued) => !isHeld(queued))) return
  draft.putValue({ key: 'timer', timer: state.timer, phase: 'confirmed', device, base: session })
}

/** The timer is no longer shown; its session stays, to be offered on a recovery card. */
export function putAside(draft: Draft, sessionId: string): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId === sessionId) draft.values.remove('timer')
}

/**
 * A timer that was started later runs elsewhere, and is shown from now on. This one ends at its start; when the news of
 * it came late, both ran at once, and both are kept whole.
 */
export function giveWay(draft: Draft, sessionId: string, newer: TimerSession, now: number): void {
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

/** How a session ended elsewhere, and what this device made of it. */
export interface EndElsewhere {
  /** The entry that the session has become. */
  readonly entry: TimeEntry
  /** This device has just created it; else it was there, and may have been changed elsewhere. */
  readonly isCreated: boolean
  /** The timer as this device stopped it; null when it did not. */
  readonly stopped: StoppedTimer | null
  /** Its owner threw it away on this device: nothing of it is offered here. */
  readonly isDiscarded: boolean
  /** The stop was taken back elsewhere, and this goes on; null: nothing does, as far as it is known. */
  readonly goesOn: StoppedTimer | null
  /** The operations that come too late. */
  readonly sequences: readonly number[]
  readonly now: number
}

/**
 * The session was ended elsewhere, and its entry is saved. What was worked here after that end is not lost: it is
 * offered.
 */
export function endElsewhere(draft: Draft, end: EndElsewhere): void {
  const { entry, isCreated, stopped, sequences, goesOn, now } = end
  for (const sequence of sequences) draft.operations.remove(sequence)
  const shown = draft.value('timer')
  const timer = shown?.timer.sessionId === entry.id ? shown.timer : null
  if (timer) draft.values.remove('timer')
  const edit = draft.edit('entry', entry.id)
  const isDecided = edit?.changedAt['times'] !== undefined
  if (edit && isDecided && !isCreated && isChangedElsewhere(edit, entry)) {
    // Its times were changed since it was saved, by a split perhaps: what was changed here is of another session.
    const { times: _, ...changedAt } = edit.changedAt
    draft.edits.put({ ...edit, changedAt })
    takeBackStep(draft, edit)
  }
  if (end.isDiscarded && isWorkedOn(draft, entry)) draft.entries.remove(entry.id)
  if (isCreated) takeAnswer(draft, 'entry', entry.id, entry)
  else takeIn(draft, 'entry', entry.id, entry)
  if (end.isDiscarded) return
  if (stopped) {
    goOnFrom(draft, stopped, entry)
    if (isDecided) keepPauses(draft, stopped, entry)
    offerEnds(draft, stopped, entry)
  }
  // Its owner took the stop back, or deleted what it saved: what was worked goes on under another id, or counts nowhere.
  const isTakenBack = stopped !== null && isDeletedHere(draft, entry.id)
  const here = stopped ?? (timer && endTimer(timer, awakeUntil(draft, timer, now)))
  if (!here || isTakenBack) return
  // A deleted entry of no length says that the session ended there with nothing to save.
  const isDiscarded = entry.deletedAt !== null && entry.durationSeconds > 0 && !goesOn
  const worked = workedAfter(here, isDiscarded ? -Infinity : entry.endedAt)
  const isPressed = stopped !== null || sequences.length > 0 || isPressedSince()
  const least = isPressed ? 1000 : MAX_NEWS_MILLISECONDS
  if (worked.durationSeconds * 1000 < least || (goesOn && isCountedIn(goesOn, worked))) return
  if (!isDiscarded) addOffer(draft, { why: 'went-on', worked })
  else if (isPressed) addOffer(draft, { why: 'discarded', worked })

  function isPressedSince(): boolean {
    const isChanged = (shown?.base?.updatedAt ?? -Infinity) > entry.endedAt
    // What was pressed while this was asked for is not sent yet.
    const isUnsent = unsentPresses(draft, entry.id).length > 0
    return timer !== null && (isChanged || isUnsent || isPressedAfter(timer, entry.endedAt))
  }
}

/** Whether somebody else has changed the times of an entry since it was saved: not as this device knew or sent them. */
function isChangedElsewhere({ base, sent }: Edit<'entry'>, entry: TimeEntry): boolean {
  if (entry.updatedAt === entry.createdAt) return false
  return [base, ...sent].every(
    (known) => known === null || RULES.entry.parts.differing(known, entry).includes('times'),
  )
}

/** Whether this device has deleted an entry, and the backend has not heard of it. A note on one deleted there is no deletion. */
function isDeletedHere(draft: Draft, id: string): boolean {
  const here = draft.entries.get(id)
  const changedAt = draft.edit('entry', id)?.changedAt ?? {}
  return here !== undefined && here.deletedAt !== null && 'deletion' in changedAt
}

/** Whether what was thrown away here was worked on elsewhere after that: then it stays. */
function isWorkedOn(draft: Draft, { id, endedAt, deletedAt }: TimeEntry): boolean {
  const discardedAt = draft.entries.get(id)?.deletedAt ?? null
  return discardedAt !== null && deletedAt === null && endedAt > discardedAt
}

/**
 * What was stopped here goes on under another id, from what this device knew of it. The session has been saved with
 * what others had pressed on it: that counts in the timer that goes on as well. When somebody has changed the entry since, it
 * is kept.
 */
function goOnFrom(draft: Draft, stopped: StoppedTimer, entry: TimeEntry): void {
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind !== 'start') continue
    const { timer } = operation
    if (timer.sessionId === stopped.sessionId || !isTakenUp(timer, stopped)) continue
    const isChanged = entry.updatedAt !== entry.createdAt
    if (isChanged) keepChanged(draft, entry)
    const goesOn = isChanged ? begunAfter(timer, stopped, entry) : goingOn(timer, stopped, entry)
    draft.operations.put({ ...queued, operation: { ...operation, timer: goesOn } })
    startAgain(draft, goesOn)
  }
}

/** The entry stays as somebody has changed it, neither deleted nor with other times; what else was written here, a note, is kept. */
function keepChanged(draft: Draft, entry: TimeEntry): void {
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

/** A timer that goes on with what was stopped, as it was saved; after that end, with the pauses that were pressed here. */
function goingOn(timer: ActiveTimer, stopped: StoppedTimer, entry: TimeEntry): ActiveTimer {
  const { endedAt } = stopped
  const saved = clipIntervals(entry.pauses.intervals, entry.startedAt, endedAt)
  const here = clipIntervals(stopped.pauses.intervals, entry.endedAt, endedAt)
  const before = mergeIntervals([...saved, ...here])
  const since = clipIntervals(timer.pauses.intervals, endedAt, Infinity)
  const goesOn = {
    ...startTimer(timer.sessionId, entry.taskId, entry.startedAt),
    pauses: { ...entry.pauses, intervals: mergeIntervals([...before, ...since]) },
  }
  // Stopped in a pause, it is in that pause again, unless somebody had ended it.
  const last = before.at(-1)?.end
  const isSaved = last === entry.endedAt
  const isPaused = timer.status === 'paused' && (isSaved || (here.length > 0 && last === endedAt))
  return isPaused ? reopenPause(goesOn) : goesOn
}

/** The timer that goes on, without what was stopped; in the pause in which that was, unless somebody had ended it. */
function begunAfter(timer: ActiveTimer, { endedAt }: StoppedTimer, entry: TimeEntry): ActiveTimer {
  const began = startTimer(timer.sessionId, timer.taskId, endedAt)
  const intervals = clipIntervals(timer.pauses.intervals, endedAt, Infinity)
  const goesOn = { ...began, pauses: { ...began.pauses, intervals } }
  const isResumed = entry.endedAt === endedAt && entry.pauses.intervals.at(-1)?.end !== endedAt
  return timer.status === 'paused' && !isResumed ? pauseTimer(goesOn, endedAt) : goesOn
}

/** Whether a timer goes on with what was stopped, and its owner has changed nothing of that in between. */
function isTakenUp(timer: ActiveTimer, stopped: StoppedTimer): boolean {
  const { taskId, startedAt, pauses } = endTimer(timer, stopped.endedAt)
  const isSame = taskId === stopped.taskId && startedAt === stopped.startedAt
  return isSame && JSON.stringify(pauses.intervals) === JSON.stringify(stopped.pauses.intervals)
}

/** What was pressed on a timer since is folded into it as it began. */
function startAgain(draft: Draft, timer: ActiveTimer): void {
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
    if (draft.entries.get(sessionId) && !draft.edit('entry', sessionId)) draft.entries.put(entry)
    goOnFrom(draft, stopped, entry)
  }
}

/**
 * The session ended later elsewhere than here. It can be ended at the stop that was pressed here; where its times were
 * changed here, and stay, what was worked elsewhere since is offered.
 */
function offerEnds(draft: Draft, stopped: StoppedTimer, entry: TimeEntry): void {
  const here = draft.entries.get(entry.id)
  if (!here || here.deletedAt !== null || stopped.endedAt >= entry.endedAt) return
  if (here.endedAt < entry.endedAt) {
    const worked = workedAfter(stoppedFromEntry(entry), stopped.endedAt)
    if (worked.durationSeconds > 0) addOffer(draft, { why: 'ran-on', worked })
  } else if (entry.endedAt - stopped.endedAt > MAX_NEWS_MILLISECONDS) {
    const instead = stoppedFromEntry(here)
    const { sessionId, taskId, startedAt, pauses } = instead
    const endedAt = Math.max(startedAt, stopped.endedAt)
    const worked = stoppedBetween(sessionId, taskId, startedAt, endedAt, pauses)
    addOffer(draft, { why: 'not-stopped', worked, instead })
  }
}

/**
 * The session was stopped elsewhere and is not saved yet: that is finished from here. What went on here goes along, as far
 * as it is more than the time that the news took.
 */
export function finishElsewhere(draft: Draft, session: TimerSession, now: number): void {
  const shown = draft.value('timer')
  if (session.state.kind !== 'stopped' || shown?.timer.sessionId !== session.id) return
  const { stopped } = session.state
  const here = endTimer(shown.timer, awakeUntil(draft, shown.timer, now))
  const since = workedAfter(here, stopped.endedAt).durationSeconds * 1000
  const isPressed = since >= 1000 && isPressedAfter(shown.timer, stopped.endedAt)
  draft.values.remove('timer')
  save(draft, isPressed || since >= MAX_NEWS_MILLISECONDS ? here : stopped, session)
}

/**
 * Until when this device knows that the timer ran: it may have slept since. A paused timer does not
 * run after its pause began.
 */
function awakeUntil(draft: Draft, timer: ActiveTimer, now: number): number {
  if (timer.status === 'paused') return timer.pausedAt
  const { sessionId } = timer
  const seen = draft.value('seen')
  if (seen?.sessionId === sessionId && now - seen.at >= GAP_MILLISECONDS) return seen.at
  const asleep = gapsOf(draft).findLast((gap) => gap.sessionId === sessionId)
  // It has just woken.
  return asleep && now - asleep.end < JUST_AWAKE_MILLISECONDS ? asleep.start : now
}

const JUST_AWAKE_MILLISECONDS = 120_000

/**
 * The session is gone from the backend and left no entry: it is made again, so that the time goes
 * on and its owner decides.
 */
export function recreateSession(draft: Draft, sessionId: string): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  draft.putValue({ ...shown, phase: 'offline', base: null })
  const { timer } = shown
  for (const queued of draft.operations.all()) {
    if (sessionOf(queued) === sessionId) draft.operations.remove(queued.sequence)
  }
  // It is not pressed now: what was started since is newer.
  draft.addOperation({ kind: 'start', timer, pressedAt: timer.startedAt, keepTrying: true })
}

/**
 * The backend has an earlier state of the session than it had confirmed: what was pressed since is sent again, whoever
 * pressed it.
 */
export function restateSession(draft: Draft, session: TimerSession): void {
  const shown = draft.value('timer')
  const { state, id } = session
  if (shown?.timer.sessionId !== id || state.kind !== 'active') return
  const { timer } = shown
  const presses: Press[] = [...turnsOf(timer)]
  const [from, to] = [originOf(state.timer), originOf(timer)]
  if (from.startedAt !== to.startedAt || from.taskId !== to.taskId) {
    const at = shown.base?.updatedAt ?? session.updatedAt
    presses.push({ kind: 'move', at, from, to, pauses: timer.pauses.intervals })
  }
  draft.putValue({ ...shown, base: session })
  for (const press of presses) {
    draft.addOperation({ kind: 'press', sessionId: id, press, keepTrying: true })
  }
}

function originOf({ startedAt, taskId }: ActiveTimer): TimerOrigin {
  return { startedAt, taskId }
}

/** Puts the recovery cards' sessions away for the screen. */
export function setUnfinished(draft: Draft, sessions: readonly TimerSession[]): void {
  if (sessions.length === 0) draft.values.remove('unfinished')
  else draft.putValue({ key: 'unfinished', sessions })
}

/**
 * Says that a stop could not be saved yet, unless the banner already offers a way on (Track
 * offline, Resume): the chip counts what is unsaved in any case.
 */
export function showSaveFailed(draft: Draft, now: number): void {
  const banner = draft.value('banner')
  if (!banner?.action) showBanner(draft, { text: SAVE_FAILED, action: null }, now)
}
