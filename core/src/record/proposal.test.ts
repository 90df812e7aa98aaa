import { expect, test } from 'vitest'
import { testEntry, testTask } from '#test/entries.ts'
import { planProposal } from './proposal.ts'
import type { ProposedChange } from './proposal.ts'

const HOUR = 3_600_000
const NOW = 100 * HOUR
const MORNING = testEntry({ id: 'morning', start: 9 * HOUR, end: 10 * HOUR })
const NOON = testEntry({ id: 'noon', start: 12 * HOUR, end: 13 * HOUR })

test('an added session, an edited one and a deleted one are shown before they are made', () => {
  const [add, edit, remove] = plan([
    change('add', { taskId: 'write', startedAt: 2 * HOUR, endedAt: 3 * HOUR, note: '#acme' }),
    change('edit', { id: 'morning', seenAt: 10 * HOUR, endedAt: 11 * HOUR }),
    change('delete', { id: 'noon', seenAt: 13 * HOUR }),
  ])
  expect(add).toMatchObject({
    status: 'fits',
    change: { before: null, after: { taskId: 'write', durationSeconds: 3600, note: '#acme' } },
  })
  expect(edit).toMatchObject({
    status: 'fits',
    change: { before: MORNING, after: { startedAt: 9 * HOUR, durationSeconds: 7200 } },
  })
  expect(remove).toMatchObject({
    status: 'fits',
    change: { before: NOON, after: { deletedAt: NOW } },
  })
})

test('a session that was changed since the proposal is marked', () => {
  const [edit, remove] = plan([
    change('edit', { id: 'morning', seenAt: 9 * HOUR, note: 'x' }),
    change('delete', { id: 'noon', seenAt: 1 }),
  ])
  expect(edit).toMatchObject({ status: 'changed', change: { after: { note: 'x' } } })
  expect(remove).toMatchObject({ status: 'changed' })
})

test('what cannot be done any more changes nothing', () => {
  const planned = plan([
    change('edit', { id: 'gone', seenAt: 1, note: 'x' }),
    change('delete', { id: 'gone', seenAt: 1 }),
    change('edit', { id: 'morning', seenAt: 10 * HOUR, startedAt: 11 * HOUR }),
    change('add', { taskId: 'write', startedAt: 3 * HOUR, endedAt: 3 * HOUR }),
    change('add', { taskId: 'write', startedAt: 3 * HOUR }),
  ])
  for (const each of planned) {
    expect(each).toMatchObject({ status: 'impossible', change: null, newTask: null, overlaps: 0 })
  }
})

test('an edit leaves the parts that it does not name, and an empty note removes the note', () => {
  const noted = { ...MORNING, note: 'old' }
  const [moved, cleared] = planProposal(
    [
      change('edit', { id: 'morning', seenAt: 10 * HOUR, newTask: 'Read' }),
      change('edit', { id: 'morning', seenAt: 10 * HOUR, note: '' }),
    ],
    [noted],
    [testTask('Write')],
    newIds(),
    NOW,
  )
  expect(moved?.change?.after).toEqual({ ...noted, taskId: moved?.newTask?.id, updatedAt: NOW })
  expect(cleared?.change?.after).toEqual({ ...noted, note: null, updatedAt: NOW })
})

test('a new task is created once, and one of that name is used', () => {
  const times = { startedAt: 2 * HOUR, endedAt: 3 * HOUR }
  const [first, second, known] = plan([
    change('add', { newTask: 'Read', ...times }),
    change('add', { newTask: 'Read', ...times }),
    change('add', { newTask: 'write', ...times }),
  ])
  expect(first?.newTask).toMatchObject({ name: 'Read' })
  expect(second?.newTask).toBe(first?.newTask)
  expect(second?.change?.after.taskId).toBe(first?.newTask?.id)
  expect(known).toMatchObject({ newTask: null, change: { after: { taskId: 'write' } } })
})

test('overlaps are counted as they would be after all changes', () => {
  const [over, freed] = plan([
    change('add', { taskId: 'write', startedAt: 8 * HOUR, endedAt: 9.5 * HOUR }),
    change('add', { taskId: 'write', startedAt: 12 * HOUR, endedAt: 13 * HOUR }),
    change('delete', { id: 'noon', seenAt: 13 * HOUR }),
  ])
  expect(over?.overlaps).toBe(1)
  expect(freed?.overlaps).toBe(0)
})

function plan(changes: readonly ProposedChange[]) {
  return planProposal(changes, [MORNING, NOON], [testTask('Write')], newIds(), NOW)
}

function newIds(): () => string {
  let made = 0
  return () => `new-${++made}`
}

function change(kind: ProposedChange['kind'], named: Partial<ProposedChange>): ProposedChange {
  const nothing = { id: null, seenAt: null, taskId: null, newTask: null }
  return { kind, ...nothing, startedAt: null, endedAt: null, note: null, ...named }
}
