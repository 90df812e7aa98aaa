/** Tests which split of a session stays that a restored server has lost, or that another device saves again. */
import { editEntry } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  countedOn,
  goOnline,
  laptopAndPhone,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, firstEntry, lastEntry, local, splitAfter, trimOrSplit } from '#test/edits.ts'

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

/** Splits the last part of a session so many seconds after the start of the session. */
async function splitLast(device: Device, seconds: number): Promise<void> {
  const entry = lastEntry(device)
  const before = (entry.startedAt - firstEntry(device).startedAt) / 1000
  const id = `part-${entry.endedAt}-${seconds}`
  await splitAfter(device, seconds - before, { entry, id })
}

/** Splits a saved session as the editor does: two devices derive one id for the second half. */
async function splitSession(device: Device, seconds: number): Promise<void> {
  const entry = firstEntry(device)
  await splitAfter(device, seconds, { entry, id: splitId(entry, entry) })
}

test('A split stays when a device that had not heard of it saves the session after a restored backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  pass(10)
  await laptop.stop()
  await splitAfter(laptop, 4, { id: 'half' })
  await laptop.sync.flush()
  pass(20)
  await restore(backup)
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(new Set(await saved())).toEqual(new Set([4, 6]))
  expect(laptop.record.value('offers')?.offers).toMatchObject([
    { why: 'ran-on', worked: { durationSeconds: 20 } },
  ])
})

test('A split stays over an undone stop that a restored server has lost, also on a device that had heard of the undo', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  pass(40)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  for (const device of [phone, tablet]) await device.sync.refresh()
  const backup = await backUp()
  pass(2)
  await continueStopped(laptop, stopped)
  laptop.intercept(async (request, send) => {
    const answer = await send()
    if (request.method === 'PATCH') throw new TypeError('Failed to fetch')
    return answer
  })
  await laptop.sync.flush()
  await phone.sync.refresh()
  expect(secondsOn(phone)).toEqual([])
  await restore(backup)
  pass(1)
  await splitAfter(tablet, 10, { id: 'half' })
  await tablet.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()
  expect(new Set(await saved())).toEqual(new Set([10, 30]))
  await goOnline(laptop)
  pass(7)
  await laptop.stop()
  expect(countedOn(laptop)).toBe(50)
})

test('Work that is offered stays offered when another device saves less of it after a restored backup', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  for (const device of [phone, tablet]) await device.sync.refresh()
  const backup = await backUp()
  pass(10)
  await laptop.stop()
  await splitAfter(laptop, 4, { id: 'half' })
  await laptop.sync.flush()
  phone.intercept(offline())
  pass(20)
  await phone.stop()
  pass(5)
  await tablet.stop()
  expect(offersOn(tablet)).toMatchObject([{ worked: { durationSeconds: 25 } }])
  await restore(backup)
  await goOnline(phone)
  await tablet.sync.refresh()
  await tablet.sync.flush()

  expect(new Set(await saved())).toEqual(new Set([4, 6]))
  expect(offersOn(tablet)).toMatchObject([{ worked: { durationSeconds: 25 } }])
})

