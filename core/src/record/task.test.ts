import { describe, expect, test } from 'vitest'
import type { TaskDocument } from '#collections.ts'
import {
  activeTasks,
  distinctColors,
  goalOf,
  nameInReports,
  searchTasks,
  storedGoal,
  TASK_COLORS,
  taskColors,
  taskFromDocument,
  validTaskName,
} from './task.ts'
import { testTaskDocument } from '#test/documents.ts'
import { testTask } from '#test/entries.ts'

describe('a task document', () => {
  const document: TaskDocument = {
    ...testTaskDocument('write', { name: 'Write', userId: 'ada', color: 'bg-teal-500' }),
    $createdAt: '2026-01-01T00:00:00.000+00:00',
    $updatedAt: '2026-01-02T00:00:00.000+00:00',
    totalTime: 28_800,
    todayTime: 60,
  }

  test('A task document reads as a task, without the unused totals', () => {
    expect(taskFromDocument(document)).toEqual({
      id: 'write',
      name: 'Write',
      isActive: true,
      category: 'Development',
      goalHours: 8,
      color: 'bg-teal-500',
      createdAt: Date.UTC(2026, 0, 1),
      updatedAt: Date.UTC(2026, 0, 2),
    })
  })
})

test.each([
  ['Write', 'Write'],
  ['  Write  report ', 'Write  report'],
  ['', null],
  [' \t\n', null],
  ['x'.repeat(255), 'x'.repeat(255)],
  [` ${'x'.repeat(255)} `, 'x'.repeat(255)],
  ['x'.repeat(256), null],
])('A task name like %j is stored as %j', (text, name) => {
  expect(validTaskName(text)).toBe(name)
})

test('The name of a task in a report shows that it is deleted or unknown', () => {
  expect(nameInReports(testTask('Write'))).toBe('Write')
  expect(nameInReports(testTask('Write', 0, { isActive: false }))).toBe('Write (deleted)')
  expect(nameInReports(undefined)).toBe('Unknown task')
})

test('The task list has the active tasks, newest first', () => {
  const tasks = [
    testTask('Old', 1),
    testTask('New', 3),
    testTask('Gone', 2, { isActive: false }),
    testTask('Twin b', 2),
    testTask('Twin a', 2),
  ]
  expect(activeTasks(tasks).map((task) => task.name)).toEqual(['New', 'Twin b', 'Twin a', 'Old'])
})

test.each([
  ['', ['Write report', 'READ', 'Überweisung']],
  ['re', ['Write report', 'READ']],
  [' Report ', ['Write report']],
  ['über', ['Überweisung']],
  ['.*', []],
])('A search of the task list for %j finds %j', (text, names) => {
  const tasks = ['Write report', 'READ', 'Überweisung'].map((name) => testTask(name))
  expect(searchTasks(tasks, text).map((task) => task.name)).toEqual(names)
})

test('Colours follow the order of creation, repeat after the last, and stay when a task is deleted', () => {
  const tasks = Array.from({ length: 12 }, (_, index) => testTask(`Task ${index}`, index))
  const colors = taskColors(tasks)
  expect(tasks.map((task) => colors.get(task.id))).toEqual([
    ...TASK_COLORS,
    TASK_COLORS[0],
    TASK_COLORS[1],
  ])
  const shuffled = tasks
    .toReversed()
    .map((task) => (task.id === 'task 3' ? { ...task, isActive: false } : task))
  expect(Object.fromEntries(taskColors(shuffled))).toEqual(Object.fromEntries(colors))
})

test('A colour that the owner chose is used', () => {
  const tasks = [
    testTask('Default', 1),
    testTask('Chosen', 2, { color: 'bg-red-500' }),
    testTask('Unknown', 3, { color: 'bg-papaya-500' }),
    testTask('Nonsense', 4, { color: 'url(javascript:0)' }),
  ]
  expect([...taskColors(tasks).values()]).toEqual(['blue', 'red', 'teal', 'magenta'])
})

test('Colours of up to ten tasks side by side are always different', () => {
  const tasks = Array.from({ length: 30 }, (_, index) => testTask(`Task ${index}`, index))
  const shown = [0, 10, 20, 1, 11, 21, 2, 12, 22, 9].map((index) => `task ${index}`)
  const colors = distinctColors(tasks, shown)
  expect(new Set(colors.values()).size).toBe(10)
  expect(['task 0', 'task 1', 'task 2', 'task 9'].map((id) => colors.get(id))).toEqual([
    'blue',
    'orange',
    'teal',
    'slate',
  ])
})

test('The default of eight hours is no goal, and chosen eight hours are one', () => {
  expect(goalOf({ goalHours: 8 })).toBe(0)
  expect(goalOf({ goalHours: 0 })).toBe(0)
  for (const hours of [0, 0.25, 2.5, 7, 8, 9, 24]) {
    expect(goalOf({ goalHours: storedGoal(hours) })).toBe(hours)
  }
  expect(storedGoal(8)).not.toBe(8)
  expect(storedGoal(8)).toBeCloseTo(8, 5)
})
