import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import { dayNumber } from '#time/calendar.ts'
import type { ReportInput } from './report-input.ts'
import { liveSeconds, secondsWithin, trackedTime } from './report-input.ts'
import { testEntry } from '#test/entries.ts'

const now = Date.parse('2026-11-18T00:30:00Z')
const live = testEntry({ id: 'live', start: '2026-11-17T23:30:00Z', end: now })
const input: ReportInput = { entries: [], live, tasks: [], dayRule: dayRuleOf('UTC'), now }
const tuesday = { from: '2026-11-17', to: '2026-11-18' } as const

test('The running timer counts on each day it ran', () => {
  const time = trackedTime(input)
  const today = dayNumber('2026-11-18')
  expect(time.today).toBe(today)
  expect(liveSeconds(time, today, today + 1)).toBe(1800)
  expect(secondsWithin(time)(tuesday)).toBe(1800)
  expect(secondsWithin(time, 'write')(tuesday)).toBe(1800)
  expect(secondsWithin(time, 'read')(tuesday)).toBe(0)
})

test('The running timer counts once when it is saved already, with the work of its entry', () => {
  const saved = testEntry({ id: 'live', start: '2026-11-17T23:30:00Z', end: now - 60_000 })
  const time = trackedTime({ ...input, entries: [saved] })
  expect(time.live).toBeNull()
  expect(secondsWithin(time)({ from: '2026-11-17', to: '2026-11-19' })).toBe(3540)
})
