/** Tests a resume of a timer that already runs on the server, which no field of its session shows. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { pause } from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhoneWithTimer, offline, secondsOn, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

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

/** The laptop pauses, resumes and, without a network, pauses again. The phone hears of the first pause alone. */
async function pauseTwice(): Promise<void> {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  pass(5)
  await laptop.resume()
  laptop.intercept(offline())
  pass(10)
  await laptop.press(pause)
}

test('A resume counts although a pause from before it arrives later', async () => {
  await pauseTwice()
  pass(10)
  await phone.resume()
  pass(80)
  await goOnline(laptop)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  for (const { record } of [laptop, phone])
    expect(record.value('timer')?.timer.status).toBe('running')
  pass(5)
  await phone.stop()
  expect(secondsOn(phone)).toEqual([10 + 10 + 80 + 5])
})

test('A pause that arrives later and is from after a resume stays', async () => {
  await pauseTwice()
  pass(10)
  await phone.resume()
  pass(20)
  await phone.pause()
  pass(5)
  await goOnline(laptop)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  for (const { record } of [laptop, phone])
    expect(record.value('timer')?.timer.status).toBe('paused')
  pass(5)
  await phone.stop()
  expect(secondsOn(phone)).toEqual([10 + 10 + 20])
})
