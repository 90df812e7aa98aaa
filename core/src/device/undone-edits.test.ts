/** Tests when the undo of an edit is refused, and edits of entries that have no log. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { bulkChanges } from '#record/bulk-edit.ts'
import type { BulkEdit } from '#record/bulk-edit.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { editEntry, newEntry, splitEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { at, devicesWithSession, exchange, MINUTE, twoDevices } from '#test/devices.ts'
import { shown } from '#test/shown.ts'

import { isChangedSince, undoUnchanged } from './changes.ts'

const NOW = at(120)

const note = (text: string) => (entry: TimeEntry) => [editEntry(entry, { note: text }, NOW)]
const end = (at: number) => (entry: TimeEntry) => [editEntry(entry, { endedAt: at }, NOW)]
const deletion = (entry: TimeEntry) => [deleteEntry(entry, NOW)]
const split = (entry: TimeEntry) => splitEntry(entry, at(30), 'unused', NOW)

test.each([
  ['a note by another note', note('mine'), note('theirs'), true],
  ['a note by times', note('mine'), end(at(50)), false],
  ['times by a note', end(at(50)), note('theirs'), false],
  ['times by times', end(at(50)), end(at(40)), true],
  ['a note by a deletion', note('mine'), deletion, true],
  ['a deletion by a note', deletion, note('theirs'), false],
  ['a split by a note of its first part', split, note('theirs'), false],
])(
  'Undo of %s that another device has changed since is refused: %o',
  (_name, mine, theirs, isRefused) => {
    const { laptop, phone, id } = devicesWithSession()
    const undo = laptop.change(NOW, { entries: mine(laptop.entry(id)) })
    exchange(NOW + MINUTE, laptop, phone)
    phone.change(NOW + 2 * MINUTE, { entries: theirs(phone.entry(id)) })
    exchange(NOW + 3 * MINUTE, phone, laptop)
    expect(isChangedSince(laptop.view, undo)).toBe(isRefused)
    const before = shown(laptop)
    const kept = laptop.write(NOW + 4 * MINUTE, (draft) => undoUnchanged(draft, undo))
    expect([kept, shown(laptop) === before]).toEqual([isRefused ? 1 : 0, isRefused])
  },
)

test.each<[BulkEdit, Parameters<typeof editEntry>[1]]>([
  [{ kind: 'move', taskId: 'call' }, { taskId: 'read' }],
  [{ kind: 'tag', tag: 'acme' }, { note: 'theirs' }],
  [{ kind: 'shift', milliseconds: -5 * MINUTE }, { endedAt: at(30) }],
])(
  'Undo of a bulk edit keeps a session that another device has changed since: %o',
  (edit, theirs) => {
    const { laptop, phone } = twoDevices()
    const added = [10, 20, 40].map((minute) => {
      const times = { startedAt: at(minute), endedAt: at(minute + 5) }
      return newEntry({ id: `e${minute}`, taskId: 'write', ...times }, at(50))
    })
    laptop.change(at(50), { entries: added })
    exchange(at(51), laptop, phone)
    const before = shown(laptop)
    const entries = added.map(({ after }) => after)
    const { changes } = bulkChanges(entries, edit, at(52))
    const slices = [changes.slice(0, 2), changes.slice(2)]
    const undo = slices.map((slice) => laptop.change(at(52), { entries: slice }))
    exchange(at(53), laptop, phone)
    phone.edit('e20', theirs, 54)
    exchange(at(55), phone, laptop)
    const changed = shown(laptop).split(', ')[1]
    const kept = undo.map((each) => laptop.write(at(56), (draft) => undoUnchanged(draft, each)))
    const expected = before
      .split(', ')
      .with(1, changed ?? '')
      .join(', ')
    expect([kept, shown(laptop)]).toEqual([[1, 0], expected])
  },
)

test('Undo of a split is refused after a change of the second part, which it would delete', () => {
  const { laptop, phone, id } = devicesWithSession()
  const undo = laptop.change(NOW, { entries: split(laptop.entry(id)) })
  exchange(at(121), laptop, phone)
  const second = phone.view.entries.all().find((each) => each.id !== id)
  phone.edit(second?.id ?? id, { note: 'theirs' }, 122)
  exchange(at(123), phone, laptop)
  expect(isChangedSince(laptop.view, undo)).toBe(true)
})

test('Undo of an earlier edit is possible after a later one is undone', () => {
  const { laptop, id } = devicesWithSession()
  const first = laptop.change(NOW, { entries: note('one')(laptop.entry(id)) })
  const second = laptop.change(NOW + 1, { entries: note('two')(laptop.entry(id)) })
  expect(isChangedSince(laptop.view, first)).toBe(true)
  laptop.change(NOW + 2, second)
  expect(isChangedSince(laptop.view, first)).toBe(false)
  // Twice is too often.
  expect(isChangedSince(laptop.view, second)).toBe(true)
})

test('An added entry has no log until it is edited after it was sent', () => {
  const { laptop, phone } = devicesWithSession()
  const added = newEntry({ id: 'typed', taskId: 'call', startedAt: at(100), endedAt: at(110) }, NOW)
  laptop.change(NOW, { entries: [added] })
  laptop.change(NOW + 1, { entries: note('typed')(laptop.entry('typed')) })
  exchange(NOW + MINUTE, laptop, phone)
  expect(phone.view.entries.get('typed')).toMatchObject({ note: 'typed', log: null })
  phone.change(NOW + 2 * MINUTE, { entries: end(at(105))(phone.entry('typed')) })
  exchange(NOW + 3 * MINUTE, phone, laptop)
  const edited = { endedAt: at(105), note: 'typed', entryType: 'manual' }
  expect(laptop.entry('typed')).toMatchObject(edited)
  expect(readLog(laptop.view.entries.get('typed')?.log ?? null)).toHaveLength(2)
})

test('Undo removes an added entry that was never sent, and deletes one that was', () => {
  const { laptop, phone } = devicesWithSession()
  const added = (id: string) =>
    newEntry({ id, taskId: 'call', startedAt: at(100), endedAt: at(110) }, NOW)
  laptop.change(NOW + 1, laptop.change(NOW, { entries: [added('one')] }))
  expect(laptop.view.entries.get('one')).toBeUndefined()
  const undo = laptop.change(NOW, { entries: [added('two')] })
  exchange(NOW + MINUTE, laptop, phone)
  laptop.change(NOW + 2 * MINUTE, undo)
  exchange(NOW + 3 * MINUTE, laptop, phone)
  expect(phone.view.entries.get('two')).toMatchObject({ deletedAt: NOW + 2 * MINUTE })
  expect(shown(phone)).toBe('write 0-60')
})
