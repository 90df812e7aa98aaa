/**
 * The transitions of the timer: pure changes of a draft, so that each is one transaction. What the
 * backend must hear of them is queued in the same step, in order.
 */
import type { Settings } from '@stint/core/settings.ts'
import { addPause } from '@stint/core/timer/pauses.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { entryFromStopped } from '@stint/core/record/time-entry.ts'
import {
  endTimer,
  notBefore,
  reopenPause,
  startTimer,
  stopTimer,
  takeOut,
} from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import { deleteEntry, sessionOf } from './edits.ts'
import { cutGaps } from './gaps.ts'
import { offerFailedStart } from './offers.ts'
import { press } from './press.ts'
import type { BannerValue, TimerPhase } from './stored.ts'
import { NO_ACTIVE_SESSION } from './timer-texts.ts'

/**
 * Starts timing a task under a new session id. A timer that is active is stopped first, and saved.
 * The session is created when that is sent; until then the phase is 'creating'. Starting the task that
 * is being timed changes nothing: it was a double click. `startedAt` may lie before `now`.
 */
export function start(
  draft: Draft,
  input: { sessionId: string; taskId: string; device: string; now: number; startedAt?: number },
): void {
  const { sessionId, taskId, now } = input
  const startedAt = Math.min(now, input.startedAt ?? now)
  const record = draft.value('timer')
  if (record?.timer.taskId === taskId) return
  stopActive(draft, startedAt, input.startedAt === undefined ? stopTimer : endTimer)
  begin(draft, startTimer(sessionId, taskId, startedAt), 'creating', input)
}

/**
 * Goes on with a timer whose start failed, without the backend: everything since is kept, and the
 * session is sent once it can be. When another timer has come from elsewhere meanwhile, that one goes on, and
 * what was not timed is offered.
 */
export function trackOffline(
  draft: Draft,
  input: { sessionId: string; timer: ActiveTimer; device: string; now: number },
): void {
  if (draft.value('timer')) return clearBanner(draft, input.now)
  draft.values.remove('banner')
  // The session may have been created, and other devices may show it: while it is not thrown away there, it is the same.
  const discard = draft.operations
    .all()
    .find((each) => each.operation.kind === 'discard' && sessionOf(each) === input.timer.sessionId)
  const isKept = discard?.attempts === 0
  if (isKept) draft.operations.remove(discard.sequence)
  const sessionId = isKept ? input.timer.sessionId : input.sessionId
  begin(draft, { ...input.timer, sessionId }, 'offline', input)
}

/** Whether what is pressed without the backend goes on: the setting of that name. */
function isTrackedOffline(draft: Draft): boolean {
  const offline: keyof Settings = 'trackOffline'
  return draft.value('settings')?.prefs[offline] === true
}

/**
 * Takes a stopped timer up again under a new session id, and takes its entry back. What lies
 * between counts as a pause (after a failed pause) or as work (after a failed resume); after Undo it goes on as it was. A timer
 * that runs meanwhile is stopped, and keeps its time.
 */
export function resumeStopped(
  draft: Draft,
  input: {
    sessionId: string
    stopped: StoppedTimer
    gap: 'pause' | 'work' | 'undo'
    device: string
    now: number
  },
): void {
  const { stopped, gap, now } = input
  clearBanner(draft, now)
  const known = draft.entries.get(stopped.sessionId)
  // A deleted entry of no length says only that the session had ended elsewhere.
  const entry = known?.deletedAt !== null && known?.durationSeconds === 0 ? undefined : known
  // It was taken up again already: a second click must not count its time twice.
  if (entry && entry.deletedAt !== null) return
  // What its owner has made of it since is what goes on.
  const { taskId, startedAt, endedAt, pauses } = entry ?? stopped
  const other = stopActive(draft, now)
  if (entry) deleteEntry(draft, entry, now)
  // A stop in the future was written by a clock that has been put right since, and its entry with it.
  const workedUntil = stopped.endedAt > now ? endedAt : stopped.endedAt
  const timer = {
    ...startTimer(input.sessionId, taskId, startedAt),
    pauses: addPause(pauses, endedAt, gap === 'pause' ? now : workedUntil),
  }
  // Stopped in a pause, it is in that pause again, unless its owner has taken that out.
  const wasPaused =
    gap === 'undo' &&
    [stopped, timer].every((each) => each.pauses.intervals.at(-1)?.end === stopped.endedAt)
  const goesOn = wasPaused ? reopenPause(timer) : takeOut(timer, other?.startedAt ?? now, now)
  begin(draft, goesOn, 'offline', input)
}

