import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dueReminders, nextReminder } from './reminders.ts'
import type { ReminderInput } from './reminders.ts'
import { pauseTimer, resumeTimer, startTimer } from '#timer/timer.ts'

const HOUR = 3_600_000
const zone = 'America/New_York'
/** 9:00 in New York. */
const nine = Date.parse('2026-01-15T14:00:00Z')
const timer = startTimer('session', 'write', nine)
const off = { longRunningHours: 0, eveningHour: null, goalReached: false } as const

function input(hoursLater: number, change: Partial<ReminderInput> = {}): ReminderInput {
  const now = nine + hoursLater * HOUR
  const todaySeconds = hoursLater * 3600
  return {
    timer,
    settings: off,
    dayRule: dayRuleOf(zone),
    now,
    todaySeconds,
    goalHours: 8,
    ...change,
  }
}

const said = (given: ReminderInput) => dueReminders(given).map(({ event }) => event)

/** Hours after nine. */
const next = (given: ReminderInput) => ((nextReminder(given) ?? Number.NaN) - nine) / HOUR

test('No reminder comes unless the user asked for it', () => {
  expect(dueReminders(input(100))).toEqual([])
  expect(nextReminder(input(0))).toBeNull()
})

describe('a timer that runs long', () => {
  const settings = { ...off, longRunningHours: 2 } as const

  test.each([
    ['before two hours', 1.99, [], 2],
    ['at two hours', 2, ['session long 2'], 4],
    ['at four', 4, ['session long 4'], 8],
    ['opened after five', 5, ['session long 4'], 8],
    ['at eight', 8, ['session long 8'], Number.NaN],
    ['a day later', 33, ['session long 8'], Number.NaN],
  ])('A reminder of a timer that runs long comes when it should: %s', (_, hours, events, ahead) => {
    expect(said(input(hours, { settings }))).toEqual(events)
    expect(next(input(hours, { settings }))).toBe(ahead)
  })

  test('A timer that runs long causes reminders from the chosen hours on', () => {
    const four = { settings: { ...off, longRunningHours: 4 } as const }
    expect(said(input(3, four))).toEqual([])
    expect(said(input(4, four))).toEqual(['session long 4'])
  })

  test('A timer does not run towards a reminder while it is paused', () => {
    const paused = resumeTimer(pauseTimer(timer, nine + HOUR), nine + 2 * HOUR)
    if (paused.status !== 'running') throw new Error('It was resumed')
    expect(said(input(2.5, { settings, timer: paused }))).toEqual([])
    expect(said(input(3, { settings, timer: paused }))).toEqual(['session long 2'])
  })
})

describe('the evening', () => {
  const settings = { ...off, eveningHour: 18 } as const
  const six = nine + 9 * HOUR

  test.each([
    ['before it', 8.99, [], 9],
    ['when it comes', 9, [`session evening ${six}`], 33],
    ['after midnight, still the same one', 16, [`session evening ${six}`], 33],
    ['the next evening', 33, [`session evening ${six + 24 * HOUR}`], 57],
  ])('A reminder of the evening comes when it should: %s', (_, hours, events, ahead) => {
    expect(said(input(hours, { settings }))).toEqual(events)
    expect(next(input(hours, { settings }))).toBe(ahead)
  })

  test('A timer that was started in the evening gets no reminder of that evening', () => {
    const late = startTimer('late', 'write', six + HOUR)
    expect(said(input(11, { settings, timer: late }))).toEqual([])
    expect(next(input(11, { settings, timer: late }))).toBe(33)
  })

  test('A reminder of the evening follows the clock, also where days begin later', () => {
    expect(next(input(0, { settings, dayRule: dayRuleOf(zone, 4) }))).toBe(9)
  })

  test('A reminder of the evening comes at its hour on the day the clocks change', () => {
    // 8 March 2026: New York has 23 hours.
    const start = Date.parse('2026-03-08T05:00:00Z')
    const early = { ...input(0, { settings }), timer: startTimer('s', 'write', start), now: start }
    expect(nextReminder(early)).toBe(Date.parse('2026-03-08T22:00:00Z'))
  })
})

describe('a goal', () => {
  const settings = { ...off, goalReached: true } as const

  test.each([
    ['ahead', 7.75, [], 8],
    ['reached', 8, ['write goal 2026-01-15'], Number.NaN],
    ['reached a while ago', 8.1, ['write goal 2026-01-15'], Number.NaN],
    ['reached long ago', 8.5, [], Number.NaN],
  ])('A reminder of a goal comes when it should: %s', (_, hours, events, ahead) => {
    expect(said(input(hours, { settings }))).toEqual(events)
    expect(next(input(hours, { settings }))).toBe(ahead)
  })

  test('A goal counts the time of today before the timer', () => {
    expect(next(input(1, { settings, todaySeconds: 5 * 3600 }))).toBe(4)
  })

  test('A goal that cannot be reached before the day ends gives no reminder', () => {
    const late = input(0, { settings, now: nine + 14 * HOUR, todaySeconds: 3600 })
    expect(nextReminder(late)).toBeNull()
  })

  test('A goal of no hours gives no reminder', () => {
    expect(said(input(8, { settings, goalHours: 0 }))).toEqual([])
  })
})

test('At any moment at most one reminder of a kind is due, and the next one is in the future', () => {
  const settings = fc.record({
    longRunningHours: fc.constantFrom(0, 2, 4, 8),
    eveningHour: fc.option(fc.integer({ min: 0, max: 23 })),
    goalReached: fc.boolean(),
  })
  fc.assert(
    fc.property(settings, fc.double({ min: 0, max: 60, noNaN: true }), (chosen, hours) => {
      const given = input(hours, { settings: chosen })
      const kinds = dueReminders(given).map(({ kind }) => kind)
      expect(new Set(kinds).size).toBe(kinds.length)
      const ahead = nextReminder(given) ?? Infinity
      expect(ahead).toBeGreaterThan(given.now)
    }),
  )
})
