import { expect, test } from 'vitest'
import { MAX_PRESENCE, PRESENCE_DAYS, withPresence } from './presence.ts'
import type { Trace } from './trace.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Returns what is kept after these stretches, each from a minute to another one. */
function kept(...stretches: readonly (readonly [number, number])[]): readonly Trace[] {
  return stretches.reduce<readonly Trace[]>(
    (traces, [start, end]) => withPresence(traces, { start: start * MINUTE, end: end * MINUTE }),
    [],
  )
}

function minutes(traces: readonly Trace[]): (readonly [number, number])[] {
  return traces.map(({ from, to }) => [from / MINUTE, to / MINUTE] as const)
}

test('A stretch that has grown is one, and another one stands beside it', () => {
  expect(minutes(kept([0, 5], [0, 9], [20, 25], [20, 40]))).toEqual([
    [0, 9],
    [20, 40],
  ])
  expect(minutes(kept([0, 5], [3, 9]))).toEqual([[0, 9]])
})

test('A stretch keeps its id while it grows', () => {
  const [before, after] = [kept([0, 5]), kept([0, 5], [0, 30])]
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(kept([1, 5])[0]?.id).not.toBe(before[0]?.id)
})

test('It has no text, and is kept for a number of days and stretches', () => {
  const days = (PRESENCE_DAYS * DAY) / MINUTE
  expect(minutes(kept([0, 5], [8, 10], [days + 6, days + 9]))).toEqual([
    [9, 10],
    [days + 6, days + 9],
  ])
  expect(kept([0, 5])).toMatchObject([{ kind: 'presence', title: '', where: '' }])
  const full = Array.from({ length: MAX_PRESENCE }, (_, at) => kept([10 * at, 10 * at + 5])).flat()
  const last = 10 * MAX_PRESENCE
  const after = minutes(withPresence(full, { start: last * MINUTE, end: (last + 1) * MINUTE }))
  expect(after).toHaveLength(MAX_PRESENCE)
  expect([after[0], after.at(-1)]).toEqual([
    [10, 15],
    [last, last + 1],
  ])
})
