/** Settles times that clocks show twice by the order of the rows. */
import type { Reading, Times } from './import-rows.ts'

/**
 * Rows whose times are known, or the times that they may have, the earliest first. Rows with the times
 * of the one before are with it: they may be the same work twice.
 */
interface Place {
  readonly indexes: readonly number[]
  readonly times: readonly Times[]
}

/**
 * Returns the readings, each with only those times that the order of the rows allows. It is the order
 * of the rows with known times: by start, forwards or backwards, and each after the end of the one
 * before unless some overlap. Rows in another order settle nothing.
 */
export function settledByOrder(readings: readonly Reading[]): readonly Reading[] {
  const places = placesOf(readings)
  if (places.every(({ times }) => times.length === 1)) return readings
  const forwards = inOrder(places)
  if (forwards === null) return readings
  const known = forwards.filter(({ times }) => times.length === 1)
  const areApart = known.every(({ times: [at] }, place) => {
    const before = known[place - 1]?.times[0]
    return !at || !before || at.startedAt >= before.endedAt
  })
  const settled = [...readings]
  for (const { indexes, times } of allowed(forwards, areApart)) {
    const [first, ...others] = times
    if (!first) continue
    for (const index of indexes) settled[index] = { ...first, others }
  }
  return settled
}

function placesOf(readings: readonly Reading[]): Place[] {
  const places: { indexes: number[]; times: readonly Times[] }[] = []
  for (const [index, reading] of readings.entries()) {
    if (reading.kind !== 'times') continue
    const before = places.at(-1)
    const [last] = before?.times ?? []
    const isSame = last?.startedAt === reading.startedAt && last.endedAt === reading.endedAt
    if (before && isSame) before.indexes.push(index)
    else places.push({ indexes: [index], times: [reading, ...reading.others] })
  }
  return places
}

/** Returns the rows from the earliest to the latest; null if the known ones have no order. */
function inOrder(places: readonly Place[]): readonly Place[] | null {
  const starts = places.flatMap(({ times }) =>
    times.length === 1 ? (times[0]?.startedAt ?? 0) : [],
  )
  const steps = starts.slice(1).map((start, index) => start - (starts[index] ?? start))
  const hasRise = steps.some((step) => step > 0)
  const hasFall = steps.some((step) => step < 0)
  if (hasRise === hasFall) return null
  return hasRise ? places : places.toReversed()
}

/**
 * Returns the rows with the times for which all others have a place before and after. A row that has
 * none keeps what it may have.
 */
function allowed(places: readonly Place[], areApart: boolean): readonly Place[] {
  const endOf = ({ startedAt, endedAt }: Times) => (areApart ? endedAt : startedAt)
  let earliest = -Infinity
  const fromFirst = places.map((place) => {
    const times = kept(place.times, ({ startedAt }) => startedAt >= earliest)
    earliest = Math.min(...times.map(endOf))
    return { ...place, times }
  })
  let latest = Infinity
  return fromFirst
    .toReversed()
    .map((place) => {
      const times = kept(place.times, (at) => endOf(at) <= latest)
      latest = Math.max(...times.map(({ startedAt }) => startedAt))
      return { ...place, times }
    })
    .toReversed()
}

function kept(times: readonly Times[], isPossible: (at: Times) => boolean): readonly Times[] {
  const possible = times.filter(isPossible)
  return possible.length > 0 ? possible : times
}
