/** A total by day looks only at days with work. */
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { processorTime } from '@stint/core/test/processor-time.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { expect, test } from 'vitest'
import { totalAnswer } from './reports.ts'

const NOW = Date.UTC(2026, 10, 28)
const HOUR = 3_600_000

test('Three centuries between two sessions take a short time, and have no group', () => {
  const dayRule = dayRuleOf('Europe/Berlin')
  const entries = [Date.UTC(1901, 0, 5, 8), Date.UTC(2198, 0, 5, 8)].map(
    (startedAt) =>
      newEntry(
        { id: `at-${startedAt}`, taskId: 'write', startedAt, endedAt: startedAt + HOUR },
        NOW,
      ).after,
  )
  const input = { entries, live: null, tasks: [], dayRule, now: NOW }
  const filter = { filter: parseFilter('', input), text: '' }
  const milliseconds = processorTime(250, () => {
    const { groups } = totalAnswer(input, null, filter, 'day', 'http://localhost:3000')
    expect(groups).toEqual([
      { key: '1901-01-05', name: '1901-01-05', seconds: 3600 },
      { key: '2198-01-05', name: '2198-01-05', seconds: 3600 },
    ])
  })
  expect(milliseconds).toBeLessThanOrEqual(250)
})
