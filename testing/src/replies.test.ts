import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checkReplies } from './replies.ts'
import { createTestApp } from './test-app.ts'
import type { TestApp, TestUser } from './test-app.ts'

const TASK = '/databases/stint/collections/tasks/documents/t1'

/** Starts a server on which Ann has a task, and replaces something in its stored text. */
async function withStored(search: string, replacement: string): Promise<[TestApp, TestUser]> {
  const server = await createTestApp()
  const ann = await server.signedInUser('Ann')
  const data = { userId: ann.id, name: 'Write' }
  const created = await ann.call('POST', TASK.slice(0, -3), { documentId: 't1', data })
  expect(created.status).toBe(201)
  await server.db.write((tx) =>
    tx.run(
      tx.build
        .updateTable('tasks')
        .set({ body: sql<string>`replace(body, ${search}, ${replacement})` }),
    ),
  )
  return [server, ann]
}

test.each([
  ['a field that is not described', '"name"', '"nickname":"x","name"', 'additional properties'],
  ['a field of another type', '"isActive":true', '"isActive":"yes"', '/isActive'],
  ['an instant in another form', '+00:00",', 'Z",', '/$createdAt'],
  ['a name of another collection', '"tasks"', '"time_entries"', '/$collectionId must be'],
])('the test server finds %s in a reply', async (_, search, replacement, problem) => {
  const [server, ann] = await withStored(search, replacement)
  expect((await ann.call('GET', TASK)).status).toBe(200)
  await expect(server.close()).rejects.toThrow(problem)
})

test('the test server finds a missing property in the reply to a change', async () => {
  const [server, ann] = await withStored('"$databaseId":"stint",', '')
  // The document is read from its stored text, and sent unchanged if the change has no effect.
  expect((await ann.call('PATCH', TASK, { data: { name: 'Write' } })).status).toBe(200)
  await expect(server.close()).rejects.toThrow('answered 200, where the body must')
})

test('the test server finds a status and an error that the route does not describe', async () => {
  const app = Fastify()
  const problems = checkReplies(app)
  app.get('/v1/status', (_request, reply) => reply.code(202).send({}))
  app.get('/v1/error', (_request, reply) => reply.code(404).send({ message: 'no' }))
  await app.inject('/v1/status')
  await app.inject('/v1/error')
  expect(problems).toEqual([
    'GET /v1/status answered 202, which its route does not describe',
    'GET /v1/error answered 404, where the body must have required properties code, type, version',
  ])
  await app.close()
})
