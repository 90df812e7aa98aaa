/** Tests different splits of one session on two devices. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import {
  goOnline,
  laptopAndPhoneWithTimer,
  losing,
  offline,
  secondsOn,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { splitAfter, trimOrDelete } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass, backUp, restore } = serverOf(() => world)

test('A split of a stop gives way to a trim and a split elsewhere that arrive between the stop and it', async () => {
  pass(60)
  await stopOn(laptop)
  await splitAfter(laptop, 40)
  pass(1)
  laptop.intercept(losing('PUT'))
  await laptop.sync.flush()
  await laptop.sync.refresh()
  await phone.sync.refresh()
  await trimOrDelete(world, phone, 'trim')
  await splitAfter(phone, 20)
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20, 15])
  expect(secondsOn(phone)).toEqual([20, 15])
})

test('A lost split gives way to one of which the session arrives before the second half', async () => {
  const backup = await backUp()
  laptop.intercept(offline())
  pass(60)
  await stopOn(laptop)
  await splitAfter(laptop, 40)
  pass(0.02)
  await stopOn(phone)
  await phone.sync.flush()
  await splitAfter(phone, 20)
  await phone.sync.flush()
  pass(1)
  await restore(backup)
  laptop.intercept((_request, send) => {
    pass(0.1)
    return send()
  })
  await laptop.sync.refresh()
  await laptop.sync.flush()
  pass(1)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([40, 20])
  expect(secondsOn(laptop)).toEqual([40, 20])
})
