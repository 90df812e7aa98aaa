/** Tests presses and notes that a restored server has lost, and that meet changes of other devices. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { pause, resume, start, stop } from '@stint/core/device/timer.ts'
import { newDocumentId } from '#record/document-id.ts'
import {
  createWorld,
  goOnline,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn } from '#test/edits.ts'
import { pullEntries } from './pull.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
  // Starts, pauses and resumes succeed without the server.
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.sync.flush()
  phone = await world.device('phone')
})

afterEach(async () => {
  await world.close()
})

const { pass, backUp, restore } = serverOf(() => world)

/** Starts a timer under an id that begins with the time of the press, and sends nothing. */
async function pressStart(device: Device): Promise<string> {
  const sessionId = newDocumentId(world.server.clock.now())
  const input = { sessionId, taskId, device: 'laptop' }
  await device.press((draft, now) => start(draft, { ...input, now }))
  return sessionId
}

test('A lost session whose start was moved stays newer than an earlier start elsewhere', async () => {
  const backup = await backUp()
  phone.intercept(offline())
  await pressStart(phone)
  pass(10)
  const id = await pressStart(laptop)
  await laptop.sync.flush()
  const moved = { startedAt: world.server.clock.now() - 60_000 }
  await laptop.press((draft, now) => changeTimer(draft, id, moved, now))
  await restore(backup)
  await goOnline(phone)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(laptop.record.value('timer')?.timer.sessionId).toBe(id)
  expect(phone.record.value('timer')?.timer.sessionId).toBe(id)
})

test('A note that was never received stays when the lost session is saved again', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(10)
  const backup = await backUp()
  await laptop.stop()
  // The phone has heard of the saved session, and not yet of the end of the timer.
  await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })
  phone.intercept(offline())
  await editOn(phone, { note: 'Outline' })
  await phone.sync.flush()
  pass(5)
  await phone.press(stop)
  await restore(backup)
  await goOnline(phone)
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Outline' }])
})

test('Work after a lost resume is offered although the saving device has a note', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  pass(5)
  const backup = await backUp()
  await laptop.resume()
  pass(10)
  await laptop.stop()
  await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })
  phone.intercept(offline())
  await editOn(phone, { note: 'Outline' })
  pass(5)
  await phone.press(stop)
  await restore(backup)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 20 }, instead: { durationSeconds: 10 } },
  ])
})

test('Work after a lost resume stays offered when a late pause changes the session', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  await tablet.sync.refresh()
  tablet.intercept(offline())
  pass(5)
  await tablet.press(pause)
  pass(5)
  await laptop.pause()
  await phone.sync.refresh()
  pass(5)
  const backup = await backUp()
  await laptop.resume()
  pass(10)
  await restore(backup)
  await phone.stop()
  await laptop.sync.refresh()
  await goOnline(tablet)
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 15 }, instead: { durationSeconds: 5 } },
  ])
})

test('A lost pause that was resumed later ends with that resume', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(10)
  await laptop.pause()
  pass(5)
  laptop.intercept(offline())
  await laptop.press(resume)
  await restore(backup)
  pass(10)
  await phone.stop()
  await goOnline(laptop)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([20])
  expect(secondsOn(phone)).toEqual([20])
})

test('Work after an end elsewhere is offered also when a lost pause is counted', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(10)
  await laptop.pause()
  pass(5)
  laptop.intercept(offline())
  await laptop.press(resume)
  await restore(backup)
  pass(10)
  await phone.stop()
  pass(5)
  await laptop.press(stop)
  await goOnline(laptop)

  expect(secondsOn(laptop)).toEqual([20])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'counted' },
    { why: 'went-on', worked: { durationSeconds: 5 } },
  ])
})

/**
 * Loses a resume of the phone after a pause of 15 seconds: the server is restored 10 seconds later, and
 * then the laptop resumes the timer.
 */
async function loseResume(): Promise<void> {
  await laptop.start(taskId)
  await laptop.pause()
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp()
  pass(15)
  await phone.resume()
  await phone.sync.flush()
  pass(10)
  await restore(backup)
  await laptop.resume()
  await laptop.sync.flush()
}

test('A resume that a restored server has lost counts when another device has resumed the timer since', async () => {
  await loseResume()
  pass(5)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.stop()
  await phone.sync.refresh()

  // It was paused for 15 s of 30.
  expect(secondsOn(laptop)).toEqual([15])
  expect(secondsOn(phone)).toEqual([15])
})

test('A resume that a restored server has lost counts when its device presses again', async () => {
  await phone.sync.refresh()
  await loseResume()
  await phone.pause()
  await phone.sync.flush()
  pass(5)
  await phone.stop()
  await laptop.sync.refresh()

  expect(secondsOn(laptop)).toEqual([10])
  expect(secondsOn(phone)).toEqual([10])
})

