import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import { localDateTime } from '#time/calendar.ts'
import { timeBetween, untrackedGaps } from './day-gaps.ts'
import { testEntry } from '#test/entries.ts'

const ZONE = 'America/New_York'
const DATE = '2026-03-09'
const NOW = Date.parse('2026-03-20T12:00:00Z')

/** Returns an entry at times of New York, in summer time; '+1' is the next day. */
function entry(from: string, to: string, ...pauses: [string, string][]) {
  return testEntry({
    start: at(from),
    end: at(to),
    pauses: pauses.map(([start, end]) => [at(start), at(end)]),
  })
}

function at(time: string): number {
  const [, days = '0'] = time.split('+')
  return Date.parse(`${DATE}T${time.slice(0, 5)}:00-04:00`) + Number(days) * 86_400_000
}

function gaps(entries: ReturnType<typeof entry>[], more: { now?: number; rule?: DayRule } = {}) {
  const found = untrackedGaps(entries, null, DATE, more.rule ?? dayRuleOf(ZONE), more.now ?? NOW)
  return found.map(({ start, end }) => {
    return [start, end].map((instant) => localDateTime(instant, ZONE).slice(11, 16)).join('–')
  })
}

test.each([
  ['none without entries', [], []],
  ['none with one', [entry('09:00', '10:00')], []],
  ['one between two', [entry('11:00', '12:00'), entry('09:00', '10:00')], ['10:00–11:00']],
  ['none where they touch', [entry('09:00', '10:00'), entry('10:00', '11:00')], []],
  ['none under 15 minutes', [entry('09:00', '10:00'), entry('10:14', '11:00')], []],
  ['one of 15 minutes', [entry('09:00', '10:00'), entry('10:15', '11:00')], ['10:00–10:15']],
  ['none for a break', [entry('09:00', '12:00', ['10:00', '11:00'])], []],
  ['none within a longer one', [entry('09:00', '12:00'), entry('09:30', '10:00')], []],
  [
    'from midnight, when somebody worked over it',
    [entry('23:00+-1', '00:30'), entry('09:00', '10:00')],
    ['00:30–09:00'],
  ],
  ['none to the next day', [entry('09:00', '10:00'), entry('09:00+1', '10:00+1')], []],
  [
    'to midnight, when somebody works over it',
    [entry('09:00', '10:00'), entry('23:00', '01:00+1')],
    ['10:00–23:00'],
  ],
])('The gaps of a day are found: %s', (_, entries, expected) => {
  expect(gaps(entries)).toEqual(expected)
})

test('The gaps of a day leave deleted entries out', () => {
  const middle = { ...entry('10:00', '11:00'), deletedAt: NOW }
  expect(gaps([entry('09:00', '10:00'), middle, entry('11:00', '12:00')])).toEqual(['10:00–11:00'])
})

test('The gaps of a day count the running timer', () => {
  const live = entry('11:00', '12:00')
  const found = untrackedGaps([entry('09:00', '10:00')], live, DATE, dayRuleOf(ZONE), at('12:00'))
  expect(found).toEqual([{ start: at('10:00'), end: at('11:00') }])
})

test('The gaps of a day end with now', () => {
  const entries = [entry('09:00', '10:00'), entry('11:00', '12:00')]
  expect(gaps(entries, { now: at('10:30') })).toEqual([])
})

test('The gaps of a day follow the hour at which the day begins', () => {
  const entries = [entry('02:00', '03:00'), entry('09:00', '10:00'), entry('01:00+1', '02:00+1')]
  expect(gaps(entries, { rule: dayRuleOf(ZONE, 4) })).toEqual(['10:00–01:00'])
})

test.each([
  ['they touch', '10:00', '11:00', [], null],
  ['they overlap', '09:30', '11:00', [entry('09:10', '10:30')], null],
  ['one lies within the other', '09:10', '09:20', [], null],
  ['the gap is under five minutes', '10:04', '11:00', [], null],
  ['the gap lasts five minutes', '10:05', '11:00', [], [5, 0]],
  ['another entry lies in a short gap', '10:04', '11:00', [entry('10:01', '10:03')], [4, 1]],
  ['another entry fills the gap', '12:00', '13:00', [entry('09:50', '12:30')], [120, 1]],
  ['the other entries only touch', '10:04', '12:00', [entry('08:00', '10:00')], null],
  [
    'a deleted entry lies in a short gap',
    '10:04',
    '11:00',
    [{ ...entry('10:01', '10:03'), deletedAt: NOW }],
    null,
  ],
])('What lies between two entries is found in either order: %s', (_, from, to, more, expected) => {
  const [one, other] = [entry('09:00', '10:00'), entry(from, to)]
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const between = timeBetween(a, b, [one, other, ...more])
    const found = between && [between.milliseconds / 60_000, between.entries.length]
    expect(found).toEqual(expected)
  }
})
