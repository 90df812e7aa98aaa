import { expect, test } from 'vitest'

import { newEntry } from '#record/entry-edit.ts'
import { draftWith } from '#test/devices.ts'

import { oldestBase } from './unsent-edits.ts'

test('The oldest base of the edits of a large import that is undone is found', () => {
  const draft = draftWith({})
  const now = Date.UTC(2026, 10, 30)
  const times = { startedAt: now - 7_200_000, endedAt: now - 3_600_000 }
  for (let index = 0; index < 150_000; index++) {
    const id = `e${index}`
    const base = newEntry({ id, taskId: 't', ...times }, now - 1000 - index).after
    const changedAt = { deletion: now }
    draft.edits.put({
      kind: 'entry',
      id,
      base,
      changedAt,
      sent: [],
      refused: null,
      isHidden: false,
    })
  }
  expect(oldestBase(draft, 'entry', now)).toBe(now - 1000 - 149_999)
  expect(oldestBase(draft, 'task', now)).toBe(now)
})
