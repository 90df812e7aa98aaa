import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { recentlyDeleted } from './recently-deleted.ts'

const NOW = Date.parse('2026-03-31T12:00Z')

function entry(id: string, deletedAt: string | null, hour = 9, taskId = 'write') {
  return testEntry({
    id,
    taskId,
    start: Date.parse('2026-03-01T00:00Z') + hour * 3_600_000,
    end: Date.parse('2026-03-01T00:00Z') + (hour + 1) * 3_600_000,
    deletedAt: deletedAt === null ? null : Date.parse(deletedAt),
  })
}

test('The sessions deleted within 30 days are listed, those deleted last first', () => {
  const entries = [
    entry('kept', null),
    entry('month ago', '2026-03-01T11:59Z', 11),
    entry('yesterday', '2026-03-30T12:00Z', 12),
    entry('today', '2026-03-31T11:00Z', 13),
    { ...entry('empty', '2026-03-31T11:00Z', 14), durationSeconds: 0 },
  ]
  expect(recentlyDeleted(entries, NOW).map(({ id }) => id)).toEqual(['today', 'yesterday'])
})

test('A session whose time another one of its task has is not listed', () => {
  const merged = [entry('merged', null), entry('gone', '2026-03-31T11:00Z')]
  expect(recentlyDeleted(merged, NOW)).toEqual([])
  const other = [entry('other', null, 9, 'read'), entry('gone', '2026-03-31T11:00Z')]
  expect(recentlyDeleted(other, NOW)).toHaveLength(1)
})

test('At most 100 are listed', () => {
  const entries = Array.from({ length: 101 }, (_, hour) =>
    entry(`${hour}`, '2026-03-31T11:00Z', hour),
  )
  expect(recentlyDeleted(entries, NOW)).toHaveLength(100)
})
