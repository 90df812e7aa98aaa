/** Tests what counts in a session that a device has saved again which had not heard of something. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { resumeStopped, stop } from '@stint/core/device/timer.ts'
import { backUp, restore } from '#test/backup.ts'
import { createWorld, offersOn, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
  phone = await world.device('phone')
})

afterEach(async () => {
  await world.close()
})

function pass(seconds: number): void {
  world.server.clock.advance(seconds * 1000)
}

/** Returns the seconds of the entries on the server that are not deleted. */
async function saved() {
  const entries = await world.stored('time_entries')
  return entries.flatMap((entry) => (entry['deletedAt'] === null ? entry['durationSeconds'] : []))
}

/** The laptop undoes its stop. The timer continues as the session 'again'. */
async function undoStop(stopped: Parameters<typeof resumeStopped>[1]['stopped']) {
  const input = { sessionId: 'again', stopped, gap: 'undo' as const, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
}

test('A confirmed pause of a shown timer counts when a device that had not heard of it saves the lost session', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  const backup = await backUp(world.server, world.user.id)
  pass(10)
  await laptop.pause()
  pass(20)
  await restore(world.server, world.user.id, backup)
  phone.intercept(undefined)
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'counted', worked: { durationSeconds: 30 }, instead: { durationSeconds: 10 } },
  ])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('Work after an undone stop that was stopped again is offered when a device that had not heard of both saves the lost session', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(10)
  const stopped = await laptop.press((draft, now) => stop(draft, now))
  await laptop.sync.flush()
  if (!stopped) throw new Error('Nothing was stopped')
  await undoStop(stopped)
  pass(2)
  await laptop.stop()
  await laptop.sync.flush()
  pass(8)
  await phone.stop()
  await restore(world.server, world.user.id, backup)
  phone.intercept(undefined)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(await saved()).toEqual([12])
  expect(offersOn(laptop)).toMatchObject([{ why: 'ran-on', worked: { durationSeconds: 8 } }])
})

test.each([5, 0])(
  'A stop in a pause that a wrong clock has written is undone into the same pause after %i seconds of it',
  async (seconds) => {
    await laptop.start(taskId)
    pass(10)
    if (seconds > 0) await laptop.pause()
    pass(seconds)
    const stopped = await laptop.press((draft, now) => stop(draft, now))
    await laptop.sync.flush()
    if (!stopped) throw new Error('Nothing was stopped')
    const [start, end] = [stopped.startedAt + 10_000, stopped.endedAt + 7_200_000]
    const pauses = { ...stopped.pauses, intervals: [{ start, end }] }
    pass(10)
    await undoStop({ ...stopped, endedAt: end, pauses })

    expect(laptop.record.value('timer')?.timer).toMatchObject({ status: 'paused', pausedAt: start })
  },
)
