import { startTimer } from '@stint/core/timer/timer.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { allEntries, createWorld, offline, secondsOn } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { noteAwake } from '@stint/core/device/awake.ts'
import { adopt } from '@stint/core/device/timer-answers.ts'
import * as store from '@stint/core/device/timer.ts'
import { discardSession, finishSession, resumeSession } from '@stint/core/device/questions.ts'

import { pullEntries } from './pull.ts'

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
  test('A load restores a running timer on a device that has never seen it', async () => {
    const startedAt = world.server.clock.now()
    const sessionId = await laptop.start(taskId)
    world.server.clock.advance(3 * HOUR)
    const phone = await world.device('phone')

    expect(await timerOn(phone)).toMatchObject({ status: 'running', sessionId, taskId, startedAt })
  })

  test('A load restores a paused timer three hours later, with its pause', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(60_000)
    await laptop.pause()
    const pausedAt = world.server.clock.now()
    world.server.clock.advance(3 * HOUR)
    const phone = await world.device('phone')

    expect(await timerOn(phone)).toMatchObject({ status: 'paused', pausedAt })
  })

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
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
    const until = world.server.clock.now() - 6 * HOUR
    await phone.press((draft) => finishSession(draft, session, until))
    await phone.sync.refresh()

    expect(await savedDurations()).toEqual([(3 * HOUR) / 1000])
    expect(await unfinishedOn(phone)).toEqual([])
    expect(await world.stored('timer_sessions')).toEqual([])
  })

  test('An unfinished session is discarded for good, and the device that still shows it says so', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
    await phone.press((draft) => discardSession(draft, session, world.server.clock.now()))
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([])
    expect(await timerOn(laptop)).toBeUndefined()
    expect(laptop.record.value('banner')?.text).toMatch(/^Already discarded/)
  })

  test('A session that another device continued after it was discarded here is kept', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
    const discardedAt = world.server.clock.now()
    await phone.press((draft) => discardSession(draft, session, discardedAt))
    world.server.clock.advance(HOUR)
    await laptop.stop()
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([(10 * HOUR) / 1000])
    expect(phone.record.value('offers')).toBeUndefined()
    expect(await unfinishedOn(phone)).toEqual([])
  })

  test('A device that stops a session while another one discards it asks its owner', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
    phone.intercept(async (_request, send) => {
      const answer = await send()
      if (answer.ok && (await world.stored('time_entries')).length === 0) return answer
      phone.intercept(undefined)
      world.server.clock.advance(HOUR)
      await laptop.stop()
      return answer
    })
    await phone.press((draft) => discardSession(draft, session, world.server.clock.now()))
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([])
    const worked = { durationSeconds: (10 * HOUR) / 1000 }
    expect(laptop.record.value('offers')?.offers).toMatchObject([{ why: 'discarded', worked }])
    expect(phone.record.value('offers')).toBeUndefined()
  })

  test('A device that moved the start of a session after it was discarded elsewhere asks its owner', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(9 * HOUR)
    const phone = await world.device('phone')
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
    await laptop.press(noteAwake)
    await phone.press((draft) => discardSession(draft, session, world.server.clock.now()))
    world.server.clock.advance(5 * 60_000)
    const startedAt = world.server.clock.now() - 5 * HOUR
    await laptop.press((draft, now) => changeTimer(draft, session.id, { startedAt }, now))
    await laptop.sync.flush()
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([])
    expect(laptop.record.value('offers')?.offers).toMatchObject([{ why: 'discarded' }])
  })

  test('An unfinished session is resumed as it was', async () => {
    await laptop.start(taskId)
    laptop.kill()
    world.server.clock.advance(5 * HOUR)
    const phone = await world.device('phone')
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
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
  test('Two devices show one timer, whichever pauses it', async () => {
    await laptop.start(taskId)
    const phone = await world.device('phone')
    world.server.clock.advance(60_000)
    await phone.pause()
    await laptop.sync.refresh()

    expect(await timerOn(laptop)).toEqual(await timerOn(phone))
    expect(await timerOn(laptop)).toMatchObject({ status: 'paused' })
  })

  test('Two devices that both stop end in one entry, and the first stop counts', async () => {
    await laptop.start(taskId)
    const phone = await world.device('phone')
    phone.intercept(async () => {
      throw new TypeError('Failed to fetch')
    })
    world.server.clock.advance(60_000)
    await laptop.stop()
    world.server.clock.advance(10 * 60_000)
    await phone.stop()
    phone.intercept(undefined)
    await phone.sync.refresh()

    expect(await savedDurations()).toEqual([60])
    expect(allEntries(phone.record).map((entry) => entry.durationSeconds)).toEqual([60])
  })

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

  test('The newest of two starts wins, and the older session is saved', async () => {
    const other = await world.createTask('Plan')
    await laptop.start(taskId)
    world.server.clock.advance(60_000)
    const phone = await world.device('phone')
    await phone.start(other)
    world.server.clock.advance(30_000)
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([60])
    expect(await timerOn(laptop)).toMatchObject({ taskId: other })
  })

  test('An older offline timer that is sent late and a newer timer are both kept whole, and the newer runs', async () => {
    const other = await world.createTask('Plan')
    const phone = await world.device('phone')
    await laptop.press((draft) =>
      store.trackOffline(draft, {
        sessionId: 'tracked-offline',
        timer: startTimer('failed', taskId, world.server.clock.now()),
        device: 'laptop',
        now: world.server.clock.now(),
      }),
    )
    world.server.clock.advance(60_000)
    await phone.start(other)
    phone.kill()
    world.server.clock.advance(30_000)
    await laptop.sync.refresh()

    expect(await savedDurations()).toEqual([90])
    expect(await timerOn(laptop)).toMatchObject({ taskId: other })
    expect(await world.stored('timer_sessions')).toMatchObject([{ taskId: other, endTime: null }])
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
    const [forgotten] = await unfinishedOn(phone)
    if (!forgotten) throw new Error('Nothing is offered')
    expect(forgotten.state).toMatchObject({ timer: { status: 'running', taskId } })

    await phone.press((draft) => resumeSession(draft, forgotten, world.server.clock.now()))
    await phone.sync.refresh()
    expect(await timerOn(phone)).toMatchObject({ status: 'running', taskId })
    expect(await world.stored('timer_sessions')).toMatchObject([{ taskId, isRunning: true }])
  })

  test('A session that is resumed after its stop elsewhere ends no other timer', async () => {
    const other = await world.createTask('Plan')
    const phone = await phoneWithCard()
    const [session] = await unfinishedOn(phone)
    if (!session) throw new Error('Nothing is offered')
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

  test.each([
    ['is refused', 'POST'],
    ['finds it', 'GET'],
  ])(
    'An unfinished session goes on that is resumed while the start of another one %s',
    async (_when, method) => {
      const other = await world.createTask('Plan')
      const phone = await phoneWithCard()
      const [session] = await unfinishedOn(phone)
      if (!session) throw new Error('Nothing is offered')
      let isResumed = false
      phone.intercept(async (request, send) => {
        if (request.method === method && request.url.includes('timer_sessions') && !isResumed) {
          isResumed = true
          world.server.clock.advance(10_000)
          await phone.press((draft, now) => resumeSession(draft, session, now))
        }
        return send()
      })
      await phone.start(other)
      await phone.sync.refresh()
      world.server.clock.advance(30_000)
      await phone.stop()

      expect(await savedDurations()).toEqual([10, 100])
    },
  )

  test('A timer of five hours ends when another one starts elsewhere, if its device was awake', async () => {
    const other = await world.createTask('Plan')
    await laptop.start(taskId)
    world.server.clock.advance(5 * HOUR)
    const phone = await world.device('phone')
    await phone.start(other)
    world.server.clock.advance(60_000)
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
    await laptop.press((draft) => adopt(draft, sessionFromDocument(session)))

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
  await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })

  await expect.poll(() => timerOn(phone)).toBeUndefined()
  expect(secondsOn(phone)).toEqual([10])
})
