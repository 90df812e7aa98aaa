import { expect, test } from 'vitest'
import { isDue, lastOccurrence, parseTimeOfDay } from './schedule.ts'

const THREE = { hour: 3, minute: 0 }
const at = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute).getTime()

test.each([
  ['03:00', { hour: 3, minute: 0 }],
  ['3:05', { hour: 3, minute: 5 }],
  ['23:59', { hour: 23, minute: 59 }],
  ['00:00', { hour: 0, minute: 0 }],
  ['24:00', null],
  ['03:60', null],
  ['3', null],
  ['3 am', null],
  ['', null],
])('the time of day %j is %j', (text, expected) => {
  expect(parseTimeOfDay(text)).toEqual(expected)
})

test.each([
  ['right at it', at(15, 3), at(15, 3)],
  ['a minute before', at(15, 2, 59), at(14, 3)],
  ['in the evening', at(15, 22), at(15, 3)],
  ['on the first of a month', at(1, 1), new Date(2025, 11, 31, 3).getTime()],
])('the last three in the morning, %s', (_, now, expected) => {
  expect(lastOccurrence(THREE, now)).toBe(expected)
})

test.each([
  ['never made', null, at(15, 12), true],
  ['made last night', at(15, 3, 1), at(15, 12), false],
  ['made last night, and it is night again', at(15, 3, 1), at(16, 3), true],
  ['missed last night because the server was off', at(14, 3, 1), at(15, 9), true],
  ['made up in the morning, and it is night again', at(15, 9), at(16, 3), true],
  ['made up in the morning, in the evening', at(15, 9), at(15, 22), false],
])('a backup that was %s', (_, newestAt, now, expected) => {
  expect(isDue(THREE, newestAt, now)).toBe(expected)
})
