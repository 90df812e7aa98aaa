/** Tests the times of what continues after a pause or a resume that failed. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import { pause, resume } from '@stint/core/device/timer.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import {
  continueStopped,
  countedOn,
  goOnline,
  laptopAndPhoneWithTimer,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, local, splitAfter, trimOrDelete } from '#test/edits.ts'

import { storeEntries } from './pull.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass } = serverOf(() => world)

/** Presses Resume on the laptop after a pause that failed. The time since the stop is a pause. */
async function resumeAfterFailedPause(stopped: StoppedTimer): Promise<void> {
  const input = { sessionId: 'again', stopped, gap: 'pause' as const, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
}

/**
 * Presses Pause on the phone, which has no network, and Resume in the banner five seconds after the
 * pause has failed.
 */
async function failPauseAndResume(): Promise<void> {
  await phone.press((draft, now) => changePrefs(draft, { trackOffline: false }, now))
  await phone.pause()
  const action = phone.record.value('banner')?.action
  if (action?.kind !== 'resume') throw new Error('The pause has not failed')
  pass(5)
  const input = { sessionId: 'again', stopped: action.stopped, gap: action.gap, device: 'phone' }
  await phone.press((draft, now) => resumeStopped(draft, { ...input, now }))
}

test('A session that continues after a failed pause has the work after a resume on another device', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.pause()
  const stopped = await stopOn(laptop)
  pass(5)
  await phone.resume()
  pass(30)
  await phone.stop()
  pass(20)
  await resumeAfterFailedPause(stopped)
  pass(2)
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([42])
  expect(offersOn(laptop)).toEqual([])
})

test('A split session that continued after a failed pause has the work that another device had resumed before', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(10)
  await phone.resume()
  pass(10)
  const stopped = await stopOn(laptop)
  pass(10)
  await resumeAfterFailedPause(stopped)
  pass(5)
  await phone.stop()
  pass(5)
  await laptop.stop()
  await splitAfter(laptop, 25, { id: 'half' })
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([15, 25])
  expect(secondsOn(phone)).toEqual([15, 25])
})

test.each(['work', 'undo'] as const)(
  'A timer that goes on after its late stop runs on although the session had ended in a pause elsewhere: %s',
  async (gap) => {
    pass(10)
    await laptop.pause()
    await phone.sync.refresh()
    phone.intercept(offline())
    pass(5)
    await laptop.stop()
    pass(1)
    await phone.press(resume)
    pass(5)
    const stopped = await stopOn(phone)
    await goOnline(phone)
    pass(2)
    const input = { sessionId: 'again', stopped, gap, device: 'phone' }
    await phone.press((draft, now) => resumeStopped(draft, { ...input, now }))
    await phone.sync.flush()
    pass(1)
    await phone.sync.refresh()

    expect(phone.record.value('timer')?.timer.status).toBe('running')
    pass(3)
    await phone.stop()
    expect(secondsOn(phone)).toEqual([21])
    expect(offersOn(phone)).toEqual([])
  },
)

test('A session that continues after a failed pause is paused from then on although it ended later elsewhere', async () => {
  pass(10)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  pass(10)
  await phone.stop()
  pass(10)
  await resumeAfterFailedPause(stopped)
  await goOnline(laptop)
  pass(5)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([15])
})

test('A session that continues after a failed pause is paused from then on although the later end is known', async () => {
  pass(10)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  pass(10)
  await phone.stop()
  pass(10)
  await goOnline(laptop)
  await resumeAfterFailedPause(stopped)
  pass(5)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([15])
})

test('A session that continues after a failed pause is paused since its end elsewhere, whatever was pressed here', async () => {
  laptop.intercept(offline())
  pass(10)
  await phone.stop()
  pass(20)
  await laptop.pause()
  pass(2)
  await laptop.resume()
  pass(1)
  await laptop.pause()
  const stopped = await stopOn(laptop)
  await goOnline(laptop)
  pass(20)
  await resumeAfterFailedPause(stopped)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  pass(2)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([12])
})

test('A session that continues after a failed pause has the earlier pause that left nothing to save', async () => {
  await phone.pause()
  pass(15)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  await goOnline(laptop)
  pass(10)
  await resumeAfterFailedPause(stopped)
  pass(5)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([5])
})

test('A session that continues after a failed pause has the pause that the server had before an earlier stop left nothing to save', async () => {
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  for (const device of [laptop, tablet]) device.intercept(offline())
  pass(0.5)
  await laptop.stop()
  pass(19.5)
  await phone.pause()
  phone.intercept(offline())
  pass(20)
  await goOnline(laptop)
  const stopped = await stopOn(tablet)
  pass(10)
  const input = { sessionId: 'again', stopped, gap: 'pause' as const, device: 'tablet' }
  await tablet.press((draft, now) => resumeStopped(draft, { ...input, now }))
  await phone.stop()
  await goOnline(phone)
  await goOnline(tablet)
  await phone.sync.refresh()
  await phone.sync.flush()
  pass(5)
  await phone.stop()

  expect(countedOn(phone)).toBe(25)
})

