/** Tests starts that are moved while the clock of their device is wrong. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { editEntry } from '@stint/core/record/entry-edit.ts'
import { noteAwake } from '@stint/core/device/awake.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  goOnline,
  laptopAndPhone,
  offline,
  serverOf,
  stopOn,
  trackOffline,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'

let world: World
let laptop: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop } = await laptopAndPhone())
})

afterEach(async () => {
  await world.close()
})

const { pass, saved } = serverOf(() => world)

test('A start that is moved back is right, although the clock was set ahead before the browser was opened', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  const sessionId = await laptop.start(taskId)
  laptop.kill()
  pass(20)
  laptop.moveClock(2 * HOUR)
  laptop = await laptop.reopen(offline())
  await laptop.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: now - 600_000 }, now),
  )
  await goOnline(laptop)

  const [session] = await world.stored('timer_sessions')
  expect(Date.parse(String(session?.['startTime']))).toBe(world.server.clock.now() - 600_000)
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start that is moved back is right after a note on the session, although the clock was set back', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.sync.flush()
  laptop.kill()
  pass(20)
  laptop.moveClock(-3 * HOUR)
  laptop = await laptop.reopen(offline())
  const sessionId = await laptop.start(taskId)
  pass(1)
  await laptop.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: now - 600_000 }, now),
  )
  pass(1)
  await laptop.press(store.stop)
  const [entry] = laptop.record.entries()
  if (!entry) throw new Error('Nothing was saved')
  const noted = editEntry(entry, { note: 'Outline' }, world.server.clock.now())
  await laptop.press((draft, now) => applyChanges(draft, { entries: [noted] }, now))
  await goOnline(laptop)

  expect(await saved()).toEqual([601])
})

test('A start that is moved back is right, although the clock was set back before the browser was opened', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  const sessionId = await laptop.start(taskId)
  laptop.kill()
  pass(20)
  laptop.moveClock(-HOUR)
  laptop = await laptop.reopen(offline())
  await laptop.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: now - 600_000 }, now),
  )
  await goOnline(laptop)

  const [session] = await world.stored('timer_sessions')
  const startedAt = Date.parse(String(session?.['startTime']))
  expect(Math.abs(startedAt - (world.server.clock.now() - 600_000))).toBeLessThan(1000)
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start that is moved back and failed is right, although the clock was set back before', async () => {
  laptop.kill()
  pass(20)
  laptop.moveClock(-HOUR)
  laptop = await laptop.reopen(offline())
  await laptop.press((draft, now) => {
    store.start(draft, { device: 'laptop', sessionId: 'claimed', taskId, now })
    changeTimer(draft, 'claimed', { startedAt: now - 600_000 }, now)
  })
  await laptop.sync.flush()
  await trackOffline(laptop)
  await goOnline(laptop)

  const [session] = await world.stored('timer_sessions')
  const startedAt = Date.parse(String(session?.['startTime']))
  expect(Math.abs(startedAt - (world.server.clock.now() - 600_000))).toBeLessThan(1000)
})

test('A start that is moved back is right, although the clock was set ahead before and after the browser was closed', async () => {
  const sessionId = await laptop.start(taskId)
  pass(60)
  laptop.intercept(offline())
  laptop.moveClock(2 * HOUR)
  await laptop.press(noteAwake)
  laptop.kill()
  pass(20)
  laptop.moveClock(HOUR)
  laptop = await laptop.reopen(offline())
  await laptop.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: now - 2 * HOUR }, now),
  )
  await goOnline(laptop)

  const [session] = await world.stored('timer_sessions')
  expect(Date.parse(String(session?.['startTime']))).toBe(world.server.clock.now() - 2 * HOUR)
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start that was moved after a resume keeps the work, although the clock was set before both', async () => {
  await laptop.start(taskId)
  pass(18)
  await laptop.pause()
  laptop.kill()
  laptop.moveClock(3 * HOUR)
  laptop = await laptop.reopen(offline())
  pass(0.1)
  await laptop.press(store.resume)
  pass(0.1)
  const { sessionId } = laptop.record.value('timer')?.timer ?? { sessionId: '' }
  await laptop.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: now - 1_391_000 }, now),
  )
  const stopped = await stopOn(laptop)
  pass(11)
  const input = { sessionId: 'again', stopped, gap: 'work' as const, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  pass(5)
  await goOnline(laptop)
  await laptop.stop()

  // Without the tenth of a second before the resume.
  expect(await saved()).toEqual([1391 + 15])
})
