import { testEntry, testTask } from '@stint/core/test/entries.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { expect, test } from 'vitest'

import { latestSessions } from './session-search.ts'

test.each([
  [null, 'Today, 09:00 – 10:00 · 1h'],
  ['', 'Today, 09:00 – 10:00 · 1h'],
  ['draft', 'Today, 09:00 – 10:00 · 1h · draft'],
])('A session has its times, its length and its note, if it has one: %j', async (note, detail) => {
  const start = '2026-11-23T09:00Z'
  const entry = testEntry({ taskId: 'write report', start, end: '2026-11-23T10:00Z' })
  const input = {
    entries: [{ ...entry, note }],
    tasks: [testTask('Write report')],
    dayRule: dayRuleOf('UTC'),
    now: Date.parse('2026-11-23T15:00:00Z'),
  }
  const found = await latestSessions('report', input, new AbortController().signal)
  expect(found).toMatchObject([{ name: 'Write report', detail }])
})
