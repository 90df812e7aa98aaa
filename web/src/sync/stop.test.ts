import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createWorld, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { beginWalk, testWalks } from '#test/walk.ts'

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

describe('stopping', () => {
  test('A stop saves one entry under the id of the session and leaves no session', async () => {
    const sessionId = await device.start(taskId)
    world.server.clock.advance(65_400)
    await device.stop()

    expect(await world.stored('time_entries')).toMatchObject([
      { $id: sessionId, sessionId, durationSeconds: 65, deletedAt: null },
    ])
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(unsentCount(device.record)).toBe(0)
  })

  testWalks(`
    A start and its stop are sent together when an unfinished session was answered in between
      P start, P close, 172800, L look, L off, L start, 20, L ends 169220, L stop, L on, P open → 3600 20
    A stop that cannot be sent stays while its device hears of the server
      L start, 5, L cut PATCH, L stop, L look, L look, L on → 5
  `)

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
