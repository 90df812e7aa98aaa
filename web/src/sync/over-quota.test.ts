/**
 * Tests a server whose storage is used up. Unsaved entries are kept and not sent again and again.
 */
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { refusal } from '@stint/testing/appwrite-project.ts'
import { likeAppwrite } from '#test/like-appwrite.ts'
import { applyChanges } from '@stint/core/device/changes.ts'

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
    return refusal(403, 'stint_quota_exceeded', 'Your account’s storage is full.')
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
  await device.press((draft) => applyChanges(draft, { entries }, now))
}

test('An import over quota is refused batch by batch, not entry by entry, and all of it is kept', async () => {
  await importEntries(900)
  await device.sync.refresh()
  expect(writes).toEqual(['PUT', 'PUT', 'PUT'])

  await device.sync.refresh()
  await device.sync.flush()
  expect(writes).toHaveLength(3)
  expect(device.record.entryIds().length).toBe(900)
  const edits = device.record.view.edits.all()
  expect(edits).toHaveLength(900)
  expect(edits.every(({ refused }) => refused?.isOverQuota)).toBe(true)
  expect(device.sync.status.get().online).toBe(true)
})

test('Retry sends all refused entries when there is room again', async () => {
  await importEntries(5)
  await device.sync.refresh()
  device.intercept(undefined)
  await device.sync.retry()

  expect(await world.stored('time_entries')).toHaveLength(5)
  expect(unsentCount(device.record)).toBe(0)
})

test('A few entries over quota are refused together, even where they are sent one by one', async () => {
  const { intercept } = likeAppwrite({ now: world.server.clock.now })
  device = await world.device('appwrite', intercept)
  writes = []
  device.intercept(async (request, send) => {
    if (request.method === 'GET') return intercept(request, send)
    if (request.method === 'POST') writes.push(request.method)
    return refusal(403, 'stint_quota_exceeded', 'Your account’s storage is full.')
  })
  await importEntries(3)
  await device.sync.refresh()

  expect(writes).toEqual(['POST'])
  const edits = device.record.view.edits.all()
  expect(edits).toHaveLength(3)
  expect(edits.every(({ refused }) => refused?.isOverQuota)).toBe(true)
})
