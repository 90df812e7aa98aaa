import { expect, test } from 'vitest'

import { byLastWorked, lastWorked } from './recent.ts'
import { testEntry } from '#test/entries.ts'

const tasks = [{ id: 'new' }, { id: 'plan' }, { id: 'write' }]
const entry = (taskId: string, hour: number) =>
  testEntry({
    taskId,
    start: Date.UTC(2026, 0, 1, hour),
    end: Date.UTC(2026, 0, 1, hour, 30),
  })

test('Tasks are sorted by their last work, and tasks without work come last', () => {
  const entries = [entry('write', 8), entry('plan', 9), entry('gone', 10), entry('write', 11)]
  expect(byLastWorked(tasks, entries).map(({ id }) => id)).toEqual(['write', 'plan', 'new'])
  expect(lastWorked(tasks, entries)).toEqual({ id: 'write' })
})

test('A deleted task that was worked on last is ignored', () => {
  expect(lastWorked(tasks, [entry('plan', 9), entry('gone', 10)])).toEqual({ id: 'plan' })
})

test('Without any work the tasks keep their order, and none is the last', () => {
  expect(byLastWorked(tasks, [])).toEqual(tasks)
  expect(lastWorked(tasks, [])).toBeNull()
  expect(lastWorked([], [entry('plan', 9)])).toBeNull()
})
