/** Tests the times of what continues an undone stop, after presses on other devices. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import { pause, resume, stop } from '@stint/core/device/timer.ts'
import {
  continueStopped,
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
import { editOn, trimAfter, trimOrDelete } from '#test/edits.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass, entryThere } = serverOf(() => world)

test('A session that continues after an undone stop has the unknown pause of another device', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.pause()
  pass(20)
  await phone.resume()
  pass(30)
  await stopAndUndo(world, laptop, 2)
  pass(8)
  await laptop.stop()
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([50])
})

test('A session that continues after an undone stop has the unknown pause of another device until the undo', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.pause()
  pass(20)
  await stopAndUndo(world, laptop, 5)
  pass(1)
  await phone.stop()
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([11])
})

test.each(['goes on', 'is stopped'])(
  'The unknown pause of another device lasts until the undo of the stop that ended it, also if what continues %s',
  async (how) => {
    laptop.intercept(offline())
    pass(10)
    await phone.pause()
    pass(20)
    await stopAndUndo(world, laptop, 5)
    pass(1)
    if (how === 'is stopped') await laptop.stop()
    await goOnline(laptop)
    if (how === 'goes on') await laptop.stop()

    expect(secondsOn(laptop)).toEqual([11])
  },
)

test('A session that continues after an undone stop has the unknown work of another device', async () => {
  pass(10)
  await laptop.pause()
  laptop.intercept(offline())
  await phone.sync.refresh()
  pass(20)
  await phone.resume()
  pass(30)
  await stopAndUndo(world, laptop, 2)
  await goOnline(laptop)
  expect(laptop.record.value('timer')?.timer.status).toBe('running')
  pass(8)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([50])
})

test('A session that continues after an undone stop begins after an entry that was changed since its save', async () => {
  laptop.intercept(offline())
  pass(60)
  await phone.stop()
  await phone.sync.refresh()
  pass(1)
  await trimAfter(phone, 40)
  await phone.sync.flush()
  await stopAndUndo(world, laptop, 2)
  await goOnline(laptop)
  pass(8)
  await laptop.stop()

  expect(new Set(secondsOn(laptop))).toEqual(new Set([40, 10]))
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 21 } }])
})

test('Work after an unsent resume is offered when the stop is undone and the entry was changed elsewhere', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(5)
  await laptop.resume()
  pass(30)
  await phone.stop()
  await editOn(phone, { note: 'Draft' })
  await phone.sync.flush()
  pass(4)
  await stopAndUndo(world, laptop, 2)
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([10])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 40 } },
    { why: 'went-on', worked: { durationSeconds: 4 } },
  ])
})

test('A session that continues after an undone stop leaves the note on a changed entry', async () => {
  laptop.intercept(offline())
  pass(60)
  await phone.stop()
  await phone.sync.refresh()
  await trimOrDelete(world, phone, 'trim')
  const stopped = await stopOn(laptop)
  await editOn(laptop, { note: 'Draft' })
  await continueStopped(laptop, stopped)
  await goOnline(laptop)

  expect(await entryThere()).toMatchObject({
    durationSeconds: 35,
    note: 'Draft',
    deletedAt: null,
  })
  expect(unsentCount(laptop.record)).toBe(0)
})

test('An undone stop whose entry another device has noted continues the whole session with that note', async () => {
  pass(60)
  laptop.intercept(losing('POST'))
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  pass(2)
  await continueStopped(laptop, stopped)
  await phone.sync.refresh()
  expect(secondsOn(phone)).toEqual([60])
  await editOn(phone, { note: 'Draft' })
  await phone.sync.flush()
  await goOnline(laptop)
  await phone.sync.refresh()
  expect(phone.record.value('timer')?.timer).toMatchObject({ sessionId: 'again', note: 'Draft' })
  pass(8)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([70])
  expect(offersOn(laptop)).toEqual([])
})

test('A session that continues is in the pause that was pressed here after its end elsewhere', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.stop()
  pass(1)
  await laptop.pause()
  pass(20)
  await stopAndUndo(world, laptop, 2)
  await goOnline(laptop)

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([11])
})

test('A session that continues runs if its pause was ended elsewhere before the save from there', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(20)
  await phone.resume()
  pass(30)
  laptop.intercept(async (request, send) => {
    if (request.method !== 'POST' || !request.url.includes('time_entries')) return send()
    // The laptop's stop has arrived and its entry has not, so the phone saves the entry.
    await goOnline(phone)
    throw new TypeError('Failed to fetch')
  })
  await stopAndUndo(world, laptop, 2)
  await laptop.sync.flush()
  await goOnline(laptop)

  expect(laptop.record.value('timer')?.timer.status).toBe('running')
})

test('A session that continues is in the pause in which it was stopped', async () => {
  pass(10)
  await laptop.pause()
  laptop.intercept(offline())
  pass(20)
  await stopAndUndo(world, laptop, 2)
  await goOnline(laptop)

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([10])
})

test('A session that continues is in its pause although another device has ended it a moment later', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  pass(1)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  pass(1)
  await phone.stop()
  await goOnline(laptop)
  await continueStopped(laptop, stopped)

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
})

test('A session that continues in a pause has the whole pause up to the resume on another device', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(20)
  await stopAndUndo(world, laptop, 2)
  pass(5)
  await phone.resume()
  pass(30)
  await phone.stop()
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([40])
})

test('A session that continues in a pause that the server has not heard of is paused since then', async () => {
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(1)
  await stopAndUndo(world, laptop, 2)
  pass(20)
  await phone.stop()
  await goOnline(laptop)

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([10])
})

test('A session that continues has a pause that another device has pressed after the undo', async () => {
  laptop.intercept(offline())
  pass(10)
  await stopAndUndo(world, laptop, 2)
  pass(5)
  await phone.pause()
  pass(20)
  await phone.resume()
  pass(30)
  await phone.stop()
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([47])
})

test('A timer that continues replaces the one that another device shows, although that device sends to it first', async () => {
  const other = await world.createTask('Other')
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  tablet.intercept(offline())
  pass(10)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  pass(5)
  await tablet.pause()
  await goOnline(tablet)
  await phone.start(other)
  await tablet.sync.refresh()
  pass(10)
  await continueStopped(laptop, stopped)
  laptop.intercept(async (request, send) => {
    const isStart = request.method === 'POST' && request.url.includes('timer_sessions')
    if (isStart) {
      await tablet.sync.refresh()
      await tablet.sync.flush()
    }
    return send()
  })
  await laptop.sync.flush()
  await goOnline(laptop)
  for (const { sync } of [phone, tablet]) await sync.refresh()

  for (const { record } of [laptop, phone, tablet])
    expect(record.value('timer')?.timer.sessionId).toBe('again')
  expect(secondsOn(tablet)).toEqual([10])
})

test('Work that what continues a failed pause leaves out is offered before another device has heard of the continuation', async () => {
  pass(10)
  phone.intercept(offline())
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  pass(18)
  const input = { sessionId: 'again', stopped, gap: 'pause' as const, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  laptop.intercept(losing('POST'))
  await laptop.sync.flush()
  expect(await entryThere()).toMatchObject({ sessionId: 'again' })
  await goOnline(phone)
  expect(phone.record.value('banner')?.text).toMatch(/^Already stopped/)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer.sessionId).toBe('again')
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 18 } }])
})

test('A pause after an undone stop lasts although another timer had ended the session just after that pause', async () => {
  const other = await world.createTask('Mails')
  pass(20)
  laptop.intercept(offline())
  await stopAndUndo(world, laptop, 0.02)
  pass(0.02)
  await laptop.press(pause)
  pass(0.02)
  await phone.start(other)
  await phone.sync.flush()
  pass(5)
  await editOn(phone, { note: 'Outline' })
  await phone.sync.flush()
  pass(7)
  await laptop.press(resume)
  pass(3)
  await laptop.press(stop)
  await goOnline(laptop)

  expect(secondsOn(laptop)).toContain(3)
})
