/** Lays rows without times into the free time of their day. */
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { addDays } from '#time/calendar.ts'
import { clipIntervals, intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'

/** The time of day from which they are laid out. */
const LAYOUT_START_SECONDS = 9 * 3600

export interface UnplacedRow {
  readonly index: number
  readonly date: CalendarDate
  readonly clock: ZoneClock
  /** Whole seconds. */
  readonly seconds: number
}

export interface Layout {
  /** The places by the index of the row. */
  readonly places: ReadonlyMap<number, Interval>
  /** The seconds of the day that stay free, by the index of a row that does not fit. */
  readonly unfit: ReadonlyMap<number, number>
}

/**
 * Lays out the rows of each day in their order, from 09:00 or from as early as they need, around
 * what is `taken`, which is sorted by start. A row that no free time is long enough for is not
 * placed.
 */
export function layOut(
  rows: readonly UnplacedRow[],
  taken: readonly Interval[],
  now: number,
): Layout {
  const places = new Map<number, Interval>()
  const unfit = new Map<number, number>()
  const days = Map.groupBy(rows, ({ date, clock }) => `${date} ${clock.timeZone}`)
  const hasZones = new Set(rows.map(({ clock }) => clock.timeZone)).size > 1
  for (const ofDay of days.values()) {
    const [first] = ofDay
    if (!first) continue
    const day = dayOf(first, now)
    // Days of several zones overlap.
    const others = hasZones ? clipIntervals([...places.values()], day.start, day.end) : []
    const busy = mergeIntervals([...within(taken, day), ...others])
    const free = intervalsBetween(busy, day)
    const best = bestPlaces(ofDay, free, day)
    const left = totalMilliseconds(free) - totalMilliseconds([...best.values()])
    for (const { index } of ofDay) {
      const place = best.get(index)
      if (place) places.set(index, place)
      else unfit.set(index, Math.max(0, Math.floor(left / 1000)))
    }
  }
  return { places, unfit }
}

/** Returns the day of a row, which ends now if it is today. */
function dayOf({ date, clock }: UnplacedRow, now: number): Interval {
  const start = clock.instantOf(date, 0)
  return { start, end: Math.max(start, Math.min(clock.instantOf(addDays(date, 1), 0), now)) }
}

/** Returns the places of the latest start, 09:00 at the latest, from which all rows fit. */
function bestPlaces(
  all: readonly UnplacedRow[],
  free: readonly Interval[],
  day: Interval,
): ReadonlyMap<number, Interval> {
  // A row for which no free time is long enough moves no other.
  const longest = Math.max(0, ...free.map(({ start, end }) => end - start))
  const rows = all.filter(({ seconds }) => seconds * 1000 <= longest)
  const [first] = rows
  if (!first) return new Map()
  const nine = first.clock.instantOf(first.date, LAYOUT_START_SECONDS)
  const needed = rows.reduce((sum, { seconds }) => sum + seconds * 1000, 0)
  const occupied = day.end - day.start - totalMilliseconds(free)
  const atNine = placesFrom(nine, rows, free)
  if (atNine.size === rows.length) return atNine
  for (let start = Math.min(nine, day.end - needed - occupied); start > day.start; start -= STEP) {
    const places = placesFrom(start, rows, free)
    if (places.size === rows.length) return places
  }
  return placesFrom(day.start, rows, free)
}

/** Returns the places of the rows that fit, each in the first free time from `start` on. */
function placesFrom(
  start: number,
  rows: readonly UnplacedRow[],
  free: readonly Interval[],
): ReadonlyMap<number, Interval> {
  const left = free.flatMap((gap) =>
    gap.end > start ? [{ start: Math.max(gap.start, start), end: gap.end }] : [],
  )
  const places = new Map<number, Interval>()
  for (const { index, seconds } of rows) {
    const length = seconds * 1000
    const gap = left.find((each) => each.end - each.start >= length)
    if (!gap) continue
    places.set(index, { start: gap.start, end: gap.start + length })
    gap.start += length
  }
  return places
}

/** How much earlier the next start is that is tried. */
const STEP = 1_800_000

const MAX_LENGTH = 31 * 86_400_000

/** Returns the parts that are in the day. They are sorted, and none is longer than a month. */
function within(intervals: readonly Interval[], day: Interval): Interval[] {
  let [low, high] = [0, intervals.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((intervals[middle]?.start ?? 0) < day.start - MAX_LENGTH) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < intervals.length && (intervals[end]?.start ?? Infinity) < day.end) end++
  return clipIntervals(intervals.slice(low, end), day.start, day.end)
}
