import { expect, it } from 'vitest'

import { changedParts, partAttributes, withParts } from './entry-parts.ts'
import type { TimeEntry } from './time-entry.ts'

const ENTRY: TimeEntry = {
  id: 'e1',
  taskId: 'task-1',
  startedAt: 1_000_000,
  endedAt: 4_600_000,
  durationSeconds: 3600,
  pauses: { intervals: [], unplacedSeconds: 0 },
  entryType: 'timer',
  sessionId: 'e1',
  note: null,
  deletedAt: null,
  createdAt: 1,
  updatedAt: 1,
}

it.each([
  ['its end', { endedAt: 4_000_000, durationSeconds: 3000 }, ['times']],
  ['a pause', { pauses: { intervals: [{ start: 2e6, end: 3e6 }], unplacedSeconds: 0 } }, ['times']],
  ['the task and the note', { taskId: 'task-2', note: 'call' }, ['task', 'note']],
  ['its deletion', { deletedAt: 5 }, ['deletion']],
  ['nothing but the time of the change', { updatedAt: 9 }, []],
] as const)('knows that %s changed', (_, change, parts) => {
  expect(changedParts(ENTRY, { ...ENTRY, ...change })).toEqual(parts)
})

it('brings two changes of different parts together', () => {
  const here = { ...ENTRY, note: 'from here', updatedAt: 5 }
  const there = { ...ENTRY, endedAt: 2_000_000, durationSeconds: 1000, updatedAt: 7 }
  expect(withParts(there, here, ['note'])).toEqual({ ...there, note: 'from here', updatedAt: 5 })
})

it('sends the attributes of the changed part and no others', () => {
  expect(partAttributes(ENTRY, ['task', 'deletion'])).toEqual({ taskId: 'task-1', deletedAt: null })
  expect(Object.keys(partAttributes(ENTRY, ['times'])).toSorted()).toEqual([
    'date',
    'durationSeconds',
    'endTime',
    'pauses',
    'startTime',
  ])
})
