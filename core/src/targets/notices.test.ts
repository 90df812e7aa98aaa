import { expect, test } from 'vitest'
import { hoursAccount } from '#balance/account.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { dueNotices, nextNotice } from './notices.ts'
import { targetsProgress } from './progress.ts'
import { targetsOf } from './targets.ts'

const START = Date.parse('2026-11-18T09:00:00Z')
const MINUTE = 60_000
const TASKS = [testTask('Write', 1, { goalHours: 1 })]
const TARGETS = targetsOf(
  {
    'target:least:week:task:write': 3600,
    'target:most:day:all': 5400,
    'target:least:day:tag:a1': 60,
  },
  TASKS,
)

/** Returns the notices and, in minutes after the start, when the next one is, so long after the timer was started. */
function after(minutes: number, isRunning = true) {
  const now = START + minutes * MINUTE
  const live = testEntry({ id: 'live', start: START, end: now })
  const input = { entries: [], live, tasks: TASKS, dayRule: dayRuleOf('UTC'), weekStart: 1, now }
  const all = targetsProgress(input, hoursAccount({}), TARGETS, isRunning)
  const next = nextNotice(all)
  return {
    events: dueNotices(all).map(({ event }) => event),
    next: next === null ? null : (next - START) / MINUTE,
  }
}

const WEEK = 'target least week task write 2026-11-16'
const LIMIT = 'target most day all 2026-11-18'

test.each([
  [59, [], 60],
  [60, [WEEK], 90],
  [70, [WEEK], 90],
  [71, [], 90],
  [90, [LIMIT], null],
  [101, [], null],
])('After %s minutes', (minutes, events, next) => {
  expect(after(minutes)).toEqual({ events, next })
})

test('A paused timer reaches nothing', () => {
  expect(after(60, false)).toEqual({ events: [], next: null })
})
