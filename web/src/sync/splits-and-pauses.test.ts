/** Tests splits of a session with pauses and resumes that one of two devices had not heard of. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { keepOffer } from '@stint/core/device/questions.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import { stop } from '@stint/core/device/timer.ts'
import {
  countedOn,
  goOnline,
  laptopAndPhoneWithTimer,
  lateOffersOn,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, lastEntry, splitAfter, trimAfter } from '#test/edits.ts'

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

test('A pause elsewhere counts in both halves of a session that was split here before the pause was known', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.pause()
  pass(20)
  await phone.resume()
  pass(30)
  await laptop.stop()
  await splitAfter(laptop, 20, { id: 'half' })
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(new Set(secondsOn(laptop))).toEqual(new Set([10, 30]))
  expect(new Set(secondsOn(phone))).toEqual(new Set([10, 30]))
})

test('A session that was split in its pause stays in that pause after an earlier end elsewhere', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await phone.stop()
  pass(30)
  await laptop.stop()
  await splitAfter(laptop, 5, { id: 'half' })
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([5, 5])
})

test('A pause elsewhere counts in all parts of a session that was split twice before the pause was known', async () => {
  laptop.intercept(offline())
  pass(30)
  await phone.pause()
  pass(20)
  await phone.resume()
  pass(10)
  await laptop.press(stop)
  for (const [id, seconds] of [
    ['second', 10],
    ['third', 20],
  ] as const) {
    pass(1)
    await splitAfter(laptop, seconds, { entry: lastEntry(laptop), id })
  }
  await goOnline(laptop)

  expect(secondsOn(laptop).toSorted((a, b) => a - b)).toEqual([10, 10, 20])
})

test('Split work that another device has ended in a pause, with nothing to save, is not lost', async () => {
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await laptop.resume()
  pass(10)
  await laptop.stop()
  await splitAfter(laptop, 25)
  pass(20)
  await phone.stop()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(countedOn(laptop)).toBe(10)
  expect(countedOn(phone)).toBe(10)
})

test('Work after a resume counts although another device, which had not heard of it, stops after a split here', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await laptop.resume()
  pass(10)
  await laptop.stop()
  await splitAfter(laptop, 5)
  pass(20)
  await phone.stop()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20])
  expect(secondsOn(phone)).toEqual([20])
})

test('Work of a continued timer is offered within a session that another device split without it', async () => {
  pass(20)
  await phone.pause()
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  pass(10)
  await laptop.press((draft, now) => {
    const input = { sessionId: 'again', stopped, gap: 'pause', device: 'laptop', now } as const
    resumeStopped(draft, input)
  })
  pass(50)
  await phone.stop()
  await splitAfter(phone, 15)
  await phone.sync.flush()
  await goOnline(laptop)

  expect(offersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 55 }, instead: { durationSeconds: 5 } },
  ])
})

test('A late resume is offered for all parts of a session that was split in the pause', async () => {
  pass(10)
  await laptop.pause()
  laptop.intercept(offline())
  pass(1)
  await laptop.resume()
  pass(20)
  await phone.sync.refresh()
  await phone.stop()
  await splitAfter(phone, 16, { id: 'half' })
  await phone.sync.flush()
  expect(secondsOn(phone)).toEqual([10, 0])
  await goOnline(laptop)

  expect(lateOffersOn(laptop)).toMatchObject([
    { worked: { durationSeconds: 15 }, instead: { durationSeconds: 10 } },
    { worked: { durationSeconds: 15 }, instead: { durationSeconds: 0 } },
  ])
})

test('A late resume in the second half of a split is offered for that half', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(10)
  await laptop.resume()
  pass(5)
  await phone.resume()
  pass(5)
  await phone.stop()
  await splitAfter(phone, 12, { id: 'half' })
  await phone.sync.flush()
  expect(secondsOn(phone)).toEqual([10, 5])
  await goOnline(laptop)

  expect(lateOffersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 10 }, instead: { durationSeconds: 5 } },
  ])
  const [offer] = lateOffersOn(laptop)
  if (!offer) throw new Error('Nothing is offered')
  await laptop.press((draft, now) => keepOffer(draft, offer, 'new', now))
  await laptop.sync.flush()
  expect(secondsOn(laptop)).toEqual([10, 10])
  expect(lateOffersOn(laptop)).toEqual([])
})

test.each(['split', 'trim'])(
  'A late resume that is offered is offered again after a %s of its session',
  async (change) => {
    pass(10)
    await laptop.pause()
    await phone.sync.refresh()
    laptop.intercept(offline())
    pass(10)
    await laptop.resume()
    pass(20)
    await phone.stop()
    pass(1)
    await editOn(phone, { note: 'Noted' })
    await phone.sync.flush()
    await goOnline(laptop)
    expect(lateOffersOn(laptop)).toMatchObject([{ worked: { durationSeconds: 30 } }])
    pass(1)
    if (change === 'split') await splitAfter(phone, 30)
    else await trimAfter(phone, 30)
    await phone.sync.flush()
    await laptop.sync.refresh()

    const seconds = lateOffersOn(laptop).map(({ worked }) => worked.durationSeconds)
    expect(seconds).toEqual(change === 'split' ? [20, 10] : [20])
  },
)

test('Work after an end elsewhere is offered although another device has split the session in a pause that was over', async () => {
  const tablet = await world.device('tablet')
  pass(10)
  await phone.pause()
  for (const device of [laptop, tablet]) await device.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await phone.resume()
  phone.intercept(offline())
  pass(1)
  await tablet.start(await world.createTask('Read'))
  pass(9)
  await laptop.press(stop)
  await splitAfter(laptop, 12)
  await goOnline(laptop)
  pass(1)
  await goOnline(phone)

  expect(countedOn(laptop)).toBe(11)
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
})
