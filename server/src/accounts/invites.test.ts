/** Invitations, on both databases; on PostgreSQL through two servers that share one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runAdmin } from '../admin.ts'
import { readConfig } from '#config.ts'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

const DAY = 86_400_000
const ROUNDS = 10

let place: TestDatabasePlace
let first: TestApp
const servers: TestApp[] = []

beforeAll(async () => {
  place = await newTestDatabase()
  for (let count = 0; count < (process.env['TEST_DATABASE'] === 'postgres' ? 2 : 1); count++) {
    servers.push(
      await createTestApp({
        url: place.url,
        now: Date.now(),
        config: { signup: 'invite' },
      }),
    )
  }
  first = serverOf(0)
})
beforeEach(async () => {
  for (const { clock } of servers) clock.set(Date.now())
  await first.db.write(async (tx) => {
    await tx.run(tx.build.deleteFrom('invites'))
    await tx.run(tx.changeAccounts().deleteFrom('users'))
  })
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await place.remove()
})

test('an invitation creates one account, and the database has only a hash of it', async () => {
  const link = await admin('invite')
  expect(link).toMatch(/^http:\/\/localhost:3000\/signup\?invite=[\w-]{43}$/)
  const secret = secretIn(link)
  const stored = await first.db.read(first.db.build.selectFrom('invites').selectAll())
  expect(JSON.stringify(stored)).not.toContain(secret)

  expect((await signUp('ann', secret)).status).toBe(201)
  expect((await signUp('bob', secret)).body).toMatchObject({
    code: 403,
    type: 'stint_invite_invalid',
    message: 'This invitation is wrong, was used or has expired.',
  })
  expect(await admin('list-invites')).toBe('There are no open invitations.')
})

test('without an invitation the reply says what is needed', async () => {
  expect((await signUp('ann')).body).toMatchObject({
    code: 403,
    type: 'stint_invite_invalid',
    message: 'Sign-up on this server needs an invitation. Ask its operator for a link.',
  })
  expect((await signUp('ann', 'x'.repeat(43))).body.type).toBe('stint_invite_invalid')
})

test('an invitation for an address creates an account with this address alone', async () => {
  const secret = secretIn(await admin('invite', ' Ann@Example.com'))
  expect((await signUp('bob', secret)).body).toMatchObject({
    type: 'stint_invite_invalid',
    message: 'This invitation is for another e-mail address.',
  })
  expect((await signUp('ann', secret)).status).toBe(201)
})

test('an invitation is valid for a week, or as long as the operator says', async () => {
  const [week, month] = [
    secretIn(await admin('invite')),
    secretIn(await admin('invite', '--days=30')),
  ]
  for (const { clock } of servers) clock.advance(7 * DAY + 60_000)
  expect((await signUp('ann', week)).body.type).toBe('stint_invite_invalid')
  expect((await signUp('ann', month)).status).toBe(201)
})

test('a sign-up that fails leaves the invitation as it was', async () => {
  const [first, second] = [secretIn(await admin('invite')), secretIn(await admin('invite'))]
  expect((await signUp('ann', first)).status).toBe(201)
  expect((await signUp('ann', second)).body.type).toBe('user_already_exists')
  expect((await signUp('bob', second, 'password')).body.type).toBe('general_argument_invalid')
  expect((await signUp('bob', second)).status).toBe(201)
})

test('the operator lists and revokes invitations', async () => {
  const secret = secretIn(await admin('invite', 'ann@example.com'))
  await admin('invite')
  const [anns = '', anybodys = ''] = (await admin('list-invites')).split('\n')
  expect(anns).toMatch(/^\w+\tann@example\.com\tuntil \d{4}-\d\d-\d\d$/)
  expect(anybodys).toMatch(/^\w+\tanybody with the link\tuntil /)
  const [id = ''] = anns.split('\t')
  expect(await admin('revoke-invite', id)).toBe(`The invitation ${id} can no longer be used.`)
  expect((await signUp('ann', secret)).body.type).toBe('stint_invite_invalid')
  await expect(admin('revoke-invite', id)).rejects.toThrow(`There is no invitation ${id}.`)
  expect(await admin('list-invites')).toBe(anybodys)
})

test.each([
  [['invite', 'ann'], '"ann" is not an e-mail address.'],
  [['invite', '--days=0'], '"--days=0" is not a number of days'],
  [['invite', '--days=366'], '"--days=366" is not a number of days'],
  [['invite', '--weeks=2'], '"--weeks=2" is not a number of days'],
  [['revoke-invite'], 'The command needs <id>.'],
])('the command %j is refused', async (args, message) => {
  await expect(admin(...args)).rejects.toThrow(message)
})

test('the command says when the server does not ask for invitations', async () => {
  const config = readConfig({ DATABASE_URL: place.url, SIGNUP: 'closed' })
  expect(await runAdmin(config, ['invite'])).toMatch(/^http.+\nSIGNUP is "closed", so nobody/)
})

test('two people with one invitation get one account', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const secret = secretIn(await admin('invite'))
    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        signUp(`u${round}.${index}`, secret, TEST_PASSWORD, index),
      ),
    )
    const isIn = replies.map(({ status }) => status === 201)
    expect(isIn.filter(Boolean)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.type === 'stint_invite_invalid')).toHaveLength(3)
  }
  expect((await admin('list-users')).split('\n')).toHaveLength(ROUNDS)
})

test('with closed sign-up an invitation is no use, and with open sign-up none is used up', async () => {
  const secret = secretIn(await admin('invite'))
  const { db } = first
  for (const [signup, status] of [
    ['closed', 501],
    ['open', 201],
  ] as const) {
    const own = await createTestApp({ db, now: Date.now(), config: { signup } })
    const account = { userId: 'unique()', email: 'ann@example.com', password: TEST_PASSWORD }
    const reply = await own
      .newBrowser()
      .call('POST', '/account', account, { 'x-stint-invite': secret })
    expect(reply.status).toBe(status)
    await own.close()
  }
  expect((await signUp('bob', secret)).status).toBe(201)
})

test('a person of the proxy comes in by an invitation for their address, or by a link', async () => {
  const { db } = first
  const { authProxy, trustProxy } = readConfig({
    TRUST_PROXY: '127.0.0.1',
    AUTH_PROXY_HEADER: 'Remote-Email',
  })
  const own = await createTestApp({
    db,
    now: Date.now(),
    config: { signup: 'invite', authProxy, trustProxy },
  })
  const enter = (name: string, invite?: string) =>
    own
      .newBrowser()
      .call('POST', '/stint/proxy/session', { invite }, { 'remote-email': `${name}@example.com` })
  expect((await enter('ann')).body.type).toBe('stint_invite_invalid')
  await admin('invite', 'ann@example.com')
  expect((await enter('ann')).status).toBe(201)
  expect((await enter('ann')).status).toBe(201)
  const secret = secretIn(await admin('invite'))
  expect((await enter('bob', secret)).status).toBe(201)
  expect((await enter('cleo', secret)).body.type).toBe('stint_invite_invalid')
  await own.close()
})

function admin(...args: string[]): Promise<string> {
  return runAdmin(readConfig({ DATABASE_URL: place.url, SIGNUP: 'invite' }), args)
}

function secretIn(link: string): string {
  return new URL(link).searchParams.get('invite') ?? ''
}

function signUp(name: string, invite?: string, password = TEST_PASSWORD, index = 0) {
  const account = { userId: 'unique()', email: `${name}@example.com`, password, name }
  const headers = invite === undefined ? {} : { 'x-stint-invite': invite }
  return serverOf(index).newBrowser().call('POST', '/account', account, headers)
}

function serverOf(index: number): TestApp {
  const server = servers[index % servers.length]
  if (server === undefined) throw new Error('There is no server')
  return server
}
