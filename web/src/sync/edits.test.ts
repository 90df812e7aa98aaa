/** Edits of entries and tasks on their way to the server, and edits of two devices. */
import { activeTasks, newTask, taskColors } from '@stint/core/record/task.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { editEntry, newEntry } from '@stint/core/record/entry-edit.ts'
import { refusal } from '@stint/testing/appwrite-project.ts'
import type { Intercept } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { allEntries, laptopAndPhone, offline, unanswered, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editsIn, HOUR, local } from '#test/edits.ts'
import { likeAppwrite } from '#test/like-appwrite.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
})

afterEach(() => world.close())

const { now, change, changeTask, manual, entries } = editsIn(() => ({ world, taskId }))

test('An unsent entry survives a time without network and a closed tab', async () => {
  laptop.intercept(offline())
  await change(laptop, manual('by-hand'))
  expect(local(laptop, 'by-hand').durationSeconds).toBe(3600)
  expect(laptop.record.unsaved()).toBe(1)

  const again = await laptop.reopen()
  expect(await world.stored('time_entries')).toMatchObject([
    { $id: 'by-hand', taskId, entryType: 'manual', durationSeconds: 3600, sessionId: null },
  ])
  expect(unsentCount(again.record)).toBe(0)
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

test.each([2, 5])('%i deletions are undone while the first one is being sent', async (count) => {
  await change(laptop, ...entries(count))
  const all = allEntries(laptop.record).map((entry) => deleteEntry(entry, now()))
  const back = await laptop.press((draft) => applyChanges(draft, { entries: all }))
  let isUndone = false
  laptop.intercept(async (request, send) => {
    if (request.method === 'GET' || isUndone) return send()
    isUndone = true
    world.server.clock.advance(1000)
    await laptop.press((draft) => applyChanges(draft, back))
    return send()
  })
  await laptop.sync.flush()

  expect(isUndone).toBe(true)
  expect(laptop.record.entries()).toHaveLength(count)
  const kept = (await world.stored('time_entries')).filter((entry) => entry['deletedAt'] === null)
  expect(kept).toHaveLength(count)
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each([
  ['one', 1],
  ['many in one call', 4],
])('A repeated create keeps a change from another device: %s', async (_name, count) => {
  laptop.intercept(unanswered('POST', 'PUT'))
  await change(laptop, ...entries(count))

  await phone.sync.refresh()
  const there = local(phone, 'import-0')
  await change(phone, editEntry(there, { note: 'call with Bo' }, now()))
  const here = local(laptop, 'import-0')
  await change(laptop, editEntry(here, { endedAt: here.endedAt + HOUR }, now()))
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  const expected = { note: 'call with Bo', durationSeconds: 3660 }
  expect(await world.stored('time_entries')).toHaveLength(count)
  expect(await world.stored('time_entries')).toContainEqual(expect.objectContaining(expected))
  expect(local(laptop, 'import-0')).toMatchObject(expected)
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each([
  ['one', 1],
  ['many in one call', 4],
])('A repeated edit keeps a later one from another device: %s', async (_name, count) => {
  await change(laptop, ...entries(count))
  await phone.sync.refresh()
  laptop.intercept(unanswered('PATCH', 'PUT'))
  const notes = allEntries(laptop.record).map((entry) => editEntry(entry, { note: 'first' }, now()))
  await change(laptop, ...notes)
  world.server.clock.advance(1000)
  await phone.sync.refresh()
  const there = local(phone, 'import-0')
  expect(there.note).toBe('first')
  await change(phone, editEntry(there, { note: 'second' }, now()))
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await world.stored('time_entries')).toHaveLength(count)
  expect(await world.stored('time_entries')).toContainEqual(
    expect.objectContaining({ $id: 'import-0', note: 'second' }),
  )
  expect(local(laptop, 'import-0').note).toBe('second')
  expect(unsentCount(laptop.record)).toBe(0)
})

test('An edit of an entry that another client deleted for good creates the entry again', async () => {
  await change(laptop, manual('gone'))
  const entry = local(laptop, 'gone')
  await world.user.call('DELETE', '/databases/stint/collections/time_entries/documents/gone')
  await change(laptop, editEntry(entry, { note: 'still mine' }, now()))

  expect(await world.stored('time_entries')).toMatchObject([{ $id: 'gone', note: 'still mine' }])
})

test('A task has its last name when the answers to all changes were lost', async () => {
  laptop.intercept(unanswered('PATCH'))
  for (const name of ['Write paper', 'Write essay']) await changeTask(laptop, { name })
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await world.stored('tasks')).toMatchObject([{ name: 'Write essay' }])
  expect(laptop.record.view.tasks.get(taskId)).toMatchObject({ name: 'Write essay' })
})

test('Tasks that are sent one after the other keep their places and their colours meanwhile', async () => {
  const names = ['Plan week', 'Call Ann', 'Read', 'Rest']
  const ids = ['d', 'b', 'c', 'a']
  const newTasks = names.map((name, index) => newTask(ids[index] ?? '', name, now() + index))
  const seen = new Set<string>()
  const look = () => {
    const tasks = laptop.record.tasks()
    const colors = taskColors(tasks)
    seen.add(
      activeTasks(tasks)
        .map(({ id, name }) => `${name} ${colors.get(id)}`)
        .join(', '),
    )
  }
  laptop.intercept(offline())
  await laptop.press((draft) => applyChanges(draft, { newTasks }))
  laptop.intercept((_, send) => {
    world.server.clock.advance(20)
    return send()
  })
  const unsubscribe = laptop.record.changes.subscribe(look)
  await laptop.sync.refresh()
  unsubscribe()
  look()
  expect(unsentCount(laptop.record)).toBe(0)
  expect(await world.stored('tasks')).toHaveLength(5)
  expect([...seen]).toEqual([
    'Rest green, Read magenta, Call Ann teal, Plan week orange, Write report blue',
  ])
})

describe('A server whose storage is used up', () => {
  let writes: string[]

  /** Refuses all writes of the device. What it reads comes from `reads`. */
  function fill(device: Device, reads: Intercept = (_, send) => send()): void {
    writes = []
    device.intercept(async (request, send) => {
      if (request.method === 'GET') return reads(request, send)
      writes.push(request.method)
      return refusal(403, 'stint_quota_exceeded', 'Your account’s storage is full.')
    })
  }

  test('An import over quota is refused batch by batch, not entry by entry, and all of it is kept', async () => {
    fill(laptop)
    await change(laptop, ...entries(900))
    await laptop.sync.refresh()
    await laptop.sync.flush()
    expect(writes).toEqual(['PUT', 'PUT', 'PUT'])
    expect(laptop.record.entries()).toHaveLength(900)
    expect(laptop.record.overQuota()).toBe(900)
    expect(laptop.sync.status.get().online).toBe(true)
  })

  test('Retry sends all refused entries when there is room again', async () => {
    fill(laptop)
    await change(laptop, ...entries(5))
    laptop.intercept(undefined)
    await laptop.sync.retry()

    expect(await world.stored('time_entries')).toHaveLength(5)
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A few entries over quota are refused together, even where they are sent one by one', async () => {
    const { intercept } = likeAppwrite({ now })
    const device = await world.device('appwrite', intercept)
    fill(device, intercept)
    await change(device, ...entries(3))

    expect(writes).toEqual(['POST'])
    expect(device.record.overQuota()).toBe(3)
  })
})
