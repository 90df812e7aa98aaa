/**
 * Changes of the timer after an answer of the backend or its absence, as pure changes of a draft.
 * The changes that people press are in timer.ts.
 */
import { fold, turnsOf } from '#timer/presses.ts'
import type { Press, TimerOrigin } from '#timer/presses.ts'
import { pressedAt as whenPressed } from '#record/timer-session.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { stopTimer } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import { awakeUntil } from './awake.ts'
import { carryOver } from './continuation.ts'
import type { Draft } from './draft.ts'
import { isHeld, sessionOf } from './edits.ts'
import { lostMoves, noteMoves } from './moved-starts.ts'
import { addOffer, MAX_NEWS_MILLISECONDS } from './offers.ts'
import { unsentPresses } from './press.ts'
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
  if (session?.state.kind === 'active') noteMoves(draft, sequences, session.state.timer)
  for (const sequence of sequences) draft.operations.remove(sequence)
  if (session?.state.kind !== 'active') return
  // A stop that was pressed while the answer was pending gets the answer as its base.
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind === 'stop' && operation.stopped.sessionId === session.id)
      draft.operations.put({ ...queued, operation: { ...operation, base: session } })
  }
  const shown = draft.value('timer')
  // What continues an undone stop elsewhere may not have arrived otherwise.
  const isQueued = draft.operations.all().some((each) => sessionOf(each) === session.id)
  if (!shown && !isQueued) return showSession(draft, session)
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
  resumeAgain(draft, state.timer)
  carryOver(draft, session.id, lostMoves(draft, state.timer, session.updatedAt))
}

/**
 * Presses the last resume from here again if a pause from before it has arrived since. When the timer ran on
 * the backend already, no field of the session shows the resume.
 */
function resumeAgain(draft: Draft, timer: ActiveTimer): void {
  const resumed = draft.value('resumed')
  if (resumed?.sessionId !== timer.sessionId) return
  const { at } = resumed
  const { intervals } = timer.pauses
  const pausedAt = timer.status === 'paused' ? timer.pausedAt : Infinity
  // Two pauses that touch are two presses of Pause. Time away that was removed touches none.
  const isCovered = intervals.some(
    ({ start, end }) =>
      start < at && at < end && (end === pausedAt || intervals.some((each) => each.start === end)),
  )
  if (pausedAt < at || isCovered) carryOver(draft, timer.sessionId, [{ kind: 'resume', at }])
}

/**
 * Shows the timer of a session as the backend has it. If it is that of a failed start, because another
 * device has gone on with it, the pauses and resumes that were pressed here are added. Track offline is
 * not offered any more, because it would count the time twice.
 */
export function showSession(draft: Draft, session: TimerSession): void {
  if (draft.value('timer')) return
  adopt(draft, session)
  const action = draft.value('banner')?.action
  const failed = action?.kind === 'track-offline' ? action.timer : null
  if (failed?.sessionId !== session.id || !draft.value('timer')) return
  draft.values.remove('banner')
  carryOver(draft, session.id, turnsOf(failed))
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
  // It may run here only because of the same late news.
  const hasRun = draft.value('seen')?.sessionId === sessionId
  const isLate = hasRun && until - startedAt > MAX_NEWS_MILLISECONDS
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
  for (const { operation, sequence } of draft.operations.all()) {
    if (operation.kind !== 'start' || operation.timer.sessionId !== sessionId) continue
    draft.operations.remove(sequence)
    // The pauses with which it was to start are presses as well.
    for (const press of turnsOf(operation.timer))
      draft.addOperation({ kind: 'press', sessionId, press, keepTrying: true })
  }
  endForNewerSession(draft, sessionId, newer, now)
}

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
 * Ends a timer whose session is gone and left no entry, on a backend that keeps no deleted entries:
 * another device has discarded it, or has undone its stop. What was timed here is offered, unless `goesOn`
 * counts it, the timer that runs on another device.
 */
export function endVanished(
  draft: Draft,
  sessionId: string,
  goesOn: ActiveTimer | null,
  now: number,
): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const worked = stopTimer(shown.timer, awakeUntil(draft, shown.timer, now))
  draft.values.remove('timer')
  if (goesOn?.startedAt === shown.timer.startedAt || worked.durationSeconds === 0) return
  addOffer(draft, { why: 'discarded', worked })
}

/**
 * Sends presses again that the backend had confirmed and has lost, because it was restored from a
 * backup. That includes presses of other devices. If someone has changed the session since, its task and
 * note stay, and its start as well unless it was moved here.
 */
export function requeuePresses(draft: Draft, session: TimerSession): void {
  const shown = draft.value('timer')
  const { state, id } = session
  if (shown?.timer.sessionId !== id || state.kind !== 'active') return
  const { timer } = shown
  const at = shown.base?.updatedAt ?? session.updatedAt
  const isChanged = session.updatedAt > at
  const edits = isChanged
    ? lostMoves(draft, state.timer, session.updatedAt)
    : editsBetween(state.timer, timer, at)
  // The start was moved past a resume, which no field shows.
  const { startedAt } = timer
  const isPaused = state.timer.status === 'paused' && state.timer.pausedAt < startedAt
  const isHidden = isPaused && !isChanged
  const resumed: readonly Press[] = isHidden ? [{ kind: 'resume', at: startedAt }] : []
  const presses = [...resumed, ...turnsOf(timer), ...edits]
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
