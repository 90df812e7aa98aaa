/** Tests the work that what continues an undone stop counts, and the work that is offered beside it. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { keepOffer } from '@stint/core/device/questions.ts'
import { resume, stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  countedOn,
  goOnline,
  laptopAndPhoneWithTimer,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopAndUndo,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn } from '#test/edits.ts'

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

test('Work that continued elsewhere is no longer offered after the stop is undone', async () => {
  pass(60)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  pass(8)
  await phone.sync.refresh()
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 8 } }])
  const [offer] = offersOn(phone)
  if (!offer) throw new Error('Nothing is offered')
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer.sessionId).toBe('again')
  expect(offersOn(phone)).toEqual([])
  // The offer disappears at the moment of this press.
  await phone.press((draft, now) => keepOffer(draft, offer, 'new', now))
  await phone.stop()
  expect(secondsOn(phone)).toEqual([68])
})

test('A late resume of a session with a later note is offered although its stop was undone', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(5)
  await phone.press(resume)
  pass(10)
  await laptop.start(await world.createTask('Read'))
  await editOn(laptop, { note: 'Outline' })
  await laptop.sync.flush()
  pass(5)
  const stopped = await stopOn(phone)
  await continueStopped(phone, stopped)
  await goOnline(phone)

  expect(offersOn(phone)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 20 }, instead: { durationSeconds: 10 } },
    { why: 'went-on', worked: { durationSeconds: 5 } },
  ])
})

test('Work after a resume is offered although what continues counts as many seconds before it', async () => {
  pass(10)
  const stopped = await stopOn(laptop)
  pass(1)
  await phone.pause()
  await laptop.sync.flush()
  phone.intercept(offline())
  pass(4)
  await continueStopped(laptop, stopped)
  pass(1)
  await laptop.stop()
  await phone.resume()
  pass(3)
  await phone.press(stop)
  await goOnline(phone)
  await phone.sync.refresh()

  const [offer] = offersOn(phone).filter(({ why }) => why === 'went-on')
  expect(offer?.worked.endedAt).toBe(stopped.endedAt + 9000)
})

test('A session that continues counts the work after a resume that was not sent before its end elsewhere', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await laptop.resume()
  pass(5)
  const stopped = await stopOn(laptop)
  await phone.stop()
  pass(1)
  await continueStopped(laptop, stopped)
  await goOnline(laptop)
  pass(1)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([17])
})

test('Work that another device saved after the end of what continues an undone stop is offered', async () => {
  laptop.intercept(offline())
  pass(10)
  await stopAndUndo(world, laptop, 1)
  pass(9)
  await laptop.press(stop)
  pass(40)
  await phone.stop()
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([20])
  const [offer] = offersOn(laptop)
  if (!offer) throw new Error('Nothing is offered')
  expect(offer).toMatchObject({ why: 'ran-on', worked: { durationSeconds: 40 } })
  await laptop.press((draft, now) => keepOffer(draft, offer, 'new', now))
  expect(secondsOn(laptop)).toEqual([60])
})

test('Work after a late pause that its device has stopped counts in what continues an undone stop', async () => {
  laptop.intercept(offline())
  const tablet = await world.device('tablet')
  pass(5)
  await tablet.stop()
  pass(5)
  phone.intercept(offline())
  await phone.pause()
  pass(1)
  await phone.press(stop)
  pass(9)
  const stopped = await stopOn(laptop)
  await continueStopped(laptop, stopped)
  await goOnline(phone)
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([19])
})

test('Only that work is offered which what continues an undone stop does not count', async () => {
  laptop.intercept(offline())
  pass(3)
  await continueStopped(phone, await stopOn(phone))
  await phone.sync.flush()
  pass(7)
  await phone.pause()
  pass(8)
  await goOnline(laptop)

  expect(offersOn(laptop)).toMatchObject([{ worked: { durationSeconds: 8 } }])
  const [offer] = offersOn(laptop)
  if (offer) await laptop.press((draft, now) => keepOffer(draft, offer, 'new', now))
  await laptop.sync.flush()
  await phone.stop()
  await laptop.sync.refresh()
  expect(countedOn(laptop)).toBe(18)
})
