/** Tests two devices that know different things about one timer. */
import { editEntry, splitEntry } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { noteAwake } from '@stint/core/device/awake.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { dropOffer, keepOffer, openOffers } from '@stint/core/device/questions.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { newDocumentId } from '#record/document-id.ts'
import * as store from '@stint/core/device/timer.ts'
import { createWorld, goOnline, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { pullEntries } from './pull.ts'

const HOUR = 3_600_000

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
  phone = await world.device('phone')
})

afterEach(async () => {
  await world.close()
})

function pass(seconds: number): void {
  world.server.clock.advance(seconds * 1000)
}

async function bothShowATimer(): Promise<void> {
  await laptop.start(taskId)
  await phone.sync.refresh()
}

/**
 * Starts a timer and loses the answer. The session exists, and the laptop shows that it does not.
 */
async function startUnanswered(): Promise<void> {
  laptop.intercept(async (request, send) => {
    if (request.method === 'POST') await send()
    throw new TypeError('Failed to fetch')
  })
  await laptop.start(taskId)
  await phone.sync.refresh()
}

/** Returns the seconds of the entries that are not deleted. */
async function saved() {
  const entries = await world.stored('time_entries')
  return entries
    .filter((entry) => entry['deletedAt'] === null)
    .map((entry) => entry['durationSeconds'])
}

function offersOn(device: Device) {
  return device.record.value('offers')?.offers ?? []
}

function firstOffer(device: Device) {
  const [offer] = offersOn(device)
  if (!offer) throw new Error('Nothing is offered')
  return offer
}

async function trackOffline(device: Device): Promise<void> {
  const action = device.record.value('banner')?.action
  if (action?.kind !== 'track-offline') throw new Error('No offer to track offline')
  const input = { sessionId: 'tracked', timer: action.timer, device: device.record.device }
  await device.press((draft, now) => store.trackOffline(draft, { ...input, now }))
}

async function trackOfflineAndStop(): Promise<void> {
  await trackOffline(laptop)
  await laptop.stop()
}

/** Starts another task, and keeps what is offered of the failed start. */
async function startOtherAndKeep(other: string): Promise<void> {
  await laptop.start(other)
  const [offer] = openOffers(laptop.record.view)
  expect(offer).toMatchObject({ why: 'not-started', worked: { durationSeconds: 3 } })
  if (offer) await laptop.press((draft, now) => keepOffer(draft, offer, 'kept', now))
  await laptop.stop()
}

