/** What the targets of a long history cost between two frames, in processor time. */
import { expect, test } from 'vitest'
import { testEntry, testTask } from '#test/entries.ts'
import { testAccount } from '#test/hours.ts'
import { processorTime } from '#test/processor-time.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { targetsProgress } from './progress.ts'
import { MAX_TARGETS, targetsOf } from './targets.ts'

const MAX_MILLISECONDS = 16
const HOUR = 3_600_000
const NOW = Date.parse('2026-11-28T12:00:00Z')

test('As many targets as there may be, over 100,000 sessions, are there between two frames', () => {
  const tasks = Array.from({ length: 500 }, (_, index) => {
    return testTask(`Task ${index}`, index, { goalHours: 2, category: `Category ${index % 20}` })
  })
  // Ten years have 87,600 hours.
  const entries = Array.from({ length: 100_000 }, (_, index) => {
    const end = NOW - (100_000 - index) * 0.85 * HOUR
    const taskId = `task ${index % 500}`
    const note = `call #tag${index % 40}x #acme`
    return { ...testEntry({ id: `e${index}`, taskId, start: end - HOUR / 2, end }), note }
  })
  const account = testAccount([
    '8h Mon–Fri since 1 January 2020',
    ...Array.from({ length: 10 }, (_, index) => `vacation 1–28 Aug ${2017 + index}`),
  ])
  const spans = ['day', 'week', 'month']
  const prefs = Object.fromEntries(
    Array.from({ length: MAX_TARGETS }, (_, index) => {
      const scope = index % 2 === 0 ? `tag:tag${index}x` : `category:Category ${index % 20}`
      return [`target:least:${spans[index % 3]}:${scope}`, 3600 + index]
    }),
  )
  const targets = targetsOf(prefs, tasks)
  const live = {
    ...testEntry({ id: 'live', taskId: 'task 1', start: NOW - HOUR, end: NOW }),
    note: '#acme',
  }
  const progressAt = (seconds: number) => {
    const now = NOW + seconds * 1000
    const timer = { ...live, endedAt: now, durationSeconds: 3600 + seconds }
    const input = { entries, live: timer, tasks, dayRule: dayRuleOf('Europe/Berlin'), now }
    return targetsProgress(input, account, targets, true)
  }
  expect(progressAt(0)).toHaveLength(targets.length)
  expect(targets.length).toBeGreaterThan(500)
  let second = 0
  expect(processorTime(MAX_MILLISECONDS, () => progressAt(++second))).toBeLessThan(MAX_MILLISECONDS)
})
