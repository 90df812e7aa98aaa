/** Tests presses on a session whose stop another device has undone. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhoneWithTimer,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopAndUndo,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { pullEntries } from './pull.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass, secondsThere } = serverOf(() => world)

test.each(['it goes on', 'what went on is saved'])(
  'A press on a session whose stop was undone elsewhere is a pause in its continuation when %s',
  async (when) => {
    laptop.intercept(offline())
    pass(10)
    await laptop.pause()
    pass(20)
    await laptop.resume()
    pass(30)
    await stopAndUndo(world, phone, 2)
    await phone.sync.flush()
    pass(8)
    if (when === 'what went on is saved') await phone.stop()
    await goOnline(laptop)
    await phone.sync.refresh()
    await phone.stop()
    await laptop.sync.refresh()

    expect(secondsOn(phone)).toEqual([50])
    expect(secondsOn(laptop)).toEqual([50])
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('A late pause ends at the undo of a stop elsewhere, because that device shows a running timer from then on', async () => {
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(50)
  await stopAndUndo(world, phone, 2)
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()
  pass(8)
  await phone.stop()

  expect(secondsOn(phone)).toEqual([18])
})

test('A late resume counts in the continuation although the news of the undo overtakes an answer', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(20)
  await phone.resume()
  pass(1)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await continueStopped(laptop, stopped)
  let isFirst = true
  phone.intercept(async (request, send) => {
    const response = await send()
    if (!isFirst || !request.url.includes('time_entries')) return response
    isFirst = false
    await laptop.sync.flush()
    await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })
    return response
  })
  await phone.sync.flush()
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(phone.record.value('timer')?.timer.status).toBe('running')
  expect(laptop.record.value('timer')?.timer.status).toBe('running')
  pass(9)
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([20])
})

test.each(['undone stop', 'other stop'])(
  'A timer that continues paused is paused again when a resume and a stop elsewhere meet it, the %s first',
  async (first) => {
    pass(10)
    await laptop.pause()
    await phone.sync.refresh()
    laptop.intercept(offline())
    phone.intercept(offline())
    pass(20)
    await stopAndUndo(world, laptop, 2)
    pass(8)
    await phone.resume()
    pass(5)
    await phone.stop()
    pass(60)
    for (const device of first === 'undone stop' ? [laptop, phone] : [phone, laptop])
      await goOnline(device)
    await laptop.sync.refresh()
    await phone.sync.refresh()

    for (const { record } of [laptop, phone])
      expect(record.value('timer')?.timer).toMatchObject({ sessionId: 'again', status: 'paused' })
    await laptop.stop()
    expect(secondsOn(laptop)).toEqual([15])
    expect(offersOn(laptop)).toEqual([])
    expect(offersOn(phone)).toEqual([])
  },
)

test('A pause on another device that a stop has ended lasts until the stop is undone', async () => {
  pass(10)
  await laptop.pause()
  pass(50)
  const stopped = await stopOn(phone)
  await phone.sync.flush()
  pass(2)
  await continueStopped(phone, stopped)
  pass(8)
  await phone.stop()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([18])
  expect(secondsOn(laptop)).toEqual([18])
})

test('A pause that the server hears of between a stop and its undo lasts until the undo', async () => {
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(50)
  const stopped = await stopOn(phone)
  await phone.sync.flush()
  await goOnline(laptop)
  pass(2)
  await continueStopped(phone, stopped)
  await phone.sync.flush()
  pass(8)
  await phone.stop()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([18])
  expect(secondsOn(laptop)).toEqual([18])
})

test('A pause after a stop that was undone elsewhere is a pause in the continuation', async () => {
  laptop.intercept(offline())
  pass(60)
  await stopAndUndo(world, phone, 2)
  await phone.sync.flush()
  pass(8)
  await laptop.pause()
  pass(20)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer.status).toBe('paused')
  await phone.stop()
  expect(secondsOn(phone)).toEqual([70])
  expect(offersOn(laptop)).toEqual([])
})

test('A late stop in a pause does not resume the continuation', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await stopAndUndo(world, phone, 2)
  await phone.sync.flush()
  pass(1)
  await laptop.stop()
  pass(8)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer.status).toBe('paused')
  await phone.stop()
  expect(secondsOn(phone)).toEqual([10])
})

test('A late stop in a pause does not resume the continuation that was paused meanwhile', async () => {
  pass(10)
  laptop.intercept(offline())
  await stopAndUndo(world, phone, 2)
  await phone.sync.flush()
  pass(1)
  await laptop.pause()
  pass(10)
  await phone.pause()
  pass(10)
  await laptop.stop()
  pass(8)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer.status).toBe('paused')
  await phone.stop()
  expect(secondsOn(phone)).toEqual([13])
})

test('A late move of the start moves the start of the continuation', async () => {
  const timer = laptop.record.value('timer')?.timer
  if (!timer) throw new Error('Nothing runs')
  laptop.intercept(offline())
  pass(10)
  const earlier = { startedAt: timer.startedAt - 600_000 }
  await laptop.press((draft, now) => changeTimer(draft, timer.sessionId, earlier, now))
  pass(50)
  await stopAndUndo(world, phone, 2)
  await phone.sync.flush()
  pass(8)
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.stop()

  expect(secondsOn(phone)).toEqual([670])
})

test('A press counts in the continuation if it arrives before the server knows of the undo', async () => {
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(20)
  await laptop.resume()
  pass(30)
  const stopped = await stopOn(phone)
  await phone.sync.flush()
  phone.intercept(offline())
  pass(2)
  const input = { sessionId: 'again', stopped, gap: 'undo' as const, device: 'phone' }
  await phone.press((draft, now) => resumeStopped(draft, { ...input, now }))
  await goOnline(laptop)
  expect(await secondsThere()).toBe(40)
  await goOnline(phone)
  pass(8)
  await phone.stop()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([50])
  expect(secondsOn(laptop)).toEqual([50])
  expect(unsentCount(phone.record)).toBe(0)
})

test('A resume just after the end of a paused session ends when its device hears of the end', async () => {
  const other = await world.createTask('Other')
  const tablet = await world.device('tablet')
  pass(10)
  await phone.pause()
  await tablet.sync.refresh()
  for (const device of [phone, tablet]) device.intercept(offline())
  pass(20)
  await laptop.start(other)
  pass(0.1)
  await tablet.resume()
  pass(0.8)
  await goOnline(tablet)
  pass(20)
  await phone.resume()
  pass(2)
  await stopAndUndo(world, phone, 2)
  await goOnline(phone)
  await tablet.sync.refresh()
  await tablet.sync.flush()
  await phone.sync.refresh()
  pass(5)
  await phone.stop()

  expect(secondsOn(phone).toSorted((a, b) => a - b)).toEqual([19, 24])
})

test('A resume and a stop after a stop that was undone in a pause elsewhere do not end that pause', async () => {
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  for (const device of [laptop, phone]) device.intercept(offline())
  pass(9)
  await tablet.stop()
  pass(1)
  await phone.pause()
  pass(1)
  await stopAndUndo(world, phone, 1)
  pass(1)
  await laptop.pause()
  pass(2)
  await laptop.resume()
  pass(5)
  await laptop.stop()
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer).toMatchObject({ status: 'paused' })
  expect(laptop.record.value('timer')?.timer).toMatchObject({ status: 'paused' })
  await phone.stop()
  expect(secondsOn(phone)).toEqual([15])
})