test.each([
  ['A split', 6],
  ['A split with a trimmed half', 3],
])(
  '%s stays when a device that had not heard of it changes the whole session after a restored backup',
  async (_what, seconds) => {
    await laptop.start(taskId)
    pass(10)
    await laptop.stop()
    await phone.sync.refresh()
    const backup = await backUp()
    const entry = firstEntry(laptop)
    await splitAfter(laptop, 4, { id: 'half' })
    await laptop.sync.flush()
    pass(1)
    const half = local(laptop, 'half')
    const trimmed = editEntry(half, { endedAt: half.startedAt + seconds * 1000 }, half.updatedAt)
    await laptop.press((draft, now) => applyChanges(draft, { entries: [trimmed] }, now))
    await laptop.sync.flush()
    pass(20)
    await restore(backup)
    await editOn(phone, { note: 'Draft' }, entry)
    await phone.sync.flush()
    await laptop.sync.refresh()
    await laptop.sync.flush()

    expect(new Set(await saved())).toEqual(new Set([4, seconds]))
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('Two splits of one version count each second once, although the server was restored between them', async () => {
  await laptop.start(taskId)
  const backup = await backUp()
  pass(10)
  await laptop.stop()
  await phone.sync.refresh()
  const entry = firstEntry(phone)
  // Both devices derive the same id for the second half.
  await splitAfter(laptop, 3, { entry, id: 'half' })
  await laptop.sync.flush()
  pass(20)
  await restore(backup)
  await splitAfter(phone, 6, { entry, id: 'half' })
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([6, 4])
  expect(secondsOn(phone)).toEqual([6, 4])
})

test('A split stays when another device saves the whole session again just before it arrives after a restored backup', async () => {
  await laptop.start(taskId)
  const backup = await backUp()
  pass(10)
  await laptop.stop()
  await phone.sync.refresh()
  phone.intercept(offline())
  await splitAfter(phone, 4, { id: 'half' })
  pass(20)
  await restore(backup)
  let isSavedAgain = false
  phone.intercept(async (request, send) => {
    if (request.method === 'PUT' && !isSavedAgain) {
      isSavedAgain = true
      await laptop.sync.refresh()
    }
    return send()
  })
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(isSavedAgain).toBe(true)
  expect(new Set(await saved())).toEqual(new Set([4, 6]))
  expect(unsentCount(phone.record)).toBe(0)
})

test.each(['trim', 'split'] as const)(
  'A split that was sent again after a restored backup stays, also over a %s of a later stop elsewhere',
  async (what) => {
    await laptop.start(taskId)
    await laptop.sync.flush()
    await phone.sync.refresh()
    const backup = await backUp()
    phone.intercept(offline())
    pass(20)
    await laptop.stop()
    pass(10)
    await phone.press(stop)
    await restore(backup)
    await trimOrSplit(laptop, 5, 'split')
    await laptop.sync.flush()
    pass(1)
    await trimOrSplit(phone, 8, what)
    await goOnline(phone)
    await laptop.sync.refresh()

    expect(secondsOn(phone)).toEqual([5, 15])
    expect(secondsOn(laptop)).toEqual([5, 15])
    expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
  },
)

test('A split that was sent again after a restored backup stays when another device undoes its stop', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  phone.intercept(offline())
  pass(10)
  await laptop.stop()
  await laptop.sync.flush()
  const stopped = await stopOn(phone)
  pass(5)
  await continueStopped(phone, stopped)
  await restore(backup)
  await trimOrSplit(laptop, 4, 'split')
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([4, 6])
  expect(secondsOn(laptop)).toEqual([4, 6])
  expect(unsentCount(phone.record)).toBe(0)
  const startedAt = stopped.startedAt + 10_000
  expect(laptop.record.value('timer')?.timer).toMatchObject({ sessionId: 'again', startedAt })
})

test.each([
  { here: [15], there: 15, left: [15, 5] },
  { here: [15], there: 10, left: [15, 5] },
  { here: [10, 15], there: 10, left: [10, 5, 5] },
])(
  'A lost split at $there s gives way to one at $here s of a device that had stopped the session a moment earlier',
  async ({ here, there, left }) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    const backup = await backUp()
    laptop.intercept(offline())
    pass(20)
    await laptop.press(stop)
    world.server.clock.advance(20)
    await phone.stop()
    for (const seconds of here) await splitLast(laptop, seconds)
    await splitLast(phone, there)
    await phone.sync.flush()
    pass(1)
    await restore(backup)
    await goOnline(laptop)
    pass(1)
    await phone.sync.refresh()
    await phone.sync.flush()
    await laptop.sync.refresh()

    expect(secondsOn(phone)).toEqual(left)
    expect(secondsOn(laptop)).toEqual(left)
  },
)

