/** Signing out and in against the real server in memory: the one must be over before the other. */
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Intercept, TestApp } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import { offline } from '#test/devices.ts'
import { queueLocks } from '#session/locks.ts'
import type { WithLock } from '#sync/context.ts'

import { DeviceDb } from './device-db.ts'
import { createSession } from './session.ts'
import type { Session } from './session.ts'
import { rightClock } from '#test/right-clock.ts'

const PASSWORD = TEST_PASSWORD
const ADA = 'ada@example.org'
const BEA = 'bea@example.org'

let server: TestApp
let session: Session
let others: Session[]
/** The browser's: all of its tabs have the same. */
let withLock: WithLock
let onRequest: Intercept | undefined
/** Sign-ins and sign-outs as they arrive, and how they are answered. */
let asked: string[]

beforeEach(async () => {
  server = await createTestApp()
  asked = []
  others = []
  withLock = queueLocks()
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
  session = openTab()
  await session.start(true)
  await session.signUp({ name: 'Ada', email: ADA, password: PASSWORD })
  asked = []
})

afterEach(async () => {
  for (const other of others) other.close()
  await session.resetStorage()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  await server.close()
})

function openTab(): Session {
  const backend = createAppwriteBackend({
    endpoint: `${location.origin}/v1`,
    projectId: 'stint',
    databaseId: 'stint',
    ownServer: true,
  })
  return createSession({
    // No socket reaches a server in memory; its part has tests of its own.
    backend: { ...backend, subscribe: () => ({ close: () => undefined }) },
    clock: rightClock(server.clock.now),
    withLock,
    device: 'test',
  })
}

function otherTab(): Session {
  const tab = openTab()
  others.push(tab)
  return tab
}

function signedInAs(tab = session): string | null {
  const state = tab.state.get()
  return state.status === 'signed-in' ? state.user.email : null
}

const signedOut = (tab = session) =>
  vi.waitFor(() => expect(tab.state.get().status).toBe('signed-out'), { interval: 1 })

const signIn = (email: string, tab = session) =>
  tab.signIn({ email, password: PASSWORD, rememberMe: true })

const databases = async () => (await indexedDB.databases()).map(({ name }) => name)

/** Whom the server takes this browser for. */
async function known(): Promise<string | null> {
  const { status, body } = await server.browser.call('GET', '/account')
  return status === 200 ? body.email : null
}

describe('signing in after signing out', () => {
  test('A sign-in waits until the sign-out is over, however fast the form was filled in', async () => {
    const leaving = session.signOut()
    await signedOut()
    await signIn(ADA)
    await leaving

    expect(asked).toEqual(['DELETE /account/sessions 204', 'POST /account/sessions/email 201'])
    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })

  test('A new account waits until the sign-out is over as well', async () => {
    const leaving = session.signOut()
    await signedOut()
    await session.signUp({ name: 'Bea', email: BEA, password: PASSWORD })
    await leaving

    expect(signedInAs()).toBe(BEA)
    expect(await known()).toBe(BEA)
  })

  test('A sign-in first ends the sign-ins that could not be ended without a network', async () => {
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

  test('A sign-in does not ask twice for a sign-out that the server has heard of', async () => {
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

  test('A sign-in succeeds although the sign-out before it is refused', async () => {
    onRequest = async (request, send) =>
      request.method === 'DELETE' ? new Response('{}', { status: 503 }) : send()
    await session.signOut()
    await signIn(ADA)

    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })

  test('A sign-in succeeds although what was here cannot be removed', async () => {
    const remove = vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
      throw new DOMException('damaged', 'UnknownError')
    })
    await session.signOut().catch(() => undefined)
    await signIn(ADA)
    remove.mockRestore()

    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })

  test('A sign-in waits for the sign-out of another tab, and has a database that stays', async () => {
    const other = otherTab()
    await other.start(false)
    await vi.waitFor(() => expect(signedInAs(other)).toBe(ADA))
    const leaving = session.signOut()
    await signedOut(other)
    await signIn(ADA, other)
    await leaving
    // The first tab follows.
    await vi.waitFor(() => expect(signedInAs()).toBe(ADA))

    expect(asked).toEqual(['DELETE /account/sessions 204', 'POST /account/sessions/email 201'])
    expect(await known()).toBe(ADA)
    const state = other.state.get()
    if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
    await state.record.refresh()
  })

  test('A sign-out shows at once that nobody is signed in, though the server has not heard of it yet', async () => {
    onRequest = offline()
    await session.signOut()
    session.close()
    onRequest = (request, send) => (request.method === 'DELETE' ? new Promise(() => {}) : send())
    session = openTab()
    await session.start(true)

    expect(session.state.get().status).toBe('signed-out')
  })

  test('A sign-out whose window was closed in its middle is finished at the next load', async () => {
    const state = session.state.get()
    if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
    const { id } = state.user
    session.close()
    expect(await databases()).toContain(`stint-${id}`)
    // That far it had come.
    const device = new DeviceDb()
    await device.put({ key: 'pending-sign-out', userId: id })
    device.close()
    session = openTab()
    await session.start(true)

    expect(session.state.get().status).toBe('signed-out')
    await vi.waitFor(async () => expect(await databases()).not.toContain(`stint-${id}`))
    await vi.waitFor(async () => expect(await known()).toBeNull())
  })
})
