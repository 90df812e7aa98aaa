import { beforeEach, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Reply } from '@stint/testing/test-app.ts'

const MINUTE = 60_000
const lines: string[] = []
const server = serverForFile({
  logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
})
beforeEach(() => void (lines.length = 0))
const ann = userForEach(server)

test('the secret of a key is in the answer that creates it, and nowhere else', async () => {
  const created = await newKey({ name: 'Shell', access: 'write' })
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'Shell',
      access: 'write',
      notBefore: null,
      createdAt: '2026-01-15T12:00:00.000Z',
      lastUsedAt: null,
      secret: expect.stringMatching(/^stint_[\w-]{43}$/),
    },
  })
  const { secret, ...key } = created.body
  const list = await ann.call('GET', '/stint/keys')
  expect(list.body).toEqual({ keys: [key] })
  expect((await use(secret)).body).toMatchObject({ id: key.id })
  const rows = await server.db.read(server.db.build.selectFrom('keys').selectAll())
  expect(JSON.stringify([rows, lines])).not.toContain(secret.slice('stint_'.length))
})

test('a revoked key is refused at once, and other keys stay', async () => {
  const { secret, id } = (await newKey()).body
  const other = (await newKey({ name: 'Other', access: 'read' })).body
  expect((await use(secret)).status).toBe(200)
  expect((await ann.call('DELETE', `/stint/keys/${id}`)).status).toBe(204)
  expect(await use(secret)).toMatchObject({ status: 401, body: { type: 'stint_key_invalid' } })
  expect((await use(other.secret)).status).toBe(200)
  expect((await ann.call('DELETE', `/stint/keys/${id}`)).body.type).toBe('stint_key_not_found')
})

test('a key is refused until its first instant', async () => {
  const notBefore = '2026-01-15T14:00:00+01:00'
  const { secret, ...key } = (await newKey({ name: 'Later', access: 'read', notBefore })).body
  expect(key.notBefore).toBe('2026-01-15T13:00:00.000Z')
  expect((await use(secret)).body).toMatchObject({
    type: 'stint_key_invalid',
    message: 'The key is not valid before 2026-01-15T13:00:00.000Z.',
  })
  server.clock.advance(60 * MINUTE)
  expect((await use(secret)).status).toBe(200)
})

test('the last use of a key is stored to the minute', async () => {
  const { secret } = (await newKey()).body
  await use(secret)
  expect(await lastUse()).toBe('2026-01-15T12:00:00.000Z')
  server.clock.advance(59_999)
  await use(secret)
  expect(await lastUse()).toBe('2026-01-15T12:00:00.000Z')
  server.clock.advance(1)
  await use(secret)
  expect(await lastUse()).toBe('2026-01-15T12:01:00.000Z')
})

test('a person has twenty keys at most, also when two are created at once', async () => {
  for (let count = 0; count < 19; count++) expect((await newKey()).status).toBe(201)
  const both = await Promise.all([newKey(), newKey()])
  expect(both.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '403'])
  const refused = await newKey()
  expect(refused.body).toMatchObject({
    type: 'stint_quota_exceeded',
    message: 'An account can have 20 keys. Revoke one first.',
  })
  const { keys } = (await ann.call('GET', '/stint/keys')).body
  expect(keys).toHaveLength(20)
  await ann.call('DELETE', `/stint/keys/${keys[0].id}`)
  expect((await newKey()).status).toBe(201)
})

test.each([
  [{ access: 'read' }, 'Param "name" is not optional.'],
  [{ name: 'x', access: 'admin' }, 'Value must be one of (read, write).'],
  [{ name: '', access: 'read' }, 'at least 1 chars'],
  [{ name: 'x', access: 'read', notBefore: 'tomorrow' }, 'Value must be a date and time'],
])('a key is not created from %j', async (body, message) => {
  const refused = await ann.call('POST', '/stint/keys', body)
  expect(refused).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } })
  expect(refused.body.message).toContain(message)
  expect((await ann.call('GET', '/stint/keys')).body).toEqual({ keys: [] })
})

test('a new password keeps the keys', async () => {
  const { secret } = (await newKey()).body
  const change = { oldPassword: TEST_PASSWORD, password: 'another horse 22' }
  expect((await ann.call('PATCH', '/account/password', change)).status).toBe(200)
  expect((await use(secret)).status).toBe(200)
})

test('the deletion of an account deletes its keys', async () => {
  const { secret } = (await newKey()).body
  const credentials = { email: ann.email, password: TEST_PASSWORD }
  expect((await ann.call('POST', '/stint/account/deletion', credentials)).status).toBe(204)
  expect((await use(secret)).body.type).toBe('stint_key_invalid')
  const keys = server.db.build.selectFrom('keys').selectAll().where('user_id', '=', ann.id)
  expect(await server.db.read(keys)).toEqual([])
})

test('keys are logged by their id when they are created, refused and revoked', async () => {
  const { secret, id } = (await newKey({ name: 'Secret name', access: 'read' })).body
  await use('stint_wrong')
  await ann.call('DELETE', `/stint/keys/${id}`)
  await use(secret)
  const events = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg, event }) => msg === 'security' && event.startsWith('key-'))
    .map(({ event, accountId, key, reason }) => [event, accountId, key ?? reason])
  expect(events).toEqual([
    ['key-created', ann.id, id],
    ['key-refused', null, 'stint_key_invalid'],
    ['key-revoked', ann.id, id],
    ['key-refused', null, 'stint_key_invalid'],
  ])
  expect(lines.join('')).not.toContain('Secret name')
})

test('an address that tries wrong keys is refused, and a right key from there is not', async () => {
  const strict = await createTestApp({ config: { rateLimits: true } })
  const program = await strict.program(await strict.signedInUser())
  for (let count = 0; count < 100; count++) {
    expect((await use(`stint_wrong${count}`, strict)).status).toBe(401)
  }
  expect(await use('stint_wrong', strict)).toMatchObject({
    status: 429,
    body: { type: 'general_rate_limit_exceeded' },
  })
  expect((await program('GET', '/keys/current')).status).toBe(200)
  await strict.close()
})

async function lastUse(): Promise<string | null> {
  return (await ann.call('GET', '/stint/keys')).body.keys[0].lastUsedAt
}

function newKey(key: object = { name: 'Key', access: 'write' }): Promise<Reply> {
  return ann.call('POST', '/stint/keys', key)
}

/** Calls the simplest route that takes a key. */
function use(secret: string, at = server): Promise<Reply> {
  const headers = { authorization: `Bearer ${secret}` }
  return at.newBrowser().call('GET', '/stint/keys/current', undefined, headers)
}
