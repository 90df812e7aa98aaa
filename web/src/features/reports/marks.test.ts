import { describe, expect, test } from 'vitest'

import { marksOfDay } from './marks.ts'

describe('marks of a day', () => {
  test('what goes on over the full hour is one mark', () => {
    const day = dayOf({
      9: [['a', 'work', 50, 50]],
      10: [['a', 'work', 0, 100]],
      11: [['a', 'work', 0, 25]],
    })
    expect(marksOfDay(day)).toEqual([{ kind: 'work', startPercent: 39.58, widthPercent: 7.29 }])
  })

  test('a pause parts the work of a session', () => {
    const day = dayOf({
      6: [
        ['a', 'work', 0, 25],
        ['a', 'pause', 25, 25],
        ['a', 'work', 50, 50],
      ],
    })
    expect(marksOfDay(day)).toEqual([
      { kind: 'work', startPercent: 25, widthPercent: 1.04 },
      { kind: 'pause', startPercent: 26.04, widthPercent: 1.04 },
      { kind: 'work', startPercent: 27.08, widthPercent: 2.08 },
    ])
  })

  test('two sessions that touch stay two', () => {
    const day = dayOf({
      12: [
        ['a', 'work', 0, 50],
        ['b', 'work', 50, 50],
      ],
    })
    expect(marksOfDay(day)).toHaveLength(2)
  })

  test('a day without work has none', () => {
    expect(marksOfDay(dayOf({}))).toEqual([])
  })
})

type Segment = readonly [entryId: string, kind: 'work' | 'pause', start: number, duration: number]

function dayOf(hours: Readonly<Record<number, readonly Segment[]>>) {
  return {
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
