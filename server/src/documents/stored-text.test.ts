/** Checks that a document's stored text never differs from its columns. */
import { COLLECTIONS } from '@stint/core/collections.ts'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ATTRIBUTE_COLUMNS } from '#storage/schema.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
let server: TestApp
let people = 0

beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

test('after any writes, text and columns are equal, and totals count the documents', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { maxLength: 15 }), async (writes) => {
      const ann = await server.signedInUser(`P${people++}`)
      for (const { method, path, data } of writes) {
        const body = { ...(method === 'POST' ? { documentId: path } : {}), data }
        await ann.call(method, method === 'POST' ? TASKS : `${TASKS}/${path}`, body)
        server.clock.advance(1)
        const stored = await fromColumns(ann.id)
        expect((await ann.call('GET', TASKS)).body).toEqual(pageOf(stored))
        const active = encodeURIComponent(
          '{"method":"equal","attribute":"isActive","values":[true]}',
        )
        expect((await ann.call('GET', `${TASKS}?queries[0]=${active}`)).body).toEqual(
          pageOf(stored.filter((document) => document['isActive'] === true)),
        )
      }
    }),
    { numRuns: 30 },
  )
})

function pageOf(documents: readonly Record<string, unknown>[]) {
  return { total: documents.length, documents }
}

/** Returns the tasks of a user as the API sends them, assembled from the typed columns. */
async function fromColumns(owner: string): Promise<Record<string, unknown>[]> {
  const rows = await server.db.read(
    sql<
      Record<string, unknown>
    >`select * from tasks where owner = ${owner} order by sequence`.compile(server.db.build),
  )
  const columns = ATTRIBUTE_COLUMNS.get('tasks')
  return rows.map((row) => ({
    $id: row['id'],
    $sequence: String(row['sequence']),
    $createdAt: row['created_at'],
    $updatedAt: row['updated_at'],
    $permissions: ['read', 'update', 'delete'].map((action) => `${action}("user:${owner}")`),
    $databaseId: 'stint',
    $collectionId: 'tasks',
    ...Object.fromEntries(
      Object.keys(COLLECTIONS.tasks).map((name) => [name, row[columns?.get(name) ?? '']]),
    ),
  }))
}

const anyId = fc.constantFrom('a', 'b', 'c')
const anyData = fc.record(
  {
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    isActive: fc.boolean(),
    totalTime: fc.nat(1000),
    goalHours: fc.double({ min: 0, max: 1000, noNaN: true }),
    color: fc.string({ maxLength: 5 }),
  },
  { requiredKeys: ['name'] },
)
const anyWrite = fc.oneof(
  fc.record({ method: fc.constantFrom('POST', 'PUT', 'PATCH'), path: anyId, data: anyData }),
  fc.record({
    method: fc.constant('PATCH'),
    path: fc
      .tuple(anyId, fc.constantFrom('increment', 'decrement'))
      .map(([id, way]) => `${id}/totalTime/${way}`),
    data: fc.constant({}),
  }),
  fc.record({ method: fc.constant('DELETE'), path: anyId, data: fc.constant({}) }),
)
