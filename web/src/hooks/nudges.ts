/**
 * Records which nudges this device has shown, so that each is shown once across tabs and reloads. Also
 * records skipped breaks, as the timer's pauses do not show them.
 */
import type { Draft } from '@stint/core/device/draft.ts'
import type { ValueOf } from '@stint/core/device/stored.ts'

/** Older records are dropped. */
const MAX_KEPT = 200

/** Returns true for the first caller with this event and false for every later one. */
export function claimEvent(draft: Draft, event: string): boolean {
  const { said, skips } = nudgesOf(draft)
  if (said.includes(event)) return false
  draft.putValue({ key: 'nudges', said: [...said, event].slice(-MAX_KEPT), skips })
  return true
}

/** Records that the break due at `now` is skipped. */
export function skipBreak(draft: Draft): void {
  const { said, skips } = nudgesOf(draft)
  draft.putValue({ key: 'nudges', said, skips: [...skips, draft.now].slice(-MAX_KEPT) })
}

function nudgesOf(draft: Draft): Pick<ValueOf<'nudges'>, 'said' | 'skips'> {
  return draft.value('nudges') ?? { said: [], skips: [] }
}
