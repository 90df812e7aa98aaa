/** Checks who may call each route. A route without a line here fails. */
import { beforeAll, expect, test } from 'vitest'
import { callTool, PROPOSAL } from '@stint/testing/mcp.ts'
import { addPasskey } from '@stint/testing/passkeys.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestBrowser, TestUser } from '@stint/testing/test-app.ts'

const DOCUMENTS = '/v1/databases/:databaseId/collections/:collectionId/documents'
const DOCUMENT = `${DOCUMENTS}/:documentId`

/** Open to anyone. */
const PUBLIC = new Set([
  'POST /v1/account',
  'POST /v1/account/sessions/email',
  'POST /v1/account/sessions',
  'POST /v1/account/recovery',
  'PUT /v1/account/recovery',
  'PUT /v1/account/verifications/email',
  'PUT /v1/account/verification',
  'GET /v1/ping',
  'GET /v1/health',
  'GET /v1/health/ready',
  'GET /v1/health/version',
  'GET /v1/stint/info',
  'GET /v1/stint/openapi.json',
  'POST /v1/stint/proxy/session',
  'POST /v1/stint/passkeys/sign-up/options',
  'POST /v1/stint/passkeys/sign-up',
  'POST /v1/stint/passkeys/sign-in/options',
  'POST /v1/stint/passkeys/sign-in',
  'POST /v1/stint/oidc',
  'GET /v1/stint/oidc/callback',
  'GET /v1/realtime',
])
/** Routes about the caller alone, which cannot name a thing of another user. */
const OWN = new Set([
  'GET /v1/account',
  'PATCH /v1/account/name',
  'PATCH /v1/account/email',
  'PATCH /v1/account/password',
  'GET /v1/account/prefs',
  'PATCH /v1/account/prefs',
  'PATCH /v1/account/status',
  'GET /v1/account/sessions',
  'DELETE /v1/account/sessions',
  'POST /v1/account/verifications/email',
  'POST /v1/account/verification',
  `GET ${DOCUMENTS}`,
  `POST ${DOCUMENTS}`,
  // Creates a document of the caller's own under the same id.
  `PUT ${DOCUMENT}`,
  'PUT /v1/stint/collections/:collectionId/documents',
  'POST /v1/stint/account/deletion',
  'GET /v1/stint/keys',
  'GET /v1/stint/feed',
  'PUT /v1/stint/feed',
  'DELETE /v1/stint/feed',
  'POST /v1/stint/keys',
  'GET /v1/stint/proposals',
  'POST /v1/stint/calendars/read',
  'GET /v1/stint/second-factor',
  'POST /v1/stint/second-factor',
  'POST /v1/stint/second-factor/confirmation',
  'POST /v1/stint/second-factor/removal',
  'GET /v1/stint/passkeys',
  'POST /v1/stint/passkeys',
  'POST /v1/stint/passkeys/options',
  'POST /v1/stint/passkeys/proof/options',
  'PUT /v1/stint/passkeys/password',
  'GET /v1/stint/push',
  'PUT /v1/stint/push',
  'POST /v1/stint/push/presses',
])
/**
 * Routes for keys, which are about the caller alone. `keys/authorization.test.ts` calls them with
 * every kind of key, `documents/ownership.test.ts` reads their statements.
 */
