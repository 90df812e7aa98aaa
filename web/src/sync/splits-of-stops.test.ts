/** Tests splits of a session whose stop was not sent yet, and that another device has stopped as well. */
import type { Intercept } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { keepOffer } from '@stint/core/device/questions.ts'
import { stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  countedOn,
  firstOffer,
  goOnline,
  laptopAndPhoneWithTimer,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, splitAfter, trimAfter } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

/** Lets only lists of the saved sessions through. */
const readsEntries: Intercept = async (request, send) => {
  if (request.method === 'GET' && request.url.includes('/time_entries/')) return send()
  throw new TypeError('Failed to fetch')
}

const { pass } = serverOf(() => world)

/** Removes the saved sessions, as a restored backup does that is older. */
async function lose(): Promise<void> {
  const path = '/databases/stint/collections/time_entries/documents'
  for (const { $id } of await world.stored('time_entries'))
    await world.user.call('DELETE', `${path}/${$id}`)
}

test('A session that was split here before its stop was sent keeps the split from elsewhere, also if that is heard of first', async () => {
  laptop.intercept(offline())
  pass(60)
  await phone.stop()
  pass(1)
  await laptop.stop()
  await splitAfter(phone, 45)
  await phone.sync.flush()
  pass(20)
  await splitAfter(laptop, 30)
  laptop.intercept(readsEntries)
  await laptop.sync.refresh()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(new Set(secondsOn(laptop))).toEqual(new Set([15, 45]))
  expect(new Set(secondsOn(phone))).toEqual(new Set([15, 45]))
})

test.each([10, 17])(
  'Work after a stop elsewhere is offered when its split here after %i s gives way to a split elsewhere',
  async (seconds) => {
    laptop.intercept(offline())
    pass(14)
    await phone.stop()
    pass(6)
    await laptop.stop()
    await splitAfter(laptop, seconds)
    let isFirst = true
    laptop.intercept(async (request, send) => {
      // The phone splits the session after the laptop has read it, and before the laptop sends its own.
      const isSplit = request.method !== 'GET' && request.url.includes('/time_entries') && !isFirst
      const response = isSplit ? await splitFirst(send) : await send()
      if (request.method === 'GET' && request.url.includes('/time_entries')) isFirst = false
      return response
    })
    async function splitFirst(send: () => Promise<Response>): Promise<Response> {
      laptop.intercept(undefined)
      pass(1)
      await splitAfter(phone, 7)
      await phone.sync.flush()
      return send()
    }
    await laptop.sync.flush()
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(new Set(secondsOn(phone))).toEqual(new Set([7]))
    expect(countedOn(laptop)).toBe(14)
    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 6 } }])
  },
)

test('Work after a resume counts in a split although another device has saved the session in that pause', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  pass(5)
  laptop.intercept(offline())
  await laptop.resume()
  pass(30)
  await laptop.stop()
  pass(5)
  await phone.stop()
  pass(1)
  await splitAfter(laptop, 20)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([15, 25])
  expect(secondsOn(phone)).toEqual([15, 25])
})

test.each([
  ['the backend has that session', async () => {}],
  ['the backend has lost that session', lose],
])(
  'The work after a stop elsewhere is offered if the session was split here as it was saved there, and %s',
  async (_case, happen) => {
    pass(40)
    await phone.stop()
    laptop.intercept(readsEntries)
    await laptop.sync.refresh()
    pass(20)
    await laptop.stop()
    await splitAfter(laptop, 10)
    await happen()
    await goOnline(laptop)

    expect(new Set(secondsOn(laptop))).toEqual(new Set([10, 30]))
    expect(offersOn(laptop).map(({ worked }) => worked.durationSeconds)).toEqual([20])
  },
)

test('A split of an unsent stop whose instants a wrong clock had written asks nothing after the correction', async () => {
  pass(60)
  laptop.kill()
  laptop.moveClock(-20_000)
  laptop = await laptop.reopen(offline())
  await laptop.stop()
  await splitAfter(laptop, 10, { now: world.server.clock.now() })
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([30, 30])
  expect(offersOn(laptop)).toEqual([])
})

test('A pause stays in a session that was stopped in it and split by a clock that was set ahead', async () => {
  pass(15)
  await laptop.pause()
  pass(5)
  laptop.intercept(offline())
  laptop.moveClock(7_200_000)
  await laptop.stop()
  await splitAfter(laptop, 5000, { now: world.server.clock.now() })
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([15])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A half that was split off before its stop was undone stays when another device had saved less of the session', async () => {
  laptop.intercept(offline())
  pass(5)
  await phone.stop()
  pass(1)
  await editOn(phone, { note: 'Draft' })
  await phone.sync.flush()
  pass(54)
  const stopped = await stopOn(laptop)
  await splitAfter(laptop, 20)
  pass(1)
  await continueStopped(laptop, stopped)
  await goOnline(laptop)
  await laptop.stop()

  expect(countedOn(laptop)).toBeGreaterThanOrEqual(60)
  expect(secondsOn(laptop)).toContain(40)
})

test('A half that was split off before its stop was undone gives way to a split that arrives with the undo', async () => {
  laptop.intercept(offline())
  pass(20)
  const stopped = await stopOn(laptop)
  await splitAfter(laptop, 15)
  await continueStopped(laptop, stopped)
  pass(1)
  await phone.stop()
  laptop.intercept(async (request, send) => {
    if (request.method === 'PATCH' && request.url.includes('time_entries')) {
      laptop.intercept(undefined)
      await splitAfter(phone, 5)
      await phone.sync.flush()
    }
    return send()
  })
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([5, 16])
  expect(secondsOn(phone)).toEqual([5, 16])
})

test('A split that did not arrive before its stop was undone gives way to the split of another device', async () => {
  pass(20)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await splitAfter(laptop, 15)
  await laptop.sync.flush()
  pass(1)
  await continueStopped(laptop, stopped)
  pass(1)
  await splitAfter(phone, 5)
  await phone.sync.flush()
  pass(1)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([5, 15])
  expect(secondsOn(phone)).toEqual([5, 15])
})

test('A split gives way to one of a device that had stopped the session later', async () => {
  const other = await world.createTask('Read')
  laptop.intercept(offline())
  pass(20)
  await phone.start(other)
  pass(20)
  await laptop.press(stop)
  await splitAfter(laptop, 30)
  await phone.sync.flush()
  phone.intercept(offline())
  await goOnline(laptop)
  pass(5)
  await splitAfter(phone, 10)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(secondsOn(laptop)).toEqual([30, 10])
  expect(secondsOn(phone)).toEqual([30, 10])
})

test('Work that was kept after a stop elsewhere is offered when a later trim there leaves it out', async () => {
  const other = await world.createTask('Read')
  laptop.intercept(offline())
  pass(20)
  await phone.start(other)
  pass(20)
  await laptop.press(stop)
  await goOnline(laptop)
  const offer = firstOffer(laptop)
  await laptop.press((draft, now) => keepOffer(draft, offer, 'new', now))
  await laptop.sync.flush()
  expect(secondsOn(laptop)).toEqual([40])
  phone.intercept(offline())
  pass(5)
  const entry = phone.record.entries().find(({ durationSeconds }) => durationSeconds === 20)
  if (!entry) throw new Error('The phone has no entry of 20 seconds')
  await trimAfter(phone, 15, entry)
  await goOnline(phone)

  expect(secondsOn(phone)).toEqual([15])
  expect(offersOn(phone)).toMatchObject([{ why: 'ran-on', worked: { durationSeconds: 20 } }])
})
