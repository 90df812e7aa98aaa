import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { placeLabels } from './place-labels.ts'
import { labelStep, percentScale, timeScale } from './time-scale.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const HOURS = [
  { start: 8 * HOUR, end: 12 * HOUR },
  { start: 18 * HOUR, end: 20 * HOUR },
]

describe('a scale of time', () => {
  test('A minute is equally long wherever it is drawn', () => {
    const { at, length } = timeScale(HOURS, 60, 40)
    expect(length).toBe(6 * 60 + 40)
    const moments = fc.integer({ min: 0, max: 239 }).map((minute) => 8 * HOUR + minute * MINUTE)
    fc.assert(
      fc.property(moments, (moment) => {
        expect(at(moment + MINUTE) - at(moment)).toBeCloseTo(1)
      }),
    )
    expect(at(19 * HOUR) - at(18 * HOUR)).toBeCloseTo(60)
  })

  test('Time that is left out is as long as a fold', () => {
    const { at } = timeScale(HOURS, 60, 40)
    expect(at(18 * HOUR) - at(12 * HOUR)).toBe(40)
    expect(at(15 * HOUR)).toBe(4 * 60 + 20)
  })

  test('A place on the axis is the moment that is drawn there', () => {
    const { at, moment } = timeScale(HOURS, 60, 40)
    fc.assert(
      fc.property(fc.integer({ min: 8 * HOUR, max: 20 * HOUR }), (instant) => {
        expect(moment(at(instant))).toBeCloseTo(instant, -1)
      }),
    )
  })

  test('What lies outside of the axis is at its ends', () => {
    const { at, moment, length } = percentScale({ start: 8 * HOUR, end: 18 * HOUR })
    expect([at(0), at(13 * HOUR), at(24 * HOUR), length]).toEqual([0, 50, 100, 100])
    expect([moment(-5), moment(50), moment(120)]).toEqual([8 * HOUR, 13 * HOUR, 18 * HOUR])
  })

  test.each([
    [6, 8, 1],
    [10, 6, 2],
    [24, 8, 3],
    [24, 4, 6],
    [25, 2, 12],
  ])('%i hours with at most %i labels have one for every %i', (hours, most, step) => {
    expect(labelStep(hours, most)).toBe(step)
  })
})

const label = (at: number) => ({ at, height: 5, weight: 1 })

describe('labels along an axis', () => {
  const anyLabels = fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: 100 }),
        height: fc.integer({ min: 1, max: 9 }),
        weight: fc.nat(90),
      }),
      { maxLength: 40 },
    )
    .map((labels) => labels.toSorted((a, b) => a.at - b.at))

  test('Labels never overlap, and none is far from its place', () => {
    fc.assert(
      fc.property(anyLabels, (labels) => {
        const places = placeLabels(labels, 100, 12)
        let end = 0
        for (const [index, { at, height }] of labels.entries()) {
          const top = places[index] ?? null
          if (top === null) continue
          expect(top).toBeGreaterThanOrEqual(end)
          expect(top - Math.min(at, 100 - height)).toBeLessThanOrEqual(12)
          end = top + height
        }
        expect(end).toBeLessThanOrEqual(100)
      }),
    )
  })

  test('Labels with room stay where they are, and the next one moves on', () => {
    expect(placeLabels([0, 5, 20].map(label), 100, 10)).toEqual([0, 5, 20])
    expect(placeLabels([0, 1, 20].map(label), 100, 10)).toEqual([0, 5, 20])
  })

  test('Of labels without room the lightest is left out', () => {
    const crowd = [3, 1, 2].map((weight, index) => ({ at: index, height: 5, weight }))
    expect(placeLabels(crowd, 100, 4)).toEqual([0, null, 5])
  })
})
