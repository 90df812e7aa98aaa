/** Tests starts and resumes that fail, and timers that are tracked without the server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { keepOffer, openOffers } from '@stint/core/device/questions.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  firstOffer,
  goOnline,
  laptopAndPhone,
  losing,
  offline,
  serverOf,
  storedOffersOn as offersOn,
  trackOffline,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { splitAfter } from '#test/edits.ts'

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

const { pass, saved, backUp, restore } = serverOf(() => world)

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

  test.each(['before', 'after'])(
    'A failed start in a pause stays in it when another device stops it %s Track offline is pressed',
    async (when) => {
      const input = { sessionId: 'unanswered', taskId, device: 'laptop' }
      await laptop.press((draft, now) => store.start(draft, { ...input, now }))
      pass(5)
      await laptop.press(store.pause)
      laptop.intercept(async (request, send) => {
        if (request.method === 'POST') await send()
        throw new TypeError('Failed to fetch')
      })
      await laptop.sync.flush()
      await phone.sync.refresh()
      phone.intercept(offline())
      await goOnline(laptop)
      pass(8)
      await phone.stop()
      if (when === 'before') await goOnline(phone)
      pass(4)
      await trackOffline(laptop)
      await laptop.sync.flush()
      await goOnline(phone)
      await laptop.sync.refresh()
      const status = laptop.record.value('timer')?.timer.status
      pass(3)
      await laptop.stop()

      expect(status).toBe('paused')
      expect(await saved()).toEqual([5])
    },
  )

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
    await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
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

test('A failed start that another device has paused continues here when the server is back', async () => {
  await startUnanswered()
  pass(5)
  await phone.pause()
  pass(5)
  laptop.intercept(undefined)
  await laptop.sync.flush()
  expect(laptop.record.value('timer')?.timer.status).toBe('paused')
  expect(laptop.record.value('banner')).toBeUndefined()
  await laptop.resume()
  pass(10)
  await laptop.stop()
  await phone.sync.refresh()

  expect(await saved()).toEqual([15])
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('Track offline leaves out what another device has saved, also before the entries are fetched', async () => {
  const other = await world.createTask('Plan')
  await startUnanswered()
  pass(10)
  await phone.start(other)
  await phone.stop()
  laptop.intercept(undefined)
  await laptop.sync.flush()
  pass(3)
  await trackOfflineAndStop()
  await phone.sync.refresh()

  expect(new Set(await saved())).toEqual(new Set([10, 3]))
})

test.each([false, true])(
  'Track offline leaves out all parts of what another device has saved and split (entries fetched: %s)',
  async (areFetched) => {
    const other = await world.createTask('Plan')
    await startUnanswered()
    pass(10)
    await phone.start(other)
    await phone.stop()
    const entry = phone.record.entries().find(({ taskId: of }) => of !== other)
    if (!entry) throw new Error('Nothing was saved')
    await splitAfter(phone, 4, { entry, id: 'half' })
    await phone.sync.flush()
    laptop.intercept(undefined)
    await laptop.sync.flush()
    if (areFetched) await laptop.sync.refresh()
    pass(3)
    await trackOfflineAndStop()
    await phone.sync.refresh()

    expect(new Set(await saved())).toEqual(new Set([4, 6, 3]))
  },
)

test.each(['is saved', 'still runs', 'was paused'] as const)(
  'Track offline counts no time twice when the session that was to be discarded %s elsewhere',
  async (what) => {
    const other = await world.createTask('Plan')
    await startUnanswered()
    laptop.intercept(losing('POST'))
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(10)
    if (what === 'is saved') await phone.start(other)
    if (what === 'was paused') await phone.pause()
    pass(3)
    await trackOffline(laptop)
    pass(5)
    await laptop.stop()
    await goOnline(laptop)
    await phone.sync.refresh()
    await laptop.sync.refresh()

    const expected = { 'is saved': [10, 8], 'still runs': [18], 'was paused': [10] }
    expect(new Set(await saved())).toEqual(new Set(expected[what]))
    // The other timer of the phone runs on.
    const running = what === 'is saved' ? [{ taskId: other }] : []
    expect(await world.stored('timer_sessions')).toMatchObject(running)
  },
)

test('A failed start offers nothing any more when another device has created its lost session again', async () => {
  const backup = await backUp()
  await startUnanswered()
  await restore(backup)
  await goOnline(laptop)
  expect(laptop.record.value('banner')?.action?.kind).toBe('track-offline')
  pass(5)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')?.timer.status).toBe('running')
  expect(laptop.record.value('banner')).toBeUndefined()
  expect(offersOn(laptop)).toEqual([])
})

test.each([
  ['its pause has arrived', []],
  ['its pause has arrived, and not the resume after it', [store.resume]],
])('A failed start is discarded although %s', async (_what, later) => {
  laptop.intercept(async (request, send) => {
    if (request.method !== 'GET') await send()
    if (request.method === 'POST') {
      for (const press of [store.pause, ...later]) {
        await laptop.press(press)
        pass(1)
      }
    }
    throw new TypeError('Failed to fetch')
  })
  await laptop.start(taskId)
  const session = (await world.stored('timer_sessions'))[0]
  const path = `/databases/stint/collections/timer_sessions/documents/${session?.$id}`
  pass(1)
  const action = laptop.record.value('banner')?.action
  const status = later.length === 0 ? 'paused' : 'running'
  expect(action).toMatchObject({ kind: 'track-offline', timer: { status } })
  const data = { isRunning: false, isPaused: true, currentPauseStart: session?.['startTime'] }
  await world.user.call('PATCH', path, { data })
  laptop.intercept(undefined)
  await laptop.sync.flush()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('A pause on a start that fails counts when another device has pressed something on its session', async () => {
  laptop.intercept(async (request, send) => {
    if (request.method === 'POST') await send()
    if (request.method === 'POST') await laptop.press(store.pause)
    throw new TypeError('Failed to fetch')
  })
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(5)
  await phone.press((draft, now) => {
    const timer = draft.value('timer')?.timer
    if (timer) changeTimer(draft, timer.sessionId, { startedAt: timer.startedAt - 10_000 }, now)
  })
  await phone.sync.flush()
  pass(5)
  laptop.intercept(undefined)
  await laptop.sync.flush()
  await laptop.sync.refresh()
  await phone.sync.refresh()
  await phone.stop()

  expect(await saved()).toEqual([10])
})

test('A failed start offers all of its time although another device has ended its session before', async () => {
  const other = await world.createTask('Other')
  await startUnanswered()
  laptop.intercept(offline())
  phone.intercept(offline())
  pass(6)
  await phone.start(other)
  pass(14)
  await laptop.start(other)
  let isFirst = true
  laptop.intercept(async (request, send) => {
    if (request.method === 'DELETE' && isFirst) {
      isFirst = false
      pass(1)
      phone.intercept(losing('DELETE'))
      await phone.sync.refresh()
      await phone.sync.flush()
    }
    return send()
  })
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await laptop.sync.refresh()

  expect(openOffers(laptop.record.view)).toMatchObject([{ worked: { durationSeconds: 20 } }])
})

test('Track offline claims the time in which the browser was closed, after an end on another device', async () => {
  laptop.intercept(async (request, send) => {
    if (request.method !== 'POST') return send()
    await send()
    laptop.kill()
    throw new TypeError('Failed to fetch')
  })
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(60)
  await phone.stop()
  pass(1800)
  laptop = await laptop.reopen(offline())
  await expect.poll(() => laptop.record.value('banner')?.action?.kind).toBe('track-offline')
  pass(5)
  await trackOffline(laptop)
  await goOnline(laptop)

  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 1805 } }])
  expect(await saved()).toEqual([60])
})
