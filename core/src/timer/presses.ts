/**
 * Presses: what people did with the timer of a session, each at its instant, on whatever device. The timer is
 * the fold of all of them in order of time. The presses that are in a stored session are read from its
 * fields: each pause is a pause and a resume. So a press that is folded in twice changes nothing.
 */
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from './pauses.ts'
import { endTimer, moveStart, takeOut } from './timer.ts'
import type { ActiveTimer, StoppedTimer } from './timer.ts'

/** When a timer began and what it times. */
export interface TimerOrigin {
  readonly startedAt: number
  readonly taskId: string
}

interface Turn {
  readonly kind: 'pause' | 'resume'
  readonly at: number
}

/** All instants are epoch milliseconds of server time; `at` is the moment of the press. */
export type Press =
  | Turn
  | { readonly kind: 'stop'; readonly at: number }
  /** The start or the task was changed afterwards. `pauses` are pauses that the timer has again. */
  | {
      readonly kind: 'move'
      readonly at: number
      readonly from: TimerOrigin
      readonly to: TimerOrigin
      readonly pauses: readonly Interval[]
    }
  /** Time away is taken out afterwards, as a pause. */
  | { readonly kind: 'take-out'; readonly at: number; readonly away: Interval }

export type Folded =
  | { readonly kind: 'active'; readonly timer: ActiveTimer }
  | { readonly kind: 'stopped'; readonly stopped: StoppedTimer }

/**
 * Folds presses into a timer in order of time. A pause in a pause and a resume while it runs change no time; a stop ends the
 * timer, and what lies after it is cut. Of two changes of the start (or the task) the later one counts.
 *
 * @param changedAt when the timer was changed last by others: a move that was made before it, and from another
 * start, came too late
 */
export function fold(timer: ActiveTimer, presses: readonly Press[], changedAt: number): Folded {
  let folded = timer
  for (const press of presses) {
    if (press.kind === 'move') folded = moved(folded, press, changedAt)
  }
  folded = withTurns(folded, presses)
  for (const press of presses) {
    if (press.kind === 'take-out') folded = takeOut(folded, press.away.start, press.away.end)
  }
  const stops = presses.flatMap(({ kind, at }) => (kind === 'stop' ? at : []))
  return stops.length === 0
    ? { kind: 'active', timer: folded }
    : { kind: 'stopped', stopped: endTimer(folded, Math.min(...stops)) }
}

/** Whether the timer was pressed after this instant, as far as its fields tell. */
export function isPressedAfter(timer: ActiveTimer, instant: number): boolean {
  return turnsOf(timer).some(({ at }) => at > instant)
}

/** The pauses of a timer as presses: those that its fields tell of. */
export function turnsOf(timer: ActiveTimer): readonly Turn[] {
  const turns = timer.pauses.intervals.flatMap(({ start, end }): Turn[] => [
    { kind: 'pause', at: start },
    { kind: 'resume', at: end },
  ])
  return timer.status === 'paused' ? [...turns, { kind: 'pause', at: timer.pausedAt }] : turns
}

function withTurns(timer: ActiveTimer, presses: readonly Press[]): ActiveTimer {
  const pressed = presses.flatMap((press): Turn[] =>
    press.kind === 'pause' || press.kind === 'resume' ? [press] : [],
  )
  if (pressed.length === 0) return timer
  const pauses: Interval[] = []
  let pausedAt: number | null = null
  // The sort is stable: of two at one moment, that which was there already comes first.
  for (const { kind, at } of [...turnsOf(timer), ...pressed].toSorted((a, b) => a.at - b.at)) {
    const turnedAt = Math.max(at, timer.startedAt)
    if (pausedAt !== null && turnedAt > pausedAt) pauses.push({ start: pausedAt, end: turnedAt })
    // A pause in a pause begins one of its own: the first may have been resumed before it, which is heard of later.
    pausedAt = kind === 'pause' ? turnedAt : null
  }
  const { sessionId, taskId, startedAt } = timer
  const fields = {
    sessionId,
    taskId,
    startedAt,
    pauses: { ...timer.pauses, intervals: mergeIntervals(pauses) },
  }
  return pausedAt === null
    ? { ...fields, status: 'running' }
    : { ...fields, status: 'paused', pausedAt }
}

function moved(
  timer: ActiveTimer,
  { at, from, to, pauses }: Extract<Press, { kind: 'move' }>,
  changedAt: number,
): ActiveTimer {
  const counts = (field: keyof TimerOrigin) =>
    to[field] !== from[field] && (timer[field] === from[field] || at > changedAt)
  const taskId = counts('taskId') ? to.taskId : timer.taskId
  const isMoved = counts('startedAt')
  const start = isMoved ? moveStart(timer, to.startedAt) : timer
  const intervals = mergeIntervals([...start.pauses.intervals, ...(isMoved ? pauses : [])])
  return { ...start, taskId, pauses: { ...start.pauses, intervals } }
}
