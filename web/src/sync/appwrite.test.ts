/**
 * Tests sync against a server that answers as a real Appwrite does where it differs from Stint's
 * own server.
 */
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { createWorld, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { likeAppwrite } from '#test/like-appwrite.ts'
import { applyChanges } from '@stint/core/device/changes.ts'

const MINUTE = 60_000

let world: World
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write')
})

afterEach(async () => {
  await world.close()
})

const now = () => world.server.clock.now()

/** Returns a device that is built for a real Appwrite and talks to one. */
function appwriteDevice(options: { createsAMinute?: number; showsHeaders?: boolean } = {}) {
  const appwrite = likeAppwrite({ now, ...options })
  return world.device('laptop', appwrite.intercept).then((device) => ({ device, appwrite }))
}

/** Adds sessions of one minute each to the device's record, as an import does. */
async function addEntries(device: Device, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) => {
    const startedAt = now() - 7 * 24 * 60 * MINUTE + index * MINUTE
    return newEntry({ id: `imported-${index}`, taskId, startedAt, endedAt: startedAt + 10 }, now())
  })
  await device.press((draft) => applyChanges(draft, { entries }))
}

/** The total of a list counts all documents, while the stored documents come in pages. */
async function savedCount(): Promise<number> {
  const path = '/databases/stint/collections/time_entries/documents'
  return (await world.user.call('GET', path)).body.total
}

function timerOn({ record }: Device) {
  return record.value('timer')
}

/** Ends the sign-in like a password change on another device. This device receives no event. */
async function changePasswordElsewhere(): Promise<void> {
  const { email, password } = world.user
  const elsewhere = world.server.newBrowser()
  await elsewhere.call('POST', '/account/sessions/email', { email, password })
  const change = { password: 'another horse 2', oldPassword: password }
  expect((await elsewhere.call('PATCH', '/account/password', change)).status).toBe(200)
}

/** Signs somebody else in in the same browser. */
async function signInAsBea(): Promise<void> {
  const bea = await world.server.signedInUser('Bea')
  world.user.cookies.clear()
  for (const [name, value] of bea.cookies) world.user.cookies.set(name, value)
}

describe('On a real Appwrite', () => {
  test('On Appwrite, an event of the account pulls the settings that another device changed', async () => {
    const { device } = await appwriteDevice()
    await world.user.call('PATCH', '/account/prefs', { prefs: { theme: 'dark' } })
    device.hear.onAccountChanged()

    await vi.waitFor(async () => {
      expect(device.record.value('settings')?.prefs).toEqual({ theme: 'dark' })
    })
  })

  test('On Appwrite, an event of the account signs out a device after a password change elsewhere', async () => {
    const { device } = await appwriteDevice()
    await changePasswordElsewhere()
    expect(device.sync.status.get().signedOut).toBe(false)
    device.hear.onAccountChanged()

    await vi.waitFor(() => expect(device.sync.status.get().signedOut).toBe(true))
    expect(device.record.tasks().length).toBe(1)
  })

  test.each([
    ['nobody is signed in any more', changePasswordElsewhere],
    ['somebody else is signed in', signInAsBea],
  ])('On Appwrite, an empty list removes nothing when %s', async (_, change) => {
    const { device } = await appwriteDevice()
    await addEntries(device, 5)
    await device.start(taskId)
    await device.sync.refresh()
    expect(await savedCount()).toBe(5)
    const timer = timerOn(device)
    expect(timer?.phase).toBe('confirmed')
    await change()
    await device.sync.refresh()

    expect(device.sync.status.get().signedOut).toBe(true)
    expect(device.record.tasks().length).toBe(1)
    expect(device.record.entries().length).toBe(5)
    expect(timerOn(device)).toEqual(timer)
    expect(unsentCount(device.record)).toBe(0)
  })

  test('On Appwrite, a stop and edits wait without a sign-in, and none of them counts as refused', async () => {
    const { device } = await appwriteDevice()
    await addEntries(device, 3)
    await device.sync.refresh()
    await device.start(taskId)
    world.server.clock.advance(MINUTE)
    const cookies = new Map(world.user.cookies)
    world.user.cookies.clear()
    await addEntries(device, 8)
    await device.stop()

    expect(device.sync.status.get().signedOut).toBe(true)
    const edits = device.record.view.edits.all()
    expect(edits.map(({ kind, refused }) => [kind, refused])).toEqual(
      Array.from({ length: 9 }, () => ['entry', null]),
    )
    expect(device.record.view.sessions.all()).toMatchObject([{ refused: null }])
    for (const [name, value] of cookies) world.user.cookies.set(name, value)
    await device.sync.refresh()
    expect(await savedCount()).toBe(9)
    expect(unsentCount(device.record)).toBe(0)
  })
})

describe('Without the route for many entries', () => {
  test('Without the batch route, a large import is sent at the rate that the headers of a refusal name', async () => {
    const { device, appwrite } = await appwriteDevice({ createsAMinute: 20, showsHeaders: true })
    await addEntries(device, 40)
    await device.sync.flush()
    expect(appwrite.refusals()).toBe(1)
    expect(device.sync.status.get().entriesPerMinute).toBe(15)
    // A request that comes too soon sends nothing.
    await device.sync.flush()
    expect(await savedCount()).toBe(20)

    world.server.clock.advance(MINUTE)
    await device.sync.flush()
    expect(await savedCount()).toBe(35)
    expect(device.sync.status.get().entriesPerMinute).toBe(15)

    world.server.clock.advance(MINUTE)
    await device.sync.flush()
    expect(await savedCount()).toBe(40)
    expect(device.sync.status.get().entriesPerMinute).toBeNull()
    expect(appwrite.refusals()).toBe(1)
    expect(unsentCount(device.record)).toBe(0)
  })

  test('Without the batch route, a timer starts and stops during an import and is not refused', async () => {
    const { device, appwrite } = await appwriteDevice({ createsAMinute: 20, showsHeaders: true })
    await addEntries(device, 40)
    await device.sync.flush()
    world.server.clock.advance(MINUTE)
    // A press during the import is sent before the next entry.
    let isPressed = false
    let created: string[] = []
    device.intercept(async (request, send) => {
      const { pathname } = new URL(request.url)
      if (request.method === 'POST') created.push(pathname.split('/').at(-2) ?? '')
      const response = await appwrite.intercept(request, send)
      if (!isPressed && request.method === 'POST') {
        isPressed = true
        void device.start(taskId)
      }
      return response
    })
    await device.sync.flush()
    await vi.waitFor(async () => expect(timerOn(device)?.phase).toBe('confirmed'))
    expect(created.indexOf('timer_sessions')).toBeLessThan(10)
    world.server.clock.advance(10_000)
    await device.stop()

    expect(appwrite.refusals()).toBe(1)
    expect(device.record.value('banner')).toBeUndefined()
    expect(await savedCount()).toBe(20 + 15 + 1)
  })

  test('A server that turns out to lack the batch route receives the entries one by one', async () => {
    const device = await world.device('laptop')
    const asked: string[] = []
    device.intercept(async (request, send) => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/v1/stint/')) asked.push(request.method)
      return likeAppwrite({ now }).intercept(request, send)
    })
    await addEntries(device, 5)
    await device.sync.flush()
    await addEntries(device, 9)
    await device.sync.flush()

    expect(await savedCount()).toBe(9)
    expect(asked).toEqual(['PUT'])
  })
})
