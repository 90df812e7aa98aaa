/**
 * Records the instants that were written before the offset to the server was known. Sync corrects
 * them once the server has answered (sync/correct-instants.ts).
 */
import type { Draft } from './draft.ts'

/** How far the device's clock is known. */
export interface ClockReading {
  /** The offset that is added to the device's clock, in milliseconds. */
  readonly offset: number
  /** Whether the server has confirmed the clock since it was last set. */
  readonly isSure: boolean
}

/**
 * Records that this change queued work with an unconfirmed clock. A changed offset compensates for
 * a clock that was seen to be set back. In that case, earlier instants are corrected together with
 * the later ones.
 */
export function noteClock(draft: Draft, { offset, isSure }: ClockReading, now: number): void {
  const hasWork = draft.operations.changed.size > 0 || draft.edits.changed.size > 0
  if (isSure || !hasWork) return
  const noted = draft.value('clock')
  if (noted?.offset !== offset) draft.putValue({ key: 'clock', from: noted?.from ?? now, offset })
}
