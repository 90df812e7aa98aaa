/**
 * Races between two requests on one account, many times over, on both databases; on PostgreSQL
 * through two servers that share one.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { IS_LONG } from '@stint/testing/size.ts'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestBrowser, TestUser } from '@stint/testing/test-app.ts'
import { readConfig } from '#config.ts'
import { callTool, PROPOSAL } from '@stint/testing/mcp.ts'
import { passwordHasher } from './password-hash.ts'
import * as users from './users.ts'

/** Each round begins the second request some turns later. The short run takes every third one. */
const MAX_ROUNDS = 25
const ROUNDS = Array.from({ length: MAX_ROUNDS }, (_, round) => round).filter(
  (round) => IS_LONG || round % 3 === 0,
)
const SIGN_INS = 6
const NEW_PASSWORD = 'another horse 22'
/** Cheap enough for hundreds of hashes, and long enough for another request to run in between. */
const COST = { memoryKibibytes: 1024, passes: 1 }
const OLD_COST = { memoryKibibytes: 512, passes: 1 }
const TASKS = '/databases/stint/collections/tasks/documents'
const PAGE = 'http://localhost:3000/recovery'
const PROXY = readConfig({ TRUST_PROXY: '127.0.0.1', AUTH_PROXY_HEADER: 'Remote-Email' })

let place: TestDatabasePlace
let servers: TestApp[]
let smtp: Awaited<ReturnType<typeof startTestSmtp>>

beforeEach(async () => {
  smtp = await startTestSmtp()
  place = await newTestDatabase()
  const isShared = process.env['TEST_DATABASE'] === 'postgres'
  servers = []
  for (let count = 0; count < (isShared ? 2 : 1); count++) {
    servers.push(
      await createTestApp({
        url: place.url,
        passwordCost: COST,
        config: { smtpUrl: smtp.url, authProxy: PROXY.authProxy, trustProxy: PROXY.trustProxy },
      }),
    )
  }
})
afterEach(async () => {
  for (const server of servers) await server.close()
  await place.remove()
  await smtp.close()
})

test('no sign-in by the old password outlives a change of it', async () => {
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const change = { password: NEW_PASSWORD, oldPassword: TEST_PASSWORD }
    await raceSignIns(ann, round, () => ann.call('PATCH', '/account/password', change))
    expect((await ann.call('GET', '/account')).status).toBe(200)
  }
})

test('no sign-in by the old password outlives a recovery', async () => {
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const mail = smtp.nextMail()
    await browserOf(round).call('POST', '/account/recovery', { email: ann.email, url: PAGE })
    const { userId, secret } = Object.fromEntries(linkIn(await mail).searchParams)
    const body = { userId, secret, password: NEW_PASSWORD }
    await raceSignIns(ann, round, () => browserOf(round).call('PUT', '/account/recovery', body))
    expect((await ann.call('GET', '/account')).status).toBe(401)
  }
})

test('no key and no calendar address of a thief outlives a recovery', async () => {
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const thief = browserOf(round + 1)
    await thief.call('POST', '/account/sessions/email', ann)
    const mail = smtp.nextMail()
    await browserOf(round).call('POST', '/account/recovery', { email: ann.email, url: PAGE })
    const { userId, secret } = Object.fromEntries(linkIn(await mail).searchParams)
    const recovery = { isOver: false }
    const theft = Array.from({ length: 4 }, async () => {
      while (!recovery.isOver) {
        await thief.call('PUT', '/stint/feed')
        const { body } = await thief.call('POST', '/stint/keys', { name: 'x', access: 'read' })
        await thief.call('DELETE', `/stint/keys/${body.id}`)
      }
    })
    const body = { userId, secret, password: NEW_PASSWORD }
    const recovered = await browserOf(round).call('PUT', '/account/recovery', body)
    recovery.isOver = true
    await Promise.all(theft)
    expect(recovered.status).toBe(200)
    const { db } = serverOf(round)
    for (const table of ['keys', 'feeds'] as const) {
      const query = db.build.selectFrom(table).selectAll().where('user_id', '=', ann.id)
      expect(await db.read(query)).toEqual([])
    }
  }
})

