/** Tests sessions that were cut in time that a clock made up, which was set while the browser was closed. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import {
  goOnline,
  laptopAndPhone,
  offline,
  serverOf,
  stopOn,
  storedOffersOn as offersOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR, splitAfter } from '#test/edits.ts'

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

const { pass, saved } = serverOf(() => world)

async function bothShowATimer(): Promise<void> {
  await laptop.start(taskId)
  await phone.sync.refresh()
}

test('A split in the pause of a clock that was set ahead leaves all work in the first half', async () => {
  await laptop.start(taskId)
  pass(600)
  await laptop.pause()
  laptop.kill()
  pass(300)
  laptop.moveClock(420_000)
  laptop = await laptop.reopen(offline())
  await laptop.stop()
  await splitAfter(laptop, 620, { id: 'half' })
  await goOnline(laptop)

  expect(await saved()).toEqual([600])
})

test('Work after a stop elsewhere is offered although it was cut in time that a clock set ahead made up', async () => {
  await bothShowATimer()
  pass(5)
  laptop.kill()
  laptop.moveClock(2 * HOUR)
  pass(15)
  await phone.stop()
  pass(20)
  laptop = await laptop.reopen(offline())
  pass(20)
  await laptop.stop()
  await splitAfter(laptop, 3600, { id: 'half' })
  await goOnline(laptop)

  expect(await saved()).toEqual([20])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 40 } }])
})

test('What continues after a failed pause has all work of a session that was cut in time that a set clock made up', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: false }, now))
  await laptop.start(taskId)
  pass(20)
  laptop.kill()
  laptop.moveClock(420_000)
  pass(120)
  laptop = await laptop.reopen(offline())
  await laptop.pause()
  const action = laptop.record.value('banner')?.action
  if (action?.kind !== 'resume') throw new Error('The pause has not failed')
  await splitAfter(laptop, 145, { id: 'half' })
  pass(20)
  const { stopped, gap } = action
  const input = { sessionId: 'again', stopped, gap, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  await goOnline(laptop)
  pass(5)
  await laptop.stop()

  expect(await saved()).toEqual([145])
})

test('A pause that failed begins when it was pressed, although the session was cut in time that a set clock made up', async () => {
  await laptop.start(taskId)
  pass(20)
  laptop.kill()
  laptop.moveClock(420_000)
  laptop = await laptop.reopen(offline())
  pass(0.1)
  const stopped = await stopOn(laptop)
  pass(18)
  await splitAfter(laptop, 100)
  const input = { sessionId: 'again', stopped, gap: 'pause' as const, device: 'laptop' }
  await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
  pass(15)
  await goOnline(laptop)
  await laptop.stop()

  expect(await saved()).toEqual([35])
  const [entry] = laptop.record.entries()
  const [pause] = entry?.pauses.intervals ?? []
  expect(Number(pause?.start) - Number(entry?.startedAt)).toBe(20_100)
})