test('A session that continues after a failed pause has the work from a start that was moved past the pause', async () => {
  laptop.intercept(offline())
  pass(10)
  const stopped = await stopOn(laptop)
  pass(20)
  const startedAt = world.server.clock.now() - 9000
  const { sessionId } = stopped
  await phone.press((draft, now) => changeTimer(draft, sessionId, { startedAt }, now))
  await phone.stop()
  pass(1)
  await resumeAfterFailedPause(stopped)
  pass(2)
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([11])
})

test('A session that continues after a failed pause has the work from a start of which the server hears after the stop', async () => {
  const other = await world.createTask('Other')
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  for (const device of [laptop, phone]) device.intercept(offline())
  pass(10)
  const stopped = await stopOn(laptop)
  pass(20)
  await resumeAfterFailedPause(stopped)
  const startedAt = world.server.clock.now() - 9000
  await phone.press((draft, now) => changeTimer(draft, stopped.sessionId, { startedAt }, now))
  pass(0.1)
  await tablet.start(other)
  pass(0.1)
  let isFirst = true
  laptop.intercept(async (request, send) => {
    if (isFirst && request.method === 'PATCH' && request.url.includes('time_entries')) {
      isFirst = false
      await goOnline(phone)
      pass(0.1)
    }
    return send()
  })
  await laptop.sync.flush()
  await goOnline(laptop)
  await laptop.stop()
  await phone.sync.refresh()

  expect(isFirst).toBe(false)
  expect(secondsOn(laptop)).toEqual([9])
  expect(secondsOn(phone)).toEqual([9])
})

test('Work that is continued after a failed pause counts although only the entry of an earlier stop has arrived', async () => {
  pass(10)
  await laptop.stop()
  const [document] = (await laptop.backend.list('time_entries', { limit: 1 })).documents
  if (!document) throw new Error('The laptop has saved nothing')
  await storeEntries(phone.record, [document])
  phone.intercept(offline())
  pass(20)
  await failPauseAndResume()
  pass(7)
  await goOnline(phone)
  await phone.stop()
  await goOnline(laptop)

  expect(secondsOn(phone)).toEqual([37])
  expect(secondsOn(laptop)).toEqual([37])
})

test('What continues a failed pause is kept whole after a split, although the session ended earlier elsewhere', async () => {
  pass(10)
  await laptop.stop()
  await editOn(laptop, { note: 'changed' })
  await laptop.sync.flush()
  phone.intercept(offline())
  pass(20)
  await failPauseAndResume()
  const startedAt = world.server.clock.now() - 95_000
  await phone.press((draft, now) => changeTimer(draft, 'again', { startedAt }, now))
  pass(40)
  await phone.stop()
  // The cut is five seconds after the stop elsewhere.
  await splitAfter(phone, 75, { entry: local(phone, 'again'), id: 'half' })
  await goOnline(phone)
  await laptop.sync.refresh()

  // A minute that was claimed, ten seconds until the stop elsewhere, forty after the pause.
  for (const device of [phone, laptop]) expect(countedOn(device)).toBe(110)
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})

test('Resume after a failed pause goes on with what another device has continued and ended', async () => {
  const other = await world.createTask('Other')
  pass(10)
  const stoppedThere = await stopOn(phone)
  await phone.sync.flush()
  await continueStopped(phone, stoppedThere)
  await phone.sync.flush()
  pass(5)
  await phone.start(other)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  pass(20)
  const input = { sessionId: 'resumed', stopped, gap: 'pause' as const, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  pass(7)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([22, 20])
})

test.each([
  ['pause', 7],
  ['work', 27],
] as const)(
  'Resume after a failed press times the task again if the session was deleted elsewhere: %s',
  async (gap, seconds) => {
    pass(10)
    const stopped = await stopOn(laptop)
    await laptop.sync.flush()
    await phone.sync.refresh()
    await trimOrDelete(world, phone, 'delete')
    await laptop.sync.refresh()
    pass(19)
    const input = { sessionId: 'resumed', stopped, gap, device: 'laptop' }
    await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
    pass(7)
    await laptop.stop()

    expect(secondsOn(laptop)).toEqual([seconds])
  },
)

test('Work after a failed pause counts although another device saves what continues it in its own late pause', async () => {
  const tablet = await world.device('tablet')
  const calls = await world.createTask('Calls')
  const mails = await world.createTask('Mails')
  pass(10)
  laptop.intercept(offline())
  phone.intercept(offline())
  await tablet.start(calls)
  pass(0.02)
  await laptop.press(pause)
  pass(0.02)
  const stopped = await stopOn(phone)
  pass(6)
  const input = { sessionId: 'again', stopped, gap: 'pause' as const, device: 'phone' }
  await phone.press((draft, now) => resumeStopped(draft, { ...input, now }))
  pass(15)
  await phone.press(pause)
  pass(0.02)
  await goOnline(laptop)
  await laptop.start(mails)
  let isFirst = true
  phone.intercept(async (request, send) => {
    const isStart = request.method === 'POST' && request.url.includes('timer_sessions')
    if (isStart && isFirst) {
      isFirst = false
      pass(0.1)
      await laptop.sync.refresh()
      await laptop.sync.flush()
    }
    return send()
  })
  await phone.sync.refresh()
  await phone.sync.flush()
  pass(1)
  await laptop.sync.refresh()

  expect(local(phone, 'again').durationSeconds).toBe(25)
  expect(local(laptop, 'again').durationSeconds).toBe(25)
})
