import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createWorld, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { beginWalk, testWalks } from '#test/walk.ts'
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

async function entries() {
  const stored = await world.stored('time_entries')
  const kept = stored.filter((entry) => entry['deletedAt'] === null)
  return kept.map(({ durationSeconds, sessionId, $id }) => ({ durationSeconds, sessionId, $id }))
}

const lostCall = (what: string, method: string) => `
    A stop ends in exactly one entry when the tab is killed after ${what}
      L start, 90, L dies ${method}, L stop, 60, L open → 90
    A stop ends in exactly one entry when ${what} is lost on the way
      L start, 90, L cut ${method}, L stop, L on → 90
    A stop ends in exactly one entry when the answer to ${what} is lost
      L start, 90, L unanswered ${method}, L stop, L on → 90`

describe('stopping', () => {
  test('A stop saves one entry under the id of the session and leaves no session', async () => {
    const sessionId = await device.start(taskId)
    world.server.clock.advance(65_400)
    await device.stop()

    expect(await entries()).toEqual([{ durationSeconds: 65, sessionId, $id: sessionId }])
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(unsentCount(device.record)).toBe(0)
  })

  testWalks(`
    A stop does not count the pauses in the seconds
      L start, 60, L pause, 30, L resume, 15, L pause, 100, L stop → 75
    A stop within a second saves nothing
      L start, 0.9, L stop → nothing
    A stop ends a session whose creation had no answer
      L unanswered POST, L start, 5, L stop, L on → 5
    A stop is completed by another device before the first one returns
      L start, 90, L dies PATCH, L stop, P look, 60, L open → 90
    A start and its stop are sent together when an unfinished session was answered in between
      P start, P close, 172800, L look, L off, L start, 20, L ends 169220, L stop, L on, P open → 3600 20
    A stop that cannot be sent stays while its device hears of the server
      L start, 5, L cut PATCH, L stop, L look, L look, L on → 5
    ${lostCall('the update of the session', 'PATCH').trim()}
    ${lostCall('the creation of the entry', 'POST').trim()}
    ${lostCall('the deletion of the session', 'DELETE').trim()}
  `)

  test('A stop does not conflict with a pause that is being sent', async () => {
    await device.start(taskId)
    world.server.clock.advance(60_000)
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

  test.each([
    ['save the entry without creating the session', 5, [['POST', 201]]],
    ['leave nothing when there is less than a second', 0.9, []],
  ])('An unsent start and its stop %s', async (_what, seconds, expected) => {
    const { world: walked, go, device: deviceOf, end } = await beginWalk()
    await go(`L off, L start, ${seconds}, L pause, L stop`)
    const answers: [string, number][] = []
    const laptop = await deviceOf('L')
    laptop.intercept(async (request, send) => {
      const reply = await send()
      answers.push([request.method, reply.status])
      return reply
    })
    await laptop.sync.flush()

    expect(answers).toEqual(expected)
    expect(unsentCount(laptop.record)).toBe(0)
    expect(await end()).toBe(seconds < 1 ? 'nothing' : '5')
    await walked.close()
  })
})
