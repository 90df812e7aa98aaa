/**
 * The transitions of the timer: pure changes of a draft, so that each is one transaction. What the
 * backend must hear of them is queued in the same step, in order.
 */
import { clipIntervals } from '@stint/core/time/instant.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { addPause, mergeIntervals } from '@stint/core/timer/pauses.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { entryFromStopped } from '@stint/core/record/time-entry.ts'
import {
  endTimer,
  moveStart,
  pauseTimer,
  reopenPause,
  resumeTimer,
  startTimer,
  stopTimer,
  takeOut,
} from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import { deleteEntry } from './edits.ts'
import { cutGaps } from './gaps.ts'
import type { BannerValue, Operation, TimerPhase } from './stored.ts'
import { NO_ACTIVE_SESSION } from './timer-texts.ts'

/** How the active timer is changed after the fact. */
export interface TimerChange {
  readonly startedAt?: number | undefined
  readonly taskId?: string | undefined
  /** Pauses that it has again. */
  readonly pauses?: readonly Interval[]
}

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
 * Changes when the active timer began, or what it times, and returns what takes it back. Without
 * that timer, does nothing and returns null.
 */
export function changeTimer(
  draft: Draft,
  sessionId: string,
  change: TimerChange,
  now: number,
): TimerChange | null {
  const record = draft.value('timer')
  if (record?.timer.sessionId !== sessionId) return null
  const { startedAt, taskId, pauses = [] } = change
  const before = record.timer
  const moved = moveStart(before, Math.min(startedAt ?? before.startedAt, now))
  const intervals = mergeIntervals([...moved.pauses.intervals, ...pauses])
  const timer = {
    ...moved,
    taskId: taskId ?? before.taskId,
    pauses: { ...moved.pauses, intervals },
  }
  draft.putValue({ ...record, timer })
  draft.addOperation({ kind: 'restate', sessionId })
  return {
    startedAt: startedAt && before.startedAt,
    taskId: taskId && before.taskId,
    // A start that moves later cuts off what was paused before it.
    pauses: clipIntervals(before.pauses.intervals, before.startedAt, timer.startedAt),
  }
}

/**
 * Goes on with what a failed start began, without the backend: the seconds since are kept, and the
 * session is sent once it can be.
 */
export function trackOffline(
  draft: Draft,
  input: { sessionId: string; taskId: string; startedAt: number; device: string; now: number },
): void {
  draft.values.remove('banner')
  if (draft.value('timer')) return
  begin(draft, startTimer(input.sessionId, input.taskId, input.startedAt), 'offline', input)
}

/**
 * Takes a stopped timer up again under a new session id, and takes its entry back. What lies
 * between counts as a pause (after a failed pause or resume) or as work (Undo Stop). A timer
 * that runs meanwhile is stopped, and keeps its time.
 */
export function resumeStopped(
  draft: Draft,
  input: {
    sessionId: string
    stopped: StoppedTimer
    gap: 'pause' | 'work'
    device: string
    now: number
  },
): void {
  const { stopped, gap, now } = input
  draft.values.remove('banner')
  const entry = draft.entries.get(stopped.sessionId)
  // It was taken up again already: a second click must not count its time twice.
  if (entry && entry.deletedAt !== null) return
  // What its owner has made of it since is what goes on.
  const { taskId, startedAt, endedAt, pauses } = entry ?? stopped
  const other = stopActive(draft, now)
  if (entry) deleteEntry(draft, entry, now)
  const timer = {
    ...startTimer(input.sessionId, taskId, startedAt),
    pauses: addPause(pauses, endedAt, gap === 'pause' ? now : stopped.endedAt),
  }
  // Stopped in a pause, it is in that pause again, unless its owner has taken that out.
  const wasPaused =
    gap === 'work' &&
    [stopped, timer].every((each) => each.pauses.intervals.at(-1)?.end === stopped.endedAt)
  const goesOn = wasPaused ? reopenPause(timer) : takeOut(timer, other?.startedAt ?? now, now)
  begin(draft, goesOn, 'offline', input)
}

/** Pauses the running timer. Returns an error text when there is none to pause. */
export function pause(draft: Draft, now: number): string | null {
  return changeActive(draft, (timer) => pauseTimer(timer, now), now, pressed('pause'))
}

/** Resumes the paused timer. Returns an error text when there is none to resume. */
export function resume(draft: Draft, now: number): string | null {
  return changeActive(draft, (timer) => resumeTimer(timer, now), now, pressed('resume'))
}

/**
 * Begins a break that comes by itself, as of `at`. Nobody pressed it, and perhaps nobody is there to read
 * an error: it is sent whenever it can be, and never fails as a pressed Pause does.
 */
