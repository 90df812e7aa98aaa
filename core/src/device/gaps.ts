/**
 * Gaps: stretches in which the timer ran while this device was closed or asleep. A gap counts as
 * work until its owner removes it. The program never decides about a gap.
 */
import type { Draft } from './draft.ts'
import type { Gap } from './stored.ts'

/**
 * The shortest silence that is a gap, in milliseconds. A background tab still records every minute,
 * but a shorter freeze by the browser is not an absence.
 */
export const GAP_MILLISECONDS = 30 * 60 * 1000

/**
 * Removes the part of the session's gaps after `until`, which is a pause. A gap that becomes too
 * short is dropped.
 */
export function cutGaps(draft: Draft, sessionId: string, until: number): void {
  const known = gapsOf(draft)
  if (!known.some((gap) => gap.sessionId === sessionId && gap.end > until)) return
  const gaps = known
    .map((gap) => (gap.sessionId === sessionId ? { ...gap, end: Math.min(gap.end, until) } : gap))
    .filter(isGap)
  draft.putValue({ key: 'gaps', gaps })
}

export function isGap({ start, end }: Gap): boolean {
  return end - start >= GAP_MILLISECONDS
}

export function gapsOf(draft: Draft): readonly Gap[] {
  return draft.value('gaps')?.gaps ?? []
}