test('nothing that somebody does by a link or with a key at that moment outlives a new address', async () => {
  let signedIn = 0
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const { db } = serverOf(round)
    await db.write((tx) => users.change(tx, ann.id, { email_verified: true }, Date.now()))
    const header = { 'remote-email': ann.email }
    const enter = (browser: TestBrowser) => browser.call('POST', '/stint/proxy/session', {}, header)
    const thief = browserOf(round + 1)
    expect((await enter(thief)).body.userId).toBe(ann.id)
    const key = { name: 'x', access: 'write' }
    const { secret } = (await thief.call('POST', '/stint/keys', key)).body

    const change = { isOver: false }
    const whileItGoesOn = async (act: () => Promise<unknown>) => {
      while (!change.isOver) await act()
    }
    const theft = [
      whileItGoesOn(() => thief.call('PUT', '/stint/feed')),
      whileItGoesOn(async () => {
        const { body } = await thief.call('POST', '/stint/keys', key)
        await thief.call('DELETE', `/stint/keys/${body.id}`)
      }),
      // Refused when the key is gone, or when twenty wait.
      whileItGoesOn(() =>
        callTool(browserOf(round + 1), secret, 'propose_changes', PROPOSAL).catch(() => {}),
      ),
      whileItGoesOn(async () => {
        const { body } = await enter(browserOf(round + 1))
        if (body.userId === ann.id) signedIn++
      }),
    ]
    await after(round)
    const email = `new-${ann.email}`
    const changed = await ann.call('PATCH', '/account/email', { email, password: TEST_PASSWORD })
    change.isOver = true
    await Promise.all(theft)
    expect(changed.status).toBe(200)
    for (const table of ['identities', 'keys', 'feeds', 'proposals'] as const) {
      const query = db.build.selectFrom(table).selectAll().where('user_id', '=', ann.id)
      expect({ table, rows: await db.read(query) }).toEqual({ table, rows: [] })
    }
    const { body } = await ann.call('GET', '/account/sessions')
    expect(body.sessions).toMatchObject([{ provider: 'email', current: true }])
  }
  expect(signedIn).toBeGreaterThan(0)
})

test('of two simultaneous changes of the password, one succeeds and the other is refused', async () => {
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const thief = browserOf(round + 1)
    await thief.call('POST', '/account/sessions/email', ann)
    const replies = await Promise.all(
      [ann, thief].map((browser, index) =>
        browser.call('PATCH', '/account/password', {
          password: `${NEW_PASSWORD}${index}`,
          oldPassword: TEST_PASSWORD,
        }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  }
})

test('two simultaneous sign-ins succeed while one rehashes the password, and a change of it ends both', async () => {
  const old = passwordHasher(OLD_COST)
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    await setHash(ann, await old.hash(TEST_PASSWORD))
    const both = await Promise.all(signInsOf(ann, round, 2))
    expect(both.map(({ reply }) => reply.status)).toEqual([201, 201])

    await setHash(ann, await old.hash(TEST_PASSWORD))
    const change = { password: NEW_PASSWORD, oldPassword: TEST_PASSWORD }
    await raceSignIns(ann, round, () => ann.call('PATCH', '/account/password', change))
  }
})

test('no sign-in outlives the deletion of its account', async () => {
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const remove = { email: ann.email, password: TEST_PASSWORD }
    const [removed, ...signedIn] = await Promise.all([
      ann.call('POST', '/stint/account/deletion', remove),
      ...signInsOf(ann, round, SIGN_INS),
    ])
    expect(removed.status).toBe(204)
    for (const { browser, reply } of signedIn) {
      expect([201, 401]).toContain(reply.status)
      expect((await browser.call('GET', '/account')).status).toBe(401)
    }
  }
})

