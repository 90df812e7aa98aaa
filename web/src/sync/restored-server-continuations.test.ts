/** Tests what continues an undone stop when a restored server has lost presses or the undo. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import { resume } from '@stint/core/device/timer.ts'
import {
  continueStopped,
  createWorld,
  goOnline,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { splitAfter } from '#test/edits.ts'

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

/**
 * The laptop pauses, which the phone hears, and loses its network. The phone resumes after five
 * seconds, and the laptop, which has not heard of that, ten seconds later. Then five seconds pass.
 */
async function pauseAndResumeOnBoth(): Promise<void> {
  await laptop.pause()
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(5)
  await phone.resume()
  pass(10)
  await laptop.press(resume)
  pass(5)
}

test('A lost resume counts in what continues an undone stop when another device ended the session', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp()
  await phone.sync.refresh()
  pass(5)
  await laptop.resume()
  pass(10)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  await continueStopped(laptop, stopped)
  await restore(backup)
  pass(5)
  await phone.stop()
  await goOnline(laptop)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([25])
})

test('A resume that only another device knows counts in what continues an undone stop', async () => {
  await laptop.start(taskId)
  pass(10)
  const backup = await backUp()
  await pauseAndResumeOnBoth()
  const stopped = await stopOn(laptop)
  await restore(backup)
  await continueStopped(laptop, stopped)
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([25])
})

test('A lost resume counts in what continues an undone stop when its device had saved the session', async () => {
  const backup = await backUp()
  await laptop.start(taskId)
  pass(10)
  await pauseAndResumeOnBoth()
  const stopped = await stopOn(laptop)
  await phone.stop()
  await restore(backup)
  await continueStopped(laptop, stopped)
  pass(5)
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([30])
})

test('What continued an undone stop begins after the split of a session that the server has without that undo', async () => {
  await laptop.start(taskId)
  pass(10)
  const stopped = await stopOn(laptop)
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp()
  phone.intercept(offline())
  await continueStopped(laptop, stopped)
  await laptop.sync.flush()
  pass(5)
  await laptop.stop()
  pass(1)
  await restore(backup)
  await splitAfter(phone, 4)
  await goOnline(phone)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([4, 6, 5])
  expect(secondsOn(phone)).toEqual([4, 6, 5])
})

test('Work after a lost resume counts in what continues the session after a failed pause elsewhere', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: false }, now))
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  pass(10)
  laptop.intercept(async (_request, send) => {
    await send()
    throw new TypeError('Failed to fetch')
  })
  await laptop.pause()
  const action = laptop.record.value('banner')?.action
  if (action?.kind !== 'resume') throw new Error('The pause has not failed')
  laptop.intercept(offline())
  await phone.sync.refresh()
  pass(20)
  await phone.resume()
  pass(30)
  await phone.stop()
  expect(secondsOn(phone)).toEqual([40])
  await restore(backup)
  pass(10)
  const { stopped, gap } = action
  const input = { sessionId: 'again', stopped, gap, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()
  pass(5)
  await laptop.stop()

  expect(secondsOn(laptop)).toEqual([45])
})

test('Work that a restored backup lacks is offered after what continues its session, also before that has arrived', async () => {
  const other = await world.createTask('Mails')
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  pass(16)
  laptop.intercept(offline())
  const stopped = await stopOn(laptop)
  await continueStopped(laptop, stopped)
  await laptop.start(other)
  await laptop.stop()
  pass(100)
  await phone.stop()
  await phone.sync.flush()
  await restore(backup)
  pass(1)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([16])
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 100 } }])
})

/** The phone works until the stop, the laptop has paused ten seconds before, and the late pause is saved. */
async function saveLatePause(): Promise<Awaited<ReturnType<typeof stopOn>>> {
  await laptop.start(taskId)
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(10)
  return stopOn(phone)
}

test('A late pause that a restored server has lost counts in what continues the stop elsewhere', async () => {
  const stopped = await saveLatePause()
  await phone.sync.flush()
  const backup = await backUp()
  await goOnline(laptop)
  pass(5)
  await restore(backup)
  pass(5)
  await continueStopped(phone, stopped)
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()
  pass(20)
  await phone.sync.refresh()
  await phone.stop()

  expect(secondsOn(phone)).toEqual([30])
})

test('A late pause counts in what continues the stop after a restored server has lost the session', async () => {
  const stopped = await saveLatePause()
  const backup = await backUp()
  await phone.sync.flush()
  await goOnline(laptop)
  pass(10)
  phone.intercept(offline())
  await continueStopped(phone, stopped)
  await restore(backup)
  pass(5)
  await laptop.sync.refresh()
  await goOnline(phone)
  pass(15)
  await phone.stop()

  expect(secondsOn(phone)).toEqual([30])
})

test('A pause that had reached what continues a stop elsewhere is pressed again on a restored server', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  laptop.intercept(offline())
  pass(10)
  const stopped = await stopOn(phone)
  await continueStopped(phone, stopped)
  await phone.sync.flush()
  const backup = await backUp()
  pass(5)
  await laptop.pause()
  let isPaused = false
  laptop.intercept(async (request, send) => {
    if (isPaused) throw new TypeError('Failed to fetch')
    const answer = await send()
    isPaused = request.method === 'PATCH' && request.url.endsWith('again')
    return answer
  })
  await laptop.sync.refresh()
  expect(isPaused).toBe(true)
  pass(5)
  await restore(backup)
  pass(5)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(phone.record.value('timer')?.timer.status).toBe('paused')
})
