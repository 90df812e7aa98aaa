import { describe, expect, test } from 'vitest'

import { marksOfDay } from './marks.ts'

describe('marks of a day', () => {
  test('A session that continues past the full hour is one mark', () => {
    const day = dayOf({
      9: [['a', 'work', 50, 50]],
      10: [['a', 'work', 0, 100]],
      11: [['a', 'work', 0, 25]],
    })
    expect(marksOfDay(day)).toEqual([
      { id: '2026-11-18 a 0', kind: 'work', startPercent: 39.58, widthPercent: 7.29 },
    ])
  })

  test('A pause divides the work of a session into separate marks', () => {
    const day = dayOf({
      6: [
        ['a', 'work', 0, 25],
        ['a', 'pause', 25, 25],
        ['a', 'work', 50, 50],
      ],
    })
    expect(marksOfDay(day)).toEqual([
      { id: '2026-11-18 a 0', kind: 'work', startPercent: 25, widthPercent: 1.04 },
      { id: '2026-11-18 a 1', kind: 'pause', startPercent: 26.04, widthPercent: 1.04 },
      { id: '2026-11-18 a 2', kind: 'work', startPercent: 27.08, widthPercent: 2.08 },
    ])
  })

  test('Two adjacent sessions stay separate marks', () => {
    const day = dayOf({
      12: [
        ['a', 'work', 0, 50],
        ['b', 'work', 50, 50],
      ],
    })
    expect(marksOfDay(day)).toHaveLength(2)
  })

  test('Marks that start at the same place have different ids', () => {
    const overMidnight = dayOf({
      0: [
        ['a', 'work', 0, 50],
        ['b', 'work', 0, 100],
      ],
    })
    const twice = dayOf({
      0: [['a', 'work', 50, 50]],
      1: [
        ['a', 'work', 0, 100],
        ['b', 'work', 0, 10],
        ['a', 'work', 0, 100],
        ['b', 'work', 0, 20],
      ],
    })
    for (const [day, count] of [
      [overMidnight, 2],
      [twice, 4],
    ] as const) {
      const ids = marksOfDay(day).map(({ id }) => id)
      expect(ids).toHaveLength(count)
      expect(new Set(ids).size).toBe(count)
    }
  })

  test('A day without work has no marks', () => {
    expect(marksOfDay(dayOf({}))).toEqual([])
  })
})

type Segment = readonly [entryId: string, kind: 'work' | 'pause', start: number, duration: number]

function dayOf(hours: Readonly<Record<number, readonly Segment[]>>) {
  return {
    date: '2026-11-18' as const,
    cells: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      segments: (hours[hour] ?? []).map(([entryId, kind, startPercent, durationPercent]) => ({
        entryId,
        kind,
        startPercent,
        durationPercent,
        startTime: '',
        endTime: '',
      })),
    })),
  }
}
