/** Tests what continues a session that another device has ended with nothing to save. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhone,
  offline,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let laptop: Device
let phone: Device
let tablet: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  tablet = await world.device('tablet')
  await laptop.start(taskId)
  await phone.sync.refresh()
  await tablet.sync.refresh()
  await laptop.stop()
  pass(20)
})

afterEach(async () => {
  await world.close()
})

const { pass } = serverOf(() => world)

/** Undoes a stop on the tablet, which has not heard of the end. Resolves when the phone has heard of it. */
async function undoOnTablet(): Promise<void> {
  const stopped = await stopOn(tablet)
  await continueStopped(tablet, stopped)
  await tablet.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()
}

test('A resume counts that is pressed while a pause is sent', async () => {
  phone.intercept(async (request, send) => {
    const response = await send()
    if (request.method === 'PATCH') await phone.press(store.resume)
    return response
  })
  await phone.pause()
  await goOnline(phone)
  await undoOnTablet()

  const timer = phone.record.value('timer')?.timer
  expect(timer).toMatchObject({ sessionId: 'again', status: 'running' })
})

test('A pause that could not be sent is no pause', async () => {
  phone.intercept(offline())
  await phone.press((draft, now) => changePrefs(draft, { trackOffline: false }, now))
  await phone.pause()
  expect(phone.record.value('banner')?.text).toBe('Failed to pause timer')
  await goOnline(phone)
  await undoOnTablet()

  const timer = phone.record.value('timer')?.timer
  expect(timer).toMatchObject({ sessionId: 'again', status: 'running' })
})

test('A pause ends with the stop of its device', async () => {
  phone.intercept(offline())
  await phone.press(store.pause)
  pass(2)
  await phone.press(store.stop)
  await goOnline(phone)
  await undoOnTablet()

  const timer = phone.record.value('timer')?.timer
  expect(timer).toMatchObject({ sessionId: 'again', status: 'running' })
  expect(timer?.pauses.intervals).toHaveLength(1)
})
