/**
 * Presses: the actions of users on the timer of a session, each with its instant, on any device.
 * The timer is the fold of all presses in order of time. The presses of a stored session are read
 * from its fields: each stored pause is one pause and one resume. A press that is folded in twice
 * therefore changes nothing.
 */
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from './pauses.ts'
import { endTimer, moveStart, putIn, takeOut, withNote } from './timer.ts'
import type { ActiveTimer, StoppedTimer } from './timer.ts'

/** The start of a timer and the task that it times. */
export interface TimerOrigin {
  readonly startedAt: number
  readonly taskId: string
}

interface Turn {
  readonly kind: 'pause' | 'resume'
  readonly at: number
}

/** All instants are epoch milliseconds of server time. `at` is the moment of the press. */
export type Press =
  | Turn
  | { readonly kind: 'stop'; readonly at: number }
  /** A later change of the start or the task. `pauses` are pauses that the change restores. */
  | {
      readonly kind: 'move'
      readonly at: number
      readonly from: TimerOrigin
      readonly to: TimerOrigin
      readonly pauses: readonly Interval[]
    }
  /** A change of the note. An empty text is no note. */
  | { readonly kind: 'note'; readonly at: number; readonly from: string; readonly to: string }
  /** Time away that is removed later, as a pause. */
  | { readonly kind: 'take-out'; readonly at: number; readonly away: Interval }
  /** Work of a device that resumed the timer and has stopped it since. */
  | { readonly kind: 'put-in'; readonly at: number; readonly worked: Interval }

export type Folded =
  | { readonly kind: 'active'; readonly timer: ActiveTimer }
  | { readonly kind: 'stopped'; readonly stopped: StoppedTimer }

/**
 * Folds presses into a timer in order of time. A pause during a pause and a resume of a running
 * timer change no time. A stop ends the timer and cuts everything after it. Of two changes of the
 * start (or the task, or the note) the later one counts.
 *
 * @param presses in the order in which their device has them
 * @param changedAt when others last changed the timer. A move that was made before that instant and
 * from another start is too late and has no effect, and so is a change of another note.
 */
export function fold(timer: ActiveTimer, presses: readonly Press[], changedAt: number): Folded {
  let folded = timer
  let turns: Turn[] = []
  for (const press of presses) {
    if (press.kind === 'pause' || press.kind === 'resume') turns.push(press)
    if (press.kind === 'move') {
      // Who has moved the start has pressed these before, and has seen what the move left of them.
      folded = moved(withTurns(folded, turns), press, changedAt)
      turns = []
    }
    if (press.kind === 'note') folded = noted(folded, press, changedAt)
  }
  folded = withTurns(folded, turns)
  for (const press of presses) {
    if (press.kind === 'take-out') folded = takeOut(folded, press.away.start, press.away.end)
    if (press.kind === 'put-in') folded = putIn(folded, press.worked)
  }
  const stops = presses.flatMap(({ kind, at }) => (kind === 'stop' ? at : []))
  return stops.length === 0
    ? { kind: 'active', timer: folded }
    : { kind: 'stopped', stopped: endTimer(folded, Math.min(...stops)) }
}

/**
 * Returns whether the timer was paused or resumed after this instant, as far as its fields show.
 */
export function isPressedAfter(timer: ActiveTimer, instant: number): boolean {
  return turnsOf(timer).some(({ at }) => at > instant)
}

/** Returns the press that removes this time as a pause. */
export function takenOut(start: number, end: number): Press {
  return { kind: 'take-out', at: end, away: { start, end } }
}

/** Returns the pauses of a timer as presses, as far as its fields show them. */
export function turnsOf(timer: ActiveTimer): readonly Turn[] {
  const turns = timer.pauses.intervals.flatMap(({ start, end }): Turn[] => [
    { kind: 'pause', at: start },
    { kind: 'resume', at: end },
  ])
  return timer.status === 'paused' ? [...turns, { kind: 'pause', at: timer.pausedAt }] : turns
}

function withTurns(timer: ActiveTimer, turns: readonly Turn[]): ActiveTimer {
  // The start was moved past an earlier press, and the timer runs from there. It may have been
  // resumed in between, which no field shows.
  const pressed = turns.filter(({ at }) => at >= timer.startedAt)
  if (pressed.length === 0) return timer
  const pauses: Interval[] = []
  let pausedAt: number | null = null
  // The sort is stable: of two presses at one moment, the one that was already stored comes first.
  for (const { kind, at } of [...turnsOf(timer), ...pressed].toSorted((a, b) => a.at - b.at)) {
    if (pausedAt !== null && at > pausedAt) pauses.push({ start: pausedAt, end: at })
    // A pause during a pause begins a new one. The first may have been resumed before it, by a
    // resume that arrives later.
    pausedAt = kind === 'pause' ? at : null
  }
  const { sessionId, taskId, startedAt, note } = timer
  const intervals = mergeIntervals(pauses)
  const placed = { sessionId, taskId, startedAt, pauses: { ...timer.pauses, intervals } }
  const fields = withNote(placed, note)
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

function noted(
  timer: ActiveTimer,
  { at, from, to }: Extract<Press, { kind: 'note' }>,
  changedAt: number,
): ActiveTimer {
  const counts = to !== from && ((timer.note ?? '') === from || at > changedAt)
  return counts ? withNote(timer, to) : timer
}
