/** Notes gaps: this device was closed or asleep while the timer ran. A gap is work until its owner removes it. */
import type { ActiveTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import type { Gap } from './stored.ts'

/** The shortest silence that is a gap. The browser may freeze a background tab for less. */
const GAP_MILLISECONDS = 30 * 60 * 1000
const JUST_AWAKE_MILLISECONDS = 120_000

/** Records that this device is awake. A long silence before, while the timer ran, becomes a gap. */
export function noteAwake(draft: Draft): void {
  const running = draft.value('timer')
  if (running?.timer.status !== 'running') return draft.values.remove('seen')
  const { sessionId } = running.timer
  const seen = draft.value('seen')
  if (seen?.sessionId === sessionId && draft.now - seen.at >= GAP_MILLISECONDS) {
    const gaps = gapsOf(draft).filter((gap) => gap.sessionId === sessionId)
    draft.putValue({ key: 'gaps', gaps: [...gaps, { sessionId, start: seen.at, end: draft.now }] })
  }
  draft.putValue({ key: 'seen', sessionId, at: draft.now })
}

/** Returns until when the timer is known to have run: this device may have slept, unless it was resumed since. */
export function awakeUntil(draft: Draft, timer: ActiveTimer): number {
  if (timer.status === 'paused') return timer.pausedAt
  const { sessionId } = timer
  if (draft.value('timer')?.timer.sessionId === sessionId) noteAwake(draft)
  const asleep = gapsOf(draft).findLast((gap) => gap.sessionId === sessionId)
  const hasJustWoken = asleep && draft.now - asleep.end < JUST_AWAKE_MILLISECONDS
  const resumedAt = timer.pauses.intervals.at(-1)?.end ?? -Infinity
  return hasJustWoken && resumedAt < asleep.end ? asleep.start : draft.now
}

/** Removes what lies after `until`, which is a pause, of the gaps of a session. */
export function cutGaps(draft: Draft, sessionId: string, until: number): void {
  const gaps = gapsOf(draft)
    .map((gap) => (gap.sessionId === sessionId ? { ...gap, end: Math.min(gap.end, until) } : gap))
    .filter(isGap)
  if (draft.value('gaps')) draft.putValue({ key: 'gaps', gaps })
}

export function isGap({ start, end }: Gap): boolean {
  return end - start >= GAP_MILLISECONDS
}

export function gapsOf(draft: Draft): readonly Gap[] {
  return draft.value('gaps')?.gaps ?? []
}
