import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { NO_PAUSES } from '#timer/pauses.ts'
import { bulkChanges } from './bulk-edit.ts'
import type { BulkEdit } from './bulk-edit.ts'
import { invertChanges } from './entry-change.ts'
import { NOTE_MAX_LENGTH } from './entry-edit.ts'
import type { TimeEntry } from './time-entry.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const HOUR = 3_600_000

function entry(id: string, fields: Partial<TimeEntry> = {}): TimeEntry {
  const made = testEntry({
    id,
    start: NOW - 3 * HOUR,
    end: NOW - HOUR,
    pauses: [[NOW - 2 * HOUR, NOW - 1.5 * HOUR]],
    unplacedSeconds: 60,
  })
  return { ...made, ...fields }
}

const stamped = (each: TimeEntry) => ({ ...each, updatedAt: 0 })

test.for<[string, Partial<TimeEntry>, BulkEdit, Partial<TimeEntry> | null]>([
  ['moves', {}, { kind: 'move', taskId: 'plan' }, { taskId: 'plan' }],
  ['stays on its task', { taskId: 'plan' }, { kind: 'move', taskId: 'plan' }, null],
  ['gets a first tag', { note: null }, { kind: 'tag', tag: 'acme' }, { note: '#acme' }],
  ['gets a tag', { note: 'call' }, { kind: 'tag', tag: 'acme' }, { note: 'call #acme' }],
  ['keeps its tag', { note: '#Acme call' }, { kind: 'tag', tag: 'acme' }, null],
  ['loses its last tag', { note: '#acme' }, { kind: 'untag', tag: 'ACME' }, { note: null }],
  ['loses a tag', { note: 'a #acme b' }, { kind: 'untag', tag: 'acme' }, { note: 'a b' }],
  ['has no such tag', { note: '#acme-2' }, { kind: 'untag', tag: 'acme' }, null],
  ['is deleted', {}, { kind: 'delete' }, { deletedAt: NOW }],
  [
    'shifts with its pauses',
    {},
    { kind: 'shift', milliseconds: -HOUR },
    {
      startedAt: NOW - 4 * HOUR,
      endedAt: NOW - 2 * HOUR,
      pauses: {
        intervals: [{ start: NOW - 3 * HOUR, end: NOW - 2.5 * HOUR }],
        unplacedSeconds: 60,
      },
    },
  ],
  [
    'shifts to end now',
    { pauses: NO_PAUSES },
    { kind: 'shift', milliseconds: HOUR },
    { startedAt: NOW - 2 * HOUR, endedAt: NOW },
  ],
  ['does not shift by nothing', {}, { kind: 'shift', milliseconds: 0 }, null],
])('An entry %s', ([, fields, edit, after]) => {
  const before = entry('a', fields)
  const { changes, unfit } = bulkChanges([before], edit, NOW)
  expect(unfit).toEqual([])
  const expected = after && [{ before, after: { ...before, ...after, updatedAt: NOW } }]
  expect(changes).toEqual(expected ?? [])
})

test('What would end in the future is left as it is', () => {
  const early = entry('early', { endedAt: NOW - 2 * HOUR })
  const late = entry('late')
  const { changes, unfit } = bulkChanges(
    [early, late],
    { kind: 'shift', milliseconds: HOUR + 1 },
    NOW,
  )
  expect(unfit).toEqual([late])
  expect(changes.map(({ after }) => after.id)).toEqual(['early'])
})

test('A note without room for a tag is not cut', () => {
  const full = entry('full', { note: 'x'.repeat(NOTE_MAX_LENGTH - 5) })
  expect(bulkChanges([full], { kind: 'tag', tag: 'acme' }, NOW)).toEqual({
    changes: [],
    unfit: [full],
  })
  const fitting = entry('fitting', { note: 'x'.repeat(NOTE_MAX_LENGTH - 6) })
  expect(bulkChanges([fitting], { kind: 'tag', tag: 'acme' }, NOW).changes).toHaveLength(1)
})

test('The inverse of an edit of many entries gives them back', () => {
  const edits = fc.oneof(
    fc.constantFrom<BulkEdit>(
      { kind: 'move', taskId: 'plan' },
      { kind: 'tag', tag: 'acme' },
      { kind: 'untag', tag: 'acme' },
      { kind: 'delete' },
    ),
    fc
      .integer({ min: -48 * HOUR, max: HOUR })
      .map((milliseconds): BulkEdit => ({ kind: 'shift', milliseconds })),
  )
  const notes = fc.array(fc.constantFrom(null, 'call', '#acme', 'a #acme b #ACME', ' #b '), {
    minLength: 1,
  })
  fc.assert(
    fc.property(edits, notes, (edit, texts) => {
      const entries = texts.map((note, index) => entry(`e${index}`, { note }))
      const { changes } = bulkChanges(entries, edit, NOW)
      const now = new Map(entries.map((each) => [each.id, each]))
      for (const { after } of changes) now.set(after.id, after)
      for (const { after } of invertChanges(changes, NOW)) now.set(after.id, after)
      expect([...now.values()].map(stamped)).toEqual(entries.map(stamped))
    }),
  )
})
