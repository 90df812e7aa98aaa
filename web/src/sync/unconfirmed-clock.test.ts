/** Presses while the server has not confirmed the clock of their device. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { start } from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhone, offline, serverOf, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'
import { testWalks } from '#test/walk.ts'
import type { Intercept } from '@stint/testing/test-app.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string
let other: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  other = await world.createTask('Answer mail')
  await laptop.press((draft) => changePrefs(draft, { trackOffline: true }))
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

test('A start during the list of sessions is right, although the clock was set back before', async () => {
  laptop.kill()
  laptop.moveClock(-3 * HOUR)
  pass(4)
  await phone.start(taskId)
  pass(10)
  laptop = await laptop.reopen(offline())
  const startedAt = world.server.clock.now()
  const input = { device: 'laptop', sessionId: 'second', taskId: other }
  laptop.intercept(async (request, send) => {
    const isList = request.url.includes('timer_sessions') && request.method === 'GET'
    if (isList && !laptop.record.value('timer')) await laptop.press((draft) => start(draft, input))
    return withoutInfo(request, send)
  })
  await laptop.sync.refresh()
  await goOnline(laptop)

  const [session] = await world.stored('timer_sessions')
  expect(session?.$id).toBe('second')
  expect(Math.abs(Date.parse(String(session?.['startTime'])) - startedAt)).toBeLessThan(1000)
})

testWalks(`
  A press waits until the server has confirmed the clock
    L start, L close, L clock -3600, 20, L cut info, L open, L pause, 10, L on, L stop → 20
  A clock that was set right before the server answered still saves the seconds
    L close, L clock 10800, L off, L open, L start, 20, L stop, L close, L clock -10800, 60, L on, L open → 20
  A start over a timer from elsewhere is right, even if the clock was behind the start of that timer
    L close, L clock -3600, 60, P start, 100, L cut info, L open, 5, L start B, L on → 105, runs 0
  News waits until the server has confirmed the clock, because a clock that was set looks like sleep
    L off, L start, 10, P start B, L cut info, L clock 10800, 5, L look, L on → 15, runs 5
  A paused timer that a newer one elsewhere ends is sent, although the clock was set back
    L off, L start, 10, L pause, L close, L clock -10800, 3000, P start B, L cut info, L open, L on → 10, runs 0
`)
