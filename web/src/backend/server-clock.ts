/**
 * Server time: the local clock plus an offset learned from the backend's
 * answers. `Date.now()` alone shows an hour too much on a device whose clock is an hour off.
 */
import type { ServerTimeSample } from './backend.ts'

/** Slower answers say too little about the server's clock. */
const MAX_ROUND_TRIP_MILLISECONDS = 5000
/** Clocks this close are the same: a jittering offset would make the display jump. */
const NEGLIGIBLE_OFFSET_MILLISECONDS = 500
/** Wall time and monotonic time apart by more than this: the clock was set, or the device slept. */
const JUMP_MILLISECONDS = 2000

const STORAGE_KEY = 'stint-clock-offset'

export interface ServerClock {
  /** Epoch milliseconds of server time. */
  readonly now: () => number
  /** What is added to the device's clock, and whether the server has said so since it was set last. */
  readonly reading: () => ClockReading
  /** It is this late at least: what was written down says so. */
  readonly setAtLeast: (instant: number) => void
  /** Takes in how the server's clock stood when it answered. */
  readonly learn: (sample: ServerTimeSample) => void
  /**
   * Calls back when the wall clock leapt ahead of the monotonic one: it was set, or the device
   * slept. Only the server can tell which. Returns an unsubscribe function.
   */
  readonly onLeap: (listener: () => void) => () => void
}

export interface ClockReading {
  /** Milliseconds. */
  readonly offset: number
  readonly isSure: boolean
}

interface LocalClocks {
  readonly wall: () => number
  /** Milliseconds that no setting of the clock changes. */
  readonly monotonic: () => number
}

/** A clock that starts with the offset learned last time, if there is one. */
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
  /** Not after a load, and not after a leap, before the server has answered. */
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
      // A new sample that agrees within its own error changes nothing: the display would jitter.
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
   * A wall clock set back while the page is open would make the elapsed time fall: what it
   * lost is put into the offset. A leap ahead may as well be sleep, which counts, so it
   * stands until the server has been asked.
   */
  function watchWallClock(): void {
    const current = { wall: wall(), monotonic: monotonic() }
    const drift = current.wall - reference.wall - (current.monotonic - reference.monotonic)
    reference = current
    if (drift < -JUMP_MILLISECONDS) {
      offset -= Math.round(drift)
      // Another tab, or this one after a reload, must not fall behind.
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
    // A full storage costs the memory of the offset, which is learned again at the next load.
  }
}

function storedOffset(storage: Pick<Storage, 'getItem'> | null): number {
  const offset = Number(storage?.getItem(STORAGE_KEY) ?? 0)
  return Number.isFinite(offset) ? offset : 0
}
