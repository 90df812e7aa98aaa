import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { askedOn, createWorld, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
import { noteAwake } from '@stint/core/device/awake.ts'
import { keepGap, takeOutGap } from '@stint/core/device/questions.ts'
import { turnForBreak } from '@stint/core/device/timer.ts'

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
const pass = (minutes: number) => world.server.clock.advance(minutes * MINUTE)
const { saved } = serverOf(() => world)
const gaps = () => device.record.value('gaps')?.gaps ?? []

function theGap() {
  const [gap] = gaps()
  if (!gap) throw new Error('There is no gap')
  return gap
}

/** The device sleeps for so many minutes while its timer runs, and notices it. */
async function sleep(minutes: number): Promise<void> {
  pass(minutes)
  await device.press(noteAwake)
}

describe('a gap', () => {
  test('A gap is detected when the app was closed, as soon as it is opened again', async () => {
    device.kill()
    pass(45)
    device = await device.reopen()

    await expect.poll(gaps).toHaveLength(1)
  })

  test('No gap is detected while the device is awake every few minutes or while the timer is paused', async () => {
    for (let count = 0; count < 10; count += 1) await sleep(10)
    await device.pause()
    await device.press(noteAwake)
    await sleep(60)

    expect(gaps()).toEqual([])
  })

  test('A gap is detected when the device slept, and counts as work until its owner decides, and after the owner keeps it', async () => {
    const start = now()
    await sleep(60)
    const gap = theGap()
    expect(gap).toMatchObject({ start, end: start + 60 * MINUTE })
    await device.press((draft) => keepGap(draft, gap))
    expect(gaps()).toEqual([])
    await device.stop()

    expect(await saved()).toEqual([3600])
  })

  test('A gap ends where a pause begins in the past, and is dropped if it is then too short', async () => {
    const start = now()
    await sleep(140)
    await device.press((draft) => turnForBreak(draft, 'pause', start + 50 * MINUTE))
    expect(gaps()).toMatchObject([{ start, end: start + 50 * MINUTE }])
    const gap = theGap()
    await device.press((draft) => takeOutGap(draft, gap, start + 20 * MINUTE))
    await device.stop()
    expect(await saved()).toEqual([20 * 60])

    await device.start(taskId)
    await sleep(140)
    await device.press((draft) => turnForBreak(draft, 'pause', now() - 115 * MINUTE))
    expect(gaps()).toEqual([])
  })

  test('A gap is removed as a pause, whole or from a moment on, and on the backend as well', async () => {
    await sleep(60)
    const gap = theGap()
    await device.press((draft) => takeOutGap(draft, gap, gap.start + 20 * MINUTE))
    await device.sync.flush()
    expect(await world.stored('timer_sessions')).toMatchObject([{ pauseDurationSeconds: 2400 }])
    pass(1)
    await device.stop()

    expect(await saved()).toEqual([21 * 60])
  })

  test('A gap that is taken out stays out although another device had paused and resumed in it', async () => {
    const phone = await world.device('phone')
    const tablet = await world.device('tablet')
    device.kill()
    pass(20)
    await phone.sync.refresh()
    await phone.pause()
    pass(5)
    await phone.resume()
    await tablet.sync.refresh()
    pass(35)
    device = await device.reopen()
    await device.sync.refresh()
    const gap = theGap()
    await device.press((draft) => takeOutGap(draft, gap, gap.start))
    await device.sync.flush()
    await phone.sync.refresh()
    await phone.sync.flush()
    pass(1)
    await phone.stop()

    await tablet.sync.refresh()

    expect(await saved()).toEqual([60])
    expect(askedOn(tablet)).toEqual([])
  })

  testWalks(`
    A device that wakes and looks at a timer that has ended elsewhere does not ask about the time since
      L start, P look, L off, 1200, P stop, 3600, L wakes, L on → 1200
    A device that wakes and presses something on a timer that has ended elsewhere claims the time since
      L start, P look, L off, 1200, P stop, 3600, L wakes, L pause, L resume, L on → 1200, asks 3600
  `)
})
