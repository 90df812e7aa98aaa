import type { Task, TaskChanges } from '@stint/core/record/task.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { describe, expect, it } from 'vitest'

import { standingChanges, standingParts } from './outdated.ts'

const MADE = Date.UTC(2026, 0, 15, 12)
const EARLIER = MADE - 1
const LATER = MADE + 1

const BEFORE: TimeEntry = newEntry(
  { id: 'e', taskId: 't', startedAt: MADE - 7_200_000, endedAt: MADE - 3_600_000 },
  EARLIER,
).after
const HERE: TimeEntry = { ...BEFORE, note: 'here', taskId: 'u', updatedAt: MADE }

describe('the parts of an edit that are still to be sent', () => {
  it.each([
    ['nothing was changed there', {}, EARLIER, ['note', 'task']],
    ['the same was changed before it', { note: 'theirs' }, EARLIER, ['note', 'task']],
    ['another part was changed later', { endedAt: MADE }, LATER, ['note', 'task']],
    ['the same was changed later', { note: 'theirs' }, LATER, ['task']],
    ['at the very same time the backend has it already', { note: 'theirs' }, MADE, ['task']],
    ['both were', { note: 'theirs', taskId: 'v' }, LATER, []],
    [
      'it came through, and only the answer was lost',
      { note: 'here', taskId: 'u' },
      LATER,
      ['note', 'task'],
    ],
  ])('%s', (_name, changes, updatedAt, expected) => {
    const theirs = { ...BEFORE, ...changes, updatedAt }
    const edit = { addedAt: MADE, before: BEFORE, here: HERE, theirs }
    expect(standingParts(['note', 'task'], edit)).toEqual(expected)
  })
})

const TASK: Task = {
  id: 't',
  name: 'before',
  isActive: true,
  category: 'Admin',
  goalHours: 0,
  color: 'blue',
  createdAt: EARLIER,
  updatedAt: EARLIER,
}

describe('the changes of a task that are still to be sent', () => {
  it.each<[string, TaskChanges, number, TaskChanges]>([
    ['nothing was changed there', {}, EARLIER, { name: 'here', goalHours: 2 }],
    ['the same was changed before it', { name: 'theirs' }, EARLIER, { name: 'here', goalHours: 2 }],
    ['something else was changed later', { color: 'red' }, LATER, { name: 'here', goalHours: 2 }],
    ['the same was changed later', { name: 'theirs' }, LATER, { goalHours: 2 }],
    ['both were', { name: 'theirs', goalHours: 3 }, LATER, {}],
    ['it came through already', { name: 'here' }, LATER, { name: 'here', goalHours: 2 }],
  ])('%s', (_name, changed, updatedAt, expected) => {
    const changes = { name: 'here', goalHours: 2 }
    const edit = {
      addedAt: MADE,
      before: { name: 'before', goalHours: 0 },
      here: { ...TASK, ...changes },
      theirs: { ...TASK, ...changed, updatedAt },
    }
    expect(standingChanges(changes, edit)).toEqual(expected)
  })
})
