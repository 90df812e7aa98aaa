/** Tests starts, pauses and resumes of one device, and timers that it tracks without the server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createServerClock } from '#backend/server-clock.ts'
import { queueLocks } from '#session/locks.ts'
import { createWorld, goOnline, offline, serverOf, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import * as store from '@stint/core/device/timer.ts'
import { startSync } from '#sync/sync.ts'
import type { Sync, SyncDependencies } from '#sync/sync.ts'

let world: World
let device: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  device = await world.device()
})

afterEach(async () => {
  await world.close()
})

const banner = () => device.record.value('banner')
const timer = () => device.record.value('timer')

/** Starts another sync of the device. */
function startOwnSync(wait?: SyncDependencies['wait'], withLock = queueLocks()): Sync {
  const { record, backend } = device
  const clock = createServerClock(null)
  return startSync(record, world.user.id, { backend, clock, withLock, ...(wait && { wait }) })
}

const { savedOrDeleted: durations } = serverOf(() => world)

describe('starting', () => {
  test('A start shows the timer at once and confirms it when the session is created', async () => {
    let phaseDuringCreate: string | undefined
    device.intercept(async (request, send) => {
      if (request.method === 'POST') phaseDuringCreate = timer()?.phase
      return send()
    })
    const sessionId = await device.start(taskId)

    expect(phaseDuringCreate).toBe('creating')
    expect(timer()?.phase).toBe('confirmed')
    expect(await world.stored('timer_sessions')).toMatchObject([
      { $id: sessionId, taskId, isRunning: true, isPaused: false, endTime: null },
    ])
  })

  test.each([
    ['No internet connection detected', async () => device.intercept(offline())],
    ['Authentication error', () => world.user.call('DELETE', '/account/sessions/current')],
  ])('A start that fails stops the timer and says why: %s', async (why, fail) => {
    await fail()
    await device.start(taskId)

    expect(timer()).toBeUndefined()
    expect(banner()?.text).toBe(`Timer stopped: ${why}`)
  })

  test('A start whose request ends with its page is sent by the next page', async () => {
    device.intercept(offline())
    const left = Promise.withResolvers<void>()
    const sync = startOwnSync(() => {
      left.resolve()
      return new Promise(() => undefined)
    })
    await device.press((draft) =>
      store.start(draft, { sessionId: 'early', taskId, device: 'laptop' }),
    )
    void sync.flush()
    await left.promise
    void sync.close()
    device = await device.reopen()

    expect(timer()?.phase).toBe('confirmed')
    expect(await world.stored('timer_sessions')).toMatchObject([{ $id: 'early' }])
  })

  test('A start that waits for the network leaves no lock behind when the sign-in ends', async () => {
    const isSent = Promise.withResolvers<void>()
    device.intercept(async () => {
      isSent.resolve()
      throw new TypeError('Failed to fetch')
    })
    const withLock = queueLocks()
    const sync = startOwnSync(undefined, withLock)
    await device.press((draft) =>
      store.start(draft, { sessionId: 'early', taskId, device: 'laptop' }),
    )
    void sync.flush()
    await isSent.promise
    await sync.close()

    await withLock(`sync:${world.user.id}`, async () => undefined)
    expect(timer()?.phase).toBe('creating')
  })
})

test('A press in one tab is a press in every tab of the browser', async () => {
  await device.start(taskId)
  const tab = await device.openTab()
  await tab.sync.refresh()
  world.server.clock.advance(10_000)
  await tab.pause()
  world.server.clock.advance(5000)
  await device.resume()
  world.server.clock.advance(5000)
  await tab.stop()
  await device.sync.refresh()

  expect(timer()).toBeUndefined()
  expect(await durations()).toEqual([15])
  expect([unsentCount(device.record), unsentCount(tab.record)]).toEqual([0, 0])
})

describe('A start whose answer is lost', () => {
  testWalks(
    `
    It is discarded on the device that shows it, and does not return
      L breaks, L start, P look, L on, P look, L look → nothing
    It is the same session when it is tracked offline, and its seconds count once
      L breaks, L start, P look, L off, L tracks, 3, L stop, L on, P look → 3
    It goes on if another device has pressed something on it since
      L breaks, L start, P look, 10, P pause, L on → nothing, paused 10
    Its time counts once when another device has ended and saved it
      L breaks, L start, P look, 10, P stop, L on, 3, L look, P look → 10
  `,
    { tracksOffline: false },
  )
})

describe('tracking offline', () => {
  test('Track offline is still offered if an earlier stop could not be saved either', async () => {
    const other = await world.createTask('Plan')
    await device.start(taskId)
    world.server.clock.advance(5000)
    device.intercept(offline())
    await device.stop()
    expect(banner()?.text).toBe('Timer stopped, but failed to save data')
    const sessionId = await device.start(other)
    await device.sync.flush()

    expect(banner()).toMatchObject({
      text: 'Timer stopped: No internet connection detected',
      action: { kind: 'track-offline', sessionId },
    })
  })
})

describe('work that the backend refuses', () => {
  test('Work that the backend refuses is kept and not sent again endlessly', async () => {
    await device.press((draft) => changePrefs(draft, { trackOffline: true }))
    const startedAt = world.server.clock.now() + 3_600_000
    const input = { sessionId: 'from-the-future', taskId, device: 'laptop' }
    await device.press((draft) => {
      draft.now = startedAt
      store.start(draft, input)
    })
    let requests = 0
    device.intercept(async (_request, send) => {
      requests += 1
      if (requests > 100) throw new Error('It asks without end')
      return send()
    })
    await device.sync.refresh()

    expect(requests).toBeLessThan(20)
    expect(timer()?.timer.sessionId).toBe('from-the-future')
    expect(device.record.view.sessions.all().map((each) => each.refused?.message)).toEqual([
      expect.stringContaining('startTime'),
    ])
  })
})

describe('pausing and resuming', () => {
  test.each([
    ['pause', 'Failed to pause timer'],
    ['resume', 'Failed to resume timer'],
  ] as const)(
    'A %s that fails three times stops the timer and saves it: %s',
    async (action, text) => {
      await device.start(taskId)
      world.server.clock.advance(60_000)
      if (action === 'resume') {
        await device.pause()
        world.server.clock.advance(30_000)
      }
      let tries = 0
      device.intercept(async (request, send) => {
        if (request.method !== 'PATCH') return send()
        tries += 1
        throw new TypeError('Failed to fetch')
      })
      await device[action]()

      // The fourth request is the stop that saves.
      expect(tries).toBe(4)
      expect(timer()).toBeUndefined()
      expect(banner()?.text).toBe(text)
      await goOnline(device)
      expect(await durations()).toEqual([60])
    },
  )

  testWalks(
    `
    A second Pause changes nothing, so it cannot fail and stop the timer
      L start, 60, L pause, 30, L cut, L pause, L on, L resume, 5, L stop → 65
  `,
    { tracksOffline: false },
  )

  test('A pause survives one lost answer without an error', async () => {
    await device.start(taskId)
    world.server.clock.advance(60_000)
    let lost = false
    device.intercept(async (request, send) => {
      const reply = await send()
      if (lost || request.method !== 'PATCH') return reply
      lost = true
      throw new TypeError('Failed to fetch')
    })
    await device.pause()

    expect(timer()?.timer.status).toBe('paused')
    expect(banner()).toBeUndefined()
  })
})
