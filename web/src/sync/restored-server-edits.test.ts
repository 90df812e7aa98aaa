/** Tests the work in and after edits of sessions that a restored server has lost, or that another device saves again. */
import { partAttributes } from '@stint/core/record/time-entry.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { resume, stop } from '@stint/core/device/timer.ts'
import {
  goOnline,
  laptopAndPhone,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, firstEntry, lastEntry, local, splitAfter, trimOrSplit } from '#test/edits.ts'

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

test.each(['trim', 'split'] as const)(
  'Work is offered when another device saves a lost session with a later end before its %s arrives',
  async (what) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp()
    pass(10)
    await laptop.stop()
    await laptop.sync.flush()
    pass(20)
    await restore(backup)
    laptop.intercept(offline())
    await phone.stop()
    pass(1)
    await trimOrSplit(laptop, 4, what)
    await goOnline(laptop)
    await phone.sync.refresh()

    const seconds = what === 'split' ? [4, 6] : [4]
    expect(secondsOn(laptop)).toEqual(seconds)
    expect(secondsOn(phone)).toEqual(seconds)
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(laptop)).toMatchObject([{ why: 'ran-on', worked: { durationSeconds: 20 } }])
  },
)

test.each(['trim', 'split'] as const)(
  'Work is offered when another device saves a lost session with an earlier end after its %s',
  async (what) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp()
    pass(5)
    phone.intercept(offline())
    await phone.stop()
    pass(5)
    await laptop.stop()
    await laptop.sync.flush()
    pass(20)
    await restore(backup)
    laptop.intercept(offline())
    await trimOrSplit(laptop, 4, what)
    pass(1)
    await goOnline(phone)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual([5])
    expect(secondsOn(phone)).toEqual([5])
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 5 } }])
  },
)

test.each([
  { stoppedAfter: 9, offers: [] },
  { stoppedAfter: 20, offers: [{ why: 'ran-on', worked: { durationSeconds: 10 } }] },
])(
  'A lost session that is split as another device saves it again with $stoppedAfter seconds counts once',
  async ({ stoppedAfter, offers }) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp()
    phone.intercept(offline())
    const startedAt = world.server.clock.now()
    pass(10)
    await laptop.stop()
    await laptop.sync.flush()
    await trimOrSplit(laptop, 4, 'split')
    // The first try arrives, but its answer is lost.
    laptop.intercept(async (request, send) => {
      if (request.method !== 'PUT') return send()
      await send()
      throw new TypeError('Failed to fetch')
    })
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(20)
    await phone.press((draft) => stop(draft, startedAt + stoppedAfter * 1000))
    await restore(backup)
    laptop.intercept(async (request, send) => {
      if (request.method === 'PUT') await goOnline(phone)
      return send()
    })
    await laptop.sync.refresh()
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual([4, 6])
    expect(secondsOn(phone)).toEqual([4, 6])
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(laptop)).toMatchObject(offers)
  },
)

test('Parts of one session that two devices have divided in different ways are asked about where they overlap', async () => {
  await laptop.start(taskId)
  pass(60)
  await laptop.stop()
  await phone.sync.refresh()
  const entry = firstEntry(phone)
  await splitAfter(phone, 20, { id: 'half' })
  await phone.sync.flush()
  await laptop.sync.refresh()
  expect(laptop.record.value('overlaps')).toBeUndefined()
  pass(5)
  const { updatedAt } = laptop.record.view.entries.get(entry.id) ?? entry
  // Another client gives the session its first end again.
  await laptop.backend.update('time_entries', entry.id, partAttributes(entry, ['times']), updatedAt)
  await phone.sync.refresh()

  expect(phone.record.value('overlaps')?.pairs).toEqual([[entry.id, 'half'].toSorted()])
})

test('Work that another device has kept in the whole session is offered when a lost split is made again', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(20)
  await laptop.stop()
  pass(60)
  const backup = await backUp()
  await trimOrSplit(laptop, 5, 'split')
  await laptop.sync.flush()
  await phone.press(stop)
  pass(5)
  await trimOrSplit(phone, 40, 'split')
  await restore(backup)
  pass(5)
  await goOnline(phone)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([5, 15, 40])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})

