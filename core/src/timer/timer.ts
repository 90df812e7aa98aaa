/**
 * The timer: idle, running or paused. The functions are pure: `now` is a parameter, in epoch
 * milliseconds of server time. Elapsed time is computed, never counted.
 */
import { addPause, clipPauses, NO_PAUSES, pausedMilliseconds } from './pauses.ts'
import type { Pauses } from './pauses.ts'
import type { Interval } from '#time/instant.ts'

interface Noted {
  /** What its owner has noted while it runs. */
  readonly note?: string | undefined
}

interface ActiveTimerFields extends Noted {
  readonly sessionId: string
  readonly taskId: string
  readonly startedAt: number
  /** Finished pauses. The open pause is `pausedAt`. */
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

/** A finished timer: everything that the patch of the session and the entry need. */
export interface StoppedTimer extends Noted {
  readonly sessionId: string
  readonly taskId: string
  readonly startedAt: number
  readonly endedAt: number
  readonly pauses: Pauses
  /** floor((end − start − pauses) / 1000), never below 0. At 0 there is nothing to save. */
  readonly durationSeconds: number
}

export function startTimer(
  sessionId: string,
  taskId: string,
  now: number,
  note?: string | null,
): RunningTimer {
  const timer = { sessionId, taskId, startedAt: now, pauses: NO_PAUSES }
  return { status: 'running', ...withNote(timer, note) }
}

/** Returns the timer with this note. An empty note is none. */
export function withNote<T extends object>(timer: T, note: string | null | undefined): T & Noted {
  return { ...timer, note: note || undefined }
}

/** Pauses a running timer. A paused timer does not change: the first pause counts. */
export function pauseTimer(timer: ActiveTimer, now: number): PausedTimer {
  if (timer.status === 'paused') return timer
  return { ...timer, status: 'paused', pausedAt: notBefore(timer, now) }
}

/**
 * Resumes a paused timer and adds the open pause to its pauses. A running timer does not change.
 */
export function resumeTimer(timer: ActiveTimer, now: number): RunningTimer {
  if (timer.status === 'running') return timer
  const { pausedAt, ...fields } = timer
  return { ...fields, status: 'running', pauses: addPause(timer.pauses, pausedAt, now) }
}

/**
 * Returns the timer in its last pause, as if that pause had not ended. A timer without pauses does
 * not change.
 */
export function reopenPause(timer: RunningTimer): ActiveTimer {
  const intervals = [...timer.pauses.intervals]
  const last = intervals.pop()
  return last
    ? { ...timer, status: 'paused', pausedAt: last.start, pauses: { ...timer.pauses, intervals } }
    : timer
}

/**
 * Returns the timer as if it had been paused between two past instants. Its owner removes time away
 * like this afterwards.
 */
export function takeOut<T extends ActiveTimer>(timer: T, start: number, end: number): T {
  // From the begin of an open pause on, all time is taken out already.
  const until = timer.status === 'paused' ? Math.min(end, timer.pausedAt) : end
  return { ...timer, pauses: addPause(timer.pauses, Math.max(start, timer.startedAt), until) }
}

/**
 * Returns the timer as if it had been resumed at `start`. If the pause of that moment lasted beyond
 * `end`, it goes on from there. A timer that ran at `start` does not change.
 */
export function putIn(timer: ActiveTimer, { start, end }: Interval): ActiveTimer {
  if (timer.status === 'paused' && timer.pausedAt <= start)
    return pauseTimer(resumeTimer(timer, start), end)
  const intervals = timer.pauses.intervals.flatMap((pause) => {
    if (pause.start > start || pause.end <= start) return pause
    const left = [
      { start: pause.start, end: start },
      { start: end, end: pause.end },
    ]
    return left.filter((each) => each.start < each.end)
  })
  return { ...timer, pauses: { ...timer.pauses, intervals } }
}

/**
 * Returns the timer as if it had begun at another moment. The new start is not later than the open
 * pause, and earlier pauses are dropped.
 */
export function moveStart<T extends ActiveTimer>(timer: T, startedAt: number): T {
  const start = timer.status === 'paused' ? Math.min(startedAt, timer.pausedAt) : startedAt
  return { ...timer, startedAt: start, pauses: clipPauses(timer.pauses, start, Infinity) }
}

/** Ends a timer at `now`. An open pause is added to the pauses. */
export function stopTimer(timer: ActiveTimer, now: number): StoppedTimer {
  return endTimer(timer, notBefore(timer, now))
}

/**
 * Ends a timer at an instant that its owner names. Everything after that instant is dropped, pauses
 * included.
 */
export function endTimer(timer: ActiveTimer, at: number): StoppedTimer {
  const endedAt = Math.max(timer.startedAt, at)
  const pauses =
    timer.status === 'paused' ? addPause(timer.pauses, timer.pausedAt, endedAt) : timer.pauses
  const { sessionId, taskId, startedAt, note } = timer
  return withNote(stoppedBetween(sessionId, taskId, startedAt, endedAt, pauses), note)
}

/** Returns the work after an instant as a timer of its own that began at that instant. */
export function workedAfter(stopped: StoppedTimer, instant: number): StoppedTimer {
  const { sessionId, taskId, startedAt, endedAt, pauses, note } = stopped
  const start = Math.min(Math.max(startedAt, instant), Math.max(startedAt, endedAt))
  const placed = { ...pauses, unplacedSeconds: 0 }
  return withNote(stoppedBetween(sessionId, taskId, start, endedAt, placed), note)
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

/**
 * Returns the pause from a stop to the press that continues the timer, without the work that another
 * device has saved there.
 */
export function pauseAfter(
  stopped: StoppedTimer,
  { start, end }: Interval,
  { startedAt, pauses, endedAt }: Pick<StoppedTimer, 'startedAt' | 'pauses' | 'endedAt'>,
): readonly Interval[] {
  // A pause from before a start that was moved past it changes nothing. Nor was there a pause if the
  // session was stopped here in an earlier pause, and had been resumed before that stop.
  const wasPaused = stopped.pauses.intervals.at(-1)?.end === start
  const isPaused = pauses.intervals.some((each) => each.start <= start && each.end > start)
  const isWorkedOn = start < startedAt || (wasPaused && !isPaused && endedAt > start)
  if (isWorkedOn) return endedAt < end ? [{ start: endedAt, end }] : []
  const resumed = pauses.intervals.find((each) => each.end > start && each.end < endedAt)
  if (!resumed || resumed.end >= end) return [{ start, end }]
  const before = { start, end: resumed.end }
  return endedAt < end ? [before, { start: endedAt, end }] : [before]
}

/**
 * Returns whole seconds of work so far: now − start − pauses − open pause, floored, never below 0.
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

/** Returns floor((end − start − pauses) / 1000), never below 0. */
export function workedSeconds(startedAt: number, endedAt: number, pauses: Pauses): number {
  return Math.max(0, Math.floor((endedAt - startedAt - pausedMilliseconds(pauses)) / 1000))
}

/**
 * Returns `now`, but never an instant before the last recorded one, so that a clock that is set
 * back loses nothing.
 */
export function notBefore(timer: ActiveTimer, now: number): number {
  const lastPauseEnd = timer.pauses.intervals.at(-1)?.end ?? timer.startedAt
  const openPauseStart = timer.status === 'paused' ? timer.pausedAt : timer.startedAt
  return Math.max(now, timer.startedAt, lastPauseEnd, openPauseStart)
}