describe('one timer on two devices', () => {
  test('A stop counts the work elsewhere after a resume that it does not know', async () => {
    await bothShowATimer()
    pass(2)
    await laptop.pause()
    await phone.sync.refresh()
    laptop.intercept(offline())
    pass(10)
    await phone.resume()
    pass(7)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([9])
    expect(await world.stored('timer_sessions')).toEqual([])
  })

  test('A pause counts when another device that does not know it stops the timer', async () => {
    await bothShowATimer()
    pass(5)
    await phone.pause()
    pass(20)
    await laptop.stop()

    expect(await saved()).toEqual([5])
  })

  test('A start that was moved elsewhere counts when this device stops the timer offline', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(60)
    const sessionId = laptop.record.value('timer')?.timer.sessionId ?? ''
    const startedAt = world.server.clock.now() - HOUR / 2
    await phone.press((draft, now) => changeTimer(draft, sessionId, { startedAt }, now))
    await phone.sync.flush()
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([1800])
  })

  test('Work after a stop elsewhere is offered and kept in the same entry', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(60)
    await phone.stop()
    pass(1800)
    await laptop.stop()
    await goOnline(laptop)
    expect(await saved()).toEqual([60])
    const offer = firstOffer(laptop)
    expect(offer).toMatchObject({ why: 'went-on', worked: { durationSeconds: 1800 } })
    await laptop.press((draft, now) => keepOffer(draft, offer, 'new', now))
    await laptop.sync.flush()
    await phone.sync.refresh()

    expect(await saved()).toEqual([1860])
    expect(offersOn(laptop)).toEqual([])
    expect(phone.record.entries().map((entry) => entry.durationSeconds)).toEqual([1860])
  })

  test('Work that continued without a press after a stop elsewhere is offered and can be discarded', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(60)
    await phone.stop()
    pass(600)
    await goOnline(laptop)
    const offer = firstOffer(laptop)
    expect(offer.worked.durationSeconds).toBe(600)
    await laptop.press((draft) => dropOffer(draft, offer))

    expect(offersOn(laptop)).toEqual([])
    expect(await saved()).toEqual([60])
  })

  test('A stop elsewhere that is known within seconds asks nothing', async () => {
    await bothShowATimer()
    pass(60)
    await phone.stop()
    pass(3)
    await laptop.sync.refresh()

    expect(offersOn(laptop)).toEqual([])
    expect(await saved()).toEqual([60])
  })

  test('Work is offered when another device has stopped the timer and times something else', async () => {
    const other = await world.createTask('Plan')
    await bothShowATimer()
    laptop.intercept(offline())
    pass(60)
    await phone.start(other)
    pass(300)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([60])
    expect(offersOn(laptop)).toMatchObject([{ worked: { durationSeconds: 300 } }])
    expect(laptop.record.value('timer')?.timer.taskId).toBe(other)
  })

  test('A note does not hide that a timer continued after it ended elsewhere with nothing to save', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    await phone.stop()
    pass(30)
    await laptop.stop()
    const [here] = laptop.record.entries()
    if (!here) throw new Error('The laptop has no entry')
    const noted = editEntry(here, { note: 'Draft' }, world.server.clock.now())
    await laptop.press((draft, now) => applyChanges(draft, { entries: [noted] }, now))
    await goOnline(laptop)

    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 30 } }])
  })

  test('A split does not hide that a timer continued after it ended elsewhere with nothing to save', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await bothShowATimer()
    await laptop.pause()
    await phone.sync.refresh()
    phone.intercept(offline())
    await laptop.stop()
    await phone.resume()
    pass(10)
    await phone.stop()
    await phone.press((draft, now) => {
      const [entry] = draft.entries.all()
      if (!entry) throw new Error('There is one')
      const entries = splitEntry(entry, entry.endedAt - 4000, splitId(entry, entry), now)
      applyChanges(draft, { entries }, now)
    })
    phone.intercept(undefined)
    // A pull that was under way arrives before the stop is sent.
    await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })
    await goOnline(phone)

    expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
    expect(unsentCount(phone.record)).toBe(0)
  })

  test('A stop that was undone before it was sent offers nothing, because all of the work continues', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(60)
    await phone.stop()
    pass(30)
    const stopped = await laptop.press((draft, now) => store.stop(draft, now))
    if (!stopped) throw new Error('Nothing was stopped')
    const input = { sessionId: 'resumed', stopped, gap: 'undo', device: 'laptop' } as const
    await laptop.press((draft, now) => store.resumeStopped(draft, { ...input, now }))
    pass(30)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([120])
    expect(offersOn(laptop)).toEqual([])
  })

  test('Two timers that both began offline are both kept whole', async () => {
    const other = await world.createTask('Plan')
    for (const device of [laptop, phone]) {
      device.intercept(offline())
      await device.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    }
    await laptop.start(taskId)
    pass(60)
    await phone.start(other)
    pass(60)
    await laptop.stop()
    await phone.stop()
    await goOnline(phone)
    await goOnline(laptop)

    expect(new Set(await saved())).toEqual(new Set([120, 60]))
    expect(offersOn(laptop)).toEqual([])
  })
})

/** Presses Start without sending it yet. */
async function startUnsent(device: Device, task: string): Promise<string> {
  return device.press((draft, now) => {
    const sessionId = newDocumentId(now)
    store.start(draft, { sessionId, taskId: task, device: device.record.device, now })
    return sessionId
  })
}

