/** Tests timers that a restored server brings back or has lost: who still shows them, and their pauses. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { resume, stop } from '@stint/core/device/timer.ts'
import {
  goOnline,
  laptopAndPhone,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

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

const { pass, savedOrDeleted: saved, backUp, restore } = serverOf(() => world)

/** The laptop works for ten seconds. A minute later the server loses the stop. */
async function stopAndForget(): Promise<void> {
  await laptop.start(taskId)
  await laptop.sync.flush()
  pass(10)
  const backup = await backUp()
  await laptop.stop()
  await laptop.sync.flush()
  pass(60)
  await restore(backup)
}

test('A session that a restored backup brings back does not run again where its end is known', async () => {
  await stopAndForget()
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await saved()).toEqual([10])
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start after a restored backup does not end the old session a second time', async () => {
  await stopAndForget()
  const other = await laptop.start(await world.createTask('Answer mail'))
  await laptop.sync.flush()

  expect(await saved()).toEqual([10])
  expect(await world.stored('timer_sessions')).toMatchObject([{ $id: other }])
})

test('A device that does not know the end of a restored session learns it from one that does', async () => {
  await stopAndForget()
  await phone.sync.refresh()
  expect(phone.record.value('timer')).toBeDefined()
  pass(2)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(phone.record.value('timer')).toBeUndefined()
  expect(await saved()).toEqual([10])
  expect(unsentCount(phone.record)).toBe(0)
})

test('A timer that was stopped with nothing to save stays stopped after a restored backup', async () => {
  await laptop.start(taskId)
  await laptop.pause()
  const backup = await backUp()
  pass(10)
  await laptop.stop()
  pass(60)
  await restore(backup)
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A timer whose start was moved to after its end stays stopped after a restored backup', async () => {
  const id = await phone.start(taskId)
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(1)
  await laptop.stop()
  pass(9)
  const moved = { startedAt: world.server.clock.now() - 3000 }
  await phone.press((draft, now) => changeTimer(draft, id, moved, now))
  await phone.sync.flush()
  const backup = await backUp()
  pass(5)
  await goOnline(laptop)
  await phone.sync.refresh()
  await restore(backup)
  pass(5)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(phone.record.value('timer')).toBeUndefined()
  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('A timer that a restored backup lacks stays stopped when it is stopped with nothing to save', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  await restore(backup)
  await laptop.stop()
  pass(5)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(phone.record.value('timer')).toBeUndefined()
  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('A session that was paused after a stop within its first second does not come back from a backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(0.3)
  await phone.stop()
  pass(20)
  await laptop.pause()
  const backup = await backUp()
  phone.intercept(undefined)
  await phone.sync.refresh()
  await laptop.sync.refresh()
  pass(60)
  await restore(backup)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(phone.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(await saved()).toEqual([0])
})

test('A shown timer keeps the pauses that a restored backup lacks', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  pass(10)
  const backup = await backUp()
  await laptop.pause()
  await laptop.sync.flush()
  pass(60)
  await laptop.resume()
  await laptop.sync.flush()
  pass(20)
  await restore(backup)
  await laptop.sync.refresh()
  await laptop.stop()
  await laptop.sync.flush()

  expect(await saved()).toEqual([30])
})

test('A shown timer keeps a resume that a restored backup lacks, although another device has moved its start', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp()
  pass(5)
  await laptop.resume()
  await restore(backup)
  pass(2)
  await phone.sync.refresh()
  const sessionId = phone.record.value('timer')?.timer.sessionId ?? ''
  await phone.press((draft, now) => changeTimer(draft, sessionId, { startedAt: now - 60_000 }, now))
  await phone.sync.flush()
  pass(20)
  await laptop.sync.refresh()
  await laptop.stop()

  expect(await saved()).toEqual([75])
})

test.each(['before', 'while'])(
  'A pause that only its device knows counts in a session that another device creates again %s that one looks',
  async (when) => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    const backup = await backUp()
    await laptop.start(taskId)
    await phone.sync.refresh()
    pass(20)
    await laptop.pause()
    await restore(backup)
    if (when === 'before') await phone.sync.refresh()
    laptop.intercept(async (request, send) => {
      if (request.method === 'POST') await phone.sync.refresh()
      return send()
    })
    pass(1)
    await laptop.sync.refresh()
    pass(9)
    await laptop.stop()

    expect(await saved()).toEqual([20])
  },
)

