/** Presses of which the backend hears after the timer has ended: a file of its own, which only sync loads. */
import { clipIntervals } from '#time/instant.ts'
import { mergeIntervals } from './pauses.ts'
import { fold } from './presses.ts'
import type { Press } from './presses.ts'
import { endTimer, stoppedBetween } from './timer.ts'
import type { ActiveTimer, StoppedTimer } from './timer.ts'

/**
 * Folds presses into a timer that has ended: what was pressed on a device that had not heard of the end. The end
 * stays. A stop among them ends what they say: after it the timer is as the others left it. `changedAt` as of `fold`.
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
  const intervals = mergeIntervals([
    ...clipIntervals(ended.pauses.intervals, -Infinity, until),
    ...clipIntervals(pauses.intervals, until, Infinity),
  ])
  const start = Math.min(ended.startedAt, endedAt)
  return stoppedBetween(sessionId, ended.taskId, start, endedAt, { ...pauses, intervals })
}
