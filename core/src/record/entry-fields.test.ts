import { expect, test } from 'vitest'

import { packEntry, unpackEntry } from './rows.ts'
import { ENTRY, NEW_ENTRY, partAttributes } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'

const BASE: TimeEntry = {
  ...NEW_ENTRY,
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

test.each([
  ['its end', { endedAt: 4_000_000, durationSeconds: 3000 }, ['times']],
  ['a pause', { pauses: { intervals: [{ start: 2e6, end: 3e6 }], unplacedSeconds: 0 } }, ['times']],
  ['the task and the note', { taskId: 'task-2', note: 'call' }, ['task', 'note']],
  ['its deletion', { deletedAt: 5 }, ['deletion']],
  ['nothing but the time of the change', { updatedAt: 9 }, []],
] as const)('ENTRY detects a change of %s', (_, change, parts) => {
  expect(ENTRY.differing(BASE, { ...BASE, ...change })).toEqual(parts)
})

test('Changes of different parts of an entry are merged', () => {
  const here = { ...BASE, note: 'from here', updatedAt: 5 }
  const there = { ...BASE, endedAt: 2_000_000, durationSeconds: 1000, updatedAt: 7 }
  expect(ENTRY.take(there, here, ['note'])).toEqual({ ...there, note: 'from here', updatedAt: 5 })
})

test('Only the attributes of the changed part are sent', () => {
  expect(partAttributes(BASE, ['task', 'deletion'])).toEqual({
    taskId: 'task-1',
    deletedAt: null,
    sessionId: BASE.sessionId,
  })
  expect(Object.keys(partAttributes(BASE, ['times'])).toSorted()).toEqual([
    'date',
    'durationSeconds',
    'endTime',
    'pauses',
    'startTime',
  ])
})

const PACKED: readonly TimeEntry[] = [
  BASE,
  { ...BASE, sessionId: null, note: 'call', entryType: 'manual', deletedAt: 9 },
  {
    ...BASE,
    sessionId: 'another',
    pauses: { intervals: [{ start: 2, end: 3 }], unplacedSeconds: 7 },
  },
]

test.each(PACKED)('An entry comes back from its row unchanged', (entry) => {
  expect(unpackEntry(JSON.parse(JSON.stringify(packEntry(entry))))).toEqual(entry)
})

const ROW = packEntry(BASE)

test.each<readonly [string, unknown]>([
  ['no row', 'e1'],
  ['nothing', null],
  ['a row without an id', ['', ...ROW.slice(1)]],
  ...ROW.map((_, place) => [`${place} wrong`, ROW.with(place, { wrong: true })] as const),
])('A page with %s is refused', (_title, row) => {
  expect(unpackEntry(row)).toBeNull()
})
