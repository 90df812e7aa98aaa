/**
 * Gaps: stretches in which the timer ran and this device was closed or asleep. They count as work until
 * their owner takes them out; nothing is ever decided for them.
 */
import type { Draft } from './draft.ts'
import type { Gap } from './stored.ts'

/**
 * A shorter silence is none: a tab in the background still notes every minute, but one that the
 * browser freezes for a while is no absence.
 */
export const GAP_MILLISECONDS = 30 * 60 * 1000

/**
 * Nothing after `until` is a gap of the session: it is a pause. What is left of a gap may be too short to
 * be one.
 */
export function cutGaps(draft: Draft, sessionId: string, until: number): void {
  const known = gapsOf(draft)
  if (!known.some((gap) => gap.sessionId === sessionId && gap.end > until)) return
  const gaps = known
    .map((gap) => (gap.sessionId === sessionId ? { ...gap, end: Math.min(gap.end, until) } : gap))
    .filter((gap) => gap.end - gap.start >= GAP_MILLISECONDS)
  draft.putValue({ key: 'gaps', gaps })
}

export function gapsOf(draft: Draft): readonly Gap[] {
  return draft.value('gaps')?.gaps ?? []
}
