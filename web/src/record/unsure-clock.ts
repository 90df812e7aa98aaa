/**
 * Instants that are written before the offset to the server is known are noted; sync corrects them once the server has
 * answered (sync/correct-instants.ts).
 */
import type { Draft } from './draft.ts'

/** How far the device's clock is known. */
export interface ClockReading {
  /** What is added to it, in milliseconds. */
  readonly offset: number
  /** The server has confirmed it since it was set last. */
  readonly isSure: boolean
}

/**
 * Notes that what this change has queued was written by a clock that nobody has confirmed. An offset that has changed
 * since makes up for a clock that was seen to be set back: the instants before it go with those after it.
 */
export function noteClock(draft: Draft, { offset, isSure }: ClockReading, now: number): void {
  const hasWork = draft.operations.changed.size > 0 || draft.edits.changed.size > 0
  if (isSure || !hasWork) return
  const noted = draft.value('clock')
  if (noted?.offset !== offset) draft.putValue({ key: 'clock', from: noted?.from ?? now, offset })
}
