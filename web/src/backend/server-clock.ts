/**
 * Server time: the device's clock plus an offset measured from the backend's responses. Without it, a
 * device whose clock is an hour off would show an hour too much.
 */
import type { ServerTimeSample } from './backend.ts'

/** A slower response measures the server's clock too roughly. */
const MAX_ROUND_TRIP_MILLISECONDS = 5000
/** A smaller offset counts as none, because a changing offset would make the display jump. */
const NEGLIGIBLE_OFFSET_MILLISECONDS = 500
/** Wall time and monotonic time apart by more than this: the clock was set, or the device slept. */
const JUMP_MILLISECONDS = 2000

const STORAGE_KEY = 'stint-clock-offset'

export interface ServerClock {
  /** Server time in epoch milliseconds. */
  readonly now: () => number
  /** Returns the offset and whether the server has confirmed it since the clock was last set. */
  readonly reading: () => ClockReading
  /** Moves an unconfirmed clock forward to at least `instant`, a time that is known to have passed. */
  readonly setAtLeast: (instant: number) => void
  /** Updates the offset from a sample of the server's clock. */
  readonly learn: (sample: ServerTimeSample) => void
  /**
   * Subscribes to leaps of the wall clock ahead of the monotonic clock: the clock was set, or the
   * device slept. Only the server can tell which. Returns an unsubscribe function.
   */
  readonly onLeap: (listener: () => void) => () => void
}

export interface ClockReading {
  /** Milliseconds added to the device's clock. */
  readonly offset: number
  readonly isSure: boolean
}

interface LocalClocks {
  readonly wall: () => number
  /** Milliseconds; not affected by setting the clock. */
  readonly monotonic: () => number
}

/** Creates a clock that starts with the stored offset, if there is one. */
export function createServerClock(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  { wall, monotonic }: LocalClocks = {
    wall: () => Date.now(),
    monotonic: () => performance.now(),
  },
): ServerClock {
  const listeners = new Set<() => void>()
  let offset = storedOffset(storage)
  let hasLearned = false
  /** False after a load and after a leap, until the server responds. */
  let isSure = false
  let reference = { wall: wall(), monotonic: monotonic() }

  return {
    now() {
      watchWallClock()
      return wall() + offset
    },
    reading: () => ({ offset, isSure }),
    setAtLeast(instant) {
      const lag = instant - wall() - offset
      if (isSure || lag <= 0) return
      offset += lag
      remember(storage, offset)
    },
    learn({ serverTime, sentAt, receivedAt }) {
      const roundTrip = receivedAt - sentAt
      if (roundTrip < 0 || roundTrip > MAX_ROUND_TRIP_MILLISECONDS) return
      const measured = serverTime - (sentAt + receivedAt) / 2
      const uncertainty = roundTrip / 2 + NEGLIGIBLE_OFFSET_MILLISECONDS
      // A sample that agrees within its own error is ignored; otherwise the display would jitter.
      const isKnown = hasLearned && Math.abs(measured - offset) <= uncertainty
      hasLearned = true
      isSure = true
      if (isKnown) return
      offset = Math.abs(measured) <= uncertainty ? 0 : Math.round(measured)
      remember(storage, offset)
    },
    onLeap(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  /**
   * Adds to the offset what the wall clock was set back, as the elapsed time would fall. A leap ahead
   * may be sleep, which counts as elapsed time, so it stays until the server responds.
   */
  function watchWallClock(): void {
    const current = { wall: wall(), monotonic: monotonic() }
    const drift = current.wall - reference.wall - (current.monotonic - reference.monotonic)
    reference = current
    if (drift < -JUMP_MILLISECONDS) {
      offset -= Math.round(drift)
      // Saved for other tabs and for a reload of this one.
      remember(storage, offset)
    }
    if (drift <= JUMP_MILLISECONDS) return
    isSure = false
    for (const listener of listeners) listener()
  }
}

function remember(storage: Pick<Storage, 'setItem'> | null, offset: number): void {
  try {
    storage?.setItem(STORAGE_KEY, String(offset))
  } catch {
    // With full storage the offset is not saved. The next load measures it again.
  }
}

function storedOffset(storage: Pick<Storage, 'getItem'> | null): number {
  const offset = Number(storage?.getItem(STORAGE_KEY) ?? 0)
  return Number.isFinite(offset) ? offset : 0
}
