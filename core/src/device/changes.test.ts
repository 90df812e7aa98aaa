import { newTask } from '#record/task.ts'
import { newEntry } from '#record/entry-edit.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { draftWith } from '#test/devices.ts'
import { expect, test } from 'vitest'

import { applyChanges, isChangedSince, undoUnchanged } from './changes.ts'
import { changePrefs } from './edits.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR = 3_600_000
const ENTRY = newEntry(
  { id: 'e', taskId: 't', startedAt: NOW - 2 * HOUR, endedAt: NOW - HOUR },
  NOW - HOUR,
).after

const draftWithEntry = () => draftWith({ entries: [ENTRY], tasks: [newTask('t', 'Write', NOW)] })

const note = (text: string): EntryChange => ({ before: ENTRY, after: { ...ENTRY, note: text } })

test('Undo of a task name notices another name from another device, but not another colour', () => {
  const draft = draftWithEntry()
  const task = newTask('t', 'Write', NOW)
  const undo = applyChanges(draft, { tasks: [{ taskId: 't', changes: { name: 'Mine' } }] })
  draft.tasks.put({ ...task, name: 'Mine', color: 'bg-teal-500' })
  expect(isChangedSince(draft, undo)).toBe(false)
  draft.tasks.put({ ...task, name: 'Theirs' })
  expect(isChangedSince(draft, undo)).toBe(true)
})

test('Undo of settings restores and removes them, and keeps those that changed since', () => {
  const draft = draftWithEntry()
  changePrefs(draft, { theme: 'light', weekStart: 1 })
  const changes = { theme: 'dark', weekStart: 0, other: 'new' }
  const undo = applyChanges(draft, { prefs: { changes } })
  expect(draft.value('settings')?.prefs).toEqual(changes)
  changePrefs(draft, { weekStart: 6 })
  undoUnchanged(draft, undo)
  expect(draft.value('settings')?.prefs).toEqual({ theme: 'light', weekStart: 6 })
})

test('Undo of many changes keeps a task that was renamed since', () => {
  const draft = draftWithEntry()
  const task = newTask('t', 'Write', NOW)
  const changes = { name: 'Mine', isActive: false }
  const undo = applyChanges(draft, { entries: [note('mine')], tasks: [{ taskId: 't', changes }] })
  draft.tasks.put({ ...task, name: 'Theirs' })
  expect(undoUnchanged(draft, undo)).toBe(0)
  expect(draft.tasks.get('t')).toMatchObject({ name: 'Theirs' })
  expect(draft.entries.get('e')).toMatchObject({ note: null })
})