test.each([
  { name: 'and goes on when it was pressed last', first: 'laptop' },
  { name: 'and ends when another was pressed after it', first: 'phone' },
])('A start that is moved to an earlier time counts whole, $name', async ({ first }) => {
  const other = await world.createTask('Plan')
  const claim = async () => {
    const sessionId = await startUnsent(phone, other)
    const startedAt = world.server.clock.now() - HOUR / 2
    await phone.press((draft, now) => changeTimer(draft, sessionId, { startedAt }, now))
  }
  // The laptop's start is on its way at this time.
  if (first === 'phone') await claim()
  pass(1)
  await startUnsent(laptop, taskId)
  pass(1)
  if (first === 'laptop') await claim()
  await phone.sync.flush()
  await laptop.sync.flush()
  await phone.sync.refresh()
  await laptop.sync.refresh()

  const [running] = await world.stored('timer_sessions')
  expect(running).toMatchObject({ taskId: first === 'laptop' ? other : taskId })
  expect(laptop.record.value('timer')?.timer.taskId).toBe(running?.['taskId'])
  expect(phone.record.value('timer')?.timer.taskId).toBe(running?.['taskId'])
  expect(await saved()).toEqual([first === 'laptop' ? 1 : 1801])
})

describe('A start that failed', () => {
  test('A failed start is discarded on the device that shows it, and does not return', async () => {
    await startUnanswered()
    expect(phone.record.value('timer')).toBeDefined()
    await goOnline(laptop)
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(phone.record.value('timer')).toBeUndefined()
    expect(laptop.record.value('timer')).toBeUndefined()
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(await saved()).toEqual([])
  })

  test('A failed start that is tracked offline is the same session, and its seconds count once', async () => {
    await startUnanswered()
    laptop.intercept(offline())
    await trackOffline(laptop)
    pass(3)
    await laptop.stop()
    await goOnline(laptop)
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(await saved()).toEqual([3])
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(phone.record.value('timer')).toBeUndefined()
    expect(laptop.record.value('timer')).toBeUndefined()
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A failed start that is tracked offline counts once when another device stops it without having heard of that', async () => {
    await startUnanswered()
    phone.intercept(offline())
    await goOnline(laptop)
    pass(8)
    await phone.stop()
    pass(4)
    await trackOffline(laptop)
    await laptop.sync.flush()
    await goOnline(phone)
    await laptop.sync.refresh()
    pass(3)
    await laptop.stop()
    await phone.sync.refresh()

    expect(await saved()).toEqual([15])
    expect(offersOn(phone)).toEqual([])
    expect(unsentCount(phone.record)).toBe(0)
  })

  test('A pause elsewhere counts in a failed start that is tracked offline', async () => {
    await phone.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await startUnanswered()
    phone.intercept(offline())
    await goOnline(laptop)
    pass(5)
    await phone.pause()
    pass(2)
    await phone.resume()
    pass(5)
    await trackOffline(laptop)
    await laptop.sync.flush()
    await goOnline(phone)
    await laptop.sync.refresh()
    pass(3)
    await laptop.stop()
    await phone.sync.refresh()

    expect(await saved()).toEqual([13])
    expect(unsentCount(phone.record)).toBe(0)
  })

  test('A failed start is not discarded if another device has pressed something on it since', async () => {
    await startUnanswered()
    pass(10)
    await phone.pause()
    await goOnline(laptop)

    expect(await world.stored('timer_sessions')).toMatchObject([{ isPaused: true }])
    expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  })

  test('A failed start is tracked offline with the pause and the start that were pressed during its creation', async () => {
    const refused = Promise.withResolvers<never>()
    laptop.intercept(() => refused.promise)
    const starting = laptop.start(taskId)
    await expect.poll(() => laptop.record.value('timer')?.timer.sessionId).toBeDefined()
    const timer = laptop.record.value('timer')?.timer
    if (!timer) throw new Error('Nothing runs')
    const { sessionId, startedAt } = timer
    const earlier = { startedAt: startedAt - 1_200_000 }
    await laptop.press((draft, now) => changeTimer(draft, sessionId, earlier, now))
    pass(30)
    await laptop.press(store.pause)
    laptop.intercept(offline())
    refused.reject(new TypeError('Failed to fetch'))
    await starting
    pass(60)
    await trackOffline(laptop)

    expect(laptop.record.value('timer')?.timer).toMatchObject({
      status: 'paused',
      startedAt: startedAt - 1_200_000,
      pausedAt: startedAt + 30_000,
    })
    await laptop.stop()
    await goOnline(laptop)
    expect(await saved()).toEqual([1230])
  })

  test('A failed start is offered when another task is started, and kept beside it', async () => {
    const other = await world.createTask('Plan')
    laptop.intercept(offline())
    await laptop.start(taskId)
    pass(300)
    laptop.intercept(undefined)
    await laptop.start(other)
    const offer = firstOffer(laptop)
    expect(offer).toMatchObject({ why: 'not-started', worked: { taskId, durationSeconds: 300 } })
    await laptop.press((draft, now) => keepOffer(draft, offer, 'kept', now))
    pass(20)
    await laptop.stop()

    expect(new Set(await saved())).toEqual(new Set([300, 20]))
  })

  test('A failed start is offered when Track offline is pressed after another timer has come from elsewhere', async () => {
    const other = await world.createTask('Plan')
    laptop.intercept(offline())
    await laptop.start(taskId)
    pass(20)
    await phone.start(other)
    await goOnline(laptop)
    expect(laptop.record.value('timer')?.timer.taskId).toBe(other)
    await trackOffline(laptop)

    expect(laptop.record.value('timer')?.timer.taskId).toBe(other)
    expect(firstOffer(laptop)).toMatchObject({
      why: 'not-started',
      worked: { taskId, durationSeconds: 20 },
    })
  })

  test.each([
    ['tracked offline', trackOfflineAndStop],
    ['offered and kept', startOtherAndKeep],
  ])(
    'The time of a failed start that another device has ended and saved counts once: %s',
    async (_, goOn) => {
      const other = await world.createTask('Plan')
      await startUnanswered()
      pass(10)
      await phone.start(other)
      await phone.stop()
      await goOnline(laptop)
      pass(3)
      await goOn(other)
      await laptop.sync.refresh()
      await phone.sync.refresh()

      const entries = await world.stored('time_entries')
      const seconds = entries
        .filter((entry) => entry['taskId'] === taskId && entry['deletedAt'] === null)
        .map((entry) => Number(entry['durationSeconds']))
      expect(seconds.reduce((sum, each) => sum + each, 0)).toBe(13)
      expect(unsentCount(laptop.record)).toBe(0)
    },
  )

  test('A failed start is offered when the start of another task fails as well', async () => {
    const other = await world.createTask('Plan')
    laptop.intercept(offline())
    await laptop.start(taskId)
    pass(300)
    await laptop.start(other)

    expect(offersOn(laptop)).toMatchObject([{ worked: { taskId, durationSeconds: 300 } }])
    expect(laptop.record.value('banner')?.action).toMatchObject({ timer: { taskId: other } })
  })
})

