import { newEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import * as store from '@stint/core/device/timer.ts'
import { createWorld, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editsIn, HOUR, local } from '#test/edits.ts'

let world: World
let laptop: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
})

afterEach(async () => {
  await world.close()
})

const { now, change, manual, entries } = editsIn(() => ({ world, taskId }))

test('An entry that is added by hand is here at once and on the server later', async () => {
  await change(laptop, manual('by-hand'))

  expect(await world.stored('time_entries')).toMatchObject([
    { $id: 'by-hand', taskId, entryType: 'manual', durationSeconds: 3600, sessionId: null },
  ])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('An unsent entry survives a time without network and a closed tab', async () => {
  laptop.intercept(offline())
  await change(laptop, manual('by-hand'))
  expect(local(laptop, 'by-hand').durationSeconds).toBe(3600)
  expect(laptop.record.unsaved()).toBe(1)

  const again = await laptop.reopen()
  expect(await world.stored('time_entries')).toHaveLength(1)
  expect(unsentCount(again.record)).toBe(0)
})

test('Two entries that were added offline and end at the same moment keep their times', async () => {
  laptop.intercept(offline())
  const at = now() - HOUR
  const spans = [
    ['long', at, at + HOUR],
    ['short', at + HOUR / 2, at + HOUR],
  ] as const
  for (const [id, startedAt, endedAt] of spans)
    await change(laptop, newEntry({ id, taskId, startedAt, endedAt }, now()))
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { $id: 'long', durationSeconds: 3600 },
    { $id: 'short', durationSeconds: 1800 },
  ])
  expect(local(laptop, 'long').durationSeconds).toBe(3600)
})

test('An entry whose answer was lost is not saved twice', async () => {
  laptop.intercept(async (request, send) => {
    if (request.method === 'POST') await send()
    throw new TypeError('Failed to fetch')
  })
  await change(laptop, manual('by-hand'))
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await world.stored('time_entries')).toHaveLength(1)
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A new task that is already deleted is sent as deleted', async () => {
  const task = {
    id: 'of-old',
    name: 'Of old',
    isActive: false,
    category: 'Research',
    goalHours: 8,
    color: 'bg-blue-500',
    createdAt: now(),
    updatedAt: now(),
  }
  await laptop.press((draft) => applyChanges(draft, { newTasks: [task] }, now()))
  await laptop.sync.flush()
  expect(await world.stored('tasks')).toContainEqual(
    expect.objectContaining({ $id: 'of-old', isActive: false, category: 'Research' }),
  )
})

test('A thousand entries are sent in a few batches', async () => {
  let calls = 0
  laptop.intercept(async (_request, send) => {
    calls += 1
    return send()
  })
  await change(laptop, ...entries(1000))

  expect(calls).toBeLessThan(10)
  expect(unsentCount(laptop.record)).toBe(0)
  const page = await world.user.call('GET', '/databases/stint/collections/time_entries/documents')
  expect(page.body.total).toBe(1000)
})

test('A start is sent before queued entries', async () => {
  laptop.intercept(offline())
  await change(laptop, ...entries(300))
  const order: string[] = []
  laptop.intercept(async (request, send) => {
    if (request.method !== 'GET') order.push(new URL(request.url).pathname.split('/')[5] ?? '')
    return send()
  })
  await laptop.press((draft) =>
    store.start(draft, { sessionId: 'first', taskId, device: 'laptop', now: now() }),
  )
  await laptop.sync.flush()

  expect(order[0]).toBe('timer_sessions')
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A refused entry of a batch stays here, and the other entries are saved', async () => {
  const far = now() + 2 * HOUR
  const future = newEntry({ id: 'future', taskId, startedAt: now(), endedAt: far }, now())
  await change(laptop, ...entries(10), future, ...entries(12).slice(10))

  expect(await world.stored('time_entries')).toHaveLength(12)
  const left = laptop.record.view.edits.all()
  expect(left.map(({ refused }) => refused?.message)).toEqual([expect.stringMatching(/future/)])
  expect(laptop.record.view.entries.get('future')).toBeDefined()
})

test('A server that answers a change and does not keep it is asked a few times, and then later', async () => {
  await change(laptop, manual('by-hand'))
  let requests = 0
  laptop.intercept(async (request, send) => {
    if (request.method !== 'PATCH') return send()
    requests += 1
    const [stored] = await world.stored('time_entries')
    return Response.json(stored)
  })
  const entry = local(laptop, 'by-hand')
  await change(laptop, { before: entry, after: { ...entry, note: 'Mine' } })

  expect(requests).toBeGreaterThan(0)
  expect(requests).toBeLessThan(50)
  expect(local(laptop, 'by-hand').note).toBe('Mine')
  expect(laptop.record.unsaved()).toBe(1)

  laptop.intercept(undefined)
  await laptop.sync.refresh()
  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Mine' }])
})
