/** Tests different splits of one session on two devices. */
import { splitEntry } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { stop } from '@stint/core/device/timer.ts'
import { backUp, restore } from '#test/backup.ts'
import { goOnline, laptopAndPhoneWithTimer, offline, secondsOn, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { trimOrDelete } from '#test/edits.ts'

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

/** Splits the only entry of a device after `seconds`, and sends nothing. */
async function split(device: Device, seconds: number): Promise<void> {
  const [entry] = device.record.entries()
  if (!entry) throw new Error('Nothing is saved')
  const cut = entry.startedAt + seconds * 1000
  await device.press((draft, now) =>
    applyChanges(draft, { entries: splitEntry(entry, cut, splitId(entry, entry), now) }, now),
  )
}

test('A split of a stop gives way to a trim and a split elsewhere that arrive between the stop and it', async () => {
  pass(60)
  await laptop.press(stop)
  await split(laptop, 40)
  pass(1)
  laptop.intercept(async (request, send) => {
    if (request.method === 'PUT') throw new TypeError('Failed to fetch')
    return send()
  })
  await laptop.sync.flush()
  await laptop.sync.refresh()
  await phone.sync.refresh()
  await trimOrDelete(world, phone, 'trim')
  await split(phone, 20)
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20, 15])
  expect(secondsOn(phone)).toEqual([20, 15])
})

test('A lost split gives way to one of which the session arrives before the second half', async () => {
  const backup = await backUp(world.server, world.user.id)
  laptop.intercept(offline())
  pass(60)
  await laptop.press(stop)
  await split(laptop, 40)
  pass(0.02)
  await phone.press(stop)
  await phone.sync.flush()
  await split(phone, 20)
  await phone.sync.flush()
  pass(1)
  await restore(world.server, world.user.id, backup)
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
