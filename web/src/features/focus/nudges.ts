/**
 * What this device says by itself: each thing once, whichever tab comes first, and not again after a
 * reload. And which breaks were not taken, which no pause shows.
 */
import type { Draft } from '#record/draft.ts'
import type { NudgesValue } from '#record/stored.ts'

/** Old ones are forgotten: nobody is reminded of last month. */
const MAX_KEPT = 200

/** True for the first who asks whether to say this; false for everybody after. */
export function sayOnce(draft: Draft, event: string): boolean {
  const { said, skips } = nudgesOf(draft)
  if (said.includes(event)) return false
  draft.putValue({ key: 'nudges', said: [...said, event].slice(-MAX_KEPT), skips })
  return true
}

/** The break that was due at `now` is not taken. */
export function skipBreak(draft: Draft, now: number): void {
  const { said, skips } = nudgesOf(draft)
  draft.putValue({ key: 'nudges', said, skips: [...skips, now].slice(-MAX_KEPT) })
}

function nudgesOf(draft: Draft): Pick<NudgesValue, 'said' | 'skips'> {
  return draft.value('nudges') ?? { said: [], skips: [] }
}
