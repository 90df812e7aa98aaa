import { editEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import * as store from '@stint/core/device/timer.ts'
import { createWorld, offline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editsIn, HOUR, local } from '#test/edits.ts'

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

const { now, change } = editsIn(() => ({ world, taskId }))

test('An unsaved stop is saved as it was edited', async () => {
  const sessionId = await laptop.start(taskId)
  world.server.clock.advance(HOUR)
  laptop.intercept(offline())
  await laptop.stop()
  const entry = local(laptop, sessionId)
  await change(laptop, editEntry(entry, { endedAt: entry.endedAt - HOUR / 2 }, now()))
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(local(laptop, sessionId).durationSeconds).toBe(1800)
  expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 1800 }])
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('A moved start is visible on the other device', async () => {
  const sessionId = await laptop.start(taskId)
  world.server.clock.advance(60_000)
  const startedAt = now() - HOUR
  await laptop.press((draft) => changeTimer(draft, sessionId, { startedAt }, now()))
  await laptop.sync.flush()

  const phone = await world.device('phone')
  expect(phone.record.value('timer')?.timer.startedAt).toBe(startedAt)
  await phone.stop()
  expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 3600 }])
})

test('A start in the past ends the previous timer at that moment', async () => {
  const other = await world.createTask('Plan')
  const first = await laptop.start(taskId)
  world.server.clock.advance(HOUR)
  const startedAt = now() - HOUR / 4
  const input = { sessionId: 'late', taskId: other, device: 'laptop', now: now(), startedAt }
  await laptop.press((draft) => store.start(draft, input))
  await laptop.sync.flush()

  expect(local(laptop, first).endedAt).toBe(startedAt)
  expect(laptop.record.value('timer')?.timer.startedAt).toBe(startedAt)
})

test('A start in the past ends the previous timer at that moment, even if it was paused since', async () => {
  const other = await world.createTask('Plan')
  const first = await laptop.start(taskId)
  world.server.clock.advance(HOUR)
  await laptop.pause()
  world.server.clock.advance(HOUR / 4)
  await laptop.resume()
  world.server.clock.advance(HOUR / 4)
  const startedAt = now() - HOUR
  const input = { sessionId: 'late', taskId: other, device: 'laptop', now: now(), startedAt }
  await laptop.press((draft) => store.start(draft, input))
  await laptop.sync.flush()

  expect(local(laptop, first)).toMatchObject({
    endedAt: startedAt,
    durationSeconds: 1800,
  })
})

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