test('A late resume is offered for the part of a split that is saved again', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await laptop.press(resume)
  pass(20)
  await phone.stop()
  await trimOrSplit(phone, 15, 'split')
  await phone.sync.flush()
  expect(secondsOn(phone)).toEqual([10, 0])
  await restore(backup)
  pass(5)
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([14, 0])
  expect([...offersOn(phone), ...offersOn(laptop)]).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 16 }, instead: { durationSeconds: 0 } },
    { why: 'went-on', worked: { durationSeconds: 5 } },
  ])
})

test('Work that a lost split had counted is offered when another device has split the shorter session', async () => {
  const other = await world.createTask('Read')
  await laptop.start(taskId)
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await phone.start(other)
  await phone.sync.flush()
  pass(20)
  const backup = await backUp()
  await laptop.press(stop)
  await trimOrSplit(laptop, 30, 'split')
  await goOnline(laptop)
  phone.intercept(offline())
  pass(1)
  await trimOrSplit(phone, 15, 'split')
  await restore(backup)
  pass(5)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(secondsOn(laptop)).toEqual([15, 5, 10])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
})

test('Work that went on is offered from its end on although a part of another lost session was heard of first', async () => {
  await phone.start(taskId)
  phone.intercept(offline())
  pass(20)
  await laptop.start(taskId)
  pass(20)
  const backup = await backUp()
  await laptop.stop()
  const entry = laptop.record.entries().find(({ endedAt }) => endedAt === world.server.clock.now())
  if (!entry) throw new Error('Nothing was saved')
  await splitAfter(laptop, 10, { entry, id: 'half' })
  await laptop.sync.flush()
  await restore(backup)
  pass(20)
  await editOn(laptop, { note: 'Outline' }, local(laptop, 'half'))
  await laptop.sync.flush()
  await goOnline(phone)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(offersOn(phone)).toContainEqual(
    expect.objectContaining({
      why: 'went-on',
      worked: expect.objectContaining({ durationSeconds: 40 }),
    }),
  )
})

test('Work of a session that is saved again stays although another session of its task was split meanwhile', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  phone.intercept(offline())
  pass(20)
  await laptop.stop()
  await laptop.sync.flush()
  laptop.intercept(offline())
  await restore(backup)
  pass(36)
  phone.intercept(undefined)
  await phone.stop()
  await phone.sync.flush()
  await tablet.start(taskId)
  pass(20)
  await tablet.stop()
  await tablet.sync.flush()
  const { startedAt } = lastEntry(tablet)
  await editOn(tablet, { startedAt: startedAt - 31_000 }, lastEntry(tablet))
  await splitAfter(tablet, 20, { entry: lastEntry(tablet), id: 'half' })
  await tablet.sync.flush()
  await goOnline(laptop)

  expect(new Set(secondsOn(laptop))).toEqual(new Set([20, 31, 56]))
})

test.each([
  { what: 'trim', left: [40] },
  { what: 'split', left: [40, 20] },
] as const)(
  'Work with an unsent $what stays when another device ends its lost session with nothing to save',
  async ({ what, left }) => {
    const other = await world.createTask('Read')
    await phone.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await phone.sync.flush()
    await laptop.start(taskId)
    await laptop.sync.flush()
    const backup = await backUp()
    phone.intercept(offline())
    pass(0.4)
    await phone.start(other)
    pass(59.6)
    await laptop.stop()
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(5)
    await trimOrSplit(laptop, 40, what)
    await restore(backup)
    await goOnline(phone)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual(left)
    expect(secondsOn(phone)).toEqual(left)
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('Work after a lost resume is offered in each part of a split that stays over it', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.sync.flush()
  const backup = await backUp()
  await phone.start(taskId)
  await laptop.sync.refresh()
  pass(6)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await laptop.resume()
  pass(119)
  await phone.stop()
  await splitAfter(phone, 32)
  await phone.sync.flush()
  await restore(backup)
  pass(20)
  await goOnline(laptop)
  await laptop.stop()
  await phone.sync.refresh()

  const asked = offersOn(phone).filter(({ why }) => why === 'not-counted')
  expect(asked.map(({ worked }) => worked.durationSeconds)).toEqual([31, 94])
})
