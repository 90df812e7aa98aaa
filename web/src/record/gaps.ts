/**
 * Gaps: stretches in which the timer ran and this device was closed or asleep. They count as work until
 * their owner takes them out; nothing is ever decided for them.
 */
import type { Draft } from './draft.ts'
import { press } from './press.ts'
import type { Gap } from './stored.ts'

/**
 * A shorter silence is none: a tab in the background still notes every minute, but one that the
 * browser freezes for a while is no absence.
 */
export const GAP_MILLISECONDS = 30 * 60 * 1000

/** The gap counts as work, and is not asked about again. */
export function keepGap(draft: Draft, gap: Gap): void {
  const gaps = gapsOf(draft).filter(
    (each) => each.sessionId !== gap.sessionId || each.start !== gap.start,
  )
  draft.putValue({ key: 'gaps', gaps })
}

/** Takes out the gap from `from` on: it becomes a pause of the timer, here and on the backend. */
export function takeOutGap(draft: Draft, gap: Gap, from: number): void {
  keepGap(draft, gap)
  const { sessionId, start, end } = gap
  press(
    draft,
    { kind: 'take-out', at: end, away: { start: Math.max(from, start), end } },
    sessionId,
  )
}

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
