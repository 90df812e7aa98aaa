/** Tests the work on a session after it was discarded elsewhere, which a restored server has lost. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { discardSession } from '@stint/core/device/questions.ts'
import { goOnline, laptopAndPhoneWithTimer, offersOn, offline, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let phone: Device
let tablet: Device

const HOURS = 9 * 3600

beforeEach(async () => {
  ;({ world, phone } = await laptopAndPhoneWithTimer())
  pass(HOURS)
  // The timer has run for so long that a device that is new here asks about it.
  tablet = await world.device('tablet')
})

afterEach(async () => {
  await world.close()
})

const { pass, saved, backUp, restore } = serverOf(() => world)

async function discard(): Promise<void> {
  const [session] = tablet.record.value('unfinished')?.sessions ?? []
  if (!session) throw new Error('Nothing is offered')
  await tablet.press((draft, now) => discardSession(draft, session, now))
}

test('A stop that a restored server has lost is offered after a discard from before it', async () => {
  const backup = await backUp()
  tablet.intercept(offline())
  await discard()
  pass(60)
  await phone.stop()
  await phone.sync.flush()
  pass(60)
  await restore(backup)
  pass(60)
  await goOnline(tablet)
  await phone.sync.refresh()

  expect(await saved()).toEqual([])
  expect(offersOn(phone)).toMatchObject([
    { why: 'discarded', worked: { durationSeconds: HOURS + 60 } },
  ])
  expect(offersOn(tablet)).toEqual([])
})

test('A stop after a discard that a restored server has lost is offered when the discard is sent again', async () => {
  const backup = await backUp()
  phone.intercept(offline())
  await discard()
  await tablet.sync.flush()
  pass(60)
  await phone.stop()
  pass(60)
  await restore(backup)
  pass(60)
  await goOnline(phone)
  await tablet.sync.refresh()
  await phone.sync.refresh()

  expect(await saved()).toEqual([])
  expect(offersOn(phone)).toMatchObject([
    { why: 'discarded', worked: { durationSeconds: HOURS + 60 } },
  ])
})