/** Pauses the running timer. Returns an error text when there is none to pause. */
export function pause(draft: Draft, now: number): string | null {
  return turn(draft, 'pause', now, isTrackedOffline(draft))
}

/** Resumes the paused timer. Returns an error text when there is none to resume. */
export function resume(draft: Draft, now: number): string | null {
  return turn(draft, 'resume', now, isTrackedOffline(draft))
}

/**
 * Begins a break that comes by itself, as of `at`. Nobody pressed it, and perhaps nobody is there to read
 * an error: it is sent whenever it can be, and never fails as a pressed Pause does.
 */
export function beginBreak(draft: Draft, at: number): void {
  turn(draft, 'pause', at, true)
}

/** Ends a break that came by itself, as of `at`, epoch milliseconds. */
export function endBreak(draft: Draft, at: number): void {
  turn(draft, 'resume', at, true)
}

/** Stops the active timer and writes down what is to be saved. Without one, does nothing. */
export function stop(draft: Draft, now: number): StoppedTimer | null {
  clearBanner(draft, now)
  return stopActive(draft, now)
}

/**
 * Stops the timer if it times this task: its hours are saved before the task goes. Returns
 * what was stopped.
 */
export function stopTask(draft: Draft, taskId: string, now: number): StoppedTimer | null {
  const record = draft.value('timer')
  return record?.timer.taskId === taskId ? stopActive(draft, now) : null
}

/** Shows a text in the red banner. A failed start that it offered to go on with stays an offer. */
export function showBanner(
  draft: Draft,
  banner: Pick<BannerValue, 'text' | 'action'>,
  now: number,
): void {
  offerFailedStart(draft, now)
  draft.putValue({ key: 'banner', ...banner })
}

/** Takes the banner away. A failed start that it offered to go on with stays an offer, up to `until`. */
function clearBanner(draft: Draft, until: number): void {
  offerFailedStart(draft, until)
  draft.values.remove('banner')
}

/** Takes the banner away, or only if it says `text`. */
export function dismissBanner(draft: Draft, text?: string): void {
  const banner = draft.value('banner')
  if (banner && (text === undefined || banner.text === text)) draft.values.remove('banner')
}

function begin(
  draft: Draft,
  timer: ActiveTimer,
  phase: Exclude<TimerPhase, 'confirmed'>,
  { device, now }: { device: string; now: number },
): void {
  draft.putValue({ key: 'timer', timer, phase, device, base: null })
  // A crash before the first minute is over leaves a gap as well.
  draft.putValue({ key: 'seen', sessionId: timer.sessionId, at: now })
  clearBanner(draft, timer.startedAt)
  const keepTrying = phase === 'offline' || isTrackedOffline(draft)
  draft.addOperation({ kind: 'start', timer, pressedAt: now, keepTrying })
}

/** Pauses or resumes the active timer. Returns an error text when there is none. */
function turn(
  draft: Draft,
  kind: 'pause' | 'resume',
  at: number,
  keepTrying: boolean,
): string | null {
  const shown = draft.value('timer')
  if (!shown) return NO_ACTIVE_SESSION
  const { timer } = shown
  const pressed = press(draft, { kind, at: notBefore(timer, at) }, timer.sessionId, {
    keepTrying: keepTrying || shown.phase === 'offline',
  })
  if (pressed?.after.status === 'paused') {
    draft.values.remove('seen')
    // What lies after a pause that is written down afterwards is taken out already.
    cutGaps(draft, timer.sessionId, pressed.after.pausedAt)
  }
  if (pressed?.after.status === 'running') {
    draft.putValue({ key: 'seen', sessionId: timer.sessionId, at })
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

/** Queues a stop, and puts the entry that it will become; `base` is the session as the backend last had it. */
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
