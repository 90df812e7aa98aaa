/**
 * Server time (design 5.8, S18): the local clock plus an offset learned from the backend's
 * answers. `Date.now()` alone shows an hour too much on a device whose clock is an hour off.
 */
import type { ServerTimeSample } from '#backend/backend.ts'

/** Slower answers say too little about the server's clock. */
const MAX_ROUND_TRIP_MILLISECONDS = 5000
/** Clocks this close are the same: a jittering offset would make the display jump. */
const NEGLIGIBLE_OFFSET_MILLISECONDS = 500
/** After that a better sample is welcome even with a longer round trip. */
const SAMPLE_LIFETIME_MILLISECONDS = 15 * 60 * 1000
/** Wall time and monotonic time apart by more than this: the clock was set, or the device slept. */
const JUMP_MILLISECONDS = 2000

const STORAGE_KEY = 'stint-clock-offset'

export interface ServerClock {
  /** Epoch milliseconds of server time. */
  readonly now: () => number
  /** Takes in how the server's clock stood when it answered. */
  readonly learn: (sample: ServerTimeSample) => void
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
  let offset = storedOffset(storage)
  let best: { roundTrip: number; learnedAt: number } | null = null
  let reference = { wall: wall(), monotonic: monotonic() }

  return {
    now() {
      absorbBackwardJump()
      return wall() + offset
    },
    learn({ serverTime, sentAt, receivedAt }) {
      const roundTrip = receivedAt - sentAt
      if (roundTrip < 0 || roundTrip > MAX_ROUND_TRIP_MILLISECONDS) return
      const isBetter =
        best === null ||
        roundTrip <= best.roundTrip ||
        receivedAt - best.learnedAt > SAMPLE_LIFETIME_MILLISECONDS
      const measured = serverTime - (sentAt + receivedAt) / 2
      const hasMoved = Math.abs(measured - offset) > roundTrip + NEGLIGIBLE_OFFSET_MILLISECONDS
      if (!isBetter && !hasMoved) return
      best = { roundTrip, learnedAt: receivedAt }
      offset = Math.abs(measured) < NEGLIGIBLE_OFFSET_MILLISECONDS ? 0 : Math.round(measured)
      storage?.setItem(STORAGE_KEY, String(offset))
    },
  }

  /**
   * A wall clock set back while the page is open would make the elapsed time fall (C3): what it
   * lost is put into the offset. A jump forward may as well be sleep, which counts (spec 4), and is
   * corrected by the next answer.
   */
  function absorbBackwardJump(): void {
    const current = { wall: wall(), monotonic: monotonic() }
    const drift = current.wall - reference.wall - (current.monotonic - reference.monotonic)
    if (drift < -JUMP_MILLISECONDS) offset -= Math.round(drift)
    reference = current
  }
}

function storedOffset(storage: Pick<Storage, 'getItem'> | null): number {
  const offset = Number(storage?.getItem(STORAGE_KEY) ?? 0)
  return Number.isFinite(offset) ? offset : 0
}
