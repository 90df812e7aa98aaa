/** Tests notes of sessions that a restored server has lost, or that another device saves again without them. */
import type { EntryEdit } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeEntry } from '@stint/core/device/edits.ts'
import { stop } from '@stint/core/device/timer.ts'
import {
  goOnline,
  laptopAndPhone,
  losing,
  offersOn,
  offline,
  serverOf,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, firstEntry, lastEntry, splitAfter, trimAfter } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
})

afterEach(async () => {
  await world.close()
})

const { pass, backUp, restore } = serverOf(() => world)

test('A note that a restored backup lacks stays when its session is split', async () => {
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  const backup = await backUp()
  pass(1)
  await editOn(laptop, { note: 'Draft' })
  await laptop.sync.flush()
  await restore(backup)
  pass(1)
  await splitAfter(laptop, 10, { id: 'half' })
  await laptop.sync.flush()

  const entries = await world.stored('time_entries')
  expect(entries.map(({ note, durationSeconds }) => [note, durationSeconds])).toEqual([
    ['Draft', 10],
    ['Draft', 10],
  ])
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each([
  'saves a later session again',
  'changes a later session that is lost',
  'changes a later session of which a change is lost',
])('A note that a restored backup lacks is sent again by a device that %s', async (what) => {
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  await laptop.start(taskId)
  let backup = await backUp()
  const edit = async (entry: TimeEntry, change: EntryEdit) => {
    await editOn(laptop, change, entry)
    await laptop.sync.flush()
  }
  const isChangeLost = what.endsWith('change is lost')
  pass(1)
  if (!isChangeLost) await edit(firstEntry(laptop), { note: 'Draft' })
  pass(300)
  await laptop.press(stop)
  // The server answers a moment later.
  pass(0.1)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  if (isChangeLost) {
    backup = await backUp()
    await edit(firstEntry(laptop), { note: 'Draft' })
    pass(300)
    await edit(lastEntry(laptop), { note: 'Later' })
    await laptop.sync.refresh()
  }
  await restore(backup)
  pass(5)
  const last = lastEntry(laptop)
  if (what.startsWith('changes')) await edit(last, { endedAt: last.endedAt - 10_000 })
  await laptop.sync.refresh()
  await laptop.sync.refresh()

  const note = isChangeLost ? 'Later' : null
  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Draft' }, { note }])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A note stays on a session that a device saves again without it after a restored backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(10)
  const backup = await backUp()
  await laptop.stop()
  await editOn(laptop, { note: 'Draft' })
  await laptop.sync.flush()
  pass(60)
  await restore(backup)
  // The phone has not heard of the stop.
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Draft' }])
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each(['a note', 'a split after a note'])(
  'A note stays when another device saves the session again without it just before %s arrives after a restored backup',
  async (what) => {
    const backup = await backUp()
    await laptop.start(taskId)
    pass(10)
    await laptop.stop()
    await laptop.sync.flush()
    await phone.sync.refresh()
    phone.intercept(offline())
    if (what === 'a note') laptop.intercept(offline())
    await editOn(laptop, { note: 'Draft' })
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(20)
    if (what !== 'a note') await splitAfter(laptop, 4, { id: 'half' })
    await restore(backup)
    let isSavedAgain = false
    laptop.intercept(async (request, send) => {
      if (!isSavedAgain && ['POST', 'PUT'].includes(request.method)) {
        isSavedAgain = true
        phone.intercept(undefined)
        pass(1)
        await phone.sync.refresh()
        pass(1)
      }
      return send()
    })
    await laptop.sync.refresh()
    await laptop.sync.flush()

    expect(isSavedAgain).toBe(true)
    const notes = (await world.stored('time_entries')).map(({ note }) => note)
    expect(new Set(notes)).toEqual(new Set(['Draft']))
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('Noted work is not lost when another device ends its lost session with nothing to save', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await phone.stop()
  pass(20)
  await laptop.stop()
  laptop.intercept(offline())
  pass(5)
  await editOn(laptop, { note: 'Draft' })
  await restore(backup)
  phone.intercept(undefined)
  await phone.sync.flush()
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 20, note: 'Draft', deletedAt: null },
  ])
})

test('A later note stays when a device that had not heard of it sends the session again', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(10)
  await laptop.stop()
  await laptop.sync.flush()
  for (const note of ['first', 'second']) {
    pass(5)
    const entry = firstEntry(laptop)
    await laptop.press((draft, now) => changeEntry(draft, { ...entry, note }, now))
    await laptop.sync.flush()
    if (note === 'first') await phone.sync.refresh()
  }
  await restore(backup)
  pass(60)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([{ note: 'second' }])
  expect(phone.record.entries()).toMatchObject([{ note: 'second' }])
  expect(offersOn(laptop)).toEqual([])
})

test('A later trim stays when a device that had not heard of it sends the session again', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(60)
  await laptop.stop()
  await laptop.sync.flush()
  await phone.sync.refresh()
  pass(5)
  await trimAfter(laptop, 20)
  await laptop.sync.flush()
  await restore(backup)
  pass(60)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 20 }])
  expect(phone.record.entries()).toMatchObject([{ durationSeconds: 20 }])
  expect(offersOn(laptop)).toEqual([])
})

