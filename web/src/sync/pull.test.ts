import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { editEntry, newEntry } from '@stint/core/record/entry-edit.ts'
import { refusal } from '@stint/testing/appwrite-project.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { allEntries, createWorld, serverOf, unsentCount } from '#test/devices.ts'
import type { World } from '#test/devices.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import { changeTask } from '@stint/core/device/tasks.ts'

const DOCUMENTS = '/databases/stint/collections'
/** The largest number of documents per call on the server. */
const MAX_TOGETHER = 500

let world: World
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write')
})

afterEach(async () => {
  await world.close()
})

const { backUp, restore } = serverOf(() => world)

async function addEntries(count: number): Promise<void> {
  const start = world.server.clock.now() - 30 * 24 * 60 * 60 * 1000
  const documents = Array.from({ length: count }, (_, index) => {
    const startTime = new Date(start + index * 60_000).toISOString()
    const endTime = new Date(start + index * 60_000 + 10_000).toISOString()
    return {
      documentId: 'unique()',
      data: { taskId, userId: world.user.id, startTime, endTime, durationSeconds: 10 },
    }
  })
  for (let first = 0; first < count; first += MAX_TOGETHER) {
    await world.user.call('PUT', '/stint/collections/time_entries/documents', {
      documents: documents.slice(first, first + MAX_TOGETHER),
    })
  }
}

describe('pulling', () => {
  test('A pull brings every entry and every task, the newest 100 entries first', async () => {
    for (let index = 1; index < 60; index += 1) await world.createTask(`Task ${index}`)
    await addEntries(5001)
    const limits: unknown[] = []
    world.server.intercept(async (request, send) => {
      const url = new URL(request.url)
      if (url.pathname.includes('time_entries')) limits.push(limitOf(url))
      return send()
    })
    const device = await world.device()

    expect(device.record.tasks().length).toBe(60)
    expect(device.record.entries().length).toBe(5001)
    const entries = allEntries(device.record)
    expect(entries.reduce((sum, entry) => sum + entry.durationSeconds, 0)).toBe(50_010)
    expect(device.record.value('pull:time_entries')?.complete).toBe(true)
    expect(limits.slice(0, 2)).toEqual([100, 1000])
  })

  test('A pull makes the backend count only to find out whether documents are gone', async () => {
    await addEntries(1)
    const counted: unknown[] = []
    world.server.intercept(async (request, send) => {
      const url = new URL(request.url)
      const isList = request.method === 'GET' && url.pathname.endsWith('/documents')
      if (isList && url.searchParams.get('total') !== 'false') counted.push(limitOf(url))
      return send()
    })
    const device = await world.device()
    await world.user.call('DELETE', `${DOCUMENTS}/tasks/documents/${taskId}`)
    await device.sync.refresh()
    await device.sync.flush()

    expect(new Set(counted)).toEqual(new Set([1]))
    expect(await world.stored('tasks')).toHaveLength(1)
  })

  test('A pull asks for short pages where the backend refuses long ones, and brings everything', async () => {
    await addEntries(350)
    world.server.intercept(async (request, send) => {
      const isLong = Number(limitOf(new URL(request.url))) > 100
      const message =
        'Invalid query: Invalid limit: the page takes 20000000 bytes of at most 16777216'
      return isLong ? refusal(400, 'general_query_invalid', message) : send()
    })
    const device = await world.device()
    expect(device.record.entries().length).toBe(350)
  })

  test('A second pull asks only for changes', async () => {
    await addEntries(5)
    world.server.clock.advance(10 * 60_000)
    await addEntries(1)
    const device = await world.device()
    world.server.clock.advance(10 * 60_000)
    await addEntries(1)
    const received: number[] = []
    world.server.intercept(async (request, send) => {
      const reply = await send()
      if (!request.url.includes('time_entries') || limitOf(new URL(request.url)) === 1) return reply
      const page: unknown = await reply.clone().json()
      received.push(Object(page).documents.length)
      return reply
    })
    await device.sync.refresh()

    // The new document and the latest known one, because a pull repeats the changes of the last
    // minute.
    expect(received).toEqual([2])
    expect(device.record.entries().length).toBe(7)
  })

  test('A pull sends new and newer documents and deletion marks that a restored server lacks', async () => {
    await addEntries(3)
    const [device, other] = [await world.device(), await world.device()]
    const backup = await backUp()
    world.server.clock.advance(10 * 60_000)
    const now = world.server.clock.now()
    const [edited, deleted, kept] = device.record.entries()
    if (!edited || !deleted || !kept) throw new Error('There are three')
    const added = newEntry({ id: 'added', taskId, startedAt: now - 60_000, endedAt: now }, now)
    const entries = [editEntry(edited, { note: 'later' }, now), deleteEntry(deleted, now), added]
    await device.press((draft) => applyChanges(draft, { entries }))
    await device.press((draft) => changeTask(draft, taskId, { name: 'Write it' }))
    await device.sync.refresh()
    world.server.clock.advance(10 * 60_000)
    await restore(backup)
    expect(await world.stored('time_entries')).toHaveLength(3)

    await device.sync.refresh()
    await device.sync.flush()
    await other.sync.refresh()
    const fresh = await world.device()
    for (const each of [device, other, fresh]) {
      expect(allEntries(each.record)).toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({ id: edited.id, note: 'later' }),
          expect.objectContaining({ id: deleted.id, deletedAt: now }),
          expect.objectContaining({ id: kept.id, note: null, deletedAt: null }),
          expect.objectContaining({ id: 'added', durationSeconds: 60 }),
        ]),
      )
      expect(each.record.tasks()).toMatchObject([{ name: 'Write it' }])
      expect(unsentCount(each.record)).toBe(0)
    }
  })

  test.each(['while it counts', 'while it lists'])(
    'A comparison keeps an entry that is added %s the remaining documents',
    async (when) => {
      await addEntries(3)
      const device = await world.device()
      const [first] = await world.stored('time_entries')
      await world.user.call('DELETE', `${DOCUMENTS}/time_entries/documents/${first?.$id}`)
      const now = world.server.clock.now()
      const times = { startedAt: now - 60_000, endedAt: now }
      const limit = when === 'while it counts' ? 1 : 100
      let isAdded = false
      device.intercept(async (request, send) => {
        const url = new URL(request.url)
        const response = await send()
        const isAsked = url.pathname.includes('time_entries') && limitOf(url) === limit
        if (isAdded || !isAsked) return response
        isAdded = true
        const change = newEntry({ id: 'added', taskId, ...times }, now)
        await device.press((draft) => applyChanges(draft, { entries: [change] }))
        return response
      })
      await device.sync.refresh()
      device.intercept(undefined)
      await device.sync.refresh()

      expect(isAdded).toBe(true)
      expect(device.record.entries().length).toBe(4)
      expect(await world.stored('time_entries')).toHaveLength(4)
    },
  )
})

function limitOf(url: URL): unknown {
  for (const text of url.searchParams.values()) {
    const query: unknown = JSON.parse(text)
    if (Object(query).method === 'limit') return Object(query).values[0]
  }
  return null
}
