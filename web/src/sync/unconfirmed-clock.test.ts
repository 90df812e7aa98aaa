/** Presses while the server has not confirmed the clock of their device. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { pause, start } from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhone, offline, serverOf, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'
import type { Intercept } from '@stint/testing/test-app.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string
let other: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  other = await world.createTask('Answer mail')
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.sync.refresh()
})

afterEach(async () => {
  await world.close()
})

const { pass, saved } = serverOf(() => world)

const withoutInfo: Intercept = async (request, send) => {
  if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
  return send()
}

function startOther(device: Device): Promise<unknown> {
  const input = { device: 'laptop', sessionId: 'second', taskId: other }
  return device.press((draft, now) => start(draft, { ...input, now }))
}

test('A press waits until the server has confirmed the clock', async () => {
  await laptop.start(taskId)
  laptop.kill()
  laptop.moveClock(-HOUR)
  pass(20)
  laptop = await laptop.reopen(withoutInfo)
  await laptop.pause()
  pass(10)
  await goOnline(laptop)
  await laptop.stop()

  expect(await saved()).toEqual([20])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A press is sent to a server that does not tell the time', async () => {
  laptop = await laptop.reopen(async (request, send) => {
    const response = await send()
    if (!request.url.endsWith('/stint/info')) return response
    const { serverTime: _, ...info } = await response.json()
    return Response.json(info)
  })
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()

  expect(await saved()).toEqual([20])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A clock that the server confirms just before the browser is killed is corrected once', async () => {
  laptop.intercept(offline())
  laptop.moveClock(2 * HOUR)
  const startedAt = world.server.clock.now()
  await laptop.start(taskId)
  // The write that corrects the start is lost.
  laptop.record.correct = null
  await goOnline(laptop)
  laptop = await laptop.reopen(offline())
  pass(20)
  await laptop.stop()
  await goOnline(laptop)

  expect(await saved()).toEqual([20])
  const [entry] = await world.stored('time_entries')
  expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
})

test('A clock that was set right before the server answered still saves the seconds', async () => {
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

  expect(await saved()).toEqual([20])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start over a timer from elsewhere is right, even if the clock was behind the start of that timer', async () => {
  laptop.kill()
  laptop.moveClock(-HOUR)
  pass(60)
  await phone.start(taskId)
  pass(100)
  laptop = await laptop.reopen(withoutInfo)
  pass(5)
  await startOther(laptop)
  await goOnline(laptop)

  expect(await saved()).toEqual([105])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start during the list of sessions is right, although the clock was set back before', async () => {
  laptop.kill()
  laptop.moveClock(-3 * HOUR)
  pass(4)
  await phone.start(taskId)
  pass(10)
  laptop = await laptop.reopen(offline())
  const startedAt = world.server.clock.now()
  laptop.intercept(async (request, send) => {
    const isList = request.url.includes('timer_sessions') && request.method === 'GET'
    if (isList && !laptop.record.value('timer')) await startOther(laptop)
    return withoutInfo(request, send)
  })
  await laptop.sync.refresh()
  await goOnline(laptop)

  const [session] = await world.stored('timer_sessions')
  expect(session?.$id).toBe('second')
  expect(Math.abs(Date.parse(String(session?.['startTime'])) - startedAt)).toBeLessThan(1000)
})

test('News waits until the server has confirmed the clock, because a clock that was set looks like sleep', async () => {
  laptop.intercept(offline())
  await laptop.start(taskId)
  pass(10)
  await phone.start(other)
  laptop.intercept(withoutInfo)
  laptop.moveClock(3 * HOUR)
  pass(5)
  await laptop.sync.refresh()
  await goOnline(laptop)

  expect(await saved()).toEqual([15])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A paused timer that a newer one elsewhere ends is sent, although the clock was set back', async () => {
  laptop.intercept(offline())
  await laptop.start(taskId)
  pass(10)
  await laptop.press(pause)
  laptop.kill()
  laptop.moveClock(-3 * HOUR)
  pass(3000)
  await phone.start(other)
  laptop = await laptop.reopen(withoutInfo)
  await goOnline(laptop)

  expect(await saved()).toEqual([10])
  expect(unsentCount(laptop.record)).toBe(0)
})