test('The last note stays when another device sends an earlier one again just before it after a restored backup', async () => {
  const tablet = await world.device('tablet')
  const backup = await backUp()
  await laptop.start(taskId)
  pass(10)
  await laptop.stop()
  await laptop.sync.flush()
  const write = async (note: string) => {
    await editOn(phone, { note })
    await phone.sync.flush()
  }
  await phone.sync.refresh()
  await write('Draft')
  await tablet.sync.refresh()
  pass(1)
  await write('Final')
  await restore(backup)
  pass(1)
  await laptop.sync.refresh()
  phone.intercept(losing('PATCH'))
  await phone.sync.refresh()
  pass(1)
  await tablet.sync.refresh()
  await tablet.sync.flush()
  pass(1)
  await goOnline(phone)
  await goOnline(tablet)

  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Final' }])
  expect([phone, tablet].map((each) => each.record.entries()[0]?.note)).toEqual(['Final', 'Final'])
})

test('A later note stays when an earlier one was sent again and its answer is lost', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  await laptop.sync.flush()
  await restore(backup)
  pass(1)
  await editOn(laptop, { note: 'Draft' })
  laptop.intercept(async (request, send) => {
    if (request.method === 'PATCH') {
      await editOn(laptop, { note: 'Outline' })
      pass(1)
    }
    const reply = await send()
    if (request.method !== 'POST') return reply
    laptop.intercept(offline())
    throw new TypeError('Failed to fetch')
  })
  await laptop.sync.flush()
  pass(1)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.entries()).toMatchObject([{ note: 'Outline' }])
})

test('A note of an entry that was sent again stays when another device sends the earlier note again', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(20)
  await laptop.press(stop)
  // The server answers a moment later.
  pass(0.1)
  await laptop.sync.flush()
  await editOn(laptop, { note: 'Draft' })
  await laptop.sync.flush()
  await phone.sync.refresh()
  phone.intercept(offline())
  await restore(backup)
  pass(1)
  await editOn(laptop, { note: 'Outline' })
  await laptop.sync.flush()
  await restore(backup)
  pass(1)
  await goOnline(phone)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(phone.record.entries()).toMatchObject([{ note: 'Outline' }])
})

test.each(['session', 'note'])(
  'A note that was never sent stays when another device sends the lost %s again just before it',
  async (lost) => {
    const empty = await backUp()
    await laptop.start(taskId)
    pass(20)
    await laptop.stop()
    await laptop.sync.flush()
    const backup = lost === 'session' ? empty : await backUp()
    pass(1)
    await editOn(laptop, { note: 'Draft' })
    await laptop.sync.flush()
    await phone.sync.refresh()
    phone.intercept(offline())
    pass(1)
    await editOn(phone, { note: 'Final' })
    await restore(backup)
    pass(20)
    let isFirst = true
    phone.intercept(async (request, send) => {
      if (request.method !== 'GET' && isFirst) {
        isFirst = false
        await laptop.sync.refresh()
        await laptop.sync.flush()
      }
      return send()
    })
    await phone.sync.refresh()
    await phone.sync.flush()
    await laptop.sync.refresh()

    expect(await world.stored('time_entries')).toMatchObject([{ note: 'Final' }])
    expect(laptop.record.entries()).toMatchObject([{ note: 'Final' }])
  },
)

test('The last note stays when the server is restored again after it, and another device sends the one before', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  await phone.sync.refresh()
  await tablet.sync.refresh()
  const backup = await backUp()
  laptop.intercept(offline())
  pass(10)
  await tablet.stop()
  await tablet.sync.flush()
  await editOn(tablet, { note: 'Draft' })
  await tablet.sync.flush()
  await phone.sync.refresh()
  pass(20)
  await laptop.press(stop)
  await restore(backup)
  tablet.intercept(offline())
  await editOn(tablet, { note: 'Final' })
  pass(1)
  await goOnline(laptop)
  await goOnline(tablet)
  await restore(backup)
  for (const device of [laptop, phone, tablet, phone]) {
    pass(5)
    await device.sync.refresh()
    await device.sync.flush()
  }

  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Final' }])
})

test('A lost note stays when the answer to a later trim is lost', async () => {
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  await laptop.sync.flush()
  const backup = await backUp()
  pass(1)
  await editOn(laptop, { note: 'Draft' })
  await laptop.sync.flush()
  await restore(backup)
  pass(1)
  await trimAfter(laptop, 15)
  laptop.intercept(async (_request, send) => {
    await send()
    throw new TypeError('Failed to fetch')
  })
  await laptop.sync.flush()
  laptop.kill()
  laptop = await laptop.reopen()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.entries()).toMatchObject([{ note: 'Draft', durationSeconds: 15 }])
})
