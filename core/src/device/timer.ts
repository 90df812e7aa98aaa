/**
 * The transitions of the timer, as pure changes of a draft, so that each is one transaction. Each
 * transition queues its operations for the backend in the same step, in order.
 */
import type { Settings } from '#settings.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { entryFromStopped } from '#record/time-entry.ts'
import { endTimer, moveStart, notBefore, startTimer, stopTimer } from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { deleteEntry, sessionOf } from './edits.ts'
import { cutGaps } from './gaps.ts'
import { offerFailedStart, savedOf } from './offers.ts'
import { press } from './press.ts'
import { endOfParts } from './steps.ts'
import type { BannerValue, TimerPhase } from './stored.ts'
import { NO_ACTIVE_SESSION } from './timer-texts.ts'

/**
 * Starts timing a task under a new session id. An active timer is stopped first and saved. The
 * phase is 'creating' until the session has been sent and created. Starting the task that is being
 * timed changes nothing, because it was a double click. `startedAt` may lie before `now`. Returns
 * the timer that was stopped.
 */
export function start(
  draft: Draft,
  input: {
    sessionId: string
    taskId: string
    device: string
    now: number
    startedAt?: number | undefined
    note?: string | null | undefined
  },
): StoppedTimer | null {
  const { sessionId, taskId, now, note } = input
  const startedAt = Math.min(now, input.startedAt ?? now)
  const record = draft.value('timer')
  if (record?.timer.taskId === taskId) return null
  const end = input.startedAt === undefined ? stopTimer : endTimer
  const stopped = stopActive(draft, startedAt, end)
  begin(draft, startTimer(sessionId, taskId, startedAt, note), 'creating', input)
  return stopped
}

/**
 * Continues a timer offline after its start failed. All time since the start is kept, and the
 * session is sent when the backend can be reached. When a timer from another device is active
 * meanwhile, that timer continues, and the time of the failed start is offered.
 */
export function trackOffline(
  draft: Draft,
  input: { sessionId: string; timer: ActiveTimer; device: string; now: number },
): void {
  if (draft.value('timer')) return clearBanner(draft, input.now)
  draft.values.remove('banner')
  // The session may exist on the backend, and other devices may show it. Until the discard is sent,
  // the same session continues.
  const discard = draft.operations
    .all()
    .find((each) => each.operation.kind === 'discard' && sessionOf(each) === input.timer.sessionId)
  const isKept = discard?.attempts === 0
  if (isKept) draft.operations.remove(discard.sequence)
  const sessionId = isKept ? input.timer.sessionId : input.sessionId
  // Another device may have ended and saved the session. What it has saved counts there. If it still
  // has to send that, the deleted entry names what continues.
  const saved = savedOf(draft, input.timer.sessionId)
  const discarded = draft.entries.get(input.timer.sessionId)
  if (!isKept && discarded && !saved) deleteEntry(draft, { ...discarded, sessionId }, input.now)
  const { startedAt } = input.timer
  const timer = saved
    ? moveStart(input.timer, Math.max(startedAt, endOfParts(draft, saved)))
    : input.timer
  begin(draft, { ...timer, sessionId }, 'offline', input)
}

/** Returns the setting `trackOffline`: whether presses without the backend succeed. */
function isTrackedOffline(draft: Draft): boolean {
  const offline: keyof Settings = 'trackOffline'
  return draft.value('settings')?.prefs[offline] === true
}

/** Pauses the running timer. Returns an error text when no timer is running. */
export function pause(draft: Draft, now: number): string | null {
  return turn(draft, 'pause', now, isTrackedOffline(draft))
}

/** Resumes the paused timer. Returns an error text when no timer is paused. */
export function resume(draft: Draft, now: number): string | null {
  return turn(draft, 'resume', now, isTrackedOffline(draft))
}

/**
 * Begins an automatic break at `at`, in epoch milliseconds. The user may be absent and unable to
 * read an error. So the pause is retried until it is sent and never fails as a pressed Pause does.
 */
export function beginBreak(draft: Draft, at: number): void {
  turn(draft, 'pause', at, true)
}

/** Ends an automatic break at `at`, in epoch milliseconds. */
export function endBreak(draft: Draft, at: number): void {
  turn(draft, 'resume', at, true)
}