test('requests of an account that is being deleted are refused without a server error', async () => {
  const statuses = new Set<number>()
  for (const round of ROUNDS) {
    const ann = await newUser(round)
    const { db } = serverOf(round)
    const calls: (() => Promise<Reply>)[] = [
      () => ann.call('GET', '/account'),
      () => ann.call('PATCH', '/account/name', { name: 'Anna' }),
      () => ann.call('PATCH', '/account/prefs', { prefs: { theme: 'dark' } }),
      () => ann.call('GET', '/account/sessions'),
      () => ann.call('PATCH', '/account/sessions/current', {}),
      () => ann.call('POST', '/account/verifications/email', { url: PAGE }),
      () => ann.call('POST', '/account/recovery', { email: ann.email, url: PAGE }),
      () =>
        ann.call('PATCH', '/account/email', {
          email: `new-${ann.email}`,
          password: TEST_PASSWORD,
        }),
      () =>
        ann.call('PATCH', '/account/password', {
          password: NEW_PASSWORD,
          oldPassword: TEST_PASSWORD,
        }),
      () => ann.call('POST', TASKS, { documentId: 't1', data: { name: 'x', userId: ann.id } }),
      () => ann.call('PUT', `${TASKS}/t2`, { data: { name: 'x', userId: ann.id } }),
      () => ann.call('DELETE', '/account/sessions/other'),
      () => ann.call('PATCH', '/account/status', {}),
    ]
    const gone = db.write((tx) =>
      tx.run(tx.changeAccounts().deleteFrom('users').where('id', '=', ann.id)),
    )
    const replies = await Promise.all(calls.map((call) => call()))
    await gone
    replies.push(...(await Promise.all(calls.map((call) => call()))))
    for (const { status } of replies) statuses.add(status)
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
  expect(statuses).toContain(401)
})

/**
 * Races sign-ins by the old password against a change that invalidates it. None of them may be left
 * afterwards.
 */
async function raceSignIns(ann: TestUser, round: number, change: () => Promise<Reply>) {
  // One begins some turns before the other, by a different number of turns in every round, so that
  // the change coincides with every step of a sign-in.
  const signIn = () => Promise.all(signInsOf(ann, round, SIGN_INS))
  const turns = Math.floor(round / 2)
  const [changed, signedIn] =
    round % 2 === 0
      ? await Promise.all([change(), after(turns).then(signIn)])
      : await Promise.all([after(turns).then(change), signIn()])
  expect(changed.status).toBe(200)
  for (const { browser, reply } of signedIn) {
    expect([201, 401]).toContain(reply.status)
    expect((await browser.call('GET', '/account')).status).toBe(401)
  }
  const again = (password: string) =>
    browserOf(round).call('POST', '/account/sessions/email', { email: ann.email, password })
  expect((await again(TEST_PASSWORD)).status).toBe(401)
  expect((await again(NEW_PASSWORD)).status).toBe(201)
}

async function after(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
}

function signInsOf(
  ann: TestUser,
  round: number,
  count: number,
): Promise<{ browser: TestBrowser; reply: Reply }>[] {
  return Array.from({ length: count }, async (_, index) => {
    const browser = browserOf(round + index)
    return { browser, reply: await browser.call('POST', '/account/sessions/email', ann) }
  })
}

function setHash(ann: TestUser, password_hash: string) {
  const { db } = serverOf(0)
  return db.write((tx) =>
    tx.run(
      tx.changeAccounts().updateTable('users').set({ password_hash }).where('id', '=', ann.id),
    ),
  )
}

function newUser(round: number): Promise<TestUser> {
  return serverOf(round).signedInUser(`Ann ${round}`)
}

function browserOf(index: number): TestBrowser {
  return serverOf(index).newBrowser()
}

function serverOf(index: number): TestApp {
  const server = servers[index % servers.length]
  if (server === undefined) throw new Error('No server')
  return server
}
