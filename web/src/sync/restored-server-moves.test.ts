/** Tests the moved start of a timer that a restored server has lost, on the device that moved it. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { keepOffer } from '@stint/core/device/questions.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhone,
  offersOn,
  offline,
  serverOf,
  stopOn,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { storeEntries } from './pull.ts'

let world: World
let laptop: Device
let phone: Device
let id: string

beforeEach(async () => {
  let taskId: string
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  // A start that is pressed is at no whole second.
  pass(0.321)
  id = await laptop.start(taskId)
  await laptop.sync.flush()
  await phone.sync.refresh()
})

afterEach(async () => {
  await world.close()
})

const { pass, savedOrDeleted: saved, backUp, restore } = serverOf(() => world)

const TEN_MINUTES = 600_000

/** The phone moves the start by this time (milliseconds), and the server loses that. */
async function moveAndForget(by: number): Promise<void> {
  const backup = await backUp()
  await move(phone, by)
  await phone.sync.flush()
  pass(5)
  await restore(backup)
  pass(5)
}

async function move(device: Device, by: number): Promise<void> {
  const startedAt = Number(device.record.value('timer')?.timer.startedAt) + by
  await device.press((draft, now) => changeTimer(draft, id, { startedAt }, now))
}

function startsOn(...devices: readonly Device[]): readonly unknown[] {
  return devices.map(({ record }) => record.value('timer')?.timer.startedAt)
}

test('A moved start that a restored server has lost is sent again after a pause elsewhere', async () => {
  const [startedAt] = startsOn(laptop)
  laptop.intercept(offline())
  pass(10)
  await moveAndForget(-TEN_MINUTES)
  await laptop.pause()
  await goOnline(laptop)
  pass(5)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  const moved = Number(startedAt) - TEN_MINUTES
  expect(startsOn(laptop, phone)).toEqual([moved, moved])
  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
})

test('A moved start that a restored server has lost is offered after a stop elsewhere', async () => {
  laptop.intercept(offline())
  pass(10)
  await laptop.stop()
  await moveAndForget(-TEN_MINUTES)
  await goOnline(laptop)
  await phone.sync.refresh()

  expect(await saved()).toEqual([10])
  const [asked] = offersOn(phone).filter(({ why }) => why === 'not-counted')
  expect(asked).toMatchObject({ worked: { sessionId: id, durationSeconds: 610 } })
  if (!asked) throw new Error('Nothing is asked')
  await phone.press((draft, now) => keepOffer(draft, asked, 'kept', now))
  await phone.sync.flush()
  expect(await saved()).toEqual([610])
})

test('A start that was moved to later and that a restored server has lost counts in the entry', async () => {
  laptop.intercept(offline())
  pass(30)
  await laptop.stop()
  await moveAndForget(10_000)
  await goOnline(laptop)
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(await saved()).toEqual([20])
})

test.each([false, true])(
  'A moved start in a saved session that a restored server has lost stays, and its answer was lost: %s',
  async (isAnswerLost) => {
    const backup = await backUp()
    phone.intercept(offline())
    pass(10)
    await move(phone, -TEN_MINUTES)
    await laptop.stop()
    await laptop.sync.flush()
    laptop.intercept(offline())
    phone.intercept(async (request, send) => {
      const answer = await send()
      const isMove = request.method === 'PATCH' && request.url.includes('time_entries')
      if (isAnswerLost && isMove) throw new TypeError('Failed to fetch')
      return answer
    })
    await phone.sync.flush()
    expect(await saved()).toEqual([610])
    await goOnline(phone)
    pass(5)
    await restore(backup)
    pass(5)
    await goOnline(laptop)
    await phone.sync.refresh()
    await phone.sync.flush()

    expect(await saved()).toEqual([610])
  },
)

test('A start that was moved before the undo of a stop moves what continues it on a restored server', async () => {
  const [startedAt] = startsOn(laptop)
  laptop.intercept(offline())
  pass(10)
  await move(laptop, -TEN_MINUTES)
  const stopped = await stopOn(phone)
  let backup = await backUp()
  phone.intercept(async (request, send) => {
    // The session is marked as stopped, and not saved yet.
    if (request.method === 'POST') backup = await backUp()
    return send()
  })
  await phone.sync.flush()
  phone.intercept(undefined)
  pass(5)
  await continueStopped(phone, stopped)
  await phone.sync.flush()
  const { documents } = await phone.backend.list('time_entries', { limit: 1 })
  await storeEntries(laptop.record, documents)
  pass(5)
  await restore(backup)
  pass(5)
  await goOnline(laptop)
  await goOnline(phone)
  await laptop.sync.refresh()

  const moved = Number(startedAt) - TEN_MINUTES
  expect(startsOn(laptop, phone)).toEqual([moved, moved])
})

test('A start that another device has typed again stays', async () => {
  const typed = Math.floor(world.server.clock.now() / 1000) * 1000
  await move(phone, typed - world.server.clock.now())
  await phone.sync.flush()
  await move(phone, -TEN_MINUTES)
  await phone.sync.flush()
  pass(5)
  await laptop.sync.refresh()
  await move(laptop, TEN_MINUTES)
  await laptop.sync.flush()
  pass(5)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(startsOn(laptop, phone)).toEqual([typed, typed])
})

test('A pause that a restored server has lost counts after the start was moved to earlier elsewhere', async () => {
  laptop.intercept(offline())
  pass(10)
  const backup = await backUp()
  await phone.pause()
  await phone.sync.flush()
  pass(5)
  await restore(backup)
  pass(5)
  await move(laptop, -TEN_MINUTES)
  await goOnline(laptop)
  pass(5)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  expect(startsOn(laptop)).toEqual(startsOn(phone))
})

test.each(['start', 'task'])(
  'A start that is moved and taken back elsewhere stays after a change of the %s from here that did not move it',
  async (part) => {
    const startedAt = Number(startsOn(laptop)[0])
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    laptop.intercept(offline())
    pass(10)
    const change = part === 'task' ? { taskId: other } : { startedAt: startedAt - 1000 }
    await laptop.press((draft, now) => changeTimer(draft, id, change, now))
    pass(5)
    await move(phone, -TEN_MINUTES)
    await phone.sync.flush()
    await goOnline(laptop)
    pass(5)
    await phone.sync.refresh()
    expect(startsOn(laptop, phone)).toEqual(Array(2).fill(startedAt - TEN_MINUTES))
    await move(phone, TEN_MINUTES)
    await phone.sync.flush()
    pass(5)
    await laptop.sync.refresh()
    await phone.sync.refresh()

    expect(startsOn(laptop, phone)).toEqual([startedAt, startedAt])
  },
)
