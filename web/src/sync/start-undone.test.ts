/** Tests Undo of a task that was created and started in one press. */
import { newTask } from '@stint/core/record/task.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { startNewTask, undoStartNewTask } from '@stint/core/device/changes.ts'
import { pause } from '@stint/core/device/timer.ts'
import {
  allEntries,
  createWorld,
  offline,
  serverOf,
  unanswered,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let sessionId: string
let taskId: string
let laptop: Device
let phone: Device
const task = () => newTask(taskId, 'Call', world.server.clock.now())

beforeEach(async () => {
  sessionId = 'session-1'
  taskId = 'call-ann'
  world = await createWorld()
  laptop = await world.device('laptop')
  phone = await world.device('phone')
})

afterEach(() => world.close())

function create({ note }: { note?: string } = {}) {
  const input = { sessionId, device: 'laptop', note }
  return laptop.press((draft) => startNewTask(draft, task(), { ...input }))
}

function undo() {
  return laptop.press((draft) => undoStartNewTask(draft, task(), sessionId))
}

const { pass } = serverOf(() => world)

/** Expects that nothing is left of the press on any device or on the server. */
async function expectNothing(): Promise<void> {
  laptop.intercept(undefined)
  for (const device of [laptop, phone, laptop, phone]) {
    await device.sync.flush()
    await device.sync.refresh()
  }
  expect(await world.stored('timer_sessions')).toEqual([])
  const entries = await world.stored('time_entries')
  expect(entries.filter(({ deletedAt }) => deletedAt === null)).toEqual([])
  const tasks = await world.stored('tasks')
  expect(tasks.filter(({ isActive }) => isActive === true)).toEqual([])
  for (const { record } of [laptop, phone]) {
    for (const key of ['timer', 'asked', 'unfinished'] as const) {
      expect(record.value(key)).toBeUndefined()
    }
    expect(allEntries(record).filter(({ deletedAt }) => deletedAt === null)).toEqual([])
    expect(unsentCount(record)).toBe(0)
  }
  expect(laptop.record.value('banner')).toBeUndefined()
}

test.each([
  ['before anything is sent', () => undefined],
  ['after the server has both', () => laptop.sync.flush()],
  [
    'after another device shows the timer',
    async () => {
      await laptop.sync.flush()
      await phone.sync.refresh()
      expect(phone.record.value('timer')?.timer.sessionId).toBe(sessionId)
    },
  ],
  [
    'after the start has failed offline',
    async () => {
      laptop.intercept(offline())
      await laptop.sync.flush()
      expect(laptop.record.value('banner')?.action?.kind).toBe('track-offline')
    },
  ],
  [
    'after the answers were lost',
    async () => {
      laptop.intercept(unanswered('POST'))
      await laptop.sync.flush()
    },
  ],
  [
    'while the timer is paused',
    async () => {
      await laptop.sync.flush()
      await laptop.press(pause)
    },
  ],
])('Undo leaves nothing %s, at once or later', async (_, before) => {
  await create({ note: '#acme' })
  await before()
  expect(await undo()).toBe(true)
  await expectNothing()
  world.server.clock.advance(1000)

  sessionId = 'session-2'
  taskId = 'call-ben'
  await create()
  pass(7)
  await before()
  pass(7)
  expect(await undo()).toBe(true)
  await expectNothing()
})
