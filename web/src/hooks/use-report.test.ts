import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { entryFromTimer } from '@stint/core/record/time-entry.ts'
import { startTimer } from '@stint/core/timer/timer.ts'
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'

import { useMinuteInput } from './use-report.ts'

const now = Date.parse('2026-11-18T15:00:10Z')
const timer = startTimer('session', 'task', now - 600_000)
const pause = { start: now - 300_000, end: now - 240_000 }
const input: ReportInput = {
  entries: [],
  live: entryFromTimer(timer, now),
  tasks: [],
  dayRule: dayRuleOf('UTC'),
  weekStart: 0,
  hourCycle: 24,
  now,
}

test('The input stays the same until the minute changes', () => {
  const later = { ...input, live: entryFromTimer(timer, now + 1000), now: now + 1000 }
  expect(shownAfter(later)).toBe(input)
  const nextMinute = { ...later, now: now + 60_000 }
  expect(shownAfter(nextMinute)).toBe(nextMinute)
})

test('The timer’s minute changes the input at once, whichever second of the clock it is', () => {
  const older = startTimer('session', 'task', now - 619_000)
  const before = { ...input, live: entryFromTimer(older, now) }
  const turned = { ...before, live: entryFromTimer(older, now + 41_000), now: now + 41_000 }
  const { result, rerender } = renderHook(useMinuteInput, { initialProps: before })
  rerender(turned)
  expect(result.current).toBe(turned)
})

test.each<[string, Partial<ReportInput>]>([
  ['an entry', { entries: [entryFromTimer(timer, now)] }],
  ['the zone', { dayRule: dayRuleOf('Asia/Tokyo') }],
  ['the first day of the week', { weekStart: 1 }],
  ['the clock', { hourCycle: 12 }],
  ['the start of the timer', { live: entryFromTimer({ ...timer, startedAt: now - 1 }, now) }],
  ['the task of the timer', { live: entryFromTimer({ ...timer, taskId: 'other' }, now) }],
  [
    'a pause of the timer',
    { live: entryFromTimer({ ...timer, pauses: { ...NO_PAUSES, intervals: [pause] } }, now) },
  ],
])('A change of %s changes the input at once', (_, change) => {
  const changed = { ...input, ...change }
  expect(shownAfter(changed)).toBe(changed)
})

function shownAfter(next: ReportInput): ReportInput {
  const { result, rerender } = renderHook(useMinuteInput, { initialProps: input })
  rerender(next)
  return result.current
}
