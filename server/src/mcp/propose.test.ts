/** What the names of a proposal may cost. */
import { hoursAccount } from '@stint/core/balance/account.ts'
import { newTask } from '@stint/core/record/task.ts'
import { processorTime } from '@stint/core/test/processor-time.ts'
import { categoryColors } from '@stint/core/record/category.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { expect, test } from 'vitest'
import type { Person } from '#api/person.ts'
import { changesRead } from './propose.ts'

const NOW = Date.UTC(2026, 10, 28)

const person: Person = {
  filters: [],
  account: hoursAccount({}),
  prefs: {},
  categoryColors: categoryColors({}),
  owner: 'ann',
  keyId: 'key',
  device: 'Assistant',
  settings: settingsFromPrefs({}),
  now: NOW,
  timeZone: 'UTC',
}

function tasksNamed(nameOf: (index: number) => string) {
  return Array.from({ length: 9900 }, (_, index) => newTask(`t${index}`, nameOf(index), NOW))
}

function proposalOf(names: readonly string[]) {
  return names.map((task) => ({ task, start: '2026-11-27T08:00Z', end: '2026-11-27T09:00Z' }))
}

test('A hundred names of a usual length are looked up among 9,900 tasks', () => {
  const tasks = tasksNamed((index) => `Call ${index} about the report`)
  const names = Array.from({ length: 100 }, (_, index) => `Review ${index} of Zoe`)
  const milliseconds = processorTime(250, () => {
    const read = changesRead(proposalOf(names), person, new Map(), tasks)
    expect(read.map(({ newTask: made }) => made)).toEqual(names)
  })
  expect(milliseconds).toBeLessThanOrEqual(250)
})

test('Parts of names that fit long names of 9,900 tasks are refused, and exact names are not', () => {
  const tasks = tasksNamed((index) => 'ab z z '.repeat(35) + String(index))
  const refusing = processorTime(250, () =>
    expect(() =>
      changesRead(proposalOf(Array(100).fill('abababab')), person, new Map(), tasks),
    ).toThrow('It names too many tasks by a part of their names.'),
  )
  const exact = tasks.slice(0, 100)
  const reading = processorTime(250, () => {
    const read = changesRead(proposalOf(exact.map(({ name }) => name)), person, new Map(), tasks)
    expect(read.map(({ taskId }) => taskId)).toEqual(exact.map(({ id }) => id))
  })
  expect(refusing).toBeLessThanOrEqual(250)
  expect(reading).toBeLessThanOrEqual(250)
})
