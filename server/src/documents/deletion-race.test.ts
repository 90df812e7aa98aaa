import { expect, test } from 'vitest'
import { serverForEach } from '@stint/testing/server-tests.ts'
import { TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestUser } from '@stint/testing/test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const TOGETHER = '/stint/collections/tasks/documents'
const ROUNDS = 15
/** Success, signed out in the meantime, or no such document any more. */
const RIGHT = new Set([200, 201, 204, 401, 404])

const server = serverForEach()

test('writes during the deletion of their account get 401 or 404, never 500, and leave nothing', async () => {
  const seen = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const user = await server.signedInUser(`Ann ${round}`)
    await write(user, 99)
    const turns = Array.from({ length: 6 }, async (_, index) => {
      // Each begins a little later than the one before, so that some coincide with the deletion.
      for (let turn = 0; turn < index * 4; turn++) await new Promise((next) => setImmediate(next))
      return write(user, index)
    })
    const body = { email: user.email, password: TEST_PASSWORD }
    const deleted = user.call('POST', '/stint/account/deletion', body)
    for (const status of (await Promise.all(turns)).flat()) seen.add(status)
    expect((await deleted).status).toBe(204)
  }
  expect([...seen].filter((status) => !RIGHT.has(status))).toEqual([])
  expect(seen).toContain(401)
  const { db } = server
  for (const table of ['tasks', 'document_usage', 'users'] as const) {
    expect(await db.read(db.build.selectFrom(table).selectAll())).toEqual([])
  }
})

/** Makes a write of each kind at the same time, and a read. @returns the statuses. */
async function write(user: TestUser, index: number): Promise<number[]> {
  const data = { userId: user.id, name: `name ${index}` }
  const replies = await Promise.all([
    user.call('POST', TASKS, { documentId: `new${index}`, data }),
    user.call('PUT', `${TASKS}/put${index % 3}`, { data }),
    user.call('PATCH', `${TASKS}/put0`, { data }),
    user.call('PATCH', `${TASKS}/put0/totalTime/increment`, {}),
    user.call('PUT', TOGETHER, { documents: [{ documentId: `many${index}`, data }] }),
    user.call('DELETE', `${TASKS}/new${index - 1}`, {}),
    user.call('GET', TASKS),
  ])
  return replies.map(({ status }) => status)
}
