/** A browser behind a proxy that signs people in, and one that comes back from a provider. */
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import { rightClock } from '#test/right-clock.ts'

import { DeviceDb } from './device-db.ts'
import { keepInvite, keptInvite } from './invite.ts'
import { queueLocks } from './locks.ts'
import { createSession } from './session.ts'
import type { Session } from './session.ts'

let server: TestApp
let sessions: Session[]
/** Whom the proxy has signed in; null: nobody. */
let person: string | null
let refusesCookies: boolean
/** The requests, without those for documents. */
let asked: string[]

beforeEach(async () => {
  server = await createTestApp({
    config: {
      trustProxy: '127.0.0.1',
      authProxy: { emailHeader: 'remote-email', nameHeader: null, signOutUrl: null },
      oidc: { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'x', name: 'Home' },
    },
  })
  sessions = []
  person = 'ann@example.com'
  asked = []
  refusesCookies = false
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    if (person !== null) request.headers.set('remote-email', person)
    const { pathname } = new URL(request.url)
    if (pathname === '/v1/stint/oidc') {
      return Response.json({ url: 'https://auth.example.com/' }, { status: 201 })
    }
    if (refusesCookies) server.browser.cookies.clear()
    const reply = await server.fetch(request)
    if (/account$|session/.test(pathname) && !pathname.includes('documents')) {
      asked.push(`${request.method} ${pathname.slice('/v1'.length)} ${reply.status}`)
    }
    return reply
  })
})

afterEach(async () => {
  for (const each of sessions) await each.resetStorage()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  await server.close()
})

test('Behind a proxy the app signs in without a form, and remembers the person', async () => {
  const session = await open()
  expect(signedIn(session)).toBe('ann@example.com')
  expect(asked).toEqual(['GET /account 401', 'POST /stint/proxy/session 201', 'GET /account 200'])
  expect(await remembers()).toBe(true)
})

test('Another person of the proxy is signed in, once, in the place of the one before', async () => {
  ;(await open()).close()
  person = 'bob@example.com'
  const session = await open()
  await vi.waitFor(() => expect(signedIn(session)).toBe('bob@example.com'))
  expect(asked.filter((each) => each.includes('proxy'))).toHaveLength(2)
})

test('After a sign-out nobody is signed in until the app is asked to', async () => {
  const session = await open()
  await session.signOut()
  expect(session.state.get()).toEqual({ status: 'signed-out' })
  await session.signInByProxy()
  expect(signedIn(session)).toBe('ann@example.com')
})

test('A person whom the server refuses learns why', async () => {
  person = 'ann'
  const session = await open()
  expect(session.state.get()).toEqual({ status: 'signed-out', refused: 'stint_person_refused' })
})

test('A browser that refuses cookies asks the proxy once, not again and again', async () => {
  refusesCookies = true
  const session = await open()
  expect(session.state.get().status).toBe('signed-out')
  expect(asked).toEqual(['GET /account 401', 'POST /stint/proxy/session 201', 'GET /account 401'])
})

test('Without a proxy nothing is asked of it', async () => {
  const session = await open(false)
  expect(session.state.get()).toEqual({ status: 'signed-out' })
  expect(asked).toEqual(['GET /account 401'])
})

test.each([true, false])(
  'After the provider’s page, Remember me is still %s',
  async (rememberMe) => {
    const before = await open(false)
    expect(await before.beginProviderSignIn(rememberMe)).toBe('https://auth.example.com/')
    before.close()
    // The provider's page leads back with a session.
    await server.browser.call(
      'POST',
      '/stint/proxy/session',
      {},
      { 'remote-email': 'ann@example.com' },
    )
    keepInvite('an invitation')
    const session = await open(false)
    expect(signedIn(session)).toBe('ann@example.com')
    expect(await remembers()).toBe(rememberMe)
    expect(keptInvite()).toBeNull()
  },
)

async function open(isBehindProxy = true): Promise<Session> {
  const backend = createAppwriteBackend({
    endpoint: `${location.origin}/v1`,
    projectId: 'stint',
    databaseId: 'stint',
    ownServer: true,
  })
  const session = createSession({
    backend: { ...backend, subscribe: () => ({ close: () => undefined }) },
    clock: rightClock(server.clock.now),
    withLock: queueLocks(),
    device: 'test',
    isBehindProxy,
  })
  sessions.push(session)
  await session.start(true)
  return session
}

function signedIn(session: Session): string | null {
  const state = session.state.get()
  return state.status === 'signed-in' ? state.user.email : null
}

async function remembers(): Promise<boolean | undefined> {
  const device = new DeviceDb()
  const identity = await device.identity()
  device.close()
  return identity?.remember
}
