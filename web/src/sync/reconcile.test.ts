import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createWorld, offline, secondsOn } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
import { HOUR } from '#test/edits.ts'
import { noteAwake } from '@stint/core/device/awake.ts'
import { takeInSession } from '@stint/core/device/take-in.ts'
import * as store from '@stint/core/device/timer.ts'
import { discardSession, finishSession, resumeSession } from '@stint/core/device/questions.ts'

import { pullCollection } from './pull.ts'

let world: World
let laptop: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
})

afterEach(async () => {
  await world.close()
})

async function timerOn(device: Device) {
  return device.record.value('timer')?.timer
}

async function unfinishedOn(device: Device) {
  return device.record.value('unfinished')?.sessions ?? []
}

/** Returns the session that the device offers on a card. */
async function cardOn(device: Device) {
  const [session] = await unfinishedOn(device)
  if (!session) throw new Error('Nothing is offered')
  return session
}

/** The laptop works for a minute on a task that is then archived. The phone offers the session on a card. */
async function phoneWithCard(): Promise<Device> {
  await laptop.start(taskId)
  world.server.clock.advance(60_000)
  const path = `/databases/stint/collections/tasks/documents/${taskId}`
  await world.user.call('PATCH', path, { data: { isActive: false } })
  return world.device('phone')
}

async function savedDurations() {
  return (await world.stored('time_entries'))
    .filter((entry) => entry['deletedAt'] === null)
    .map((entry) => entry['durationSeconds'])
}

describe('restoring on load', () => {
  testWalks(`
    A load restores a running timer
      L start, 10800, T look → nothing, runs 10800
    A load restores a paused timer three hours later, with its pause
      L start, 60, L pause, 10800, T look, T resume, 5, L look → nothing, runs 65
  `)

  test('A load does not restore a session that is more than four hours old, but offers it', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(4 * HOUR + 1000)
    const phone = await world.device('phone')

    expect(await timerOn(phone)).toBeUndefined()
    expect(await unfinishedOn(phone)).toMatchObject([{ state: { timer: { taskId } } }])
  })

  test('An unfinished session is saved until the moment that its owner chose', async () => {
    await laptop.start(taskId)
    laptop.kill()
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    const session = await cardOn(phone)
    const until = world.server.clock.now() - 6 * HOUR
    await phone.press((draft) => finishSession(draft, session, until, world.server.clock.now()))
    await phone.sync.refresh()

    expect(await savedDurations()).toEqual([(3 * HOUR) / 1000])
    expect(await unfinishedOn(phone)).toEqual([])
    expect(await world.stored('timer_sessions')).toEqual([])
  })

  test('An unfinished session is discarded for good, and the device that still shows it says so', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    const session = await cardOn(phone)
    await phone.press((draft) => discardSession(draft, session, world.server.clock.now()))
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([])
    expect(await timerOn(laptop)).toBeUndefined()
    expect(laptop.record.value('banner')?.text).toMatch(/^Already discarded/)
  })

  test('An unfinished session is resumed as it was', async () => {
    await laptop.start(taskId)
    laptop.kill()
    world.server.clock.advance(5 * HOUR)
    const phone = await world.device('phone')
    const session = await cardOn(phone)
    await phone.press((draft) => resumeSession(draft, session, world.server.clock.now()))
    await phone.stop()

    expect(await savedDurations()).toEqual([(5 * HOUR) / 1000])
  })

  test('The session of a deleted task is offered and not dropped', async () => {
    const phone = await phoneWithCard()

    expect(await timerOn(phone)).toBeUndefined()
    expect(await unfinishedOn(phone)).toHaveLength(1)
  })
})

