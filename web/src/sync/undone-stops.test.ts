/** Tests what continues an undone stop, when other devices have pressed or stopped as well. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import { pause } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  countedOn,
  goOnline,
  laptopAndPhoneWithTimer,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopAndUndo,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, splitAfter, trimOrDelete } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass, backUp, restore } = serverOf(() => world)

test('A pause counts that arrives between the deletion of an undone stop and what continues it', async () => {
  pass(10)
  phone.intercept(offline())
  await phone.press((draft, now) => pause(draft, now))
  pass(5)
  const here = await stopOn(laptop)
  await laptop.sync.flush()
  await continueStopped(laptop, here)
  laptop.intercept(async (request, send) => {
    if (request.method === 'POST') await goOnline(phone)
    return send()
  })
  await laptop.sync.flush()
  laptop.intercept(undefined)
  pass(20)
  await laptop.stop()
  await phone.sync.refresh()

  // It ends at the stop, because the laptop showed a running timer.
  expect(secondsOn(laptop)).toEqual([30])
  expect(secondsOn(phone)).toEqual([30])
  expect(unsentCount(phone.record)).toBe(0)
})

test('A pause counts when another timer has ended what continues before that session was sent', async () => {
  const other = await world.createTask('Read')
  const tablet = await world.device('tablet')
  phone.intercept(offline())
  pass(10)
  await phone.press((draft, now) => pause(draft, now))
  pass(5)
  const here = await stopOn(laptop)
  await laptop.sync.flush()
  await continueStopped(laptop, here)
  laptop.intercept(losing('POST'))
  await laptop.sync.flush()
  await tablet.sync.refresh()
  pass(20)
  await tablet.start(other)
  pass(30)
  await goOnline(phone)

  expect(unsentCount(phone.record)).toBe(0)
  // The pause ends at the stop, because the laptop showed a running timer.
  expect(secondsOn(phone)).toEqual([30])
  await goOnline(laptop)
  expect(secondsOn(laptop)).toEqual([30])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 30 } }])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('An undone stop keeps the half that was split off before, although the session had ended elsewhere with nothing to save', async () => {
  laptop.intercept(offline())
  await phone.stop()
  pass(20)
  const stopped = await stopOn(laptop)
  await splitAfter(laptop, 15, { id: 'half' })
  await continueStopped(laptop, stopped)
  await goOnline(laptop)
  pass(5)
  await laptop.stop()
  await phone.sync.refresh()

  expect(new Set(secondsOn(laptop))).toEqual(new Set([20, 5]))
  expect(new Set(secondsOn(phone))).toEqual(new Set([20, 5]))
})

test('A timer that was stopped in a pause after a stop elsewhere is in that pause after Undo', async () => {
  pass(10)
  await phone.stop()
  pass(2)
  await laptop.press(pause)
  pass(2)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  pass(5)
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  pass(10)

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([10])
})

test('A timer that continues beside an entry that was changed elsewhere counts no time twice when its start is moved', async () => {
  laptop.intercept(offline())
  pass(60)
  await phone.stop()
  await phone.sync.refresh()
  await trimOrDelete(world, phone, 'trim')
  await stopAndUndo(world, laptop, 2)
  pass(10)
  const { startedAt } = laptop.record.value('timer')?.timer ?? { startedAt: NaN }
  await laptop.press((draft, now) =>
    changeTimer(draft, 'again', { startedAt: startedAt - 600_000 }, now),
  )
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toContain(35)
  expect(countedOn(laptop)).toBe(35 + 600 + 12)
})

test('A pause after a stop counts in what continues, if the server heard of it before the stop was undone', async () => {
  pass(60)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  pass(4)
  await phone.pause()
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 4 } }])
  pass(2)
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')?.timer).toMatchObject({ status: 'paused' })
  expect(offersOn(phone)).toEqual([])
  pass(10)
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([64])
})

test('A pause less than a second after a stop counts in what continues, and nothing is asked', async () => {
  pass(60)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  world.server.clock.advance(400)
  await phone.pause()
  expect(offersOn(phone)).toEqual([])
  pass(2)
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')?.timer).toMatchObject({ status: 'paused' })
})

test('A stop that was undone twice without a network is sent when the network is back', async () => {
  const other = await world.createTask('Read')
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(11)
  for (const sessionId of ['second', 'third']) {
    const stopped = await stopOn(laptop)
    const input = { sessionId, stopped, gap: 'undo' as const, device: 'laptop' }
    await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  }
  pass(16)
  await laptop.start(other)
  await goOnline(laptop)
  pass(3)
  await laptop.stop()
  await phone.sync.refresh()

  expect(unsentCount(laptop.record)).toBe(0)
  expect(secondsOn(phone)).toEqual([27, 3])
})

test('An undone stop with nothing to save counts once when another device has moved the start back', async () => {
  const startedAt = world.server.clock.now()
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  await continueStopped(laptop, stopped)
  pass(1)
  const { sessionId } = stopped
  await phone.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: startedAt - 10_000 }, now),
  )
  await phone.sync.flush()
  pass(1)
  await goOnline(laptop)
  await phone.sync.refresh()
  pass(8)
  await laptop.stop()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20])
  expect(secondsOn(phone)).toEqual([20])
})

test('A stop stays undone when another device notes its session on a server that was restored to before the undo', async () => {
  pass(40)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp()
  pass(2)
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  await restore(backup)
  pass(3)
  await editOn(phone, { note: 'Draft' })
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()
  pass(5)
  await laptop.stop()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([50])
  expect(secondsOn(phone)).toEqual([50])
  expect(laptop.record.entries()).toMatchObject([{ note: 'Draft' }])
})

test('A timer that only late news shows running ends when another timer was started', async () => {
  const other = await world.createTask('Other')
  phone.intercept(offline())
  pass(10)
  await phone.press(pause)
  pass(1)
  const stopped = await stopOn(phone)
  await continueStopped(phone, stopped)
  pass(1)
  await laptop.pause()
  pass(1)
  await laptop.resume()
  pass(4)
  await laptop.start(other)
  pass(60)
  await goOnline(phone)

  expect(secondsOn(phone)).toEqual([14])
})

test.each(['before it is sent', 'after it is sent'])(
  'What another device has worked counts once if a stop with nothing to save was undone %s',
  async (when) => {
    const other = await world.createTask('Read')
    phone.intercept(offline())
    pass(0.5)
    const stopped = await stopOn(laptop)
    if (when === 'after it is sent') await laptop.sync.flush()
    pass(2)
    await continueStopped(laptop, stopped)
    pass(400)
    await phone.start(other)
    await editOn(phone, { note: 'Draft' })
    await laptop.sync.flush()
    await goOnline(phone)
    await phone.sync.flush()
    await laptop.sync.refresh()

    expect(countedOn(phone)).toBe(402)
    expect(offersOn(phone)).toEqual([])
    expect(secondsOn(laptop)).toEqual([402])
  },
)

test('A start on another device at the same moment does not continue the session that it ends', async () => {
  const tablet = await world.device('tablet')
  const taskId = await world.createTask('Read')
  tablet.intercept(offline())
  await phone.start(taskId)
  const ended = phone.record.value('timer')?.timer.sessionId
  await tablet.start(taskId)
  await goOnline(tablet)
  await laptop.sync.refresh()

  const entry = laptop.record.view.entries.all().find(({ id }) => id === ended)
  expect(entry).toMatchObject({ sessionId: ended, durationSeconds: 0 })
})
