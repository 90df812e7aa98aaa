/**
 * Server time: the device's clock plus an offset measured from the backend's responses. Without it, a
 * device whose clock is an hour off would show an hour too much.
 */
import type { ClockReading } from '@stint/core/device/unsure-clock.ts'

import type { ServerTimeSample } from './backend.ts'

/** A slower response measures the server's clock too roughly. It can confirm a clock at most that nothing has moved. */
const MAX_ROUND_TRIP_MILLISECONDS = 5000
/** No request takes longer. The clock was set meanwhile, or the device slept. */
const MAX_CONFIRMING_MILLISECONDS = 15_000
/** A smaller offset counts as none, because a changing offset would make the display jump. */
const NEGLIGIBLE_OFFSET_MILLISECONDS = 500
/** Wall time and monotonic time apart by more than this: the clock was set, or the device slept. */
const JUMP_MILLISECONDS = 2000

const STORAGE_KEY = 'stint-clock-offset'
const SET_BACK_KEY = 'stint-clock-set-back'
const LOWER_BOUND_KEY = 'stint-clock-lower-bound'

export interface ServerClock {
  /** Server time in epoch milliseconds. */
  readonly now: () => number
  /** Returns the correction and whether the server has confirmed it since the clock was last set. */
  readonly reading: () => ClockReading
  /**
   * Continues an unconfirmed clock with the correction of an earlier page, in milliseconds, whose
   * instants are not corrected yet. That page may have learned another one just before it was killed.
   */
  readonly goOnWith: (correction: number) => void
  /**
   * Moves an unconfirmed clock forward to at least `instant`, a time that has passed. The clock was
   * set back since.
   */
  readonly setAtLeast: (instant: number) => void
  /** Updates the offset from a sample of the server's clock. */
  readonly learn: (sample: ServerTimeSample) => void
  /**
   * Subscribes to leaps of the wall clock ahead of the monotonic clock, and to the server's answers
   * that confirm the clock. After a leap the clock was set, or the device slept. Only the server can
   * tell which. Returns an unsubscribe function.
   */
  readonly onChange: (listener: (reading: ClockReading) => void) => () => void
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
  const listeners = new Set<(reading: ClockReading) => void>()
  let offset = stored(storage, STORAGE_KEY)
  /** The part of the offset that makes up for a clock that was set back. */
  let setBack = stored(storage, SET_BACK_KEY)
  /** Whether the time is a lower bound, since the clock was set back while the app was closed. */
  let isLowerBound = stored(storage, LOWER_BOUND_KEY) === 1
  let hasLearned = false
  /** False after a load and after a leap, until the server responds. */
  let isSure = false
  let since = 0
  let leaps: ClockReading['leaps'] = []
  let reference = { wall: wall(), monotonic: monotonic() }

  return {
    now() {
      watchWallClock()
      return wall() + offset
    },
    reading,
    goOnWith(correction) {
      if (!isSure) offset = correction + setBack
    },
    setAtLeast(instant) {
      if (isSure) return
      const lag = instant - wall() - offset
      // The first bound is the last write of an earlier page. It is a millisecond after that write, which may
      // have been just now.
      if (lag > NEGLIGIBLE_OFFSET_MILLISECONDS && since === 0) leaps = [{ at: instant, by: 0 }]
      if (lag > NEGLIGIBLE_OFFSET_MILLISECONDS) setLowerBound(true)
      if (lag > 1) regain(lag)
      since = Math.max(since, instant)
    },
    learn({ serverTime, sentAt, receivedAt }) {
      const roundTrip = receivedAt - sentAt
      if (roundTrip < 0 || roundTrip > MAX_CONFIRMING_MILLISECONDS) return
      const isSlow = roundTrip > MAX_ROUND_TRIP_MILLISECONDS
      const measured = serverTime - (sentAt + receivedAt) / 2
      const uncertainty = roundTrip / 2 + NEGLIGIBLE_OFFSET_MILLISECONDS
      // A sample that agrees within its own error is ignored; otherwise the display would jitter.
      const isKnown = (hasLearned || isSlow) && Math.abs(measured - offset) <= uncertainty
      if (isSlow && (!isKnown || isLowerBound)) return
      if (isLowerBound) setLowerBound(false)
      hasLearned ||= !isSlow
      if (!isKnown) {
        offset = Math.abs(measured) <= uncertainty ? 0 : Math.round(measured)
        remember(storage, STORAGE_KEY, offset)
      }
      if (isSure) return
      isSure = true
      tell()
    },
    onChange(listener) {
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
    const elapsed = current.monotonic - reference.monotonic
    // Monotonic time has fractions, and instants have none.
    const drift = Math.round(current.wall - reference.wall - elapsed)
    reference = current
    if (drift < -JUMP_MILLISECONDS) regain(-drift)
    if (drift <= JUMP_MILLISECONDS) return
    // A time that was left out is of the time after the leap, as 'ten minutes ago' may be.
    const at = current.wall + offset - drift + 1
    if (isSure) since = at
    leaps = [...(isSure ? [] : leaps), { at, by: drift }]
    isSure = false
    tell()
  }

  function regain(milliseconds: number): void {
    offset += milliseconds
    setBack += milliseconds
    // Saved for other tabs and for a reload of this one.
    remember(storage, STORAGE_KEY, offset)
    remember(storage, SET_BACK_KEY, setBack)
  }

  function setLowerBound(is: boolean): void {
    isLowerBound = is
    remember(storage, LOWER_BOUND_KEY, is ? 1 : 0)
  }

  function reading(): ClockReading {
    watchWallClock()
    return { offset: offset - setBack, isSure, since, leaps }
  }

  function tell(): void {
    for (const listener of listeners) listener(reading())
  }
}

function remember(storage: Pick<Storage, 'setItem'> | null, key: string, value: number): void {
  try {
    storage?.setItem(key, String(value))
  } catch {
    // With full storage the offset is not saved. The next load measures it again.
  }
}

function stored(storage: Pick<Storage, 'getItem'> | null, key: string): number {
  const value = Number(storage?.getItem(key) ?? 0)
  return Number.isFinite(value) ? value : 0
}
