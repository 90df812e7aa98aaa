import { expect, test } from 'vitest'

import { isId, isMapOf, isNullOr, isNumber, isObject, isOneOf, isTagged, isText } from './guards.ts'
import { isTask, newTask } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import { isEntry, NEW_ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'

const isDrawing = isTagged('kind', {
  dot: { at: isNumber },
  line: { from: isNumber, name: isNullOr(isText) },
})

test.each([
  [{ kind: 'dot', at: 1 }, true],
  [{ kind: 'dot', at: 1, more: true }, true],
  [{ kind: 'line', from: 1, name: null }, true],
  [{ kind: 'line', at: 1 }, false],
  [{ kind: 'toString', at: 1 }, false],
  [{ at: 1 }, false],
  [['dot'], false],
  [null, false],
])('The tag says which shape %j must have: %s', (value, fits) => {
  expect(isDrawing(value)).toBe(fits)
})

test('A number is finite, an id is not empty, and a map has values of one type', () => {
  expect([1, NaN, Infinity, '1'].map(isNumber)).toEqual([true, false, false, false])
  expect(['a', '', 1].map(isId)).toEqual([true, false, false])
  expect([{ a: 1 }, { a: '1' }, [1], {}].map(isMapOf(isNumber))).toEqual([true, false, false, true])
  expect(['a', 'c'].map(isOneOf('a', 'b'))).toEqual([true, false])
  expect([{ a: 1 }, {}].map(isObject({ a: isNumber }))).toEqual([true, false])
})

const TASK: Task = newTask('write', 'Write', 1)
const ENTRY: TimeEntry = {
  ...NEW_ENTRY,
  id: 'entry',
  taskId: 'write',
  startedAt: 1,
  endedAt: 2,
  pauses: { intervals: [{ start: 1, end: 2 }], unplacedSeconds: 0 },
  createdAt: 1,
  updatedAt: 2,
}

test.each([
  ['task', TASK, isTask],
  ['entry', ENTRY, isEntry],
] as const)(
  'A stored %s is readable with every field, and with none of them wrong',
  (_, thing, is) => {
    expect(is(thing)).toBe(true)
    const readableWith = (wrong: unknown) =>
      Object.keys(thing).filter((name) => is({ ...thing, [name]: wrong }))
    expect(readableWith(undefined)).toEqual([])
    expect(readableWith({})).toEqual([])
  },
)
