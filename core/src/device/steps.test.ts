import { newEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { expect, test } from 'vitest'

import { Draft } from './draft.ts'
import { EntryPages } from './entry-pages.ts'
import { partsAfter } from './steps.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000

/** Returns an entry. `from` and `to` are minutes before now. */
function entry(id: string, from: number, to: number, fields: Partial<TimeEntry> = {}): TimeEntry {
  const times = { startedAt: NOW - from * MINUTE, endedAt: NOW - to * MINUTE }
  return newEntry({ id, taskId: 't', ...times, entryType: 'timer', ...fields }, NOW).after
}

function session(id: string, from: number, to: number, fields: Partial<TimeEntry> = {}): TimeEntry {
  return entry(id, from, to, { sessionId: id, ...fields })
}

function partsOf(whole: TimeEntry, ...others: readonly TimeEntry[]): readonly string[] {
  const pages = new EntryPages()
  pages.change(new Map([whole, ...others].map((each) => [each.id, each]))).apply()
  const draft = new Draft({
    revision: 1,
    sequence: 0,
    tasks: new Map(),
    values: new Map(),
    edits: new Map(),
    operations: new Map(),
    entries: pages,
  })
  return partsAfter(draft, whole, NOW).map(({ id }) => id)
}

test.each<[string, readonly TimeEntry[], readonly string[]]>([
  ['where the session ends', [entry('b', 50, 40)], ['b']],
  ['where another of its parts ends', [entry('b', 50, 40), entry('c', 40, 30)], ['b', 'c']],
  ['after a part that was trimmed', [entry('b', 45, 40)], ['b']],
  ['where it ends, as another session does', [session('other', 55, 50), entry('b', 50, 40)], ['b']],
])('A part of a session begins %s', (_, others, expected) => {
  expect(partsOf(session('a', 60, 50), ...others)).toEqual(expected)
})

test.each<[string, readonly TimeEntry[]]>([
  ['another session', [session('other', 59, 40), entry('b', 40, 30)]],
  ['a deleted one', [session('other', 59, 40, { deletedAt: NOW }), entry('b', 40, 30)]],
  [
    'a deleted one whose split was undone',
    [session('other', 59, 30, { deletedAt: NOW }), entry('b', 40, 30)],
  ],
  [
    'one that has nothing to save, because its start was moved past its end',
    [session('other', 40, 40, { deletedAt: NOW }), entry('b', 40, 30)],
  ],
  ['one whose start was moved into it', [session('other', 38, 30), entry('b', 40, 30)]],
  ['one that was saved again without its split', [session('other', 59, 30), entry('b', 40, 30)]],
  ['one that was trimmed in it', [session('other', 59, 35), entry('b', 40, 30)]],
  ['a nearer one that was trimmed', [session('other', 59, 42), entry('b', 40, 30)]],
])('A part of %s is none of this one', (_, others) => {
  expect(partsOf(session('a', 60, 50), ...others)).toEqual([])
})

test('A part of a part of another session is none of this one', () => {
  const others = [session('other', 59, 40), entry('b', 40, 30), entry('c', 30, 20)]
  expect(partsOf(session('a', 60, 50), ...others)).toEqual([])
})