test('A stop keeps a pause that only its device knows in a session that another device creates again', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(20)
  await laptop.pause()
  await restore(backup)
  pass(5)
  await phone.sync.refresh()
  pass(5)
  await laptop.stop()

  expect(await saved()).toEqual([20])
})

test('A stop that is sent again keeps the pauses that a restored backup lacks', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  pass(10)
  const backup = await backUp()
  await laptop.pause()
  await laptop.sync.flush()
  pass(60)
  laptop.intercept(offline())
  await laptop.stop()
  await laptop.sync.flush()
  await restore(backup)
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
})

test('A pause that reaches a restored session counts where the end of the session is known', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(20)
  await phone.stop()
  pass(5)
  await restore(backup)
  laptop.intercept(undefined)
  await laptop.sync.flush()
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(laptop.record.value('timer')).toBeUndefined()
  expect(secondsOn(phone)).toEqual([10])
})

test('A confirmed pause of a shown timer counts when a device that had not heard of it saves the lost session', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  const backup = await backUp()
  pass(10)
  await laptop.pause()
  pass(20)
  await restore(backup)
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

test('A known pause counts when a device that had not heard of it saves the session again', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(10)
  await laptop.resume()
  pass(5)
  await laptop.stop()
  await restore(backup)
  pass(2)
  phone.intercept(undefined)
  await phone.sync.refresh()
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([17])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'counted', worked: { durationSeconds: 27 }, instead: { durationSeconds: 17 } },
  ])
})

test('Work after a resume that a restored backup lacks is offered when another device has ended its pause', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp()
  pass(5)
  await laptop.resume()
  await restore(backup)
  await phone.sync.refresh()
  pass(20)
  await phone.stop()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 30 }, instead: { durationSeconds: 10 } },
  ])
})

test('Work between a resume and a stop that a restored backup lacks is offered when another device has saved the pause', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp()
  pass(5)
  await laptop.resume()
  pass(7)
  await laptop.stop()
  await restore(backup)
  await phone.sync.refresh()
  pass(20)
  await phone.stop()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-counted',
      worked: expect.objectContaining({ durationSeconds: 17 }),
    }),
  )
})

test('Work after a resume that a restored backup lacks is offered when another device ends the session with nothing to save', async () => {
  await laptop.start(taskId)
  await laptop.pause()
  pass(5)
  const backup = await backUp()
  await laptop.resume()
  pass(20)
  await restore(backup)
  await phone.sync.refresh()
  await phone.stop()
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-counted',
      worked: expect.objectContaining({ durationSeconds: 20 }),
      instead: expect.objectContaining({ durationSeconds: 0 }),
    }),
  )
})

test('A resume counts that found its session lost, although another device has saved the session paused since', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await laptop.pause()
  await phone.sync.refresh()
  await restore(backup)
  pass(5)
  phone.intercept(losing('POST'))
  await phone.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await phone.resume()
  pass(10)
  await laptop.stop()
  phone.intercept(undefined)
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(await saved()).toEqual([10])
  expect(unsentCount(phone.record)).toBe(0)
})

test('Work after a resume counts although another device creates the lost session again before it was sent', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(1)
  await laptop.pause()
  await phone.sync.refresh()
  await restore(backup)
  pass(2)
  laptop.intercept(losing('POST'))
  await laptop.press(resume)
  await laptop.sync.flush()
  pass(18)
  await phone.resume()
  pass(10)
  await laptop.press(stop)
  await goOnline(laptop)

  expect(await saved()).toEqual([29])
})
