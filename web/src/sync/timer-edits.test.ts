import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { createWorld, offline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editsIn, HOUR, local } from '#test/edits.ts'
import { testWalks } from '#test/walk.ts'

let world: World
let laptop: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
})

afterEach(async () => {
  await world.close()
})

const { now } = editsIn(() => ({ world, taskId }))

testWalks([
  [
    'An unsaved stop is saved as it was edited',
    'L start, 3600, L off, L stop, L trim 1800, L on',
    '1800',
  ],
  ['A moved start is that of another device', 'L start, 60, L move -3540, P look, P stop', '3600'],
  [
    'A start in the past ends the previous timer at that moment',
    'L start, 3600, L start B -900, L stop',
    '2700 900B',
  ],
  [
    'A start in the past ends the previous timer at that moment, even if it was paused since',
    'L start, 3600, L pause, 900, L resume, 900, L start B -3600, L stop',
    '1800 3600B',
  ],
])

test('The undo of a moved start restores the pauses that it cut off and keeps later ones', async () => {
  const sessionId = await laptop.start(taskId)
  world.server.clock.advance(HOUR)
  await laptop.pause()
  world.server.clock.advance(HOUR / 2)
  await laptop.resume()
  world.server.clock.advance(HOUR)
  const change = { startedAt: now() - HOUR / 4 }
  const back = await laptop.press((draft) =>
    applyChanges(draft, { timer: { sessionId, change } }, now()),
  )
  expect(laptop.record.value('timer')?.timer.pauses.intervals).toEqual([])
  await laptop.pause()
  world.server.clock.advance(HOUR)
  await laptop.resume()
  await laptop.press((draft) => applyChanges(draft, back, now()))
  await laptop.stop()

  expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 2 * 3600 }])
})

test('A moved start of an unsent stop is kept, whichever device completes the stop', async () => {
  const other = await world.createTask('Plan')
  const sessionId = await laptop.start(taskId)
  world.server.clock.advance(HOUR)
  laptop.intercept(offline())
  const change = { startedAt: now() - 2 * HOUR, taskId: other }
  await laptop.press((draft) => changeTimer(draft, sessionId, change, now()))
  await laptop.stop()
  const killed = Promise.withResolvers<void>()
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method !== 'PATCH') return reply
    laptop.kill()
    killed.resolve()
    return new Promise(() => undefined)
  })
  void laptop.sync.flush().catch(() => undefined)
  await killed.promise
  await world.device('phone')
  laptop = await laptop.reopen()

  const expected = { taskId: other, durationSeconds: 2 * 3600 }
  expect(await world.stored('time_entries')).toMatchObject([expected])
  expect(local(laptop, sessionId)).toMatchObject(expected)
})

test('A start is never moved past now or past the begin of the current pause', async () => {
  const sessionId = await laptop.start(taskId)
  world.server.clock.advance(HOUR)
  await laptop.pause()
  const pausedAt = now()
  world.server.clock.advance(HOUR)
  await laptop.press((draft) => changeTimer(draft, sessionId, { startedAt: now() + HOUR }, now()))
  expect(laptop.record.value('timer')?.timer.startedAt).toBe(pausedAt)
})
