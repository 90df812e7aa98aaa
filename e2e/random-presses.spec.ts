/**
 * A walk on three devices by what is on their screens, with a ledger of what was pressed. WALK_ROUNDS=1000 for
 * a quarter of an hour, SEED to walk elsewhere or to see a failure again, WALK_DATABASE=postgres for a server on
 * PostgreSQL.
 */
import { startPostgres } from '@stint/testing/postgres.ts'
import type { TestPostgres } from '@stint/testing/postgres.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'

import { createDocument, createUser, deleteDocument, listDocuments } from './backend.ts'
import { expect, test } from './fixtures.ts'
import { Walk } from './random-presses.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'

const { env } = process
const ROUNDS = Number(env['WALK_ROUNDS'] ?? 30)
const SEED = Number(env['SEED'] ?? 1)
/** More than a walk leaves. */
const MAX_ROWS = 5000

test.describe.configure({ mode: 'serial' })

let postgres: TestPostgres | null = null
let server: RunningServer
let walk: Walk | null = null

test.beforeAll(async ({ browser, playwright }) => {
  if (env['WALK_DATABASE'] === 'postgres') postgres = await startPostgres()
  server = await startServer(postgres ? { DATABASE_URL: postgres.url } : {})
  const request = await playwright.request.newContext()
  const user = await createUser(request, server.url)
  walk = await Walk.open(browser, request, server, user, {
    seed: SEED,
    rounds: ROUNDS,
    restEvery: 25,
  })
})

test.afterAll(async () => {
  await walk?.close()
  await walk?.request.dispose()
  await server.remove()
  await postgres?.stop()
})

test('nothing is lost and nothing doubled on three devices, whatever is pressed and whatever fails @long', async () => {
  test.setTimeout(MAX_TEST + ROUNDS * 5000)
  // A typo in the environment must not pass for a walk on which nothing was lost.
  expect(ROUNDS).toBeGreaterThan(0)
  const begun = Date.now()
  const walk = opened()
  const walked = await walk.go()
  const seconds = Math.round((Date.now() - begun) / 1000)
  if (env['WALK_LOG'] === '1') process.stdout.write(`${walk.log.join('\n')}\n`)
  process.stdout.write(`SEED=${SEED}: ${JSON.stringify(walked)} in ${seconds} s\n`)
  expect(walked.presses).toBeGreaterThan(ROUNDS / 2)
})

test('the ledger sees a session that the server has lost, and one that it has twice @long', async () => {
  const walk = opened()
  const row = await walk.time(3)
  // What the devices would do about it is not the question here.
  await walk.close()
  expect(await walk.look()).toEqual([])
  const entries = await listDocuments(walk.request, server.url, 'time_entries', MAX_ROWS)
  const entry = entries.find(({ $id }) => $id === row.id)
  const data = Object.fromEntries(
    Object.entries(entry ?? {}).filter(([name]) => !name.startsWith('$')),
  )
  const create = () => createDocument(walk.request, server.url, 'time_entries', data)

  await deleteDocument(walk.request, server.url, 'time_entries', row.id)
  expect(await walk.look()).toContainEqual(expect.stringMatching(`^lost: ${row.task}`))
  await create()
  expect(await walk.look()).toEqual([])
  await create()
  expect(await walk.look()).toContainEqual(expect.stringMatching(`^doubled: ${row.task}`))
})

function opened(): Walk {
  if (!walk) throw new Error('The walk was not opened')
  return walk
}
