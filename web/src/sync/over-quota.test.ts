/** The storage on the server is used up: what is not saved is kept, and nobody asks again and again. */
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { refusal } from '#test/like-appwrite.ts'

import { applyChanges } from './change-store.ts'

let world: World
let device: Device
let writes: string[]

beforeEach(async () => {
  world = await createWorld()
  device = await world.device()
  writes = []
  device.intercept(async (request, send) => {
    if (request.method === 'GET') return send()
    writes.push(request.method)
    return refusal(403, 'stint_quota_exceeded', 'The storage of this account is used up.')
  })
})

afterEach(async () => {
  await world.close()
})

async function importEntries(count: number): Promise<void> {
  const now = world.server.clock.now()
  const entries = Array.from({ length: count }, (_, index) =>
    newEntry({ id: `entry-${index}`, taskId: 'task', startedAt: now - 60_000, endedAt: now }, now),
  )
  await applyChanges(device.db, { entries }, now)
}

test('An import is refused batch by batch, not entry by entry, and all of it is kept', async () => {
  await importEntries(900)
  await device.sync.refresh()
  expect(writes).toEqual(['PUT', 'PUT', 'PUT'])

  await device.sync.refresh()
  await device.sync.flush()
  expect(writes).toHaveLength(3)
  expect(await device.db.entries.count()).toBe(900)
  const items = await device.db.outbox.toArray()
  expect(items.every(({ refused, isOverQuota }) => refused !== null && isOverQuota)).toBe(true)
  expect(device.sync.status().online).toBe(true)
})

test('Retry sends all of it once there is room', async () => {
  await importEntries(5)
  await device.sync.refresh()
  device.intercept(undefined)
  await device.sync.retry()

  expect(await world.stored('time_entries')).toHaveLength(5)
  expect(await device.db.outbox.count()).toBe(0)
})

test('A few entries are refused together as well, where they are sent one by one', async () => {
  await importEntries(3)
  await device.sync.refresh()

  expect(writes).toEqual(['POST'])
  const items = await device.db.outbox.toArray()
  expect(items).toHaveLength(1)
  expect(items[0]?.isOverQuota).toBe(true)
})
