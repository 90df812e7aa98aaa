/** Tests splits of a session that another device stops, changes or continues meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { applyChanges, isChangedSince } from '@stint/core/device/changes.ts'
import { stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  countedOn,
  goOnline,
  laptopAndPhoneWithTimer,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopAndUndo,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { lastEntry, splitAfter, trimAfter } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass, backUp, restore } = serverOf(() => world)

test('An undone stop continues without the part that its owner had split off', async () => {
  laptop.intercept(offline())
  pass(20)
  const stopped = await stopOn(laptop)
  await splitAfter(laptop, 5, { id: 'half' })
  await continueStopped(laptop, stopped)
  await goOnline(laptop)
  pass(8)
  await laptop.stop()

  expect(new Set(secondsOn(laptop))).toEqual(new Set([13, 15]))
})

test('A split of a session whose times were changed elsewhere leaves no second half', async () => {
  laptop.intercept(offline())
  pass(60)
  await phone.stop()
  await phone.sync.refresh()
  pass(1)
  await trimAfter(phone, 35)
  await phone.sync.flush()
  await laptop.stop()
  await splitAfter(laptop, 20, { id: 'half' })
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([35])
  expect(await world.stored('time_entries')).toHaveLength(1)
})

test('A session that was split here and elsewhere at the same moment, after its save there, has one second half', async () => {
  laptop.intercept(offline())
  pass(60)
  await phone.stop()
  pass(1)
  await laptop.stop()
  for (const device of [phone, laptop]) {
    pass(1)
    await splitAfter(device, 20)
    await device.sync.flush()
  }
  await goOnline(laptop)

  const saved = await world.stored('time_entries')
  expect(saved).toHaveLength(2)
  expect(new Set(saved.map((entry) => entry['durationSeconds']))).toEqual(new Set([20, 40]))
})

describe('A split of a session whose stop is undone elsewhere', () => {
  beforeEach(async () => {
    pass(60)
    const stopped = await stopOn(laptop)
    await laptop.sync.flush()
    await phone.sync.refresh()
    laptop.intercept(offline())
    phone.intercept(offline())
    pass(2)
    await continueStopped(laptop, stopped)
    await splitAfter(phone, 20)
    pass(8)
  })

  test.each([
    ['first', () => [laptop, phone]],
    ['last', () => [phone, laptop]],
  ])('Every second counts once when the undo arrives %s', async (_order, devices) => {
    for (const device of devices()) await goOnline(device)
    for (const device of devices()) await goOnline(device)
    await laptop.stop()
    await phone.sync.refresh()

    expect(countedOn(laptop)).toBe(70)
    expect(countedOn(phone)).toBe(70)
    expect(unsentCount(laptop.record) + unsentCount(phone.record)).toBe(0)
  })
})

test('A timer that continues begins after the later end of a session that was split elsewhere', async () => {
  laptop.intercept(offline())
  pass(60)
  await stopAndUndo(world, laptop, 2)
  pass(20)
  await phone.stop()
  await splitAfter(phone, 20, { id: 'half' })
  await phone.sync.flush()
  pass(10)
  await goOnline(laptop)
  await laptop.stop()

  expect(countedOn(laptop)).toBe(92)
})

test('A trim stays behind a split that was made elsewhere before its session was saved', async () => {
  phone.intercept(offline())
  pass(60)
  await phone.press(stop)
  await splitAfter(phone, 20, { id: 'half' })
  await laptop.stop()
  laptop.intercept(offline())
  await goOnline(phone)
  pass(1)
  await trimAfter(laptop, 30)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(countedOn(laptop)).toBe(60)
  expect(countedOn(phone)).toBe(60)
})

test('An undone stop continues without a split part, also after an earlier save elsewhere', async () => {
  laptop.intercept(offline())
  pass(20)
  const stopped = await stopOn(laptop)
  await splitAfter(laptop, 5)
  await continueStopped(laptop, stopped)
  pass(1)
  await phone.stop()
  await goOnline(laptop)
  pass(8)
  await laptop.stop()

  expect(new Set(secondsOn(laptop))).toEqual(new Set([14, 15]))
})

test.each(['and saved', 'but not saved'])(
  'A split of a session that another device ended within its first second %s is taken back, and every device asks about its own work',
  async (what) => {
    const tablet = await world.device('tablet')
    await tablet.sync.refresh()
    laptop.intercept(offline())
    tablet.intercept(offline())
    world.server.clock.advance(400)
    if (what === 'but not saved') phone.intercept(losing('POST'))
    await phone.stop()
    phone.intercept(offline())
    pass(60)
    await laptop.press(stop)
    await splitAfter(laptop, 15)
    await goOnline(laptop)
    pass(30)
    await goOnline(tablet)

    expect(secondsOn(laptop)).toEqual([])
    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 60 } }])
    expect(offersOn(tablet)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 90 } }])
  },
)

test('A split keeps the work after a stop on another device, and nothing is asked about it', async () => {
  laptop.intercept(offline())
  pass(20)
  await phone.stop()
  pass(20)
  await laptop.press(stop)
  await splitAfter(laptop, 10)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(phone).toSorted((a, b) => a - b)).toEqual([10, 30])
  expect(offersOn(laptop)).toEqual([])
})

test('An edit of a part that was taken back with its split can not be undone', async () => {
  laptop.intercept(offline())
  pass(20)
  await laptop.press(stop)
  await splitAfter(laptop, 10, { id: 'second' })
  const undo = await splitAfter(laptop, 5, { entry: lastEntry(laptop), id: 'third' })
  pass(1)
  await phone.stop()
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([21])
  expect(await laptop.press((draft, now) => isChangedSince(draft, undo, now))).toBe(true)
})

test('The deletion of a part can not be undone after its split was taken back', async () => {
  laptop.intercept(offline())
  pass(20)
  await laptop.press(stop)
  await splitAfter(laptop, 15)
  const deletion = deleteEntry(lastEntry(laptop), world.server.clock.now())
  const undo = await laptop.press((draft, now) => applyChanges(draft, { entries: [deletion] }, now))
  pass(1)
  await phone.stop()
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([21])
  expect(await laptop.press((draft, now) => isChangedSince(draft, undo, now))).toBe(true)
})

test('A split of a half is taken back when another device has undone the split that made the half', async () => {
  pass(60)
  await laptop.stop()
  await phone.sync.refresh()
  const undo = await splitAfter(phone, 30)
  await phone.sync.flush()
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await phone.press((draft, now) => applyChanges(draft, undo, now))
  await phone.sync.flush()
  pass(1)
  await splitAfter(laptop, 15, { entry: lastEntry(laptop), id: 'third' })
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([60])
  expect(secondsOn(phone)).toEqual([60])
})

test('A split stays when another device undoes a trim that the split did not know of', async () => {
  pass(60)
  await phone.stop()
  await laptop.sync.refresh()
  const trimmed = await trimAfter(phone, 15)
  await phone.sync.flush()
  pass(1)
  await splitAfter(laptop, 45)
  await laptop.sync.flush()
  pass(1)
  await phone.press((draft, now) => applyChanges(draft, trimmed, now))
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(secondsOn(laptop)).toEqual([45, 15])
  expect(secondsOn(phone)).toEqual([45, 15])
})

test('A device that only showed a session resumes nothing in what continues its split', async () => {
  pass(7)
  await laptop.pause()
  await laptop.sync.flush()
  pass(0.1)
  await laptop.resume()
  await laptop.sync.flush()
  await phone.sync.refresh()
  pass(20)
  const stopped = await stopOn(phone)
  await splitAfter(phone, 5)
  await continueStopped(phone, stopped)
  await phone.sync.refresh()
  pass(4)
  await laptop.sync.refresh()
  await laptop.stop()
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([9, 22])
})

test('A half that was split off before its stop was undone stays after a restored backup', async () => {
  const backup = await backUp()
  pass(20)
  const stopped = await stopOn(phone)
  await phone.sync.flush()
  await laptop.sync.refresh()
  await splitAfter(phone, 15)
  await continueStopped(phone, stopped)
  await phone.sync.flush()
  await restore(backup)
  pass(1)
  await laptop.sync.refresh()
  await phone.sync.refresh()
  await phone.sync.flush()
  pass(2)
  await phone.stop()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([18, 5])
  expect(secondsOn(laptop)).toEqual([18, 5])
})

test('A split whose answer was lost stays when another device has split its half since', async () => {
  pass(60)
  await laptop.stop()
  await phone.sync.refresh()
  pass(5)
  await splitAfter(laptop, 20)
  laptop.intercept(async (request, send) => {
    if (request.method === 'PUT') await send()
    throw new TypeError('Failed to fetch')
  })
  await laptop.sync.flush()
  await phone.sync.refresh()
  pass(5)
  await splitAfter(phone, 10, { entry: lastEntry(phone) })
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20, 10, 30])
  expect(secondsOn(phone)).toEqual([20, 10, 30])
})

test('A split of a half whose own answer was lost gives way to a split of that half elsewhere', async () => {
  pass(60)
  await laptop.stop()
  await phone.sync.refresh()
  await splitAfter(laptop, 20)
  pass(1)
  laptop.intercept(async (request, send) => {
    if (request.method === 'PUT') await send()
    throw new TypeError('Failed to fetch')
  })
  await laptop.sync.flush()
  await phone.sync.refresh()
  pass(1)
  await splitAfter(laptop, 10, { entry: lastEntry(laptop) })
  pass(5)
  await splitAfter(phone, 30, { entry: lastEntry(phone) })
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20, 30, 10])
  expect(secondsOn(phone)).toEqual([20, 30, 10])
})

test('A split that a restored server receives first stays whole when another device undoes the stop', async () => {
  const backup = await backUp()
  pass(40)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await phone.sync.refresh()
  phone.intercept(offline())
  laptop.intercept(offline())
  await continueStopped(laptop, stopped)
  await splitAfter(phone, 30)
  pass(5)
  await restore(backup)
  const calls: string[] = []
  phone.intercept(async (request, send) => {
    const isWrite = request.method !== 'GET' && request.url.includes('time_entries')
    if (isWrite) calls.push(request.method)
    return send()
  })
  await phone.sync.refresh()
  await phone.sync.flush()
  await goOnline(laptop)
  pass(1)
  await laptop.stop()
  await phone.sync.refresh()

  // The second request creates both halves, or none.
  expect(calls.slice(0, 2)).toEqual(['PUT', 'PUT'])
  expect(secondsOn(laptop)).toEqual([30, 10, 6])
  expect(secondsOn(phone)).toEqual([30, 10, 6])
})

test('A split that is sent again to a restored server leaves another session that ends at the same moment', async () => {
  const task = laptop.record.value('timer')?.timer.taskId ?? ''
  const backup = await backUp()
  pass(120)
  const endTime = new Date(world.server.clock.now()).toISOString()
  for (const [id, seconds] of [
    ['longer', 100],
    ['shorter', 60],
  ] as const) {
    const startTime = new Date(world.server.clock.now() - seconds * 1000).toISOString()
    const times = { startTime, endTime, durationSeconds: seconds, date: startTime }
    const data = {
      taskId: task,
      userId: world.user.id,
      entryType: 'timer',
      sessionId: id,
      ...times,
    }
    await world.user.call('POST', '/databases/stint/collections/time_entries/documents', {
      documentId: id,
      data,
    })
  }
  await laptop.sync.refresh()
  expect(lastEntry(laptop).id).toBe('shorter')
  await splitAfter(laptop, 40, { entry: lastEntry(laptop) })
  await laptop.sync.flush()
  await restore(backup)
  pass(30)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([100, 40, 20])
})