test.each([15, 5])(
  'A lost split gives way to one at %i s that another device has made since in the session that the backup has',
  async (seconds) => {
    await laptop.start(taskId)
    pass(20)
    await laptop.stop()
    await phone.sync.refresh()
    const backup = await backUp()
    await trimOrSplit(phone, 10, 'split')
    await phone.sync.flush()
    pass(1)
    await restore(backup)
    await trimOrSplit(laptop, seconds, 'split')
    await laptop.sync.flush()
    pass(1)
    await phone.sync.refresh()
    await phone.sync.flush()
    await laptop.sync.refresh()

    expect(secondsOn(phone)).toEqual([seconds, 20 - seconds])
    expect(secondsOn(laptop)).toEqual([seconds, 20 - seconds])
  },
)

test('A lost split stays although another split session of its task ran at the same time', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  await laptop.start(taskId)
  pass(10)
  await laptop.stop()
  const now = world.server.clock.now()
  const [first, second] = laptop.record.entries()
  if (!first || !second) throw new Error('Two sessions are missing')
  // The start of the second session was moved to before the first one.
  const moved = editEntry(second, { startedAt: first.startedAt - 60_000 }, now)
  await laptop.press((draft) => applyChanges(draft, { entries: [moved] }, now))
  await laptop.sync.flush()
  pass(1)
  for (const [entry, seconds] of [
    [first, 10],
    [moved.after, 5],
  ] as const) {
    await splitAfter(laptop, seconds, { entry, id: `half-${seconds}`, now: now + seconds })
  }
  await laptop.sync.flush()
  await restore(backup)
  pass(1)
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(new Set(await saved())).toEqual(new Set([10, 5, 85]))
  expect(secondsOn(laptop)).toEqual([5, 85, 10, 10])
})

test.each(['a start', 'news'])(
  'A split stays when the lost session is sent again because of %s, and the answer is lost',
  async (cause) => {
    await laptop.start(taskId)
    const backup = await backUp()
    pass(60)
    await laptop.stop()
    pass(20)
    await restore(backup)
    await splitAfter(laptop, 20)
    let isLost = false
    laptop.intercept(async (request, send) => {
      const reply = await send()
      if (isLost || request.method !== 'POST' || !request.url.includes('time_entries')) return reply
      isLost = true
      throw new TypeError('Failed to fetch')
    })
    if (cause === 'a start') await laptop.start(taskId)
    else await laptop.sync.refresh()
    await laptop.sync.flush()
    pass(1)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(isLost).toBe(true)
    expect(secondsOn(laptop)).toEqual([20, 40])
    expect(secondsOn(phone)).toEqual([20, 40])
  },
)

test('A split of lost work stays when another device sends again that its session had nothing to save', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await laptop.stop()
  await restore(backup)
  pass(20)
  phone.intercept(undefined)
  await phone.stop()
  await restore(backup)
  pass(5)
  phone.intercept(async (request, send) => {
    if (request.method !== 'GET') throw new TypeError('Failed to fetch')
    return send()
  })
  await phone.sync.refresh()
  await splitAfter(phone, 15)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  phone.intercept(undefined)
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(secondsOn(phone)).toEqual([15, 5])
  expect(secondsOn(laptop)).toEqual([15, 5])
})

test('A split that a restored server has lost gives way to an earlier one that is sent again first', async () => {
  await laptop.start(taskId)
  pass(40)
  await laptop.stop()
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp()
  phone.intercept(offline())
  await splitSession(laptop, 10)
  await laptop.sync.flush()
  laptop.intercept(offline())
  pass(5)
  await splitSession(phone, 20)
  await goOnline(phone)
  expect(new Set(await saved())).toEqual(new Set([20]))
  pass(5)
  await restore(backup)
  pass(5)
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(countedOn(laptop)).toBe(40)
  expect(countedOn(phone)).toBe(40)
})
