/**
 * Server time: the device's clock plus an offset measured from the backend's responses. Without it, a
 * device whose clock is an hour off would show an hour too much.
 */
import type { ServerTimeSample } from './backend.ts'

/** A slower response measures the server's clock too roughly. It can confirm the clock at most. */
const MAX_ROUND_TRIP_MILLISECONDS = 5000
/** No request takes longer. The clock was set meanwhile, or the device slept. */
const MAX_CONFIRMING_MILLISECONDS = 15_000
/** A smaller offset counts as none, because a changing offset would make the display jump. */
const NEGLIGIBLE_OFFSET_MILLISECONDS = 500
/** Wall time and monotonic time apart by more than this: the clock was set, or the device slept. */
const JUMP_MILLISECONDS = 2000

const STORAGE_KEY = 'stint-clock-offset'
const SET_BACK_KEY = 'stint-clock-set-back'
const RAISED_KEY = 'stint-clock-raised'

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

export interface ClockReading {
  /**
   * Milliseconds by which answers of the server have moved this device's time so far. What the time
   * regains after the clock was set back is no part of it.
   */
  readonly offset: number
  readonly isSure: boolean
  /**
   * No time before this instant, in epoch milliseconds, is of an unconfirmed clock, and none was shown before
   * it in truth. Zero if nothing is known.
   */
  readonly since: number
  /** The leaps ahead since then, with the one that made the clock unsure. */
  readonly leaps: readonly Leap[]
  /** Milliseconds by which leaps of a lagging clock have raised the time so far, on all pages. */
  readonly raised: number
}

/**
 * A leap ahead: the first time that was left out, and how many milliseconds were. Zero is an unknown
 * number: the clock was set back while this device was closed. `isLag` means that the clock was behind
 * by as much before, so the leap was no sleep.
 */
export interface Leap {
  readonly at: number
  readonly by: number
  readonly isLag?: boolean
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
  let raised = stored(storage, RAISED_KEY)
  let hasLearned = false
  /** False after a load and after a leap, until the server responds. */
  let isSure = false
  let since = 0
  let leaps: readonly Leap[] = []
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
      const lag = instant - wall() - offset
      if (isSure) return
      const before = since
      since = Math.max(since, instant)
      // No time of this clock lies before that bound, even if the lag is small. The bound is a millisecond after
      // the last write, which may have been just now.
      if (lag > 1 && lag <= NEGLIGIBLE_OFFSET_MILLISECONDS) regain(lag)
      if (lag <= NEGLIGIBLE_OFFSET_MILLISECONDS) return
      // The first bound is the last write of an earlier page.
      if (!leaps.some(({ by }) => by === 0)) leaps = [...leaps, { at: before || instant, by: 0 }]
      if (before > 0) {
        leaps = [...leaps, { at: instant, by: lag, isLag: true }]
        raised += lag
        remember(storage, RAISED_KEY, raised)
      }
      regain(lag)
    },
    learn({ serverTime, sentAt, receivedAt }) {
      const roundTrip = receivedAt - sentAt
      if (roundTrip < 0 || roundTrip > MAX_CONFIRMING_MILLISECONDS) return
      const isSlow = roundTrip > MAX_ROUND_TRIP_MILLISECONDS
      const measured = serverTime - (sentAt + receivedAt) / 2
      const uncertainty = roundTrip / 2 + NEGLIGIBLE_OFFSET_MILLISECONDS
      // A sample that agrees within its own error is ignored; otherwise the display would jitter.
      const isKnown = (hasLearned || isSlow) && Math.abs(measured - offset) <= uncertainty
      if (isSlow && !isKnown) return
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
    const drift = current.wall - reference.wall - (current.monotonic - reference.monotonic)
    reference = current
    if (drift < -JUMP_MILLISECONDS) regain(-Math.round(drift))
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

  function reading(): ClockReading {
    watchWallClock()
    return { offset: offset - setBack, isSure, since, leaps, raised }
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
