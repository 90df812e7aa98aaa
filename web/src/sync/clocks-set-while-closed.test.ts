/** Tests a clock that was set while the browser was closed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { noteAwake } from '@stint/core/device/awake.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhone,
  offline,
  serverOf,
  stopOn,
  storedOffersOn as offersOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
})

afterEach(async () => {
  await world.close()
})

const { pass, saved } = serverOf(() => world)

async function bothShowATimer(): Promise<void> {
  await laptop.start(taskId)
  await phone.sync.refresh()
}

describe('A clock that was set while the browser was closed', () => {
  test.each([-2 * HOUR, -9000 * HOUR])(
    'A clock that is wrong by %i ms when the browser starts loses no second of a running timer',
    async (milliseconds) => {
      await laptop.start(taskId)
      pass(4)
      laptop.kill()
      laptop.moveClock(milliseconds)
      laptop = await laptop.reopen(offline())
      pass(5)
      await laptop.stop()
      await goOnline(laptop)

      expect(await saved()).toEqual([9])
      expect(await world.stored('timer_sessions')).toEqual([])
    },
  )

  test.each([3 * HOUR, -3 * HOUR])(
    'A clock that is wrong by %i ms while the timer is tracked offline is corrected before a send',
    async (milliseconds) => {
      await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
      await laptop.sync.flush()
      laptop.kill()
      laptop.moveClock(milliseconds)
      pass(5)
      laptop = await laptop.reopen(offline())
      const startedAt = world.server.clock.now()
      await laptop.start(taskId)
      pass(20)
      await laptop.stop()
      pass(5)
      await goOnline(laptop)

      expect(await saved()).toEqual([20])
      const [entry] = await world.stored('time_entries')
      expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
      expect(unsentCount(laptop.record)).toBe(0)
    },
  )

  test('A press waits until the server has confirmed the clock', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.start(taskId)
    laptop.kill()
    laptop.moveClock(-HOUR)
    pass(20)
    laptop = await laptop.reopen(async (request, send) => {
      if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    await laptop.pause()
    pass(10)
    await goOnline(laptop)
    await laptop.stop()
    await laptop.sync.flush()

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A start is right although the clock was set back to just before the last press', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    pass(420)
    laptop.moveClock(-420_300)
    laptop = await laptop.reopen(offline())
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    pass(5)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([5])
    expect(laptop.record.entries().at(-1)?.startedAt).toBeCloseTo(startedAt, -3)
  })

  test('An undone stop continues from the corrected start when the clock is corrected before the undo', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    pass(20)
    laptop.moveClock(-3 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    pass(10)
    const stopped = await stopOn(laptop)
    laptop.intercept(async (request, send) => {
      if (!request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    await laptop.sync.refresh()
    pass(2)
    await continueStopped(laptop, stopped)
    await goOnline(laptop)
    pass(3)
    await laptop.stop()

    expect(await saved()).toEqual([15])
  })

  test('A clock that is set back while the browser is closed does not move an earlier press', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that is set ahead while the browser is closed does not move an earlier press back', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    pass(60)
    laptop = await laptop.reopen(offline())
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(2 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.stop()
    await goOnline(laptop)

    const [entry] = await world.stored('time_entries')
    expect(entry).toMatchObject({ durationSeconds: 20 })
    expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
  })

  test.each([
    { leap: 0, before: 400, worked: 48 },
    { leap: 420_000, before: 183, worked: 242 },
  ])(
    'A clock that is set ahead after a stop moves neither the start nor the stop, after a leap of $leap ms',
    async ({ leap, before, worked }) => {
      await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
      await laptop.sync.flush()
      laptop.kill()
      pass(before)
      laptop = await laptop.reopen(offline())
      laptop.moveClock(leap)
      const startedAt = world.server.clock.now()
      await laptop.start(taskId)
      laptop.kill()
      pass(worked)
      laptop = await laptop.reopen(offline())
      await laptop.stop()
      laptop.kill()
      laptop.moveClock(420_000)
      laptop = await laptop.reopen()
      await goOnline(laptop)

      const [entry] = await world.stored('time_entries')
      expect(entry).toMatchObject({ durationSeconds: worked })
      expect(Math.abs(Date.parse(String(entry?.['startTime'])) - startedAt)).toBeLessThan(1000)
    },
  )

  test('A start after a leap of the clock is right, although the clock was set ahead again while the browser was closed', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    laptop.moveClock(HOUR / 10)
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(2 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.pause()
    await goOnline(laptop)

    const [session] = await world.stored('timer_sessions')
    expect(Math.abs(Date.parse(String(session?.['startTime'])) - startedAt)).toBeLessThan(1000)
  })

  test('A start after a leap of the clock is right, although the clock was set back while the browser was closed', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    laptop.moveClock(HOUR / 10)
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR / 10)
    laptop = await laptop.reopen(offline())
    await laptop.stop()
    await goOnline(laptop)

    const [entry] = await world.stored('time_entries')
    expect(entry).toMatchObject({ durationSeconds: 20 })
    expect(Math.abs(Date.parse(String(entry?.['startTime'])) - startedAt)).toBeLessThan(1000)
  })

  test('A clock that is set back after a small correction does not move an earlier press', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    laptop.moveClock(900)
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    laptop.intercept(async (request, send) => {
      if (!request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    await laptop.sync.refresh()
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.press(noteAwake)
    await goOnline(laptop)
    await laptop.stop()

    expect(await saved()).toEqual([19])
  })

  test('A press on a timer from elsewhere is right, even if the clock was behind the start of that timer', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    laptop.kill()
    laptop.moveClock(-HOUR)
    pass(60)
    await phone.start(taskId)
    pass(100)
    laptop = await laptop.reopen(async (request, send) => {
      if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    pass(5)
    const input = { device: 'laptop', sessionId: 'second', taskId: other }
    await laptop.press((draft, now) => store.start(draft, { ...input, now }))
    await goOnline(laptop)

    expect(await saved()).toEqual([105])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A start during the list of sessions is right, although the clock was set back before the browser was opened', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    laptop.moveClock(-3 * HOUR)
    pass(4)
    await phone.start(taskId)
    pass(10)
    laptop = await laptop.reopen(offline())
    const other = await world.createTask('Answer mail')
    const startedAt = world.server.clock.now()
    laptop.intercept(async (request, send) => {
      if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      // The start is pressed while the list is on its way.
      const isList = request.url.includes('timer_sessions') && request.method === 'GET'
      if (isList && !laptop.record.value('timer')) {
        const input = { device: 'laptop', sessionId: 'second', taskId: other }
        await laptop.press((draft, now) => store.start(draft, { ...input, now }))
      }
      return send()
    })
    await laptop.sync.refresh()
    await goOnline(laptop)

    const [session] = await world.stored('timer_sessions')
    expect(session?.$id).toBe('second')
    expect(Math.abs(Date.parse(String(session?.['startTime'])) - startedAt)).toBeLessThan(1000)
  })

  test('A timer that a newer one elsewhere ends is sent, although the clock was set back before the browser was opened', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    await laptop.start(taskId)
    pass(10)
    await laptop.press(store.pause)
    laptop.kill()
    laptop.moveClock(-3 * HOUR)
    pass(3000)
    await phone.start(other)
    laptop = await laptop.reopen(async (request, send) => {
      const isEntry = request.method === 'POST' && request.url.includes('time_entries')
      if (isEntry || request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    await goOnline(laptop)

    expect(await saved()).toEqual([10])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that is set ahead between two visits without an answer does not count as sleep', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(10)
    await phone.stop()
    pass(60)
    laptop = await laptop.reopen(offline())
    laptop.kill()
    pass(20)
    laptop.moveClock(2 * HOUR)
    laptop = await laptop.reopen(offline())
    await goOnline(laptop)

    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 80 } }])
  })

  test('A start that fails after the clock was set back offers all its time once the clock is known', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    const input = { device: 'laptop', sessionId: 'first', taskId }
    await laptop.press((draft, now) => store.start(draft, { ...input, now }))
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.start(other)
    await goOnline(laptop)

    expect(offersOn(laptop)).toMatchObject([{ worked: { taskId, durationSeconds: 20 } }])
  })

  test('A clock that was set right before the server answered still saves the seconds', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    laptop.moveClock(3 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    pass(20)
    await laptop.stop()
    laptop.kill()
    laptop.moveClock(-3 * HOUR)
    pass(60)
    laptop = await laptop.reopen()
    await laptop.sync.flush()

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('The time since a stop is offered when nobody can know how long ago it was', async () => {
    await laptop.start(taskId)
    pass(20)
    laptop.kill()
    laptop.moveClock(-420_000)
    pass(300)
    laptop = await laptop.reopen(offline())
    pass(10)
    await laptop.press(store.stop)
    laptop.kill()
    laptop.moveClock(3 * HOUR)
    laptop = await laptop.reopen()
    await laptop.sync.refresh()
    const [offer] = offersOn(laptop)

    expect(await saved()).toEqual([10])
    // Both are rounded down.
    expect(offer).toMatchObject({ why: 'went-on', worked: { durationSeconds: 319 } })
  })
})
