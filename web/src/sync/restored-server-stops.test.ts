/** Tests stops that a restored server has lost, or that reach it after another device saves the session again. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { pause, stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhone,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

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

const { pass, saved: kept, savedOrDeleted: saved, backUp, restore } = serverOf(() => world)

test('A stop is saved when the conflicting entry is gone by the time it is read', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp()
  pass(10)
  laptop.intercept(offline())
  await laptop.stop()
  await laptop.sync.flush()
  await phone.stop()
  await phone.sync.flush()
  // The server is restored between the answer that the entry exists and the request for that entry.
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method === 'POST' && reply.status === 409) await restore(backup)
    return reply
  })
  await laptop.sync.refresh()
  laptop.intercept(undefined)

  expect(await saved()).toEqual([10])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A stop is saved when the conflicting entry is gone as it is read, and another device saves it again', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp()
  pass(10)
  laptop.intercept(offline())
  await laptop.stop()
  await phone.stop()
  let conflicts = 0
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method === 'POST' && reply.status === 409) conflicts += 1
    if (conflicts === 1 && request.method === 'POST') await restore(backup)
    if (conflicts === 1 && reply.status === 404) await phone.sync.refresh()
    return reply
  })
  await laptop.sync.refresh()
  laptop.intercept(undefined)

  expect(conflicts).toBe(2)
  expect(await saved()).toEqual([10])
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each(['before', 'while'])(
  'An earlier stop is offered when a device that had not heard of it saves the session after a restored backup %s its device looks',
  async (when) => {
    const backup = await backUp()
    await laptop.start(taskId)
    await phone.sync.refresh()
    pass(10)
    await laptop.stop()
    pass(20)
    await restore(backup)
    if (when === 'before') await phone.stop()
    laptop.intercept(async (request, send) => {
      if (request.method === 'POST') await phone.stop()
      return send()
    })
    await laptop.sync.refresh()
    await laptop.sync.flush()

    expect(await saved()).toEqual([30])
    expect(laptop.record.value('offers')?.offers).toMatchObject([
      { why: 'not-stopped', worked: { durationSeconds: 10 } },
    ])
  },
)

test('Work is offered when a device that had stopped earlier saves the session after a restored backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  laptop.intercept(offline())
  pass(10)
  await laptop.stop()
  pass(20)
  await phone.stop()
  await restore(backup)
  pass(5)
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})

test('Work that is offered stays offered when a device saves the session again with an earlier end', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  phone.intercept(offline())
  pass(10)
  await phone.stop()
  laptop.intercept(offline())
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  pass(10)
  await tablet.stop()
  pass(10)
  laptop.intercept(undefined)
  await laptop.stop()
  await laptop.sync.refresh()
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
  await restore(backup)
  pass(5)
  phone.intercept(undefined)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})

test.each(['sent', 'unsent'])(
  'Work after a stop whose undo is %s is offered when a device that had not heard of both saves the lost session',
  async (undo) => {
    const backup = await backUp()
    await laptop.start(taskId)
    await phone.sync.refresh()
    phone.intercept(offline())
    pass(10)
    const stopped = await stopOn(laptop)
    world.server.clock.advance(100)
    await laptop.sync.flush()
    await laptop.sync.refresh()
    if (undo === 'unsent') laptop.intercept(offline())
    await continueStopped(laptop, stopped)
    pass(2)
    await laptop.stop()
    await laptop.sync.flush()
    pass(8)
    await phone.stop()
    await restore(backup)
    phone.intercept(undefined)
    await phone.sync.refresh()
    await phone.sync.flush()
    await goOnline(laptop)

    expect(await kept()).toEqual([12])
    expect(offersOn(laptop)).toMatchObject([{ why: 'ran-on', worked: { durationSeconds: 8 } }])
  },
)

test('A pause that a restored backup lacks ends with the stop of its device, whatever others saved later', async () => {
  const other = await world.createTask('Read')
  await laptop.start(taskId)
  await laptop.sync.flush()
  const backup = await backUp()
  pass(10)
  await laptop.pause()
  await laptop.sync.flush()
  await restore(backup)
  laptop.intercept(offline())
  pass(1)
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.start(other)
  await phone.sync.refresh()
  pass(20)
  await phone.stop()
  await phone.sync.flush()
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  // It was paused from 10 s to 11 s. The phone showed it running until 31 s.
  expect(await saved()).toContain(30)
})

test('A lost stop stays undone when another device saves the session just before the undo arrives', async () => {
  await phone.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  pass(40)
  phone.intercept(offline())
  await phone.press(stop)
  pass(20)
  const stopped = await stopOn(laptop)
  pass(1)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await continueStopped(laptop, stopped)
  await restore(backup)
  // The laptop finds the session lost before it sends anything.
  laptop.intercept(async (request, send) => {
    if (request.method !== 'GET') throw new TypeError('Failed to fetch')
    return send()
  })
  await laptop.sync.refresh()
  let isSaved = false
  laptop.intercept(async (request, send) => {
    if (!isSaved && request.method === 'POST' && request.url.includes('time_entries')) {
      isSaved = true
      await goOnline(phone)
    }
    return send()
  })
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(isSaved).toBe(true)
  expect(secondsOn(laptop)).toEqual([])
  expect(await kept()).toEqual([])
  expect(laptop.record.value('timer')?.timer.startedAt).toBe(stopped.startedAt)
})

test('A stop that is offered stays offered when another device saves the lost session again with a later end', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const tablet = await world.device('tablet')
  const backup = await backUp()
  phone.intercept(offline())
  tablet.intercept(offline())
  pass(10)
  await phone.stop()
  pass(90)
  await laptop.stop()
  await goOnline(phone)
  expect(offersOn(phone)).toMatchObject([{ why: 'not-stopped', worked: { durationSeconds: 10 } }])
  pass(20)
  await restore(backup)
  tablet.intercept(undefined)
  await tablet.stop()
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(secondsOn(phone)).toEqual([120])
  expect(offersOn(phone)).toMatchObject([
    { why: 'not-stopped', worked: { durationSeconds: 10 }, instead: { durationSeconds: 120 } },
  ])
})

test('Work in the pause of what continues an undone stop is offered when a lost session is saved again', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.sync.flush()
  const backup = await backUp()
  await phone.start(taskId)
  pass(6)
  await phone.pause()
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await laptop.resume()
  const stopped = await stopOn(phone)
  pass(0.1)
  await phone.sync.flush()
  await continueStopped(phone, stopped)
  await phone.sync.flush()
  pass(119.9)
  await phone.stop()
  expect(secondsOn(phone)).toEqual([6])
  await restore(backup)
  await goOnline(laptop)
  await laptop.stop()
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(offersOn(phone)).toMatchObject([{ why: 'ran-on', worked: { durationSeconds: 120 } }])
})

test('Work after a stop is offered although the restored server has the paused session beside its entry', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await phone.pause()
  const backup = await backUp()
  pass(5)
  await phone.stop()
  await restore(backup)
  pass(1)
  phone.intercept(losing('DELETE'))
  await phone.sync.refresh()
  expect(await kept()).toEqual([20])
  pass(100)
  await laptop.press(pause)
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(await kept()).toEqual([20])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 101 } }])
})
