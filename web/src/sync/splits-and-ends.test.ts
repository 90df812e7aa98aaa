/** Tests that splits count every second once, whatever else becomes of their session. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhoneWithTimer,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, lastEntry, local, splitAfter, trimAfter } from '#test/edits.ts'

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

test.each([
  { isClosed: false, after: 0, shares: [0.5, 0.75], seconds: [60] },
  { isClosed: false, after: 40, shares: [0.5, 0.95], seconds: [100] },
  { isClosed: true, after: 40, shares: [0.5, 0.8], seconds: [100] },
])(
  'A session that a wrong clock shows too long counts once after splits (closed: $isClosed, then $after s)',
  async ({ isClosed, after, shares, seconds: counted }) => {
    pass(60)
    if (isClosed) laptop.kill()
    laptop.moveClock(420_000)
    if (isClosed) laptop = await laptop.reopen(offline())
    laptop.intercept(offline())
    await laptop.press((draft, now) => changePrefs(draft, { theme: 'dark' }, now))
    pass(after)
    await laptop.stop()
    for (const share of shares) {
      const entry = lastEntry(laptop)
      const seconds = ((entry.endedAt - entry.startedAt) / 1000) * share
      await splitAfter(laptop, seconds, { entry, now: world.server.clock.now() })
    }
    await goOnline(laptop)

    expect(secondsOn(laptop)).toEqual(counted)
  },
)

test.each([
  { share: 0.75, elsewhere: 0.25, seconds: [15, 45] },
  { share: 0.5, elsewhere: 0.5, seconds: [30, 30] },
  { share: 0.25, elsewhere: 0.75, seconds: [45, 15] },
])(
  'A session that was split at $share counts once when the restored server has a split at $elsewhere',
  async ({ share, elsewhere, seconds }) => {
    const backup = await backUp()
    pass(60)
    await laptop.stop()
    await laptop.sync.flush()
    await splitAfter(laptop, share * 60)
    await editOn(laptop, { note: 'Draft' }, lastEntry(laptop))
    await laptop.sync.flush()
    await restore(backup)
    await phone.stop()
    await phone.sync.flush()
    pass(1)
    await splitAfter(phone, elsewhere * 60)
    await phone.sync.flush()
    await laptop.sync.refresh()
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual(seconds)
    expect(secondsOn(phone)).toEqual(seconds)
    expect(phone.record.entries().at(-1)?.note).toBe('Draft')
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('A split stays with its trimmed part when another device saves the session again as both arrive', async () => {
  const backup = await backUp()
  pass(60)
  await laptop.stop()
  await laptop.sync.flush()
  phone.intercept(offline())
  await phone.stop()
  laptop.intercept(offline())
  await splitAfter(laptop, 15)
  pass(20)
  await trimAfter(laptop, 22.5, lastEntry(laptop))
  await restore(backup)
  laptop.intercept(async (request, send) => {
    if (request.method === 'PUT') await goOnline(phone)
    return send()
  })
  await laptop.sync.refresh()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([15, 22])
  expect(secondsOn(phone)).toEqual([15, 22])
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each([
  { stoppedAfter: 80, offers: [{ why: 'not-stopped', worked: { durationSeconds: 60 } }] },
  { stoppedAfter: 40, offers: [{ why: 'went-on', worked: { durationSeconds: 20 } }] },
])(
  'A split that was undone stays undone when another device saves the lost session again with $stoppedAfter seconds',
  async ({ stoppedAfter, offers }) => {
    const startedAt = world.server.clock.now()
    const backup = await backUp()
    pass(60)
    await laptop.stop()
    await laptop.sync.flush()
    const undo = await splitAfter(laptop, 15)
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(20)
    await laptop.press((draft, now) => applyChanges(draft, undo, now))
    await restore(backup)
    await phone.press((draft) => stop(draft, startedAt + stoppedAfter * 1000))
    await phone.sync.flush()
    pass(1)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual([stoppedAfter])
    expect(secondsOn(phone)).toEqual([stoppedAfter])
    expect(offersOn(laptop)).toMatchObject(offers)
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('A split gives way to an undone stop that reaches a restored server first', async () => {
  const backup = await backUp()
  pass(60)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await phone.sync.refresh()
  laptop.intercept(offline())
  await continueStopped(laptop, stopped)
  await splitAfter(phone, 15)
  await phone.sync.flush()
  pass(20)
  await restore(backup)
  await goOnline(laptop)
  pass(1)
  await phone.sync.refresh()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([])
  expect(secondsOn(phone)).toEqual([])
  expect(laptop.record.value('timer')?.timer.startedAt).toBe(stopped.startedAt)
  expect(unsentCount(phone.record)).toBe(0)
})

test('A split of a session that was stopped later elsewhere gives way to an undone stop that reaches a restored server first', async () => {
  const backup = await backUp()
  pass(60)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  pass(2)
  await phone.stop()
  await splitAfter(phone, 46.5)
  await phone.sync.flush()
  await continueStopped(laptop, stopped)
  pass(20)
  await restore(backup)
  await goOnline(laptop)
  pass(1)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(secondsOn(laptop)).toEqual([])
  expect(laptop.record.value('timer')?.timer.startedAt).toBe(stopped.startedAt)
  expect(unsentCount(phone.record)).toBe(0)
})

test('A split keeps the work after a resume that the server hears of just before it', async () => {
  await phone.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  pass(10)
  await phone.pause()
  pass(5)
  phone.intercept(offline())
  await phone.resume()
  pass(30)
  await laptop.stop()
  await goOnline(phone)
  await splitAfter(laptop, 22.5)
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([17, 22])
  expect(secondsOn(phone)).toEqual([17, 22])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A split stays when its undo meets a split of its second half on another device', async () => {
  pass(60)
  await laptop.stop()
  const undo = await splitAfter(laptop, 30)
  await laptop.sync.flush()
  await phone.sync.refresh()
  pass(1)
  await splitAfter(phone, 15, { entry: lastEntry(phone) })
  await phone.sync.flush()
  pass(1)
  await laptop.press((draft, now) => applyChanges(draft, undo, now))
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([30, 15, 15])
  expect(secondsOn(phone)).toEqual([30, 15, 15])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A split of what continued an undone stop is taken back when the stopped session was split elsewhere', async () => {
  pass(60)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await phone.sync.refresh()
  laptop.intercept(offline())
  await continueStopped(laptop, stopped)
  pass(20)
  await laptop.press(stop)
  await splitAfter(laptop, 60)
  await splitAfter(phone, 15)
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([15, 45, 20])
  expect(secondsOn(phone)).toEqual([15, 45, 20])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('An undone stop continues after all parts of a split elsewhere, also those from after the undo', async () => {
  laptop.intercept(offline())
  pass(20)
  const stopped = await stopOn(laptop)
  await continueStopped(laptop, stopped)
  pass(40)
  await phone.stop()
  await phone.sync.flush()
  pass(1)
  await splitAfter(phone, 30)
  pass(1)
  await splitAfter(phone, 15, { entry: lastEntry(phone) })
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([30, 15, 15])
  expect(secondsOn(phone)).toEqual([30, 15, 15])
  const startedAt = stopped.startedAt + 60_000
  expect(laptop.record.value('timer')?.timer).toMatchObject({ sessionId: 'again', startedAt })
})

test.each([
  { share: 0.5, elsewhere: 0.25, seconds: [15, 45] },
  { share: 0.25, elsewhere: 0.5, seconds: [30, 30] },
])(
  'A split of a session that was noted and split elsewhere gives way to that split ($share, $elsewhere)',
  async ({ share, elsewhere, seconds }) => {
    pass(60)
    await laptop.stop()
    await laptop.sync.flush()
    await phone.sync.refresh()
    await editOn(phone, { note: 'Draft' })
    await phone.sync.flush()
    pass(1)
    await splitAfter(phone, elsewhere * 60)
    await phone.sync.flush()
    pass(1)
    await splitAfter(laptop, share * 60)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(secondsOn(laptop)).toEqual(seconds)
    expect(secondsOn(phone)).toEqual(seconds)
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test('Work that went on stays offered when a split elsewhere counts its time as a pause', async () => {
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  tablet.intercept(offline())
  pass(20)
  await phone.pause()
  await laptop.stop()
  phone.intercept(offline())
  pass(20)
  await tablet.press(stop)
  await phone.press(stop)
  await splitAfter(phone, 10)
  await goOnline(tablet)
  await goOnline(phone)
  await tablet.sync.refresh()

  expect(offersOn(tablet)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})

test('Work that went on stays offered beside a half of another session that was trimmed here and deleted elsewhere', async () => {
  const { taskId } = laptop.record.value('timer')?.timer ?? { taskId: '' }
  pass(10)
  phone.intercept(offline())
  await laptop.stop()
  const other = await laptop.start(taskId)
  pass(100)
  await laptop.stop()
  await phone.press(stop)
  await goOnline(phone)
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 100 } }])
  pass(1)
  await splitAfter(phone, 60, { entry: local(phone, other) })
  await phone.sync.flush()
  await laptop.sync.refresh()
  pass(1)
  await laptop.press((draft, now) =>
    applyChanges(draft, { entries: [deleteEntry(local(laptop, other), now)] }, now),
  )
  await laptop.sync.flush()
  await trimAfter(phone, 40, local(phone, other))
  await phone.sync.flush()
  await phone.sync.refresh()

  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 100 } }])
})
