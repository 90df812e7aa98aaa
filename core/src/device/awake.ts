/** Detects that this device was closed or asleep while the timer ran. */
import type { ActiveTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { GAP_MILLISECONDS, gapsOf } from './gaps.ts'

const JUST_AWAKE_MILLISECONDS = 120_000

/**
 * Records that this device is awake. A long silence before `now`, while the timer ran, becomes a
 * gap.
 */
export function noteAwake(draft: Draft, now: number): void {
  const running = draft.value('timer')
  if (running?.timer.status !== 'running') return draft.values.remove('seen')
  const { sessionId } = running.timer
  const seen = draft.value('seen')
  if (seen?.sessionId === sessionId && now - seen.at >= GAP_MILLISECONDS) {
    const gaps = gapsOf(draft).filter((gap) => gap.sessionId === sessionId)
    draft.putValue({ key: 'gaps', gaps: [...gaps, { sessionId, start: seen.at, end: now }] })
  }
  draft.putValue({ key: 'seen', sessionId, at: now })
}

/**
 * Returns until when this device knows that the timer ran, because the device may have slept since.
 * A paused timer ran until the begin of its pause. Who has pressed something on it at `pressedAt`, since the
 * device woke, says that it ran.
 */
export function awakeUntil(
  draft: Draft,
  timer: ActiveTimer,
  now: number,
  pressedAt = -Infinity,
): number {
  if (timer.status === 'paused') return timer.pausedAt
  const { sessionId } = timer
  if (draft.value('timer')?.timer.sessionId === sessionId) noteAwake(draft, now)
  const asleep = gapsOf(draft).findLast((gap) => gap.sessionId === sessionId)
  const hasJustWoken = asleep && now - asleep.end < JUST_AWAKE_MILLISECONDS
  return hasJustWoken && pressedAt < asleep.end ? asleep.start : now
}
