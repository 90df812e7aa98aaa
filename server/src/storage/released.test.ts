/** Opens databases that released versions have written with the current server. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLLECTION_IDS, COLLECTIONS } from '@stint/core/collections.ts'
import SqliteConnection from 'better-sqlite3'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isPlainObject } from '#json.ts'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import type { TestSmtp } from '@stint/testing/smtp.ts'
import { callEveryRoute } from '@stint/testing/api-calls.ts'
import { callTool, PROPOSAL } from '@stint/testing/mcp.ts'
import { callEveryPasskeyRoute } from '@stint/testing/passkeys.ts'
import { subscriptionAt } from '@stint/testing/push-service.ts'
import { codeOf, turnOn } from '@stint/testing/second-factor.ts'
import { createTestApp, programOf, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestBrowser } from '@stint/testing/test-app.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'
import { newTestPlace, PATIENT } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'

const FOLDER = join(import.meta.dirname, 'released')
const DIALECT = process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite'
const RELEASED = readdirSync(FOLDER).filter((name) => name.endsWith(`.${DIALECT}.sql`))

/** An hour after the last write of the stored databases. */
const LATER = Date.UTC(2026, 0, 15, 14)
const DOCUMENTS = '/databases/stint/collections'
const PAGE = 'http://localhost:3000/recovery'
const TIMES = { startTime: '2026-01-15T10:00:00.000Z', endTime: '2026-01-15T11:00:00.000Z' }

test('the stored databases include the first released schema and the one with logs', () => {
  const names = [`schema-3.${DIALECT}.sql`, `schema-12.${DIALECT}.sql`]
  expect(RELEASED).toEqual(expect.arrayContaining(names))
})

