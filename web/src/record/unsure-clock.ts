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

/** Notes that what this change has queued was written by a clock that nobody has confirmed. */
export function noteClock(draft: Draft, { offset, isSure }: ClockReading, now: number): void {
  const hasWork = draft.operations.changed.size > 0 || draft.edits.changed.size > 0
  if (!isSure && hasWork && !draft.value('clock'))
    draft.putValue({ key: 'clock', from: now, offset })
}
