/** Tests sessions with nothing to save on one device, or of no length, on a restored server. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { pause } from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhone, offersOn, offline, secondsOn, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { pullEntries } from './pull.ts'

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

const { pass, saved: kept, savedOrDeleted: saved, backUp, restore } = serverOf(() => world)

test('A known entry of zero length deletes no work from another device', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  const backup = await backUp()
  await phone.sync.refresh()
  laptop.intercept(offline())
  await phone.stop()
  await phone.sync.flush()
  pass(10)
  await laptop.stop()
  await restore(backup)
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 10, deletedAt: null },
  ])
  expect(secondsOn(phone)).toEqual([10])
})

test('Work that a restored backup lacks stays although another device had ended its session with nothing to save', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await laptop.stop()
  await restore(backup)
  pass(20)
  phone.intercept(undefined)
  await phone.stop()
  expect(await saved()).toEqual([20])
  await restore(backup)
  pass(5)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 20, deletedAt: null },
  ])
  expect(secondsOn(laptop)).toEqual([20])
  expect(offersOn(phone)).toMatchObject([
    { why: 'not-stopped', worked: { durationSeconds: 0 }, instead: { durationSeconds: 20 } },
  ])
})

test('A timer that ended with nothing to save can be shortened when a device that had not heard of it saves it', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await laptop.pause()
  pass(10)
  await laptop.stop()
  await restore(backup)
  pass(20)
  phone.intercept(undefined)
  await phone.sync.refresh()
  pass(10)
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await saved()).toEqual([30])
  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-stopped',
      worked: expect.objectContaining({ durationSeconds: 0 }),
      instead: expect.objectContaining({ durationSeconds: 30 }),
    }),
  )
  expect(secondsOn(phone)).toEqual([30])
})

test('A timer that was stopped in its first second stays stopped when it is paused on another device after a restored backup', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  const backup = await backUp()
  pass(0.4)
  await laptop.stop()
  await laptop.sync.flush()
  pass(10)
  await restore(backup)
  await phone.sync.refresh()
  pass(20)
  await phone.pause()
  await phone.sync.flush()
  const shown: string[] = []
  laptop.record.changes.subscribe(() => {
    shown.push(laptop.record.value('timer')?.timer.sessionId ?? 'none')
  })
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(shown.filter((each) => each !== 'none')).toEqual([])
  expect(phone.record.value('timer')).toBeUndefined()
  expect(offersOn(phone).map(({ worked }) => worked.durationSeconds)).toEqual([30])
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('A timer whose start was moved past its end stays stopped when the move is sent again after a restored backup', async () => {
  const other = await world.createTask('Mails')
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  const sessionId = await laptop.start(taskId)
  await phone.sync.refresh()
  const moved = world.server.clock.now() + 13_000
  const backup = await backUp()
  pass(8)
  laptop.intercept(offline())
  await laptop.start(other)
  pass(300)
  await phone.press((draft, now) => changeTimer(draft, sessionId, { startedAt: moved }, now))
  await phone.sync.flush()
  pass(10)
  await goOnline(laptop)
  await restore(backup)
  pass(1)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  for (const device of [laptop, phone])
    expect(device.record.value('timer')?.timer.taskId).toBe(other)
})

test('Lost work stays when a pull and a request find at once that another device had nothing to save', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  const backup = await backUp()
  pass(0.4)
  await laptop.stop()
  await laptop.sync.flush()
  await restore(backup)
  await phone.sync.refresh()
  pass(20)
  await phone.stop()
  await phone.sync.flush()
  await restore(backup)
  pass(1)
  // The entry of the laptop arrives at the phone just before the answer that it exists.
  let conflicts = 0
  phone.intercept(async (request, send) => {
    if (request.method !== 'POST' || conflicts > 0) return send()
    conflicts += 1
    await laptop.sync.refresh()
    const reply = await send()
    await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })
    return reply
  })
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(conflicts).toBe(1)
  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 20, deletedAt: null },
  ])
})

test('A pause counts in lost work if its device has nothing to save because of it', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  const backup = await backUp()
  await laptop.start(taskId)
  await laptop.sync.flush()
  await phone.sync.refresh()
  laptop.intercept(offline())
  await laptop.press((draft, now) => pause(draft, now))
  pass(20)
  await phone.stop()
  await phone.sync.flush()
  expect(await saved()).toEqual([20])
  await restore(backup)
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  pass(5)
  await laptop.stop()
  await laptop.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(await kept()).toEqual([])
})