describe.each(RELEASED)('%s', (name) => {
  let place: TestDatabasePlace
  let db: Database
  let smtp: TestSmtp
  let server: TestApp
  let ann: TestBrowser

  beforeEach(async () => {
    place = await newTestPlace()
    await restore(place.url, readFileSync(join(FOLDER, name), 'utf8'))
    db = await openDatabase(place.url, PATIENT)
    smtp = await startTestSmtp()
    server = await createTestApp({
      db,
      now: LATER,
      config: {
        smtpUrl: smtp.url,
        webhooksAllowPrivate: true,
        trustProxy: '127.0.0.1',
        authProxy: { emailHeader: 'remote-email', nameHeader: null, signOutUrl: null },
      },
    })
    ann = server.newBrowser()
  })
  afterEach(async () => {
    await server.close()
    await db.close()
    await place.remove()
    await smtp.close()
  })

  test('every document of an earlier release is readable, with all current attributes', async () => {
    await signIn()
    const counts: Record<string, number> = {}
    for (const collection of COLLECTION_IDS) {
      const { body } = await ann.call('GET', `${DOCUMENTS}/${collection}/documents`)
      counts[collection] = body.total
      for (const document of body.documents) {
        expect(Object.keys(document)).toEqual(
          expect.arrayContaining([...Object.keys(COLLECTIONS[collection]), '$id', '$sequence']),
        )
      }
    }
    const logged = name.startsWith('schema-3.') ? 0 : 1
    expect(counts).toEqual({ tasks: 3, timer_sessions: 1, time_entries: 4 + logged })
    const paused = await ann.call('GET', `${DOCUMENTS}/time_entries/documents/paused`)
    expect(paused.body).toMatchObject({
      durationSeconds: 4800,
      note: 'line one\nline two, "quoted"; \\ 世界',
      pauses: '[["2026-01-14T08:10:00.000Z","2026-01-14T08:20:00.000Z"]]',
      $createdAt: '2026-01-15T13:00:00.000+00:00',
    })
    expect((await ann.call('GET', '/account/prefs')).body).toMatchObject({ theme: 'dark' })
  })

  test('every route that writes works on the database of an earlier release', async () => {
    const used = new Set<string>()
    await signIn()
    const ownId = String((await ann.call('GET', '/account')).body.$id)
    const task = `${DOCUMENTS}/tasks/documents`
    const entries = `${DOCUMENTS}/time_entries/documents`
    const collection = '/databases/:databaseId/collections/:collectionId/documents'
    const document = `${collection}/:documentId`
    const entry = { taskId: 'report', userId: ownId, ...TIMES, durationSeconds: 3600 }
    const newDocument = { documentId: 'new', data: { name: 'New', userId: ownId } }
    await write(201, 'POST', task, newDocument, collection)
    for (const [id, change] of Object.entries({
      report: { name: 'Renamed' },
      new: { goalHours: 1 },
    })) {
      await write(200, 'PATCH', `${task}/${id}`, { data: change }, document)
    }
    await write(200, 'PUT', `${entries}/plain`, { data: entry }, document)
    await write(
      200,
      'PATCH',
      `${DOCUMENTS}/timer_sessions/documents/running`,
      {
        data: { isRunning: false, endTime: '2026-01-15T13:30:00.000Z' },
      },
      document,
    )
    for (const step of ['increment', 'decrement']) {
      const path = `/totalTime/${step}`
      await write(
        200,
        'PATCH',
        `${task}/hiring${path}`,
        { value: 5 },
        `${document}/:attribute/${step}`,
      )
    }
    const many = [
      { documentId: 'paused', data: { note: 'changed' } },
      { documentId: 'many', data: entry, isNew: true },
    ]
    await write(
      200,
      'PUT',
      '/stint/collections/time_entries/documents',
      { documents: many },
      '/stint/collections/:collectionId/documents',
    )
    await write(204, 'DELETE', `${DOCUMENTS}/timer_sessions/documents/running`, {}, document)

    const key = await write(201, 'POST', '/stint/keys', { name: 'Shell', access: 'write' })
    for (const route of await callEveryRoute(programOf(server.newBrowser(), key.body.secret)))
      used.add(route)
    const webhook = `/stint/keys/${key.body.id}/webhook`
    await write(200, 'PUT', webhook, { url: 'https://127.0.0.1/' }, '/stint/keys/:keyId/webhook')
    await write(204, 'POST', `${webhook}/test`, {}, '/stint/keys/:keyId/webhook/test')
    await write(204, 'DELETE', webhook, {}, '/stint/keys/:keyId/webhook')
    const device = { ...subscriptionAt('https://127.0.0.1/'), withNames: true }
    await write(204, 'PUT', '/stint/push', device)
    const press = { id: 'some-press', session: 'running', press: 'stop', age: 0 }
    await write(200, 'POST', '/stint/push/presses', press)
    await write(204, 'DELETE', '/stint/push/current', {}, '/stint/push/:sessionId')
    await callTool(server.newBrowser(), key.body.secret, 'propose_changes', PROPOSAL)
    const [proposal] = (await ann.call('GET', '/stint/proposals')).body.proposals
    const ofProposal = '/stint/proposals/:proposalId'
    await write(204, 'DELETE', `/stint/proposals/${proposal.id}`, {}, ofProposal)
    await write(204, 'DELETE', `/stint/keys/${key.body.id}`, {}, '/stint/keys/:keyId')
    for (const route of await callEveryPasskeyRoute(server, ann)) used.add(route)
    const { secret } = await turnOn(ann, LATER)
    used.add('POST /v1/stint/second-factor').add('POST /v1/stint/second-factor/confirmation')
    const next = { code: codeOf(secret, LATER + 30_000) }
    await write(204, 'POST', '/stint/second-factor/removal', next)
    await write(200, 'PUT', '/stint/feed', {})
    await write(204, 'DELETE', '/stint/feed', {})

    await write(200, 'PATCH', '/account/name', { name: 'Ann B' })
    await write(200, 'PATCH', '/account/prefs', { prefs: { theme: 'light' } })
    await write(200, 'PATCH', '/account/email', {
      email: 'ann.b@example.com',
      password: TEST_PASSWORD,
    })
    await write(200, 'PATCH', '/account/sessions/current', {}, '/account/sessions/:sessionId')
    for (const path of ['/account/verifications/email', '/account/verification']) {
      const mail = smtp.nextMail()
      await write(201, 'POST', path, { url: PAGE })
      const { searchParams } = linkIn(await mail)
      await write(200, 'PUT', path, proofIn(searchParams))
      await write(200, 'PATCH', '/account/email', {
        email: `ann.${path.length}@example.com`,
        password: TEST_PASSWORD,
      })
    }
    await write(200, 'PATCH', '/account/password', {
      password: 'another horse 22',
      oldPassword: TEST_PASSWORD,
    })
    const mail = smtp.nextMail()
    await write(201, 'POST', '/account/recovery', { email: 'ann.21@example.com', url: PAGE })
    await write(200, 'PUT', '/account/recovery', {
      ...proofIn(linkIn(await mail).searchParams),
      password: 'third horse 333',
    })
    const credentials = { email: 'ann.21@example.com', password: 'third horse 333' }
    await write(201, 'POST', '/account/sessions', credentials)
    await write(204, 'DELETE', '/account/sessions/current', {}, '/account/sessions/:sessionId')
    await write(201, 'POST', '/account/sessions/email', credentials)
    await write(204, 'DELETE', '/account/sessions', {})
    await write(201, 'POST', '/account/sessions/email', credentials)
    await write(204, 'POST', '/stint/account/deletion', credentials)

    const other = { email: 'new@example.com', password: TEST_PASSWORD }
    await write(201, 'POST', '/account', { userId: 'unique()', name: 'New', ...other })
    await write(201, 'POST', '/account/sessions/email', other)
    await write(200, 'PATCH', '/account/status', {})
    const byProxy = { headers: { 'remote-email': 'ann@example.net' } }
    await write(201, 'POST', '/stint/proxy/session', {}, undefined, byProxy)
    // It writes nothing; the sign-in that it begins writes what the one by a proxy does.
    used.add('POST /v1/stint/oidc')
    // It writes nothing either.
    used.add('POST /v1/stint/calendars/read')
    const writing = server.app.routeTable
      .map(({ name }) => name)
      .filter((route) => !/^(GET|OPTIONS) /.test(route))
    expect([...used].filter((route) => !route.startsWith('GET ')).toSorted()).toEqual(
      [...writing].toSorted(),
    )

    async function write(
      status: number,
      method: string,
      path: string,
      body: unknown,
      route: string = path,
      { headers = {} }: { headers?: Record<string, string> } = {},
    ): Promise<Reply> {
      const reply = await ann.call(method, path, body, headers)
      expect({ path, status: reply.status, ...onError(reply) }).toEqual({ path, status })
      used.add(`${method} /v1${route}`)
      return reply
    }
  })

  async function signIn(): Promise<void> {
    const credentials = { email: 'ann@example.com', password: TEST_PASSWORD }
    expect((await ann.call('POST', '/account/sessions/email', credentials)).status).toBe(201)
  }
})

function proofIn(parameters: URLSearchParams) {
  return { userId: parameters.get('userId'), secret: parameters.get('secret') }
}

/** Returns the relevant part of an unexpected reply. */
function onError({ status, body }: Reply): object {
  return status >= 400 && isPlainObject(body) ? body : {}
}

/** Runs a stored database's statements on an empty one. */
async function restore(url: string, statements: string): Promise<void> {
  if (DIALECT === 'sqlite') {
    const connection = new SqliteConnection(url.slice('file:'.length))
    connection.exec(statements)
    connection.close()
    return
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
