import type { EntryList } from '@stint/core/reports/entry-list.ts'
import { NEW_ENTRY } from '@stint/core/record/time-entry.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { heightOf, slicesBetween, topOfDay, withRow } from './list-layout.ts'
import type { Heights } from './list-layout.ts'

const HEIGHTS: Heights = { heading: 3, row: 2 }

/** Returns a list with so many sessions on each day. */
function listOf(counts: readonly number[]): EntryList {
  const entries = counts.flatMap((count, day) =>
    Array.from({ length: count }, (_, index) => ({
      ...NEW_ENTRY,
      id: `${day}-${index}`,
      createdAt: 0,
      updatedAt: 0,
    })),
  )
  const days = counts.map((count, index) => ({
    day: -index,
    first: counts.slice(0, index).reduce((sum, each) => sum + each, 0),
    count,
    seconds: 0,
  }))
  return { entries, days, seconds: 0 }
}

test('Days follow each other without a gap', () => {
  const list = listOf([2, 1, 3])
  expect(list.days.map((_, day) => topOfDay(list, day, HEIGHTS))).toEqual([0, 7, 12])
  expect(heightOf(list, HEIGHTS)).toBe(21)
})

test('The rows of a part of the list are found by day', () => {
  const list = listOf([2, 1, 3])
  expect(slicesBetween(list, HEIGHTS, -50, 6)).toEqual([{ day: 0, rows: [0, 1] }])
  expect(slicesBetween(list, HEIGHTS, 5.5, 12.5)).toEqual([
    { day: 0, rows: [1] },
    { day: 1, rows: [2] },
    { day: 2, rows: [] },
  ])
  expect(slicesBetween(list, HEIGHTS, 17, 99)).toEqual([{ day: 2, rows: [4, 5] }])
  expect(slicesBetween(listOf([]), HEIGHTS, 0, 9)).toEqual([])
})

test('The active row is drawn wherever it is', () => {
  const list = listOf([2, 1, 3])
  const slices = [{ day: 1, rows: [2] }]
  expect(withRow(slices, list, 2)).toBe(slices)
  expect(withRow(slices, list, 5)).toEqual([...slices, { day: 2, rows: [5] }])
  expect(withRow(slices, list, 1)).toEqual([{ day: 0, rows: [1] }, ...slices])
  expect(withRow([], listOf([]), -1)).toEqual([])
})

test('Whatever part is shown, each row that touches it is drawn, and few others', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 })
  const place = fc.double({ min: -10, max: 400, noNaN: true })
  fc.assert(
    fc.property(counts, place, fc.double({ min: 0, max: 60, noNaN: true }), (all, top, height) => {
      const list = listOf(all)
      const drawn = slicesBetween(list, HEIGHTS, top, top + height).flatMap(({ rows }) => rows)
      const touching = list.days.flatMap(({ first, count }, day) =>
        Array.from({ length: count }, (_, index) => first + index).filter((row) => {
          const start = topOfDay(list, day, HEIGHTS) + HEIGHTS.heading + (row - first) * HEIGHTS.row
          return start < top + height && start + HEIGHTS.row > top
        }),
      )
      expect(drawn).toEqual(expect.arrayContaining(touching))
      expect(drawn.length).toBeLessThanOrEqual(touching.length + 2)
      expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
    }),
  )
})
