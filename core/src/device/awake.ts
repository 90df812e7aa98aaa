/** Detects that this device was closed or asleep while the timer ran. */
import type { Draft } from './draft.ts'
import { GAP_MILLISECONDS, gapsOf } from './gaps.ts'

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
