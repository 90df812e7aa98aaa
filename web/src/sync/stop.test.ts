import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { finishSession } from '@stint/core/device/questions.ts'
import { createWorld, goOnline, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
import * as store from '@stint/core/device/timer.ts'

let world: World
let device: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  device = await world.device()
})

afterEach(async () => {
  await world.close()
})

async function workFor(seconds: number): Promise<void> {
  await device.start(taskId)
  world.server.clock.advance(seconds * 1000)
}

async function entries() {
  const stored = await world.stored('time_entries')
  const kept = stored.filter((entry) => entry['deletedAt'] === null)
  return kept.map(({ durationSeconds, sessionId, $id }) => ({ durationSeconds, sessionId, $id }))
}

/**
 * Starts, pauses and stops before anything is sent. Returns the requests and answers that follow.
 */
async function stoppedUnsent(milliseconds: number): Promise<[method: string, status: number][]> {
  const { clock } = world.server
  const input = { sessionId: 'short', taskId, device: 'laptop', now: clock.now() }
  await device.press((draft) => store.start(draft, input))
  clock.advance(milliseconds)
  await device.press((draft) => store.pause(draft, clock.now()))
  await device.press((draft) => store.stop(draft, clock.now()))
  const answers: [string, number][] = []
  device.intercept(async (request, send) => {
    const reply = await send()
    answers.push([request.method, reply.status])
    return reply
  })
  await device.sync.flush()
  device.intercept(undefined)
  return answers
}

const CALLS = [
  { name: 'the update of the session', method: 'PATCH' },
  { name: 'the creation of the entry', method: 'POST' },
  { name: 'the deletion of the session', method: 'DELETE' },
] as const

describe('stopping', () => {
  test('A stop saves one entry under the id of the session and leaves no session', async () => {
    const sessionId = await device.start(taskId)
    world.server.clock.advance(65_400)
    await device.stop()

    expect(await entries()).toEqual([{ durationSeconds: 65, sessionId, $id: sessionId }])
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(unsentCount(device.record)).toBe(0)
  })

  testWalks([
    [
      'A stop does not count the pauses in the seconds',
      'L start, 60, L pause, 30, L resume, 15, L pause, 100, L stop',
      '75',
    ],
    ['A stop within a second saves nothing', 'L start, 0.9, L stop', 'nothing'],
  ])

  test('A stop does not conflict with a pause that is being sent', async () => {
    await workFor(60)
    const paused = Promise.withResolvers<void>()
    const statuses: number[] = []
    device.intercept(async (request, send) => {
      if (request.method === 'PATCH') await paused.promise
      const reply = await send()
      statuses.push(reply.status)
      return reply
    })
    const pausing = device.pause()
    world.server.clock.advance(30_000)
    await device.press((draft) => store.stop(draft, world.server.clock.now()))
    paused.resolve()
    await pausing
    await device.sync.flush()

    expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([60])
    expect(statuses).not.toContain(409)
  })

  test('An unsent start and its stop save the entry without creating the session', async () => {
    const answers = await stoppedUnsent(5000)

    expect(answers).toEqual([['POST', 201]])
    expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([5])
    expect(unsentCount(device.record)).toBe(0)
  })

  test('A start and its stop are sent together when an unfinished session was answered in between', async () => {
    const phone = await world.device('phone')
    await phone.start(taskId)
    phone.kill()
    world.server.clock.advance(48 * 3_600_000)
    await device.sync.refresh()
    const [unfinished] = device.record.value('unfinished')?.sessions ?? []
    if (!unfinished) throw new Error('No session is unfinished')
    await device.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    device.intercept(offline())
    const startedAt = world.server.clock.now()
    await workFor(20)
    await device.press((draft) =>
      finishSession(draft, unfinished, startedAt - 47 * 3_600_000, startedAt),
    )
    await device.stop()
    await goOnline(device)

    const seconds = (await entries()).map(({ durationSeconds }) => durationSeconds)
    expect(new Set(seconds)).toEqual(new Set([20, 3600]))
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(unsentCount(device.record)).toBe(0)
  })

  test('A stop within a second leaves nothing of a session that the server never had', async () => {
    expect(await stoppedUnsent(900)).toEqual([])
    expect(await entries()).toEqual([])
    expect(unsentCount(device.record)).toBe(0)
  })

  test('A stop ends an unconfirmed session whose answer was lost', async () => {
    const killed = Promise.withResolvers<void>()
    device.intercept(async (_request, send) => {
      await send()
      killed.resolve()
      return new Promise(() => undefined)
    })
    void device.start(taskId).catch(() => undefined)
    await killed.promise
    world.server.clock.advance(5000)
    await device.press((draft) => store.stop(draft, world.server.clock.now()))
    device = await device.reopen()

    expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([5])
    expect(await world.stored('timer_sessions')).toEqual([])
  })

  for (const { name, method } of CALLS) {
    test(`A stop ends in exactly one entry when the tab is killed after ${name}`, async () => {
      await workFor(90)
      const killed = Promise.withResolvers<void>()
      device.intercept(async (request, send) => {
        const reply = await send()
        if (request.method !== method) return reply
        device.kill()
        killed.resolve()
        return new Promise(() => undefined)
      })
      void device.stop().catch(() => undefined)
      await killed.promise
      world.server.clock.advance(60_000)
      device = await device.reopen()

      expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([90])
      expect(await world.stored('timer_sessions')).toEqual([])
      expect(unsentCount(device.record)).toBe(0)
      expect(device.record.value('timer')).toBeUndefined()
    })

    test(`A stop ends in exactly one entry when ${name} is lost on the way`, async () => {
      await workFor(90)
      loseOnce(method, 'request')
      await device.stop()
      await device.sync.refresh()

      expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([90])
      expect(await world.stored('timer_sessions')).toEqual([])
    })

    test(`A stop ends in exactly one entry when the answer to ${name} is lost`, async () => {
      await workFor(90)
      loseOnce(method, 'reply')
      await device.stop()
      await device.sync.refresh()

      expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([90])
      expect(await world.stored('timer_sessions')).toEqual([])
    })
  }

  test('A stop is completed by another device when the first one never returns', async () => {
    await workFor(90)
    const killed = Promise.withResolvers<void>()
    device.intercept(async (_request, send) => {
      await send()
      device.kill()
      killed.resolve()
      return new Promise(() => undefined)
    })
    void device.stop().catch(() => undefined)
    await killed.promise
    await world.device('phone')

    expect((await entries()).map((entry) => entry.durationSeconds)).toEqual([90])
    expect(await world.stored('timer_sessions')).toEqual([])
  })
})

function loseOnce(method: string, part: 'request' | 'reply'): void {
  let lost = false
  device.intercept(async (request, send) => {
    if (lost || request.method !== method) return send()
    lost = true
    if (part === 'reply') await send()
    throw new TypeError('Failed to fetch')
  })
}
