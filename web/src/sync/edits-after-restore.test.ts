/** Tests edits of sessions that another device saves again after the server was restored. */
import { editEntry, splitEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { stop } from '@stint/core/device/timer.ts'
import { backUp, restore } from '#test/backup.ts'
import {
  continueStopped,
  createWorld,
  goOnline,
  offersOn,
  offline,
  secondsOn,
  unsentCount,
} from '#test/devices.ts'
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

/** Trims the session after some seconds, or splits it there. Nothing is sent. */
async function edit(device: Device, seconds: number, what: 'trim' | 'split'): Promise<void> {
  const entry = device.record.entries().find(({ sessionId }) => sessionId !== null)
  if (!entry) throw new Error('Nothing is saved')
  const at = entry.startedAt + seconds * 1000
  const now = world.server.clock.now()
  const entries =
    what === 'split'
      ? splitEntry(entry, at, `half-${seconds}`, now)
      : [editEntry(entry, { endedAt: at }, now)]
  await device.press((draft, time) => applyChanges(draft, { entries }, time))
}

test.each(['trim', 'split'] as const)(
  'Work is offered when another device saves a lost session with a later end before its %s arrives',
  async (what) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp(world.server, world.user.id)
    pass(10)
    await laptop.stop()
    await laptop.sync.flush()
    pass(20)
    await restore(world.server, world.user.id, backup)
    laptop.intercept(offline())
    await phone.stop()
    pass(1)
    await edit(laptop, 4, what)
    await goOnline(laptop)
    await phone.sync.refresh()

    const seconds = what === 'split' ? [4, 6] : [4]
    expect(secondsOn(laptop)).toEqual(seconds)
    expect(secondsOn(phone)).toEqual(seconds)
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(laptop)).toMatchObject([{ why: 'ran-on', worked: { durationSeconds: 20 } }])
  },
)

test.each(['trim', 'split'] as const)(
  'Work is offered when another device saves a lost session with an earlier end after its %s',
  async (what) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp(world.server, world.user.id)
    pass(5)
    phone.intercept(offline())
    await phone.stop()
    pass(5)
    await laptop.stop()
    await laptop.sync.flush()
    pass(20)
    await restore(world.server, world.user.id, backup)
    laptop.intercept(offline())
    await edit(laptop, 4, what)
    pass(1)
    await goOnline(phone)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual([5])
    expect(secondsOn(phone)).toEqual([5])
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 5 } }])
  },
)

test.each([
  { stoppedAfter: 9, offers: [] },
  { stoppedAfter: 20, offers: [{ why: 'ran-on', worked: { durationSeconds: 10 } }] },
])(
  'A lost session that is split as another device saves it again with $stoppedAfter seconds counts once',
  async ({ stoppedAfter, offers }) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp(world.server, world.user.id)
    phone.intercept(offline())
    const startedAt = world.server.clock.now()
    pass(10)
    await laptop.stop()
    await laptop.sync.flush()
    await edit(laptop, 4, 'split')
    // The first try arrives, but its answer is lost.
    laptop.intercept(async (request, send) => {
      if (request.method !== 'PUT') return send()
      await send()
      throw new TypeError('Failed to fetch')
    })
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(20)
    await phone.press((draft) => stop(draft, startedAt + stoppedAfter * 1000))
    await restore(world.server, world.user.id, backup)
    laptop.intercept(async (request, send) => {
      if (request.method === 'PUT') await goOnline(phone)
      return send()
    })
    await laptop.sync.refresh()
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual([4, 6])
    expect(secondsOn(phone)).toEqual([4, 6])
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(laptop)).toMatchObject(offers)
  },
)

test('A split that was sent again after a restored backup stays when another device undoes its stop', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  phone.intercept(offline())
  pass(10)
  await laptop.stop()
  await laptop.sync.flush()
  const stopped = await phone.press((draft, now) => stop(draft, now))
  if (!stopped) throw new Error('No timer ran')
  pass(5)
  await continueStopped(phone, stopped)
  await restore(world.server, world.user.id, backup)
  await edit(laptop, 4, 'split')
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([4, 6])
  expect(secondsOn(laptop)).toEqual([4, 6])
  expect(unsentCount(phone.record)).toBe(0)
  const startedAt = stopped.startedAt + 10_000
  expect(laptop.record.value('timer')?.timer).toMatchObject({ sessionId: 'again', startedAt })
})
