import { newEntry } from '#record/entry-edit.ts'
import { newTask } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { draftWith as draftOf } from '#test/devices.ts'
import { expect, test } from 'vitest'

import type { Draft } from './draft.ts'
import { change, changeEntry, changePrefs } from './edits.ts'
import type { Edit } from './stored.ts'
import { takeAnswer, takeIn } from './take-in.ts'

const MADE = Date.UTC(2026, 0, 15, 12)
const LATER = MADE + 1

const BASE: TimeEntry = newEntry(
  { id: 'e', taskId: 't', startedAt: MADE - 7_200_000, endedAt: MADE - 3_600_000 },
  MADE - 60_000,
).after
const TASK = newTask('t', 'base', MADE - 60_000)

const PREFS = { key: 'settings', prefs: { theme: 'dark' }, saves: 1 } as const
const draftWith = (entries: readonly TimeEntry[] = []) =>
  draftOf({ entries, tasks: [TASK], values: [PREFS] })

/** Returns a draft with a note that was changed here at `MADE`. */
function edited(): Draft {
  const draft = draftWith([BASE])
  draft.now = MADE
  change(draft, 'entry', 'e', { ...BASE, note: 'here', updatedAt: MADE })
  return draft
}

/** Marks the edit as sent, with the answer lost. */
function sentOnce(draft: Draft): Draft {
  const [edit] = draft.edits.all()
  const here = draft.entries.get('e')
  if (edit && here) draft.edits.put({ ...edit, sent: [here] })
  return draft
}

function editOf(draft: Draft): Edit | undefined {
  return draft.edits.all()[0]
}

test('An edit that is undone before it is sent leaves nothing to send', () => {
  const draft = edited()
  draft.now = MADE + 1
  change(draft, 'entry', 'e', { ...BASE, updatedAt: MADE + 1 })
  expect(draft.edits.all()).toEqual([])
  expect(draft.entries.get('e')).toEqual(BASE)

  const added = { ...BASE, id: 'added' }
  changeEntry(draft, added)
  changeEntry(draft, { ...added, deletedAt: MADE + 1 })
  expect(draft.edits.all()).toEqual([])
  expect(draft.entries.get('added')).toBeUndefined()

  changePrefs(draft, { theme: 'light' })
  changePrefs(draft, { theme: 'dark' })
  expect(draft.edits.all()).toEqual([])
})

test('A refused edit is sent again after it is changed', () => {
  const draft = edited()
  const edit = editOf(draft)
  if (!edit) throw new Error('There is no edit')
  draft.edits.put({ ...edit, refused: { message: 'No', isOverQuota: false, isRetried: false } })
  const here = draft.entries.get('e') ?? BASE
  change(draft, 'entry', 'e', { ...here, note: 'shorter' })

  expect(editOf(draft)).toMatchObject({ refused: null, base: BASE })
})

test('An event that arrives late with an older state changes nothing', () => {
  const draft = draftWith([BASE])
  takeIn(draft, 'entry', 'e', { ...BASE, note: 'late', updatedAt: BASE.updatedAt - 1 })
  expect(draft.entries.get('e')).toEqual(BASE)
  const withEdit = edited()
  takeIn(withEdit, 'entry', 'e', { ...BASE, taskId: 'late', updatedAt: BASE.updatedAt - 1 })
  expect(withEdit.entries.get('e')?.taskId).toBe('t')
})

test('A late event with the times that an Undo has just set here leaves the rest of the Undo', () => {
  const cut = MADE - 5_400_000
  const first = { ...BASE, endedAt: cut, durationSeconds: 1800, updatedAt: MADE - 10 }
  const second = { ...BASE, id: 'second', startedAt: cut, durationSeconds: 1800 }
  const draft = draftWith([first, second])
  draft.now = MADE
  changeEntry(draft, { ...first, endedAt: BASE.endedAt, durationSeconds: 3600 })
  changeEntry(draft, { ...second, deletedAt: MADE })
  // The event of an earlier merge, whose times the Undo of the split sets again.
  takeIn(draft, 'entry', 'e', { ...BASE, updatedAt: MADE - 20 })
  expect(draft.entries.get('e')?.endedAt).toBe(BASE.endedAt)
  expect(draft.entries.get('second')?.deletedAt).toBe(MADE)
})

test('Each field of a task keeps its latest change', () => {
  const draft = draftWith()
  draft.now = MADE
  change(draft, 'task', 't', { ...TASK, name: 'here', category: 'Admin' })
  draft.now = MADE + 20
  change(draft, 'task', 't', { ...TASK, name: 'here', category: 'Design' })
  const there = { ...TASK, name: 'there', category: 'Research', goalHours: 2, updatedAt: MADE + 10 }
  takeIn(draft, 'task', 't', there)

  expect(draft.tasks.get('t')).toMatchObject({ name: 'there', category: 'Design', goalHours: 2 })
  expect(editOf(draft)?.changedAt).toEqual({ category: MADE + 20 })
})

test('A pull of the settings keeps the local changes, name by name', () => {
  const draft = draftWith()
  draft.now = MADE
  changePrefs(draft, { theme: 'light', weekStart: 1 })
  takeIn(draft, 'settings', 'settings', { theme: 'system', hourCycle: 12 })

  expect(draft.value('settings')?.prefs).toEqual({ theme: 'light', weekStart: 1, hourCycle: 12 })
  expect(editOf(draft)?.base).toEqual({ theme: 'system', hourCycle: 12 })
})

test('An answer that arrives after an event does not undo a later change from another device', () => {
  const draft = sentOnce(edited())
  const sent = draft.entries.get('e') ?? BASE
  const [ours, theirs] = [LATER, LATER + 10]
  takeIn(draft, 'entry', 'e', { ...sent, updatedAt: ours })
  takeIn(draft, 'entry', 'e', { ...sent, note: 'there', updatedAt: theirs })
  takeAnswer(draft, 'entry', 'e', { ...sent, updatedAt: ours })

  expect(draft.entries.get('e')).toMatchObject({ note: 'there', updatedAt: theirs })
  expect(editOf(draft)).toBeUndefined()
})
