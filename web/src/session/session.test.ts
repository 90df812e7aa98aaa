/**
 * Signing out and signing in, against the real server in memory: one must end before the other begins.
 */
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Intercept, TestApp } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { openDB } from 'idb'
import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import { offline } from '#test/devices.ts'
import { queueLocks } from '#session/locks.ts'
import type { WithLock } from '#sync/context.ts'

import { DeviceDb } from './device-db.ts'
import { createSession } from './session.ts'
import type { Session } from './session.ts'
import { rightClock } from '#test/right-clock.ts'
import { addTask } from '@stint/core/device/tasks.ts'

const PASSWORD = TEST_PASSWORD
const ADA = 'ada@example.org'
const BEA = 'bea@example.org'

let server: TestApp
let session: Session
let others: Session[]
/** The browser's locks, shared by all of its tabs. */
let withLock: WithLock
let onRequest: Intercept | undefined
/** Sign-ins and sign-outs in the order in which the server answered them. */
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
    // The in-memory server has no socket. Realtime has its own tests.
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
  vi.waitFor(() => expect(tab.state.get().status).toBe('signed-out'), {
    interval: 1,
  })

const signIn = (email: string, tab = session) =>
  tab.signIn({ email, password: PASSWORD, rememberMe: true })

/** Adds a task that the server has, and returns the user's id. */
async function addSentTask(): Promise<string> {
  const state = session.state.get()
  if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
  const { record, user } = state
  await record.write((draft) => addTask(draft, { id: 'write', name: 'Write', isHidden: false }))
  await vi.waitFor(() => expect(record.unsaved()).toBe(0))
  return user.id
}

/** Returns what this browser stores of a user, without the number of the last write. */
async function storedOf(id: string): Promise<unknown[]> {
  const database = await openDB(`stint-${id}`)
  const stores = [...database.objectStoreNames]
  const records = await Promise.all(stores.map((store) => database.getAll(store)))
  database.close()
  return records.flat().filter((record) => record.key !== 'progress')
}

/** Returns the user whom the server knows by this browser's cookies. */
async function known(): Promise<string | null> {
  const { status, body } = await server.browser.call('GET', '/account')
  return status === 200 ? body.email : null
}

describe('signing in after signing out', () => {
  test('A sign-in waits until the sign-out has finished', async () => {
    const leaving = session.signOut()
    await signedOut()
    await signIn(ADA)
    await leaving

    expect(asked).toEqual(['DELETE /account/sessions 204', 'POST /account/sessions/email 201'])
    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })

  test('A sign-up waits until the sign-out has finished', async () => {
    const leaving = session.signOut()
    await signedOut()
    await session.signUp({ name: 'Bea', email: BEA, password: PASSWORD })
    await leaving

    expect(signedInAs()).toBe(BEA)
    expect(await known()).toBe(BEA)
  })

  test('A sign-in first completes a sign-out that was made offline', async () => {
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

  test('A sign-in does not repeat a sign-out that the server has acknowledged', async () => {
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

  test('A sign-in succeeds although the local data cannot be removed', async () => {
    const remove = vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(() => {
      throw new DOMException('damaged', 'UnknownError')
    })
    await session.signOut().catch(() => undefined)
    expect(remove).toHaveBeenCalled()
    await signIn(ADA)
    remove.mockRestore()

    expect(signedInAs()).toBe(ADA)
    expect(await known()).toBe(ADA)
  })

  test('The local data are removed, and the same person or another signs in, although a window does not release them', async () => {
    const id = await addSentTask()
    const kept = await openDB(`stint-${id}`)
    expect(await storedOf(id)).not.toEqual([])
    await session.signOut()
    expect(await storedOf(id)).toEqual([])
    await signIn(ADA)
    expect(signedInAs()).toBe(ADA)
    await vi.waitFor(async () => expect(await storedOf(id)).not.toEqual([]))

    await session.signOut()
    await session.signUp({ name: 'Bea', email: BEA, password: PASSWORD })
    expect(signedInAs()).toBe(BEA)
    expect(await storedOf(id)).toEqual([])
    kept.close()
  })

  test('A sign-in waits for the sign-out of another tab and keeps its database', async () => {
    const other = otherTab()
    await other.start(false)
    await vi.waitFor(() => expect(signedInAs(other)).toBe(ADA))
    const leaving = session.signOut()
    await signedOut(other)
    await signIn(ADA, other)
    await leaving
    // The first tab follows the sign-in.
    await vi.waitFor(() => expect(signedInAs()).toBe(ADA))

    expect(asked).toEqual(['DELETE /account/sessions 204', 'POST /account/sessions/email 201'])
    expect(await known()).toBe(ADA)
    const state = other.state.get()
    if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
    await state.record.refresh()
  })

  test('A sign-out shows the signed-out state at once, before the server knows of it', async () => {
    onRequest = offline()
    await session.signOut()
    session.close()
    onRequest = (request, send) => (request.method === 'DELETE' ? new Promise(() => {}) : send())
    session = openTab()
    await session.start(true)

    expect(session.state.get().status).toBe('signed-out')
  })

  test('A sign-out that was interrupted by closing the window is finished at the next load', async () => {
    const id = await addSentTask()
    session.close()
    expect(await storedOf(id)).not.toEqual([])
    // The state of an interrupted sign-out.
    const device = new DeviceDb()
    await device.put({ key: 'pending-sign-out', userId: id })
    device.close()
    session = openTab()
    await session.start(true)

    expect(session.state.get().status).toBe('signed-out')
    await vi.waitFor(async () => expect(await storedOf(id)).toEqual([]))
    await vi.waitFor(async () => expect(await known()).toBeNull())
  })
})
