/** Checks for every route what each kind of key may do there. */
import { beforeAll, expect, test } from 'vitest'
import type { ApiRoute } from '#http/route-table.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import type { Reply, TestUser } from '@stint/testing/test-app.ts'

const server = serverForFile()
let ann: TestUser
let routes: readonly ApiRoute[]
const keys = { read: '', write: '', revoked: '', early: '', blocked: '', wrong: 'stint_wrong' }

beforeAll(async () => {
  routes = server.app.routeTable
  ann = await server.signedInUser('Ann')
  const carl = await server.signedInUser('Carl')
  const notBefore = '2027-01-01T00:00:00Z'
  keys.read = (await newKey(ann, { access: 'read' })).body.secret
  keys.write = (await newKey(ann, { access: 'write' })).body.secret
  keys.early = (await newKey(ann, { access: 'write', notBefore })).body.secret
  const revoked = (await newKey(ann, { access: 'write' })).body
  keys.revoked = revoked.secret
  await ann.call('DELETE', `/stint/keys/${revoked.id}`)
  keys.blocked = (await newKey(carl, { access: 'write' })).body.secret
  await carl.call('PATCH', '/account/status', {})
})

test('a route that changes something asks for a key that may write', () => {
  const keyed = routes.filter(({ access }) => access === 'read' || access === 'write')
  expect(keyed.length).toBeGreaterThan(0)
  for (const { name, method, access } of keyed) {
    expect({ name, access }).toEqual({ name, access: method === 'GET' ? 'read' : 'write' })
  }
})

test.each([
  ['no key', undefined, 401, 'stint_key_invalid'],
  ['a wrong key', 'wrong', 401, 'stint_key_invalid'],
  ['a revoked key', 'revoked', 401, 'stint_key_invalid'],
  ['a key that is not valid yet', 'early', 401, 'stint_key_invalid'],
  ['the key of a blocked person', 'blocked', 403, 'user_blocked'],
] as const)('every route for keys refuses %s', async (_, key, status, type) => {
  for (const route of routes.filter(({ access }) => access === 'read' || access === 'write')) {
    // The cookie of a signed-in person counts for nothing.
    expect(await outcome(route, key)).toEqual({ route: route.name, status, type })
  }
})

test('a key that may only read is refused by every route that writes', async () => {
  for (const route of routes.filter(({ access }) => access === 'write')) {
    expect(await outcome(route, 'read')).toEqual({
      route: route.name,
      status: 403,
      type: 'stint_key_forbidden',
    })
  }
})

test('every route for keys takes a key that may do what it does', async () => {
  for (const route of routes) {
    if (route.access !== 'read' && route.access !== 'write') continue
    for (const key of route.access === 'read'
      ? (['read', 'write'] as const)
      : (['write'] as const)) {
      const { status, type } = await outcome(route, key)
      const isRefused = status === 401 || status === 403 || String(type).startsWith('stint_key')
      expect({ route: route.name, key, isRefused }).toEqual({
        route: route.name,
        key,
        isRefused: false,
      })
    }
  }
})

test('every route of accounts, keys and documents refuses a key, with and without a cookie', async () => {
  const others = routes.filter(({ url, access }) => {
    return access === 'users' || url.startsWith('/v1/account')
  })
  expect(others.length).toBeGreaterThan(30)
  for (const route of others) {
    for (const browser of [ann, server.newBrowser()]) {
      expect(await outcome(route, 'write', browser)).toEqual({
        route: route.name,
        status: 403,
        type: 'stint_key_forbidden',
      })
    }
  }
  expect((await ann.call('GET', '/account')).status).toBe(200)
})

test('the token of a proxy does not sign anybody out', async () => {
  const headers = { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }
  expect((await ann.call('GET', '/account', undefined, headers)).status).toBe(200)
})

async function outcome(
  { name, method, url }: ApiRoute,
  key: keyof typeof keys | undefined,
  browser: Pick<TestUser, 'call'> = ann,
) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${keys[key]}` }
  const path = url.replace('/v1', '').replaceAll(/:\w+/g, 'x')
  const body = method === 'GET' ? undefined : {}
  const reply = await browser.call(method, path, body, headers)
  const { type } = reply.body
  return { route: name, status: reply.status, type }
}

function newKey(user: TestUser, key: object): Promise<Reply> {
  return user.call('POST', '/stint/keys', { name: 'Key', ...key })
}
