import { expect, test } from 'vitest'
import { COLLECTION_IDS, COLLECTIONS } from './collections.ts'
import type { CollectionId } from './collections.ts'

function defaultsOf(collection: CollectionId): Record<string, unknown> {
  const attributes: Record<string, object> = COLLECTIONS[collection]
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) =>
      'default' in attribute ? [[name, attribute.default]] : [],
    ),
  )
}

test('The collections are tasks, timer sessions and time entries', () => {
  expect(Object.keys(COLLECTIONS)).toEqual([...COLLECTION_IDS])
  expect(COLLECTION_IDS).toEqual(['tasks', 'timer_sessions', 'time_entries'])
})

test('The collections have the defaults of the product', () => {
  expect(COLLECTION_IDS.map(defaultsOf)).toEqual([
    {
      isActive: true,
      category: 'Development',
      goalHours: 8,
      totalTime: 0,
      todayTime: 0,
      color: 'bg-blue-500',
    },
    { isRunning: true, isPaused: false, pauseDurationSeconds: 0 },
    { entryType: 'timer' },
  ])
})

test('The collections require of a client only what it always knows', () => {
  const required = COLLECTION_IDS.map((collection) =>
    Object.entries(COLLECTIONS[collection]).flatMap(([name, { required }]) =>
      required ? [name] : [],
    ),
  )
  expect(required).toEqual([
    ['name', 'userId'],
    ['taskId', 'userId'],
    ['taskId', 'userId', 'startTime', 'endTime', 'durationSeconds'],
  ])
})
