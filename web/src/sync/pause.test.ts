/** Tests pauses and resumes of one device. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createWorld, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
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

const { savedOrDeleted: durations } = serverOf(() => world)

async function banner() {
  return device.record.value('banner')
}

async function timer() {
  return device.record.value('timer')
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

  testWalks(
    `
    A second Pause changes nothing, so it cannot fail and stop the timer
      L start, 60, L pause, 30, L cut, L pause, L on, L resume, 5, L stop → 65
    An automatic break begins and ends without a network
      L start, L cut, 60, L break, 30, L works, 15, L on → nothing, runs 75
  `,
    { tracksOffline: false },
  )

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
})