export function beginBreak(draft: Draft, at: number): void {
  changeActive(draft, (timer) => pauseTimer(timer, at), at, restated)
}

/** Ends a break that came by itself, as of `at`, epoch milliseconds. */
export function endBreak(draft: Draft, at: number): void {
  changeActive(draft, (timer) => resumeTimer(timer, at), at, restated)
}

/** The backend may refuse what was pressed. */
function pressed(kind: 'pause' | 'resume') {
  return (timer: ActiveTimer): Operation => ({ kind, timer })
}

function restated({ sessionId }: ActiveTimer): Operation {
  return { kind: 'restate', sessionId }
}

/** Stops the active timer and writes down what is to be saved. Without one, does nothing. */
export function stop(draft: Draft, now: number): StoppedTimer | null {
  draft.values.remove('banner')
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

/** Saves a session found on the backend as if it had been stopped at `endedAt`. */
export function finishSession(draft: Draft, session: TimerSession, endedAt: number): void {
  save(draft, stoppedAt(session, endedAt))
  forgetUnfinished(draft, session.id)
}

/**
 * Throws a session away. Its entry is kept as deleted, so that another device that still shows the
 * timer learns what happened to it.
 */
export function discardSession(draft: Draft, session: TimerSession, now: number): void {
  save(draft, stoppedAt(session, now))
  const entry = draft.entries.get(session.id)
  if (entry) deleteEntry(draft, entry, now)
  forgetUnfinished(draft, session.id)
}

/**
 * Takes an unfinished session up again as it is; an active timer is stopped first, and so is one
 * that was started elsewhere.
 */
export function resumeSession(draft: Draft, session: TimerSession, now: number): void {
  if (session.state.kind === 'stopped') return
  const { timer } = session.state
  stopActive(draft, now)
  draft.putValue({ key: 'timer', timer, phase: 'offline', device: session.device })
  draft.addOperation({ kind: 'start', timer, pressedAt: now, keepTrying: true })
  forgetUnfinished(draft, session.id)
}

/** Shows a text in the red banner. */
export function showBanner(draft: Draft, banner: Pick<BannerValue, 'text' | 'action'>): void {
  draft.putValue({ key: 'banner', ...banner })
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
  draft.putValue({ key: 'timer', timer, phase, device })
  // A crash before the first minute is over leaves a gap as well.
  draft.putValue({ key: 'seen', sessionId: timer.sessionId, at: now })
  draft.values.remove('banner')
  draft.addOperation({ kind: 'start', timer, pressedAt: now, keepTrying: phase === 'offline' })
}

/**
 * Changes the active timer; `operationOf` says what the backend must hear of it. Returns an error
 * text when there is none.
 */
function changeActive(
  draft: Draft,
  apply: (timer: ActiveTimer) => ActiveTimer,
  now: number,
  operationOf: (timer: ActiveTimer) => Operation,
): string | null {
  const record = draft.value('timer')
  if (!record) return NO_ACTIVE_SESSION
  const timer = apply(record.timer)
  if (timer === record.timer) return null
  draft.putValue({ ...record, timer })
  if (timer.status === 'paused') {
    draft.values.remove('seen')
    // What lies after a pause that is written down afterwards is taken out already.
    cutGaps(draft, timer.sessionId, timer.pausedAt)
  }
  if (timer.status === 'running') {
    draft.putValue({ key: 'seen', sessionId: timer.sessionId, at: now })
  }
  // Tracked offline: the start that still waits sends the timer as it then is.
  if (record.phase !== 'offline') draft.addOperation(operationOf(timer))
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
  save(draft, stopped)
  return stopped
}

/** The intent of a stop, whole, and the entry it will become. */
export function save(draft: Draft, stopped: StoppedTimer): void {
  draft.addOperation({ kind: 'stop', stopped })
  if (stopped.durationSeconds === 0) return
  const known = draft.entries.get(stopped.sessionId)
  if (!known) draft.entries.put(entryFromStopped(stopped))
}

/** The session as if stopped at `endedAt`, which may lie before a pause it is still in. */
function stoppedAt(session: TimerSession, endedAt: number): StoppedTimer {
  const { state } = session
  return state.kind === 'stopped' ? state.stopped : endTimer(state.timer, endedAt)
}

function forgetUnfinished(draft: Draft, sessionId: string): void {
  const record = draft.value('unfinished')
  const left = record?.sessions.filter((session) => session.id !== sessionId) ?? []
  if (left.length > 0) draft.putValue({ key: 'unfinished', sessions: left })
  else draft.values.remove('unfinished')
}
