/** Tests the notes on a session that two devices split, and on its halves. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeEntry } from '@stint/core/device/edits.ts'
import { goOnline, laptopAndPhoneWithTimer, offline, secondsOn, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, firstEntry, splitAfter } from '#test/edits.ts'

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

test('A session that another device noted and split after its split here has one second half', async () => {
  pass(60)
  await laptop.stop()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(5)
  await splitAfter(laptop, 20)
  // It is sent, and nothing arrives.
  await laptop.sync.flush()
  pass(5)
  const noted = { ...firstEntry(phone), note: 'Reviewed' }
  await phone.press((draft, now) => changeEntry(draft, noted, now))
  await phone.sync.flush()
  pass(5)
  await splitAfter(phone, 20)
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20, 40])
  expect(secondsOn(phone)).toEqual([20, 40])
})

test.each([null, 'Draft'])(
  'A note on the half of a split stays when another device has made the same half with the note of the whole: %s',
  async (whole) => {
    pass(20)
    await laptop.stop()
    if (whole !== null) await editOn(laptop, { note: whole })
    await laptop.sync.flush()
    await phone.sync.refresh()
    laptop.intercept(offline())
    phone.intercept(offline())
    await splitAfter(laptop, 15)
    pass(1)
    const half = laptop.record.entries().find(({ sessionId }) => sessionId === null)
    if (!half) throw new Error('There is no half')
    await editOn(laptop, { note: 'Outline' }, half)
    pass(1)
    await splitAfter(phone, 15)
    await goOnline(phone)
    await goOnline(laptop)
    await phone.sync.refresh()

    const notes = new Set(phone.record.entries().map(({ note }) => note))
    expect(notes).toEqual(new Set(['Outline', whole]))
  },
)

test('A note on the half of a split stays when the note of the whole, which the same half elsewhere has, was erased here', async () => {
  pass(20)
  await laptop.stop()
  await editOn(laptop, { note: 'Draft' })
  await laptop.sync.flush()
  await phone.sync.refresh()
  laptop.intercept(offline())
  phone.intercept(offline())
  await editOn(laptop, { note: null })
  await splitAfter(laptop, 15)
  pass(1)
  const half = laptop.record.entries().find(({ sessionId }) => sessionId === null)
  if (!half) throw new Error('There is no half')
  await editOn(laptop, { note: 'Outline' }, half)
  pass(1)
  await splitAfter(phone, 15)
  await goOnline(phone)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(new Set(phone.record.entries().map(({ note }) => note))).toEqual(
    new Set(['Outline', null]),
  )
})