describe('Without the server', () => {
  test('A failed resume counts from its press when the timer is continued without the server', async () => {
    await laptop.start(taskId)
    pass(5)
    await laptop.pause()
    laptop.intercept(offline())
    pass(60)
    await laptop.resume()
    expect(laptop.record.value('banner')?.text).toBe('Failed to resume timer')
    pass(10)
    const action = laptop.record.value('banner')?.action
    if (action?.kind !== 'resume') throw new Error('No offer to resume')
    const { stopped, gap } = action
    const input = { sessionId: 'again', stopped, gap, device: 'laptop' }
    await laptop.press((draft, now) => store.resumeStopped(draft, { ...input, now }))
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([15])
  })

  test('Every press succeeds without the server from the first Track offline on', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    laptop.intercept(offline())
    await laptop.start(taskId)
    expect(laptop.record.value('banner')).toBeUndefined()
    expect(laptop.record.value('timer')).toMatchObject({ phase: 'offline' })
    pass(5)
    await laptop.pause()
    pass(60)
    await laptop.resume()
    expect(laptop.record.value('banner')).toBeUndefined()
    pass(10)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([15])
    expect(unsentCount(laptop.record)).toBe(0)
  })
})

describe('A clock that is wrong', () => {
  test.each([-2 * HOUR, -9000 * HOUR])(
    'A clock that is wrong by %i ms when the browser starts loses no second of a running timer',
    async (milliseconds) => {
      await laptop.start(taskId)
      pass(4)
      laptop.kill()
      laptop.moveClock(milliseconds)
      laptop = await laptop.reopen(offline())
      pass(5)
      await laptop.stop()
      await goOnline(laptop)

      expect(await saved()).toEqual([9])
      expect(await world.stored('timer_sessions')).toEqual([])
    },
  )

  test.each([3 * HOUR, -3 * HOUR])(
    'A clock that is wrong by %i ms while the timer is tracked offline is corrected before a send',
    async (milliseconds) => {
      await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
      await laptop.sync.flush()
      laptop.kill()
      laptop.moveClock(milliseconds)
      pass(5)
      laptop = await laptop.reopen(offline())
      const startedAt = world.server.clock.now()
      await laptop.start(taskId)
      pass(20)
      await laptop.stop()
      pass(5)
      await goOnline(laptop)

      expect(await saved()).toEqual([20])
      const [entry] = await world.stored('time_entries')
      expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
      expect(unsentCount(laptop.record)).toBe(0)
    },
  )

  test('A clock that is set ahead while the timer runs offline does not lengthen the timer', async () => {
    await laptop.start(taskId)
    laptop.intercept(offline())
    pass(10)
    laptop.moveClock(3 * HOUR)
    pass(10)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
  })

  test('A press waits until the server has confirmed the clock', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.start(taskId)
    laptop.kill()
    laptop.moveClock(-HOUR)
    pass(20)
    laptop = await laptop.reopen(async (request, send) => {
      if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    await laptop.pause()
    pass(10)
    await goOnline(laptop)
    await laptop.stop()
    await laptop.sync.flush()

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A press is sent to a server that does not tell the time', async () => {
    laptop = await laptop.reopen(async (request, send) => {
      const response = await send()
      if (!request.url.endsWith('/stint/info')) return response
      const { serverTime: _, ...info } = await response.json()
      return Response.json(info)
    })
    await laptop.start(taskId)
    pass(20)
    await laptop.stop()
    await laptop.sync.flush()

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that the server confirms just before the browser is killed is corrected once', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    laptop.moveClock(2 * HOUR)
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    // The write that corrects the start is lost.
    laptop.record.correct = null
    await goOnline(laptop)
    laptop = await laptop.reopen(offline())
    pass(20)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
    const [entry] = await world.stored('time_entries')
    expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
  })

  test('A clock that is set ahead within the first second of a timer does not add two hours', async () => {
    await laptop.start(taskId)
    laptop.moveClock(2 * HOUR)
    await laptop.stop()
    await laptop.sync.flush()

    expect(await saved()).toEqual([])
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that is set ahead twice, before and after a press, does not lose the work before the press', async () => {
    await laptop.start(taskId)
    laptop.intercept(offline())
    pass(20)
    laptop.moveClock(2 * HOUR)
    await laptop.pause()
    laptop.moveClock(3 * HOUR)
    pass(2)
    await goOnline(laptop)
    await laptop.stop()
    await laptop.sync.flush()

    const [seconds] = await saved()
    expect(seconds).toBeGreaterThanOrEqual(20)
    expect(seconds).toBeLessThanOrEqual(22)
  })

  test('A clock that is set ahead after a pause moves the press after it, and not the pause', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.start(taskId)
    laptop = await laptop.reopen(offline())
    pass(20)
    await laptop.pause()
    pass(10)
    laptop.moveClock(3 * HOUR)
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
  })

  test('A start that is moved back is right, although the clock was set ahead twice', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    laptop.moveClock(3 * HOUR)
    const sessionId = await laptop.start(taskId)
    laptop.moveClock(3 * HOUR)
    await laptop.press((draft, now) =>
      changeTimer(draft, sessionId, { startedAt: now - 600_000 }, now),
    )
    await goOnline(laptop)

    const [session] = await world.stored('timer_sessions')
    expect(Date.parse(String(session?.['startTime']))).toBe(world.server.clock.now() - 600_000)
    expect(unsentCount(laptop.record)).toBe(0)
  })

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

  test('A clock that is set ahead before a stop is corrected in the halves of a later split', async () => {
    await laptop.start(taskId)
    laptop.intercept(offline())
    pass(20)
    laptop.moveClock(2 * HOUR)
    pass(20)
    await laptop.stop()
    await laptop.press((draft, now) => {
      const [entry] = draft.entries.all()
      if (!entry) throw new Error('There is one')
      const entries = splitEntry(entry, entry.endedAt - 10_000, 'second', now)
      applyChanges(draft, { entries }, now)
    })
    await goOnline(laptop)

    expect(await saved()).toEqual([30, 10])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that is set ahead before a stop leaves no entry in the future, wherever it was split', async () => {
    await laptop.start(taskId)
    laptop.intercept(offline())
    pass(20)
    laptop.moveClock(2 * HOUR)
    await laptop.stop()
    await laptop.press((draft, now) => {
      const [entry] = draft.entries.all()
      if (!entry) throw new Error('There is one')
      const entries = splitEntry(entry, entry.startedAt + HOUR, 'second', now)
      applyChanges(draft, { entries }, now)
    })
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that leaps unnoticed leaves the work before the leap', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    await laptop.start(taskId)
    laptop.kill()
    laptop = await laptop.reopen(offline())
    pass(20)
    await laptop.start(other)
    laptop.moveClock(2 * HOUR)
    await laptop.pause()
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
  })

  test('A clock that is set back unnoticed changes no instant', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    pass(10)
    laptop.moveClock(-HOUR / 10)
    await laptop.start(other)
    pass(20)
    laptop.kill()
    laptop = await laptop.reopen()
    await laptop.stop()
    await laptop.sync.flush()

    expect((await saved()).toSorted((a, b) => Number(a) - Number(b))).toEqual([10, 20])
  })

  test('A clock that is set back while the browser is closed does not move an earlier press', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.stop()
    await goOnline(laptop)

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that is set ahead while the browser is closed does not move an earlier press back', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    pass(60)
    laptop = await laptop.reopen(offline())
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(2 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.stop()
    await goOnline(laptop)

    const [entry] = await world.stored('time_entries')
    expect(entry).toMatchObject({ durationSeconds: 20 })
    expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
  })

  test('A clock that is set ahead before the browser fetches an entry does not move a later press', async () => {
    laptop.moveClock(2 * HOUR)
    laptop.intercept(async (request, send) => {
      if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    laptop.record.clock.now()
    await phone.start(taskId)
    pass(10)
    await phone.stop()
    await pullEntries({ ...laptop, userId: world.user.id })
    laptop.intercept(offline())
    pass(10)
    const startedAt = world.server.clock.now()
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.start(taskId)
    pass(5)
    await laptop.stop()
    pass(5)
    await goOnline(laptop)

    const [, entry] = await world.stored('time_entries')
    expect(entry).toMatchObject({ durationSeconds: 5 })
    expect(Date.parse(String(entry?.['startTime']))).toBe(startedAt)
  })

  test('A start after a leap of the clock is right, although the clock was set ahead again while the browser was closed', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    laptop.moveClock(HOUR / 10)
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(2 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.pause()
    await goOnline(laptop)

    const [session] = await world.stored('timer_sessions')
    expect(Math.abs(Date.parse(String(session?.['startTime'])) - startedAt)).toBeLessThan(1000)
  })

  test('A start after a leap of the clock is right, although the clock was set back while the browser was closed', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.intercept(offline())
    laptop.moveClock(HOUR / 10)
    const startedAt = world.server.clock.now()
    await laptop.start(taskId)
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR / 10)
    laptop = await laptop.reopen(offline())
    await laptop.stop()
    await goOnline(laptop)

    const [entry] = await world.stored('time_entries')
    expect(entry).toMatchObject({ durationSeconds: 20 })
    expect(Math.abs(Date.parse(String(entry?.['startTime'])) - startedAt)).toBeLessThan(1000)
  })

  test('A clock that is set back after a small correction does not move an earlier press', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    laptop.moveClock(900)
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    laptop.intercept(async (request, send) => {
      if (!request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    await laptop.sync.refresh()
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.press(noteAwake)
    await goOnline(laptop)
    await laptop.stop()

    expect(await saved()).toEqual([19])
  })

  test('A clock that is set back after a press does not move the press', async () => {
    await laptop.start(taskId)
    laptop = await laptop.reopen(offline())
    pass(10)
    await laptop.stop()
    pass(5)
    laptop.moveClock(-3000)
    laptop.record.clock.now()
    await goOnline(laptop)

    expect(await saved()).toEqual([10])
  })

  test('A start ends the earlier timer at its moment, although the clock was just confirmed', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let requests = 0
    laptop.intercept(async (_request, send) => {
      requests += 1
      if (requests > 1) await released
      return send()
    })
    laptop.moveClock(3 * HOUR)
    const begin = { device: 'laptop', sessionId: 'first', taskId }
    await laptop.press((draft, now) => store.start(draft, { ...begin, now }))
    await vi.waitFor(() => expect(laptop.record.clock.reading?.().isSure).toBe(true))
    pass(13)
    const next = { ...begin, sessionId: 'second', taskId: other }
    await laptop.press((draft, now) => store.start(draft, { ...next, now }))
    release()
    await goOnline(laptop)

    expect(await saved()).toEqual([13])
  })

  test('A press on a timer from elsewhere is right, even if the clock was behind the start of that timer', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    laptop.kill()
    laptop.moveClock(-HOUR)
    pass(60)
    await phone.start(taskId)
    pass(100)
    laptop = await laptop.reopen(async (request, send) => {
      if (request.url.endsWith('/stint/info')) throw new TypeError('Failed to fetch')
      return send()
    })
    pass(5)
    const input = { device: 'laptop', sessionId: 'second', taskId: other }
    await laptop.press((draft, now) => store.start(draft, { ...input, now }))
    await goOnline(laptop)

    expect(await saved()).toEqual([105])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that is set ahead does not count as sleep, so that work after a stop elsewhere is offered', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(10)
    await phone.stop()
    laptop.moveClock(2 * HOUR)
    await laptop.press(noteAwake)
    pass(60)
    await goOnline(laptop)

    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 60 } }])
  })

  test('A clock that is set ahead between two visits without an answer does not count as sleep', async () => {
    await bothShowATimer()
    laptop.intercept(offline())
    pass(10)
    await phone.stop()
    pass(60)
    laptop = await laptop.reopen(offline())
    laptop.kill()
    pass(20)
    laptop.moveClock(2 * HOUR)
    laptop = await laptop.reopen(offline())
    await goOnline(laptop)

    expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 80 } }])
  })

  test('A start that fails after the clock was set back offers all its time once the clock is known', async () => {
    const other = await world.createTask('Answer mail')
    await laptop.sync.refresh()
    const input = { device: 'laptop', sessionId: 'first', taskId }
    await laptop.press((draft, now) => store.start(draft, { ...input, now }))
    laptop.kill()
    pass(20)
    laptop.moveClock(-HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.start(other)
    await goOnline(laptop)

    expect(offersOn(laptop)).toMatchObject([{ worked: { taskId, durationSeconds: 20 } }])
  })

  test('A clock that is corrected between a stop and its undo leaves no pause in the future', async () => {
    await laptop.start(taskId)
    pass(10)
    laptop.moveClock(HOUR / 10)
    const stopped = await laptop.press(store.stop)
    await laptop.sync.flush()
    pass(3)
    if (!stopped) throw new Error('It ran')
    await laptop.press((draft, now) => {
      const input = { sessionId: 'again', stopped, gap: 'undo', device: 'laptop', now } as const
      store.resumeStopped(draft, input)
    })
    await laptop.stop()
    await laptop.sync.flush()

    expect(await saved()).toEqual([13])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A clock that was set right before the server answered still saves the seconds', async () => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await laptop.sync.flush()
    laptop.kill()
    laptop.moveClock(3 * HOUR)
    laptop = await laptop.reopen(offline())
    await laptop.start(taskId)
    pass(20)
    await laptop.stop()
    laptop.kill()
    laptop.moveClock(-3 * HOUR)
    pass(60)
    laptop = await laptop.reopen()
    await laptop.sync.flush()

    expect(await saved()).toEqual([20])
    expect(unsentCount(laptop.record)).toBe(0)
  })
})
