/**
 * The timer: idle, running or paused. Pure: `now` is always passed in, in
 * epoch milliseconds of server time; elapsed time is computed, never counted.
 */
import { addPause, clipPauses, NO_PAUSES, pausedMilliseconds } from './pauses.ts'
import type { Pauses } from './pauses.ts'

interface ActiveTimerFields {
  readonly sessionId: string
  readonly taskId: string
  readonly startedAt: number
  /** Finished pauses; the open one is `pausedAt`. */
  readonly pauses: Pauses
}
export interface RunningTimer extends ActiveTimerFields {
  readonly status: 'running'
}
export interface PausedTimer extends ActiveTimerFields {
  readonly status: 'paused'
  readonly pausedAt: number
}
export type ActiveTimer = RunningTimer | PausedTimer
export type Timer = { readonly status: 'idle' } | ActiveTimer

export const IDLE: Timer = { status: 'idle' }

/** What a finished timer leaves behind: everything the session patch and the entry need. */
export interface StoppedTimer {
  readonly sessionId: string
  readonly taskId: string
  readonly startedAt: number
  readonly endedAt: number
  readonly pauses: Pauses
  /** floor((end − start − pauses) / 1000), never below 0. 0 means: nothing to save. */
  readonly durationSeconds: number
}

/** A new running timer. */
export function startTimer(sessionId: string, taskId: string, now: number): RunningTimer {
  return { status: 'running', sessionId, taskId, startedAt: now, pauses: NO_PAUSES }
}

/** Pauses a running timer. A paused one stays as it is: the first pause counts. */
export function pauseTimer(timer: ActiveTimer, now: number): PausedTimer {
  if (timer.status === 'paused') return timer
  return { ...timer, status: 'paused', pausedAt: notBefore(timer, now) }
}

/** Resumes a paused timer, adding the open pause to its pauses. A running one stays as it is. */
export function resumeTimer(timer: ActiveTimer, now: number): RunningTimer {
  if (timer.status === 'running') return timer
  const { pausedAt, ...fields } = timer
  return { ...fields, status: 'running', pauses: addPause(timer.pauses, pausedAt, now) }
}

/** The timer in its last pause again, as if that had not ended; one without pauses as it is. */
export function reopenPause(timer: RunningTimer): ActiveTimer {
  const intervals = [...timer.pauses.intervals]
  const last = intervals.pop()
  return last
    ? { ...timer, status: 'paused', pausedAt: last.start, pauses: { ...timer.pauses, intervals } }
    : timer
}

/**
 * The timer as if it had been paused between two instants it has already run through: time away
 * that its owner takes out afterwards.
 */
export function takeOut<T extends ActiveTimer>(timer: T, start: number, end: number): T {
  return { ...timer, pauses: addPause(timer.pauses, Math.max(start, timer.startedAt), end) }
}

/**
 * The timer as if it had begun at another moment: no later than its open pause, and without the
 * pauses before it.
 */
export function moveStart<T extends ActiveTimer>(timer: T, startedAt: number): T {
  const start = timer.status === 'paused' ? Math.min(startedAt, timer.pausedAt) : startedAt
  return { ...timer, startedAt: start, pauses: clipPauses(timer.pauses, start, Infinity) }
}

/** Ends a timer at `now`; an open pause is added to the pauses. */
export function stopTimer(timer: ActiveTimer, now: number): StoppedTimer {
  return endTimer(timer, notBefore(timer, now))
}

/** Ends a timer at an instant its owner names: of a pause, too, nothing after it is left. */
export function endTimer(timer: ActiveTimer, at: number): StoppedTimer {
  const endedAt = Math.max(timer.startedAt, at)
  const pauses =
    timer.status === 'paused' ? addPause(timer.pauses, timer.pausedAt, endedAt) : timer.pauses
  return stoppedBetween(timer.sessionId, timer.taskId, timer.startedAt, endedAt, pauses)
}

/** What was worked after an instant, as a timer of its own: that began then. */
export function workedAfter(stopped: StoppedTimer, instant: number): StoppedTimer {
  const { sessionId, taskId, startedAt, endedAt, pauses } = stopped
  const start = Math.min(Math.max(startedAt, instant), Math.max(startedAt, endedAt))
  return stoppedBetween(sessionId, taskId, start, endedAt, { ...pauses, unplacedSeconds: 0 })
}

/** A finished timer from its parts, with the seconds that follow from them. */
export function stoppedBetween(
  sessionId: string,
  taskId: string,
  startedAt: number,
  endedAt: number,
  pauses: Pauses,
): StoppedTimer {
  const within = clipPauses(pauses, startedAt, endedAt)
  const durationSeconds = workedSeconds(startedAt, endedAt, within)
  return { sessionId, taskId, startedAt, endedAt, pauses: within, durationSeconds }
}

/**
 * Whole seconds of work so far: now − start − pauses, less the open pause; floored, never below 0.
 */
export function elapsedSeconds(timer: Timer, now: number): number {
  switch (timer.status) {
    case 'idle':
      return 0
    case 'running':
      return workedSeconds(timer.startedAt, now, timer.pauses)
    case 'paused':
      return workedSeconds(timer.startedAt, timer.pausedAt, timer.pauses)
  }
}

/** floor((end − start − pauses) / 1000), never below 0. */
export function workedSeconds(startedAt: number, endedAt: number, pauses: Pauses): number {
  return Math.max(0, Math.floor((endedAt - startedAt - pausedMilliseconds(pauses)) / 1000))
}

/** `now`, but never before what the timer already recorded: a clock set back loses nothing. */
export function notBefore(timer: ActiveTimer, now: number): number {
  const lastPauseEnd = timer.pauses.intervals.at(-1)?.end ?? timer.startedAt
  const openPauseStart = timer.status === 'paused' ? timer.pausedAt : timer.startedAt
  return Math.max(now, timer.startedAt, lastPauseEnd, openPauseStart)
}
