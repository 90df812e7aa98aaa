/** The timer: idle, running or paused. Instants are epoch milliseconds of server time. */
import { addPause, clipPauses, NO_PAUSES, pausedMilliseconds } from './pauses.ts'
import type { Pauses } from './pauses.ts'

interface TimerFields {
  readonly sessionId: string
  readonly taskId: string
  readonly startedAt: number
  /** Finished pauses. The open pause is `pausedAt`. */
  readonly pauses: Pauses
  /** What its owner has noted while it runs. */
  readonly note?: string | undefined
}
export interface RunningTimer extends TimerFields {
  readonly status: 'running'
}
export interface PausedTimer extends TimerFields {
  readonly status: 'paused'
  readonly pausedAt: number
}
export type ActiveTimer = RunningTimer | PausedTimer
export type Timer = { readonly status: 'idle' } | ActiveTimer

export const IDLE: Timer = { status: 'idle' }

/** A finished timer: everything that the patch of the session and the entry need. */
export interface StoppedTimer extends TimerFields {
  readonly endedAt: number
  /** floor((end − start − pauses) / 1000), never below 0. At 0 there is nothing to save. */
  readonly durationSeconds: number
}

export function startTimer(sessionId: string, taskId: string, now: number): RunningTimer {
  return { status: 'running', sessionId, taskId, startedAt: now, pauses: NO_PAUSES }
}

/** Returns the timer with this note. An empty note is none. */
export function withNote<T extends object>(
  timer: T,
  note: string | null | undefined,
): T & Pick<TimerFields, 'note'> {
  return { ...timer, note: note || undefined }
}

/** Pauses a running timer. A paused timer does not change: the first pause counts. */
export function pauseTimer(timer: ActiveTimer, now: number): PausedTimer {
  if (timer.status === 'paused') return timer
  return { ...timer, status: 'paused', pausedAt: notBefore(timer, now) }
}

/** Resumes a paused timer and adds the open pause to its pauses. A running timer does not change. */
export function resumeTimer(timer: ActiveTimer, now: number): RunningTimer {
  if (timer.status === 'running') return timer
  const { pausedAt, ...fields } = timer
  return { ...fields, status: 'running', pauses: addPause(timer.pauses, pausedAt, now) }
}

/** Returns the timer with another start, not later than the open pause. Earlier pauses are dropped. */
export function moveStart<T extends ActiveTimer>(timer: T, startedAt: number): T {
  const start = timer.status === 'paused' ? Math.min(startedAt, timer.pausedAt) : startedAt
  return { ...timer, startedAt: start, pauses: clipPauses(timer.pauses, start, Infinity) }
}

/** Ends a timer at `now`. An open pause is added to the pauses. */
export function stopTimer(timer: ActiveTimer, now: number): StoppedTimer {
  return endTimer(timer, notBefore(timer, now))
}

/** Ends a timer at an instant that its owner names. What comes after it is dropped, pauses included. */
export function endTimer(timer: ActiveTimer, at: number): StoppedTimer {
  const endedAt = Math.max(timer.startedAt, at)
  const pauses =
    timer.status === 'paused' ? addPause(timer.pauses, timer.pausedAt, endedAt) : timer.pauses
  const { sessionId, taskId, startedAt, note } = timer
  return withNote(stoppedBetween(sessionId, taskId, startedAt, endedAt, pauses), note)
}

/** Returns a finished timer without a note from its parts, with the computed seconds of work. */
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

/** Returns the whole seconds of work until `now`. */
export function elapsedSeconds(timer: Timer, now: number): number {
  if (timer.status === 'idle') return 0
  const end = timer.status === 'paused' ? timer.pausedAt : now
  return workedSeconds(timer.startedAt, end, timer.pauses)
}

/** Returns floor((end − start − pauses) / 1000), never below 0. */
export function workedSeconds(startedAt: number, endedAt: number, pauses: Pauses): number {
  return Math.max(0, Math.floor((endedAt - startedAt - pausedMilliseconds(pauses)) / 1000))
}

/** Returns `now`, but no instant before the last recorded one: a clock that is set back loses nothing. */
export function notBefore(timer: ActiveTimer, now: number): number {
  const { startedAt, pauses } = timer
  const lastPauseEnd = pauses.intervals.at(-1)?.end ?? startedAt
  const pausedAt = timer.status === 'paused' ? timer.pausedAt : startedAt
  return Math.max(now, startedAt, lastPauseEnd, pausedAt)
}
