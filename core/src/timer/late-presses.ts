/**
 * Presses that reach the backend after the timer has ended. They have a file of their own, because
 * only sync loads it.
 */
import { COLLECTIONS } from '#collections.ts'
import { clipIntervals } from '#time/instant.ts'
import { mergeIntervals } from './pauses.ts'
import { fold, turnsOf } from './presses.ts'
import type { Press, TimerOrigin } from './presses.ts'
import { endTimer, stoppedBetween } from './timer.ts'
import type { ActiveTimer, StoppedTimer } from './timer.ts'

/**
 * Folds late presses into a timer that has ended. Such presses come from a device that did not know
 * of the end. The end stays. A stop among the presses limits their effect: after that stop, the
 * timer keeps the state that the other devices gave it. For `changedAt`, see `fold`.
 */
export function foldLate(
  { endedAt, ...timer }: StoppedTimer,
  presses: readonly Press[],
  changedAt: number,
): StoppedTimer {
  const { sessionId, taskId, startedAt, pauses } = timer
  const running: ActiveTimer = { status: 'running', sessionId, taskId, startedAt, pauses }
  const late = presses.filter(({ kind }) => kind !== 'stop')
  const folded = fold(running, late, changedAt)
  if (folded.kind === 'stopped') return folded.stopped
  const ended = endTimer(folded.timer, endedAt)
  const until = Math.min(endedAt, ...presses.flatMap(({ kind, at }) => (kind === 'stop' ? at : [])))
  const intervals = mergeIntervals(
    [
      ...clipIntervals(ended.pauses.intervals, -Infinity, until),
      ...clipIntervals(pauses.intervals, until, Infinity),
    ],
    until,
  )
  const start = Math.min(ended.startedAt, endedAt)
  return stoppedBetween(sessionId, ended.taskId, start, endedAt, { ...pauses, intervals })
}

/**
 * Returns the note of an entry with the notes among late presses. A note that others have written
 * stays, and the one from here follows it on a line of its own.
 */
export function foldLateNote(note: string | null, presses: readonly Press[]): string | null {
  const notes = presses.flatMap((press) => (press.kind === 'note' ? press : []))
  // The entry may have some of them already.
  const known = notes.findLastIndex(({ to }) => to === (note ?? ''))
  const folded = notes.slice(known + 1).reduce((text, { from, to }) => {
    if (text === '' || text === from) return to
    if (from !== '' && text.endsWith(`\n${from}`)) return text.slice(0, -from.length) + to
    return to === '' ? text : `${text}\n${to}`
  }, note ?? '')
  return folded.slice(0, COLLECTIONS.time_entries.note.size) || null
}

/**
 * Returns the presses that turn one state of an ended timer into another. It is used where only the
 * outcome is known, not the presses. `at` is the assumed instant of a move.
 */
export function pressesBetween(
  before: StoppedTimer,
  after: StoppedTimer,
  at: number,
): readonly Press[] {
  const known = turnsOf({ ...before, status: 'running' })
  const all = turnsOf({ ...after, status: 'running' })
  const turns = all.filter((turn) => {
    const isKnown = known.some(({ kind, at: knownAt }) => kind === turn.kind && knownAt === turn.at)
    // Of two pauses that touch, the first one was not resumed.
    const { intervals } = after.pauses
    const isTouching = turn.kind === 'resume' && intervals.some(({ start }) => start === turn.at)
    return !isKnown && !isTouching
  })
  const isMoved = before.startedAt !== after.startedAt || before.taskId !== after.taskId
  const move: Press = { kind: 'move', at, from: originOf(before), to: originOf(after), pauses: [] }
  return isMoved ? [move, ...turns] : turns
}

function originOf({ startedAt, taskId }: StoppedTimer): TimerOrigin {
  return { startedAt, taskId }
}
