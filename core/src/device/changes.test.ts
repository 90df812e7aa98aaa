import { newTask } from '#record/task.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { newEntry, splitEntry } from '#record/entry-edit.ts'
import type { EntryChange } from '#record/entry-change.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { draftWith } from '#test/devices.ts'
import { expect, test } from 'vitest'

import { applyChanges, isChangedSince, undoUnchanged } from './changes.ts'
import { changePrefs } from './edits.ts'
import { takeIn } from './take-in.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const LATER = NOW + 1000
const HOUR = 3_600_000
const ENTRY = newEntry(
  { id: 'e', taskId: 't', startedAt: NOW - 2 * HOUR, endedAt: NOW - HOUR },
  NOW - HOUR,
).after

const draftWithEntry = () => draftWith({ entries: [ENTRY], tasks: [newTask('t', 'Write', NOW)] })

const note = (text: string): EntryChange => ({ before: ENTRY, after: { ...ENTRY, note: text } })
const SPLIT = splitEntry(ENTRY, NOW - 1.5 * HOUR, 'second', NOW)

test.each<[string, readonly EntryChange[], string, Partial<TimeEntry>, boolean]>([
  ['the note after the note', [note('mine')], 'e', { note: 'theirs' }, true],
  ['the times after the note', [note('mine')], 'e', { endedAt: NOW }, false],
  ['nothing after the note', [note('mine')], 'e', {}, false],
  ['the deletion after the note', [note('mine')], 'e', { deletedAt: LATER }, true],
  ['the note after the deletion', [deleteEntry(ENTRY, NOW)], 'e', { note: 'theirs' }, false],
  ['the note after the split', SPLIT, 'e', { note: 'theirs' }, false],
  ['the note of the second part, which Undo deletes', SPLIT, 'second', { note: 'theirs' }, true],
])('Undo notices only remote changes it would lose: %s (%#)', (_, done, id, theirs, isSeen) => {
  const draft = draftWithEntry()
  const undo = applyChanges(draft, { entries: done }, NOW)
  // The part that was cut off has an id from its cut.
  const here = draft.entries.all().find((each) => (each.id === 'e') === (id === 'e'))
  if (!here) throw new Error('There is no such entry')
  draft.edits.remove(`entry:${here.id}`)
  takeIn(draft, 'entry', here.id, { ...here, ...theirs, updatedAt: LATER }, LATER)

  expect(isChangedSince(draft, undo)).toBe(isSeen)
})

test('Undo of a task name notices another name from another device, but not another colour', () => {
  const draft = draftWithEntry()
  const task = newTask('t', 'Write', NOW)
  const undo = applyChanges(draft, { tasks: [{ taskId: 't', changes: { name: 'Mine' } }] }, NOW)
  draft.tasks.put({ ...task, name: 'Mine', color: 'bg-teal-500' })
  expect(isChangedSince(draft, undo)).toBe(false)
  draft.tasks.put({ ...task, name: 'Theirs' })
  expect(isChangedSince(draft, undo)).toBe(true)
})

test('Undo of settings restores and removes them, and keeps those that changed since', () => {
  const draft = draftWithEntry()
  changePrefs(draft, { theme: 'light', weekStart: 1 }, NOW)
  const changes = { theme: 'dark', weekStart: 0, other: 'new' }
  const undo = applyChanges(draft, { prefs: { changes } }, NOW)
  expect(draft.value('settings')?.prefs).toEqual(changes)
  changePrefs(draft, { weekStart: 6 }, LATER)
  undoUnchanged(draft, undo, LATER)
  expect(draft.value('settings')?.prefs).toEqual({ theme: 'light', weekStart: 6 })
})

test('Undo of many changes keeps a task that was renamed since', () => {
  const draft = draftWithEntry()
  const task = newTask('t', 'Write', NOW)
  const changes = { name: 'Mine', isActive: false }
  const undo = applyChanges(
    draft,
    { entries: [note('mine')], tasks: [{ taskId: 't', changes }] },
    NOW,
  )
  draft.tasks.put({ ...task, name: 'Theirs' })
  expect(undoUnchanged(draft, undo, LATER)).toBe(0)
  expect(draft.tasks.get('t')).toMatchObject({ name: 'Theirs' })
  expect(draft.entries.get('e')).toMatchObject({ note: null })
})