const KEYED = new Set([
  'GET /v1/stint/keys/current',
  'GET /v1/stint/now',
  'POST /v1/stint/start',
  'POST /v1/stint/stop',
  'POST /v1/stint/pause',
  'POST /v1/stint/resume',
  'POST /v1/stint/toggle',
  'GET /v1/stint/sessions',
  'GET /v1/stint/sessions.csv',
  'POST /v1/stint/sessions',
  'GET /v1/stint/total',
  'GET /v1/stint/balance',
  'GET /v1/stint/balance.csv',
  'GET /v1/stint/timesheet',
  'GET /v1/stint/timesheet.csv',
  'GET /v1/stint/timesheets',
  'POST /v1/stint/timesheets',
  'GET /v1/stint/timesheets/:sheetId',
  'DELETE /v1/stint/timesheets/:sheetId',
  'GET /v1/stint/rates',
  'GET /v1/stint/targets',
  'GET /v1/stint/tasks',
])
/** Routes that may name a thing of another user, which must look as if it did not exist. */
const NAMED = new Map([
  ['GET /v1/account/sessions/:sessionId', 'user_session_not_found'],
  ['PATCH /v1/account/sessions/:sessionId', 'user_session_not_found'],
  ['DELETE /v1/account/sessions/:sessionId', 'user_session_not_found'],
  ['DELETE /v1/stint/keys/:keyId', 'stint_key_not_found'],
  ['GET /v1/stint/keys/:keyId/webhook', 'stint_key_not_found'],
  ['PUT /v1/stint/keys/:keyId/webhook', 'stint_key_not_found'],
  ['POST /v1/stint/keys/:keyId/webhook/test', 'stint_key_not_found'],
  ['DELETE /v1/stint/keys/:keyId/webhook', 'stint_key_not_found'],
  ['PATCH /v1/stint/passkeys/:passkeyId', 'stint_passkey_not_found'],
  ['POST /v1/stint/passkeys/:passkeyId/removal', 'stint_passkey_not_found'],
  ['DELETE /v1/stint/push/:sessionId', 'user_session_not_found'],
  ['DELETE /v1/stint/proposals/:proposalId', 'stint_proposal_not_found'],
  [`GET ${DOCUMENT}`, 'document_not_found'],
  [`PATCH ${DOCUMENT}`, 'document_not_found'],
  [`DELETE ${DOCUMENT}`, 'document_not_found'],
  [`PATCH ${DOCUMENT}/:attribute/increment`, 'document_not_found'],
  [`PATCH ${DOCUMENT}/:attribute/decrement`, 'document_not_found'],
])
const COLLECTIONS = ['tasks', 'timer_sessions', 'time_entries'] as const
const NUMBERS = {
  tasks: 'totalTime',
  timer_sessions: 'pauseDurationSeconds',
  time_entries: 'durationSeconds',
}

const server = serverForFile()
let ann: TestUser
let bob: TestUser
let annsSession: string
let annsKey: string
let annsProposal: string
let annsPasskey: string

beforeAll(async () => {
  ann = await server.signedInUser('Ann')
  bob = await server.signedInUser('Bob')
  annsSession = (await ann.call('GET', '/account/sessions/current')).body.$id
  const key = (await ann.call('POST', '/stint/keys', { name: 'canary', access: 'write' })).body
  annsKey = key.id
  annsPasskey = (await addPasskey(ann, undefined, 'canary')).id
  annsProposal = (await callTool(ann, key.secret, 'propose_changes', PROPOSAL)).id
  await createDocuments(ann)
})

test('every route has a line in these tables', () => {
  const lines = [...PUBLIC, ...OWN, ...KEYED, ...NAMED.keys()]
  expect(lines.toSorted()).toEqual(server.app.routeTable.map(({ name }) => name).toSorted())
})

test('guests and ended sessions are refused by all routes except the public ones', async () => {
  const gone = await server.signedInUser('Gone')
  const cookies = [...gone.cookies]
  await gone.call('DELETE', '/account/sessions')
  for (const [name, value] of cookies) gone.cookies.set(name, value)
  const late = await server.signedInUser('Late')
  const later = await createTestApp({ db: server.db, now: server.clock.now() + 91 * 86_400_000 })
  const expired = later.newBrowser()
  for (const [name, value] of late.cookies) expired.cookies.set(name, value)
  for (const browser of [server.newBrowser(), gone, expired]) {
    for (const route of [...OWN, ...NAMED.keys()]) {
      for (const reply of await visit(browser, route)) {
        expect({ route, status: reply.status, type: reply.body.type }).toEqual({
          route,
          status: 401,
          type: 'general_unauthorized_scope',
        })
      }
    }
  }
  await later.close()
})

