import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp } from '#test-app.ts'
import type { TestApp, TestUser } from '#test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
let server: TestApp
let ann: TestUser

beforeEach(async () => {
  server = await createTestApp()
  ann = await server.signedInUser('Ann')
})
afterEach(() => server.close())

test('creates a task with the defaults of the spec and three permissions for its maker', async () => {
  const reply = await ann.call('POST', TASKS, {
    documentId: 't1',
    data: { name: 'Write', userId: ann.id },
  })
  expect(reply).toMatchObject({
    status: 201,
    body: {
      $id: 't1',
      $sequence: '1',
      $createdAt: '2026-01-15T12:00:00.000+00:00',
      $updatedAt: '2026-01-15T12:00:00.000+00:00',
      $permissions: [
        `read("user:${ann.id}")`,
        `update("user:${ann.id}")`,
        `delete("user:${ann.id}")`,
      ],
      $databaseId: 'stint',
      $collectionId: 'tasks',
      name: 'Write',
      userId: ann.id,
      isActive: true,
      category: 'Development',
      goalHours: 8,
      totalTime: 0,
      todayTime: 0,
      color: 'bg-blue-500',
    },
  })
  expect(await ann.call('GET', `${TASKS}/t1`)).toMatchObject({ status: 200, body: reply.body })
  expect(await ann.call('GET', TASKS)).toMatchObject({
    status: 200,
    body: { total: 1, documents: [reply.body] },
  })
})
