/** Tests schedules that the simulation has found: sessions that end on several devices. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { pause, stop } from '@stint/core/device/timer.ts'
import { continueStopped, createWorld, secondsOn } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
  phone = await world.device('phone')
  // Pauses and resumes succeed without the server.
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.start(taskId)
  await phone.sync.refresh()
})

afterEach(async () => {
  await world.close()
})

function pass(seconds: number): void {
  world.server.clock.advance(seconds * 1000)
}

test('A timer that was stopped in a pause after a stop elsewhere is in that pause after Undo', async () => {
  pass(10)
  await phone.stop()
  pass(2)
  await laptop.press(pause)
  pass(2)
  const stopped = await laptop.press(stop)
  if (!stopped) throw new Error('Nothing ran')
  await laptop.sync.flush()
  await laptop.sync.refresh()
  pass(5)
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  pass(10)

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([10])
})