test('the owner can use every route', async () => {
  for (const route of [...OWN, ...NAMED.keys()]) {
    // Some routes end the session, or delete what a later one needs.
    const olga = await server.signedInUser()
    await createDocuments(olga)
    const { $id } = (await olga.call('GET', '/account/sessions/current')).body
    const key = await olga.call('POST', '/stint/keys', { name: 'Key', access: 'write' })
    const { id } = await callTool(olga, key.body.secret, 'propose_changes', PROPOSAL)
    const refusals = ['general_unauthorized_scope', 'user_blocked', NAMED.get(route)]
    const passkey = (await addPasskey(olga)).id
    for (const { body } of await visit(olga, route, $id, key.body.id, id, passkey)) {
      expect({ route, isRefused: refusals.includes(body.type ?? '') }).toEqual({
        route,
        isRefused: false,
      })
    }
  }
})

test('a blocked user gets user_blocked from every route', async () => {
  const carl = await server.signedInUser('Carl')
  const cookies = [...carl.cookies]
  await carl.call('PATCH', '/account/status', {})
  for (const [name, value] of cookies) carl.cookies.set(name, value)
  for (const route of [...OWN, ...NAMED.keys()]) {
    for (const reply of await visit(carl, route)) {
      expect({ route, status: reply.status, type: reply.body.type }).toEqual({
        route,
        status: 403,
        type: 'user_blocked',
      })
    }
  }
})

test('every route answers Bob about Ann’s things as about missing ones', async () => {
  for (const [route, type] of NAMED) {
    for (const reply of await visit(bob, route)) {
      expect({ route, status: reply.status, type: reply.body.type }).toEqual({
        route,
        status: 404,
        type,
      })
    }
  }
  for (const collection of COLLECTIONS) {
    const { body } = await bob.call('GET', `/databases/stint/collections/${collection}/documents`)
    expect(body).toEqual({ total: 0, documents: [] })
  }
  expect((await ann.call('GET', '/account')).status).toBe(200)
})

test('no reply to Bob contains anything of Ann', async () => {
  for (const route of [...NAMED.keys(), ...OWN].filter((each) => each.startsWith('GET'))) {
    for (const reply of await visit(bob, route)) {
      expect(JSON.stringify(reply.body)).not.toMatch(/canary|ann@example/)
    }
  }
})

/** Creates a document in each collection, all with the id 'anns'. */
async function createDocuments(user: TestUser): Promise<void> {
  const span = { startTime: '2026-01-15T11:00:00Z', endTime: '2026-01-15T11:30:00Z' }
  const data = {
    tasks: { name: 'canary' },
    timer_sessions: { taskId: 'canary' },
    time_entries: { taskId: 'canary', ...span, durationSeconds: 60 },
  }
  for (const collection of COLLECTIONS) {
    const path = `/databases/stint/collections/${collection}/documents`
    const body = { documentId: 'anns', data: { ...data[collection], userId: user.id } }
    const { status } = await user.call('POST', path, body)
    if (status !== 201) throw new Error(`Could not create in ${collection}`)
  }
}

/** Calls the route for Ann's things, once for each collection if it has one. */
async function visit(
  browser: TestBrowser,
  route: string,
  sessionId = annsSession,
  keyId = annsKey,
  proposalId = annsProposal,
  passkeyId = annsPasskey,
) {
  const [method = '', template = ''] = route.split(' ')
  const collections = template.includes(':collectionId') ? COLLECTIONS : [COLLECTIONS[0]]
  const replies = []
  for (const collection of collections) {
    const path = template
      .replace('/v1', '')
      .replace(':databaseId', 'stint')
      .replace(':collectionId', collection)
      .replace(':documentId', 'anns')
      .replace(':sessionId', sessionId)
      .replace(':keyId', keyId)
      .replace(':proposalId', proposalId)
      .replace(':passkeyId', passkeyId)
      .replace(':attribute', NUMBERS[collection])
    const url = 'https://1.1.1.1/'
    const body = { data: { taskId: 'x' }, password: TEST_PASSWORD, url, name: 'x' }
    if (collection === 'tasks') body.data = Object.assign({ name: 'x' })
    replies.push(await browser.call(method, path, method === 'GET' ? undefined : body))
  }
  return replies
}