test('Work of a session that was created again counts when another device has ended the session in an earlier pause', async () => {
  const other = await world.createTask('Read')
  const backup = await backUp()
  await laptop.start(taskId)
  await laptop.pause()
  await laptop.sync.flush()
  await phone.sync.refresh()
  await restore(backup)
  laptop.intercept(losing('POST'))
  pass(5)
  await laptop.resume()
  await laptop.sync.flush()
  pass(30)
  await laptop.press(stop)
  pass(10)
  await phone.start(other)
  await phone.sync.flush()
  await goOnline(laptop)

  expect(offersOn(laptop)).toMatchObject([
    { why: 'counted', worked: { durationSeconds: 0 }, instead: { durationSeconds: 30 } },
  ])
})

test('A lost pause and resume that another device knows count although a third one has pressed since', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  await phone.sync.refresh()
  await tablet.sync.refresh()
  pass(10)
  const backup = await backUp()
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(5)
  await phone.resume()
  pass(10)
  await laptop.press(resume)
  pass(5)
  await laptop.press(stop)
  await restore(backup)
  pass(5)
  await tablet.pause()
  await phone.sync.refresh()
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([25])
})

test('Lost pauses that two devices fold in at the same moment count both', async () => {
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  await phone.sync.refresh()
  await tablet.sync.refresh()
  pass(10)
  const backup = await backUp()
  await phone.pause()
  await laptop.sync.refresh()
  phone.intercept(offline())
  pass(5)
  await laptop.resume()
  pass(10)
  await phone.press(resume)
  await restore(backup)
  pass(5)
  await tablet.stop()
  phone.intercept(async (request, send) => {
    const isChange = request.method === 'PATCH' && request.url.includes('time_entries')
    if (isChange) {
      phone.intercept(undefined)
      await laptop.sync.refresh()
      await laptop.sync.flush()
    }
    return send()
  })
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 25 }])
})

test.each(['runs', 'is paused again'])(
  'A timer that %s keeps the work since a moved start that a restored server has in a pause',
  async (state) => {
    const sessionId = await laptop.start(taskId)
    await laptop.pause()
    pass(10)
    const backup = await backUp()
    await laptop.resume()
    pass(60)
    const moved = { startedAt: world.server.clock.now() - 30_000 }
    await laptop.press((draft, now) => changeTimer(draft, sessionId, moved, now))
    await laptop.sync.flush()
    if (state !== 'runs') await laptop.pause()
    await restore(backup)
    pass(5)
    await laptop.sync.refresh()
    await laptop.sync.flush()
    await phone.sync.refresh()
    pass(5)
    await phone.stop()

    expect(secondsOn(phone)).toEqual([state === 'runs' ? 40 : 30])
  },
)

test('A lost pause is offered in a session that was changed since another device saved it again', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(10)
  await laptop.stop()
  await restore(backup)
  pass(10)
  await phone.press(stop)
  await goOnline(phone)
  pass(1)
  await editOn(phone, { note: 'Outline' })
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(secondsOn(laptop)).toEqual([30])
  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-counted',
      worked: expect.objectContaining({ durationSeconds: 20 }),
    }),
  )
})

test('Work that went on stays offered when another device saves the lost session again in a longer pause', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const tablet = await world.device('tablet')
  await phone.sync.refresh()
  await laptop.resume()
  await tablet.sync.refresh()
  laptop.intercept(offline())
  phone.intercept(offline())
  pass(10)
  await tablet.stop()
  pass(20)
  await laptop.press(stop)
  await goOnline(laptop)
  await restore(backup)
  pass(10)
  await phone.press(stop)
  await goOnline(phone)
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'went-on',
      worked: expect.objectContaining({ durationSeconds: 20 }),
    }),
  )
})

test('Work since a moved start is offered when another device ends the session in the pause before it', async () => {
  const other = await world.createTask('Read')
  const id = await laptop.start(taskId)
  await laptop.pause()
  const backup = await backUp()
  pass(12)
  await laptop.resume()
  pass(230)
  const moved = { startedAt: world.server.clock.now() - 36_000 }
  await laptop.press((draft, now) => changeTimer(draft, id, moved, now))
  await laptop.sync.flush()
  await restore(backup)
  await phone.start(other)
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toMatchObject([{ why: 'not-counted', worked: { durationSeconds: 36 } }])
})

test('Work after a lost resume counts although another device folds in the lost pause alone at the same moment', async () => {
  const other = await world.createTask('Read')
  const tablet = await world.device('tablet')
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  pass(0.3)
  await laptop.pause()
  await tablet.sync.refresh()
  laptop.intercept(offline())
  pass(50)
  await tablet.resume()
  await restore(backup)
  pass(13)
  await phone.start(other)
  let isFirst = true
  tablet.intercept(async (request, send) => {
    if (isFirst && request.method === 'PATCH' && request.url.includes('time_entries')) {
      isFirst = false
      await goOnline(laptop)
      pass(0.1)
    }
    return send()
  })
  await tablet.sync.refresh()
  await goOnline(tablet)
  await laptop.sync.refresh()

  expect(isFirst).toBe(false)
  expect(secondsOn(tablet)).toEqual([13])
  expect(secondsOn(laptop)).toEqual([13])
})