describe('two devices', () => {
  test('The second device says that the first one has stopped the timer', async () => {
    await laptop.start(taskId)
    const phone = await world.device('phone')
    world.server.clock.advance(60_000)
    await laptop.stop()
    await phone.sync.refresh()

    expect(await timerOn(phone)).toBeUndefined()
    expect(phone.record.value('banner')?.text).toBe('Already stopped on another device at 07:01')
  })

  test('A failed start keeps its action in the banner when a later timer is stopped elsewhere', async () => {
    const phone = await world.device('phone')
    phone.intercept(offline())
    await phone.start(taskId)
    phone.intercept(undefined)
    await laptop.start(taskId)
    await phone.sync.refresh()
    world.server.clock.advance(60_000)
    await laptop.stop()
    await phone.sync.refresh()

    expect(await timerOn(phone)).toBeUndefined()
    expect(phone.record.value('banner')).toMatchObject({ action: { kind: 'track-offline' } })
  })

  test('A timer that was forgotten for hours stays unfinished when another one is started', async () => {
    const other = await world.createTask('Plan')
    await laptop.start(taskId)
    laptop.kill()
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    await phone.start(other)
    await phone.sync.refresh()

    expect(await timerOn(phone)).toMatchObject({ taskId: other })
    expect(await savedDurations()).toEqual([])
    const forgotten = await cardOn(phone)
    expect(forgotten.state).toMatchObject({ timer: { status: 'running', taskId } })

    await phone.press((draft) => resumeSession(draft, forgotten, world.server.clock.now()))
    await phone.sync.refresh()
    expect(await timerOn(phone)).toMatchObject({ status: 'running', taskId })
    expect(await world.stored('timer_sessions')).toMatchObject([{ taskId, isRunning: true }])
  })

  test('A session that is resumed after its stop elsewhere ends no other timer', async () => {
    const other = await world.createTask('Plan')
    const phone = await phoneWithCard()
    const session = await cardOn(phone)
    await laptop.stop()
    const sessionId = await laptop.start(other)
    world.server.clock.advance(1000)
    await phone.press((draft, now) => resumeSession(draft, session, now))
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await timerOn(laptop)).toMatchObject({ sessionId })
    expect(await timerOn(phone)).toMatchObject({ sessionId })
    expect(await savedDurations()).toEqual([60])
  })

  test('A session that a newer timer has ended is not offered as unfinished any more', async () => {
    const other = await world.createTask('Plan')
    const phone = await phoneWithCard()
    expect(await unfinishedOn(phone)).toHaveLength(1)
    await phone.start(other)

    expect(await savedDurations()).toEqual([60])
    expect(await unfinishedOn(phone)).toEqual([])
  })

  test('A timer of five hours ends when another one starts elsewhere, if its device was awake', async () => {
    const other = await world.createTask('Plan')
    await laptop.start(taskId)
    for (let minutes = 0; minutes < 5 * 60; minutes += 15) {
      world.server.clock.advance(HOUR / 4)
      await laptop.press(noteAwake)
    }
    const phone = await world.device('phone')
    await phone.start(other)
    await laptop.sync.refresh()
    await phone.sync.refresh()

    expect(await savedDurations()).toEqual([(5 * HOUR) / 1000])
    expect(await timerOn(laptop)).toMatchObject({ taskId: other })
    expect(await unfinishedOn(phone)).toEqual([])
  })

  test('A timer of nine hours leads to a question when another one was started, if its device was asleep', async () => {
    const other = await world.createTask('Plan')
    await laptop.start(taskId)
    await laptop.press((draft) => noteAwake(draft, world.server.clock.now()))
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    await phone.start(other)
    await laptop.press((draft) => noteAwake(draft, world.server.clock.now()))
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([])
    expect(await timerOn(laptop)).toMatchObject({ taskId: other })
    expect(await unfinishedOn(laptop)).toHaveLength(1)
  })
})

describe('while the answer is on its way', () => {
  test('A press during a request counts, and not the answer', async () => {
    const other = await world.createTask('Plan')
    await laptop.start(taskId)
    const [session] = (await laptop.backend.list('timer_sessions', { limit: 1 })).documents
    if (!session) throw new Error('There is no session')
    world.server.clock.advance(60_000)
    const now = world.server.clock.now()
    await laptop.press((draft) =>
      store.start(draft, { sessionId: 'next', taskId: other, device: 'laptop', now }),
    )
    await laptop.press((draft) => takeInSession(draft, sessionFromDocument(session), now))

    expect(await timerOn(laptop)).toMatchObject({ sessionId: 'next', taskId: other })
  })
})

test('A timer is not shown any longer as soon as a pull brings its entry', async () => {
  const phone = await world.device('phone')
  await laptop.start(taskId)
  await phone.sync.refresh()
  world.server.clock.advance(10_000)
  await laptop.stop()
  await laptop.sync.flush()
  await pullCollection(
    { record: phone.record, backend: phone.backend, userId: world.user.id },
    'time_entries',
  )

  expect(await timerOn(phone)).toBeUndefined()
  expect(phone.record.value('banner')?.text).toBe('Already stopped on another device at 07:00')
  expect(secondsOn(phone)).toEqual([10])
})
