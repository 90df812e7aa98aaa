/**
 * What becomes of the timer when the backend answers, or does not: pure changes of a draft, beside those
 * that people press (timer.ts).
 */
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { stopTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import { isHeld } from './edits.ts'
import { takeIn } from './take-in.ts'
import { SAVE_FAILED } from './timer-texts.ts'
import { save, showBanner, stopActive } from './timer.ts'

/** The backend has the session: 'Creating...' is over. */
export function confirmStart(draft: Draft, sessionId: string): void {
  const record = draft.value('timer')
  if (record?.timer.sessionId !== sessionId) return
  draft.putValue({ ...record, phase: 'confirmed' })
}

/**
 * The session could not be created: the timer stops with `text`, the id is thrown away
 * (the reply may be all that was lost), and the banner offers to track offline.
 */
export function failStart(draft: Draft, timer: ActiveTimer, text: string): void {
  const record = draft.value('timer')
  // Stopped in the meantime: the stop behind this start saves it and sweeps the session.
  if (record?.timer.sessionId !== timer.sessionId) return
  draft.values.remove('timer')
  draft.addOperation({ kind: 'discard', sessionId: timer.sessionId })
  const { taskId, startedAt } = timer
  showBanner(draft, { text, action: { kind: 'track-offline', taskId, startedAt } })
}

/**
 * A pause or resume did not reach the backend: the timer stops with `text`, the time up
 * to then is saved, and the banner offers to resume.
 */
export function failChange(draft: Draft, timer: ActiveTimer, text: string, now: number): void {
  const record = draft.value('timer')
  if (record?.timer.sessionId !== timer.sessionId) return
  const changedAt = record.timer.status === 'paused' ? record.timer.pausedAt : now
  const stopped = stopActive(draft, changedAt)
  if (stopped) showBanner(draft, { text, action: { kind: 'resume', stopped } })
}

/**
 * The timer as another device left it. While an operation waits to be sent, what is here is
 * newer, and nothing changes.
 */
export function adopt(draft: Draft, session: TimerSession): void {
  const { state, device } = session
  if (state.kind !== 'active') return
  if (draft.operations.all().some((queued) => !isHeld(queued))) return
  draft.putValue({ key: 'timer', timer: state.timer, phase: 'confirmed', device })
}

/** The session of this timer was ended elsewhere, but is not saved yet: it ends here as well. */
export function endAsElsewhere(draft: Draft, stopped: StoppedTimer): void {
  const record = draft.value('timer')
  if (record?.timer.sessionId !== stopped.sessionId) return
  draft.values.remove('timer')
  save(draft, stopped)
}

/** The timer is no longer shown; its session stays, to be offered on a recovery card. */
export function putAside(draft: Draft, sessionId: string): void {
  const record = draft.value('timer')
  if (record?.timer.sessionId === sessionId) draft.values.remove('timer')
}

/**
 * A timer that was started later runs elsewhere: this one ends at that start and is saved, and the
 * newer one is shown.
 */
export function giveWay(draft: Draft, sessionId: string, newer: TimerSession): void {
  const { state, device } = newer
  if (state.kind !== 'active') return
  const record = draft.value('timer')
  if (record?.timer.sessionId !== sessionId) return
  draft.values.remove('timer')
  save(draft, stopTimer(record.timer, state.timer.startedAt))
  draft.putValue({ key: 'timer', timer: state.timer, phase: 'confirmed', device })
}

/** The session was stopped elsewhere and its entry is saved: this device goes idle, and says so. */
export function adoptStop(draft: Draft, entry: TimeEntry, notice: string | null): void {
  const record = draft.value('timer')
  if (record?.timer.sessionId !== entry.id) return
  draft.values.remove('timer')
  takeIn(draft, 'entry', entry.id, entry)
  if (notice !== null) showBanner(draft, { text: notice, action: null })
}

/**
 * The session is gone from the backend and left no entry: it is made again, so that the time goes
 * on and its owner decides.
 */
export function recreateSession(draft: Draft, sessionId: string): void {
  const record = draft.value('timer')
  if (record?.timer.sessionId !== sessionId) return
  draft.putValue({ ...record, phase: 'offline' })
  const { timer } = record
  // It is not pressed now: what was started since is newer.
  draft.addOperation({ kind: 'start', timer, pressedAt: timer.startedAt, keepTrying: true })
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
export function showSaveFailed(draft: Draft): void {
  const banner = draft.value('banner')
  if (!banner?.action) showBanner(draft, { text: SAVE_FAILED, action: null })
}