/** Stops the active timer and queues its entry. Does nothing without an active timer. */
export function stop(draft: Draft, now: number): StoppedTimer | null {
  clearBanner(draft, now)
  return stopActive(draft, now)
}

/**
 * Stops the timer if it times this task, so that its hours are saved before the task is deleted.
 * Returns the stopped timer.
 */
export function stopTask(draft: Draft, taskId: string, now: number): StoppedTimer | null {
  const record = draft.value('timer')
  return record?.timer.taskId === taskId ? stopActive(draft, now) : null
}

/**
 * Shows a text in the red banner. A failed start that the banner offered to continue stays an
 * offer.
 */
export function showBanner(
  draft: Draft,
  banner: Pick<BannerValue, 'text' | 'action'>,
  now: number,
): void {
  offerFailedStart(draft, now)
  draft.putValue({ key: 'banner', ...banner })
}

/**
 * Removes the banner. A failed start that the banner offered to continue stays an offer, up to
 * `until`.
 */
export function clearBanner(draft: Draft, until: number): void {
  offerFailedStart(draft, until)
  draft.values.remove('banner')
}

/** Removes the banner. With `text`, removes it only if it shows that text. */
export function dismissBanner(draft: Draft, text?: string): void {
  const banner = draft.value('banner')
  if (banner && (text === undefined || banner.text === text)) draft.values.remove('banner')
}

export function begin(
  draft: Draft,
  timer: ActiveTimer,
  phase: Exclude<TimerPhase, 'confirmed'>,
  { device, now }: { device: string; now: number },
): void {
  draft.putValue({ key: 'timer', timer, phase, device, base: null })
  // A crash within the first minute leaves a gap as well.
  if (timer.status === 'running')
    draft.putValue({ key: 'seen', sessionId: timer.sessionId, at: now })
  clearBanner(draft, timer.startedAt)
  const keepTrying = phase === 'offline' || isTrackedOffline(draft)
  draft.addOperation({ kind: 'start', timer, pressedAt: now, keepTrying })
}

/**
 * Pauses or resumes the active timer. Changes nothing when it is paused or running already. Returns
 * an error text when no timer is active.
 */
function turn(
  draft: Draft,
  kind: 'pause' | 'resume',
  at: number,
  keepTrying: boolean,
): string | null {
  const shown = draft.value('timer')
  if (!shown) return NO_ACTIVE_SESSION
  const { timer } = shown
  // Another tab may have made the same press. The fold would begin a second pause.
  if (timer.status === (kind === 'pause' ? 'paused' : 'running')) return null
  const { sessionId } = timer
  // A pause of no length is in no field of the session. A device that had heard of it would take it for one
  // that the backend has lost.
  const earliest = timer.status === 'paused' ? Math.max(at, timer.pausedAt + 1) : at
  const pressedAt = notBefore(timer, earliest)
  const pressed = press(draft, { kind, at: pressedAt }, sessionId, {
    keepTrying: keepTrying || shown.phase === 'offline',
  })
  if (pressed?.after.status === 'paused') {
    draft.values.remove('seen')
    // For a pause that begins in the past, the time after its begin is a pause already and no gap.
    cutGaps(draft, sessionId, pressed.after.pausedAt)
  }
  if (pressed?.after.status === 'running') {
    draft.putValue({ key: 'seen', sessionId, at })
    draft.putValue({ key: 'resumed', sessionId, at: pressedAt })
  }
  return null
}

export function stopActive(
  draft: Draft,
  now: number,
  end: typeof stopTimer = stopTimer,
): StoppedTimer | null {
  const record = draft.value('timer')
  if (!record) return null
  draft.values.remove('timer')
  const stopped = end(record.timer, now)
  save(draft, stopped, record.base)
  return stopped
}

/** Queues a stop and puts the resulting entry. `base` is the session as the backend last had it. */
export function save(
  draft: Draft,
  stopped: StoppedTimer,
  base: TimerSession | null,
  isDiscarded = false,
): void {
  draft.addOperation({ kind: 'stop', stopped, base, isDiscarded })
  if (stopped.durationSeconds === 0) return
  const known = draft.entries.get(stopped.sessionId)
  if (!known) draft.entries.put(entryFromStopped(stopped))
}
