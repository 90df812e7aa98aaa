import { editEntry, mergeEntries } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { allEntries, createWorld, losing, offline, unsentCount } from '#test/devices.ts'
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

test.each([
  ['one', 1],
  ['many in one call', 4],
])('A repeated create keeps a change from another device: %s', async (_name, count) => {
  laptop.intercept(async (request, send) => {
    if (request.method === 'POST' || request.method === 'PUT') await send()
    throw new TypeError('Failed to fetch')
  })
  await change(laptop, ...entries(count))

  const phone = await world.device('phone')
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
  const phone = await world.device('phone')
  laptop.intercept(async (request, send) => {
    if (request.method === 'PATCH' || request.method === 'PUT') await send()
    throw new TypeError('Failed to fetch')
  })
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

test('An older answer from the server does not undo a later change', async () => {
  await change(laptop, manual('edited'))
  laptop.intercept(offline())
  const entry = local(laptop, 'edited')
  await change(laptop, editEntry(entry, { note: 'mine' }, now()))
  laptop.intercept(losing('PATCH'))
  await laptop.sync.refresh()

  expect(local(laptop, 'edited').note).toBe('mine')
})

test('A merge holds when another device has changed the times of an entry that it had taken in', async () => {
  await change(laptop, manual('first'), manual('second', 90))
  const phone = await world.device('phone')
  phone.intercept(offline())
  world.server.clock.advance(1000)
  await change(phone, ...mergeEntries([local(phone, 'first'), local(phone, 'second')], now()))
  world.server.clock.advance(1000)
  const there = local(laptop, 'second')
  await change(laptop, editEntry(there, { endedAt: there.endedAt - HOUR / 2 }, now()))
  phone.intercept(undefined)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(unsentCount(phone.record)).toBe(0)
  expect(phone.record.entries()).toMatchObject([{ id: 'first', durationSeconds: 5400 }])
  expect(allEntries(phone.record)).toEqual(allEntries(laptop.record))
})

test('An edit of an entry that another client deleted for good creates the entry again', async () => {
  await change(laptop, manual('gone'))
  const entry = local(laptop, 'gone')
  await world.user.call('DELETE', '/databases/stint/collections/time_entries/documents/gone')
  await change(laptop, editEntry(entry, { note: 'still mine' }, now()))

  expect(await world.stored('time_entries')).toMatchObject([{ $id: 'gone', note: 'still mine' }])
})
