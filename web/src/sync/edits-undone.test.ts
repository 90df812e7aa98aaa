import { deleteEntry, invertChanges } from '@stint/core/record/entry-change.ts'
import { editEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { allEntries, createWorld, unsentCount } from '#test/devices.ts'
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

test('A change is undone here and on the server', async () => {
  const added = manual('by-hand')
  await change(laptop, added)
  const edit = editEntry(local(laptop, 'by-hand'), { note: 'x' }, now())
  await change(laptop, edit)
  await change(laptop, ...invertChanges([edit], now()))
  expect(await world.stored('time_entries')).toMatchObject([{ note: null, deletedAt: null }])

  const deletion = deleteEntry(local(laptop, 'by-hand'), now())
  await change(laptop, deletion)
  expect((await world.stored('time_entries'))[0]?.['deletedAt']).not.toBeNull()
  await change(laptop, ...invertChanges([deletion], now()))
  expect((await world.stored('time_entries'))[0]?.['deletedAt']).toBeNull()

  await change(laptop, ...invertChanges([added], now()))
  expect((await world.stored('time_entries'))[0]?.['deletedAt']).not.toBeNull()
})

test.each([2, 5])('%i deletions are undone while the first one is being sent', async (count) => {
  await change(laptop, ...entries(count))
  const all = allEntries(laptop.record).map((entry) => deleteEntry(entry, now()))
  const back = await laptop.press((draft, at) => applyChanges(draft, { entries: all }, at))
  let isUndone = false
  laptop.intercept(async (request, send) => {
    if (request.method === 'GET' || isUndone) return send()
    isUndone = true
    world.server.clock.advance(1000)
    await laptop.press((draft, at) => applyChanges(draft, back, at))
    return send()
  })
  await laptop.sync.flush()

  expect(isUndone).toBe(true)
  expect(laptop.record.entries()).toHaveLength(count)
  expect((await world.stored('time_entries')).map((entry) => entry['deletedAt'])).toEqual(
    Array.from({ length: count }, () => null),
  )
  expect(unsentCount(laptop.record)).toBe(0)
})

test('Undo reverts its own change, and a session that is longer than it was deleted elsewhere comes back', async () => {
  await change(laptop, manual('shared'))
  const phone = await world.device('phone')
  const { startedAt, endedAt } = local(laptop, 'shared')
  const shorter = editEntry(local(laptop, 'shared'), { endedAt: endedAt - HOUR / 2 }, now())
  const back = await laptop.press((draft) => applyChanges(draft, { entries: [shorter] }, now()))
  await laptop.sync.flush()
  await phone.sync.refresh()
  await change(phone, editEntry(local(phone, 'shared'), { note: 'call with Bo' }, now()))
  await change(phone, deleteEntry(local(phone, 'shared'), now()))
  await laptop.press((draft) => applyChanges(draft, back, now()))
  await laptop.sync.refresh()

  expect(local(laptop, 'shared')).toMatchObject({
    startedAt,
    endedAt,
    note: 'call with Bo',
  })
  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 3600, note: 'call with Bo', deletedAt: null },
  ])
})
