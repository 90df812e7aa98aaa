/** Signing out and in against the real server in memory: the one must be over before the other. */
import { createTestApp, TEST_PASSWORD } from '@stint/server/test-app.ts'
import type { Intercept, TestApp } from '@stint/server/test-app.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import { offline } from '#test/devices.ts'

import { queueLocks } from './locks.ts'
import { createSession } from './session.ts'
import type { Session } from './session.ts'

const PASSWORD = TEST_PASSWORD
const ADA = 'ada@example.org'
const BEA = 'bea@example.org'

let server: TestApp
let session: Session
let onRequest: Intercept | undefined
/** Sign-ins and sign-outs as they arrive, and how they are answered. */
let asked: string[]

beforeEach(async () => {
  server = await createTestApp()
  asked = []
  onRequest = undefined
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const reply = await (onRequest ?? ((_, send) => send()))(request, () =>
      server.browser.fetch(input, init),
    )
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/v1/account/sessions')) {
      asked.push(`${request.method} ${pathname.slice('/v1'.length)} ${reply.status}`)
    }
    return reply
  })
  session = await openSession()
  await session.signUp({ name: 'Ada', email: ADA, password: PASSWORD })
  asked = []
})

afterEach(async () => {
  await session.resetStorage()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  await server.close()
})

async function openSession(): Promise<Session> {
  const backend = createAppwriteBackend({
    endpoint: `${location.origin}/v1`,
    projectId: 'stint',
    databaseId: 'stint',
    ownServer: true,
  })
  const opened = createSession({
    // No socket reaches a server in memory; its part has tests of its own.
    backend: { ...backend, subscribe: () => ({ close: () => undefined }) },
    clock: { now: server.clock.now, learn: () => undefined, onLeap: () => () => undefined },
    withLock: queueLocks(),
    device: 'test',
  })
  await opened.start(true)
  return opened
}

function signedInAs(): string | null {
  const state = session.state()
  return state.status === 'signed-in' ? state.user.email : null
}

const signedOut = () =>
  vi.waitFor(() => expect(session.state().status).toBe('signed-out'), { interval: 1 })

const signIn = (email: string) => session.signIn({ email, password: PASSWORD, rememberMe: true })

/** Whom the server takes this browser for. */
async function known(): Promise<string | null> {
  const { status, body } = await server.browser.call('GET', '/account')
  return status === 200 ? body.email : null
}

describe('signing in after signing out', () => {
  it('waits until the sign-out is over, however fast the form was filled in', async () => {
    const leaving = session.signOut()
    await signedOut()
    await signIn(ADA)
    await leaving

    expect(asked).toEqual(['DELETE /account/sessions 204', 'POST /account/sessions/email 201'])
    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })

  it('lets a new account wait as well', async () => {
    const leaving = session.signOut()
    await signedOut()
    await session.signUp({ name: 'Bea', email: BEA, password: PASSWORD })
    await leaving

    expect(signedInAs()).toBe(BEA)
    expect(await known()).toBe(BEA)
  })

  it('first ends the sessions that could not be ended without a network', async () => {
    const elsewhere = server.newBrowser()
    await elsewhere.call('POST', '/account/sessions/email', { email: ADA, password: PASSWORD })
    onRequest = offline()
    await session.signOut()
    expect(signedInAs()).toBeNull()
    onRequest = undefined
    await signIn(ADA)

    expect(asked).toEqual(['DELETE /account/sessions 204', 'POST /account/sessions/email 201'])
    expect(await known()).toBe(ADA)
    expect((await elsewhere.call('GET', '/account')).status).toBe(401)
  })

  it('does not ask twice for a sign-out that the server has heard of', async () => {
    await session.signOut()
    await signIn(ADA)
    await session.signOut({ thisDeviceOnly: true })
    await signIn(ADA)

    expect(asked).toEqual([
      'DELETE /account/sessions 204',
      'POST /account/sessions/email 201',
      'DELETE /account/sessions/current 204',
      'POST /account/sessions/email 201',
    ])
  })

  it('signs in although the sign-out before it is refused', async () => {
    onRequest = async (request, send) =>
      request.method === 'DELETE' ? new Response('{}', { status: 503 }) : send()
    await session.signOut()
    await signIn(ADA)

    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })
})
