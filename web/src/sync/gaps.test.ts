import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { askedOn, createWorld, goOnline, offline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { noteAwake } from '@stint/core/device/awake.ts'
import { keepGap, takeOutGap } from '@stint/core/device/questions.ts'
import { pause, resume } from '@stint/core/device/timer.ts'

const MINUTE = 60_000

let world: World
let device: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  device = await world.device()
  await device.start(taskId)
})

afterEach(async () => {
  await world.close()
})

const now = () => world.server.clock.now()

async function gaps() {
  return device.record.value('gaps')?.gaps ?? []
}

async function theGap() {
  const [gap] = await gaps()
  if (!gap) throw new Error('There is no gap')
  return gap
}

async function savedSeconds() {
  return (await world.stored('time_entries')).map((entry) => entry['durationSeconds'])
}

describe('a gap', () => {
  test('A gap is detected when the device slept while the timer ran', async () => {
    const start = world.server.clock.now()
    world.server.clock.advance(140 * MINUTE)
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))

    expect(await gaps()).toMatchObject([{ start, end: start + 140 * MINUTE }])
  })

  test('A gap is detected when the app was closed, as soon as it is opened again', async () => {
    device.kill()
    world.server.clock.advance(45 * MINUTE)
    device = await device.reopen()

    await expect.poll(gaps).toHaveLength(1)
  })

  test('No gap is detected while the device is awake every few minutes or while the timer is paused', async () => {
    for (let count = 0; count < 10; count += 1) {
      world.server.clock.advance(10 * MINUTE)
      await device.press((draft) => noteAwake(draft, world.server.clock.now()))
    }
    await device.pause()
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))
    world.server.clock.advance(60 * MINUTE)
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))

    expect(await gaps()).toEqual([])
  })

  test('A gap counts as work until its owner decides, and after the owner keeps it', async () => {
    world.server.clock.advance(60 * MINUTE)
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))
    const gap = await theGap()
    await device.press((draft) => keepGap(draft, gap))
    expect(await gaps()).toEqual([])
    await device.stop()

    expect(await savedSeconds()).toEqual([3600])
  })

  test('A gap ends where a pause begins in the past, and is dropped if it is then too short', async () => {
    const start = world.server.clock.now()
    world.server.clock.advance(140 * MINUTE)
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))
    await device.press((draft) => pause(draft, start + 50 * MINUTE))
    expect(await gaps()).toMatchObject([{ start, end: start + 50 * MINUTE }])
    const gap = await theGap()
    await device.press((draft) => takeOutGap(draft, gap, start + 20 * MINUTE, now()))
    await device.stop()
    expect(await savedSeconds()).toEqual([20 * 60])

    await device.start(taskId)
    world.server.clock.advance(140 * MINUTE)
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))
    await device.press((draft) => pause(draft, world.server.clock.now() - 115 * MINUTE))
    expect(await gaps()).toEqual([])
  })

  test('A gap is removed as a pause, whole or from a moment on, and on the backend as well', async () => {
    world.server.clock.advance(60 * MINUTE)
    await device.press((draft) => noteAwake(draft, world.server.clock.now()))
    const gap = await theGap()
    await device.press((draft) => takeOutGap(draft, gap, gap.start + 20 * MINUTE, now()))
    await device.sync.flush()
    expect(await world.stored('timer_sessions')).toMatchObject([{ pauseDurationSeconds: 2400 }])
    world.server.clock.advance(MINUTE)
    await device.stop()

    expect(await savedSeconds()).toEqual([21 * 60])
  })

  test('A gap that is taken out stays out although another device had paused and resumed in it', async () => {
    const phone = await world.device('phone')
    const tablet = await world.device('tablet')
    device.kill()
    world.server.clock.advance(20 * MINUTE)
    await phone.sync.refresh()
    await phone.pause()
    world.server.clock.advance(5 * MINUTE)
    await phone.resume()
    await tablet.sync.refresh()
    world.server.clock.advance(35 * MINUTE)
    device = await device.reopen()
    await device.sync.refresh()
    const gap = await theGap()
    await device.press((draft) => takeOutGap(draft, gap, gap.start, now()))
    await device.sync.flush()
    await phone.sync.refresh()
    await phone.sync.flush()
    world.server.clock.advance(MINUTE)
    await phone.stop()

    await tablet.sync.refresh()

    expect(await savedSeconds()).toEqual([60])
    expect(askedOn(tablet)).toEqual([])
  })

  test.each([
    ['looks at', undefined],
    ['presses something on', 60 * 60],
  ])(
    'A device that wakes and %s a timer that has ended elsewhere asks about the time since if it claims it',
    async (what, asked) => {
      const phone = await world.device('phone')
      await phone.sync.refresh()
      device.intercept(offline())
      world.server.clock.advance(20 * MINUTE)
      await phone.stop()
      world.server.clock.advance(60 * MINUTE)
      await device.press(noteAwake)
      expect(await gaps()).toHaveLength(1)
      if (what === 'presses something on') {
        await device.press(pause)
        await device.press(resume)
      }
      await goOnline(device)

      expect(askedOn(device)[0]?.[1]).toBe(asked)
    },
  )
})
