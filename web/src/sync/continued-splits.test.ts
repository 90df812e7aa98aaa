/** Tests what continues a session that its owner had split before the stop was undone. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import {
  continueStopped,
  goOnline,
  laptopAndPhoneWithTimer,
  offline,
  secondsOn,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, splitAfter } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass } = serverOf(() => world)

/** Stops the timer on the laptop, splits its session after `seconds`, and undoes the stop. */
async function splitAndContinue(seconds: number): Promise<void> {
  const stopped = await stopOn(laptop)
  await splitAfter(laptop, seconds)
  await continueStopped(laptop, stopped)
}

test('A pause elsewhere counts in what continues the first half', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.pause()
  pass(10)
  await phone.resume()
  pass(10)
  await splitAndContinue(25)
  pass(8)
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([23, 5])
})

test('Work elsewhere after a resume counts in what continues the first half', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(10)
  await phone.resume()
  pass(10)
  await laptop.resume()
  pass(10)
  await splitAndContinue(35)
  pass(8)
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([33, 5])
})

test('A pause elsewhere that lies in the second half counts there alone', async () => {
  laptop.intercept(offline())
  pass(20)
  await phone.pause()
  pass(10)
  await phone.resume()
  pass(10)
  await splitAndContinue(15)
  pass(8)
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([23, 15])
})

test('The whole session counts that another device has stopped a moment earlier and noted', async () => {
  laptop.intercept(offline())
  pass(13)
  await phone.stop()
  pass(0.02)
  await editOn(phone, { note: 'Noted' })
  await phone.sync.flush()
  await splitAndContinue(7)
  pass(8)
  await goOnline(laptop)
  await laptop.stop()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([13, 8])
  expect(secondsOn(phone)).toEqual([13, 8])
})
