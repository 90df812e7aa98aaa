/** Tests pauses and resumes of one device, also of a timer that was stopped. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import { createWorld, offline, serverOf, stopOn, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { beginBreak, endBreak } from '@stint/core/device/timer.ts'
import { resumeStopped } from '@stint/core/device/timer.ts'
import * as store from '@stint/core/device/timer.ts'

let world: World
let device: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  device = await world.device()
})

afterEach(async () => {
  await world.close()
})

const { saved, savedOrDeleted: durations } = serverOf(() => world)

async function banner() {
  return device.record.value('banner')
}

async function timer() {
  return device.record.value('timer')
}

/** Continues a stopped timer on the device, now. */
async function takeUp(stopped: StoppedTimer, gap: 'pause' | 'undo', sessionId = 'resumed') {
  const now = world.server.clock.now()
  await device.press((draft) =>
    resumeStopped(draft, { sessionId, stopped, gap, device: 'laptop', now }),
  )
}

describe('pausing and resuming', () => {
  test('Pause and Resume without a timer return an error text', async () => {
    expect(await device.press((draft) => store.pause(draft, 0))).toBe('No active timer session')
    expect(await device.press((draft) => store.resume(draft, 0))).toBe('No active timer session')
  })

  for (const { action, text } of [
    { action: 'pause', text: 'Failed to pause timer' },
    { action: 'resume', text: 'Failed to resume timer' },
  ] as const) {
    test(`A failed press on the timer stops it with '${text}' after three tries and saves the time until then`, async () => {
      await device.start(taskId)
      world.server.clock.advance(60_000)
      if (action === 'resume') {
        await device.pause()
        world.server.clock.advance(30_000)
      }
      let tries = 0
      device.intercept(async (request, send) => {
        if (request.method !== 'PATCH') return send()
        tries += 1
        throw new TypeError('Failed to fetch')
      })
      await device[action]()

      // The fourth request is the stop that saves.
      expect(tries).toBe(4)
      expect(await timer()).toBeUndefined()
      expect((await banner())?.text).toBe(text)
      device.intercept(undefined)
      await device.sync.refresh()
      expect(await durations()).toEqual([60])
    })
  }

  test('A second Pause changes nothing, so it cannot fail and stop the timer', async () => {
    await device.start(taskId)
    world.server.clock.advance(60_000)
    await device.pause()
    world.server.clock.advance(30_000)
    device.intercept(offline())
    await device.pause()

    expect((await timer())?.timer.status).toBe('paused')
    expect(await banner()).toBeUndefined()
    expect(unsentCount(device.record)).toBe(0)
  })

  test('An automatic break begins and ends without a network', async () => {
    await device.start(taskId)
    device.intercept(offline())
    world.server.clock.advance(60_000)
    await device.press((draft) => beginBreak(draft, world.server.clock.now()))
    await device.sync.flush()
    expect((await timer())?.timer.status).toBe('paused')
    world.server.clock.advance(30_000)
    await device.press((draft) => endBreak(draft, world.server.clock.now()))
    await device.sync.flush()
    expect((await timer())?.timer.status).toBe('running')
    expect(await banner()).toBeUndefined()

    device.intercept(undefined)
    world.server.clock.advance(15_000)
    await device.sync.refresh()
    expect(await world.stored('timer_sessions')).toMatchObject([
      { isRunning: true, isPaused: false, pauseDurationSeconds: 30 },
    ])
    await device.stop()
    expect(await durations()).toEqual([75])
  })

  test('A pause survives one lost answer without an error', async () => {
    await device.start(taskId)
    world.server.clock.advance(60_000)
    let lost = false
    device.intercept(async (request, send) => {
      const reply = await send()
      if (lost || request.method !== 'PATCH') return reply
      lost = true
      throw new TypeError('Failed to fetch')
    })
    await device.pause()

    expect((await timer())?.timer.status).toBe('paused')
    expect(await banner()).toBeUndefined()
  })

  test('Undo pauses the timer again if it was stopped in a pause', async () => {
    await device.start(taskId)
    world.server.clock.advance(60_000)
    await device.pause()
    const pausedAt = world.server.clock.now()
    world.server.clock.advance(30_000)
    const stopped = await stopOn(device)
    await device.sync.flush()
    world.server.clock.advance(5_000)
    await takeUp(stopped, 'undo')
    expect((await timer())?.timer).toMatchObject({
      status: 'paused',
      pausedAt,
      pauses: { intervals: [] },
    })
    await device.sync.flush()
    expect(await world.stored('timer_sessions')).toMatchObject([{ isPaused: true }])
  })

  test('Two clicks on Resume count the time once', async () => {
    await device.start(taskId)
    world.server.clock.advance(60_000)
    const stopped = await stopOn(device)
    for (const sessionId of ['first', 'second']) {
      await takeUp(stopped, 'undo', sessionId)
    }
    world.server.clock.advance(15_000)
    await device.stop()

    expect(await saved()).toEqual([75])
  })
})
