/** Tests the times of what continues after a resume that failed. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import { pause, resume, stop } from '@stint/core/device/timer.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhoneWithTimer,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn } from '#test/edits.ts'

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

/** Presses Resume in the message of a resume that failed. The time since the stop counts as work. */
async function resumeAgain(device: Device, stopped: StoppedTimer, sessionId = 'again') {
  const input = {
    sessionId,
    stopped,
    gap: 'work' as const,
    device: device === phone ? 'phone' : 'laptop',
  }
  await device.press((draft, now) => resumeStopped(draft, { ...input, now }))
}

/** Presses Resume where the server must take it, and returns the stop after it has failed. */
async function failToResume(device: Device): Promise<StoppedTimer> {
  await device.press((draft, now) => changePrefs(draft, { trackOffline: false }, now))
  await device.resume()
  const action = device.record.value('banner')?.action
  if (action?.kind !== 'resume' || action.gap !== 'work')
    throw new Error('The resume has not failed')
  return action.stopped
}

test('Work since a failed resume is offered in a session that someone has changed', async () => {
  pass(10)
  await phone.pause()
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(2)
  await laptop.resume()
  pass(3)
  const stopped = await stopOn(laptop)
  pass(10)
  await phone.stop()
  await editOn(phone, { note: 'Outline' })
  await phone.sync.flush()
  await resumeAgain(laptop, stopped)
  await goOnline(laptop)

  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-counted',
      worked: expect.objectContaining({ durationSeconds: 23 }),
    }),
  )
})

test('Resume after a failed resume counts the time in which another device had left the session paused', async () => {
  const other = await world.createTask('Other')
  pass(10)
  await phone.pause()
  await laptop.sync.refresh()
  laptop.intercept(offline())
  pass(10)
  const stopped = await failToResume(laptop)
  pass(20)
  await phone.start(other)
  await goOnline(laptop)
  await laptop.sync.refresh()
  await resumeAgain(laptop, stopped)
  pass(5)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([35])
})

test('Work since a failed resume counts although another device continues the same stop in a pause', async () => {
  pass(10)
  await phone.pause()
  await laptop.sync.refresh()
  const cut = offline()
  phone.intercept((request, send) => {
    pass(1)
    return cut(request, send)
  })
  pass(10)
  const paused = await stopOn(laptop)
  await continueStopped(laptop, paused)
  pass(0.1)
  const resumedAt = world.server.clock.now()
  const stopped = await failToResume(phone)
  await laptop.sync.flush()
  pass(20)
  await resumeAgain(phone, stopped, 'resumed')
  phone.intercept(undefined)
  await phone.sync.flush()
  pass(5)
  await phone.stop()

  const sinceResume = (world.server.clock.now() - resumedAt) / 1000
  expect(secondsOn(phone)).toEqual([10 + sinceResume])
  expect(offersOn(phone)).toEqual([])
})

test('Work after a failed resume counts although another device has ended the session with nothing to save', async () => {
  const other = await world.createTask('Read')
  pass(0.5)
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(9)
  await laptop.press(resume)
  pass(4)
  const stopped = await stopOn(laptop)
  pass(10)
  await resumeAgain(laptop, stopped)
  pass(5)
  await laptop.press(stop)
  phone.intercept(losing('POST'))
  await phone.start(other)
  await goOnline(laptop)
  await goOnline(phone)

  expect(secondsOn(laptop)).toEqual([19])
})

test('Work between a failed resume and what continues it is offered when another device was in a pause then', async () => {
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  for (const device of [laptop, phone]) device.intercept(offline())
  pass(20)
  await phone.press(resume)
  pass(4)
  const there = await stopOn(phone)
  pass(16)
  await resumeAgain(phone, there, 'elsewhere')
  await laptop.press(resume)
  pass(4)
  const here = await stopOn(laptop)
  pass(6)
  await resumeAgain(laptop, here)
  // The end of the phone's stop arrives, and then the laptop is faster.
  phone.intercept(async (request, send) => {
    const isUndo = request.method === 'PATCH' && request.url.includes('/time_entries/')
    return isUndo ? offline()(request, send) : send()
  })
  await phone.sync.flush()
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(phone.record.value('timer')?.timer.sessionId).toBe('again')
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 16 } }])
  await phone.stop()
  expect(secondsOn(phone)).toEqual([10 + 4 + 4 + 6])
})

test.each(['is paused', 'starts another timer'])(
  'Resume after a failed resume leaves a pause that another device has pressed since, which %s',
  async (what) => {
    const other = await world.createTask('Read')
    pass(10)
    phone.intercept(offline())
    await phone.press(pause)
    pass(2)
    await phone.press(resume)
    pass(3)
    await laptop.pause()
    pass(4)
    const stopped = await stopOn(phone)
    pass(6)
    if (what !== 'is paused') await laptop.start(other)
    await goOnline(phone)
    pass(21)
    await resumeAgain(phone, stopped)
    pass(7)
    await phone.stop()

    expect(secondsOn(phone)).toContain(10 + 3 + 7)
  },
)
