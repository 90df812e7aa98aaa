import { expect, test } from 'vitest'

import { byLastWorked, lastWorked, quickStart } from './recent.ts'
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

const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id)

test('Quick Start has the pinned tasks first, then those worked on last, then the newest', () => {
  const { all, first } = quickStart(tasks, ['write'], [entry('write', 8), entry('plan', 9)], null)
  expect(ids(all)).toEqual(['write', 'plan', 'new'])
  expect(first).toEqual(all)
  expect(quickStart([], ['gone'], [], 'gone')).toEqual({ all: [], first: [] })
})

test('Quick Start shows eight tasks beside the pinned ones at once, and the one that is timed', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ id: `task ${index}` }))
  const entries = many.map(({ id }, index) => entry(id, index))
  const newest = ids(many).toReversed()
  expect(ids(quickStart(many, [], entries, null).first)).toEqual(newest.slice(0, 8))
  expect(ids(quickStart(many, [], entries, 'task 3').first)).toEqual([
    ...newest.slice(0, 8),
    'task 3',
  ])
  const pinned = quickStart(many, ['task 19', 'task 0'], entries, 'task 18')
  expect(ids(pinned.first)).toEqual(['task 0', 'task 19', ...newest.slice(1, 9)])
  expect(pinned.all).toHaveLength(20)
})
