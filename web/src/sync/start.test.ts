/** Tests starts, pauses and resumes of one device, and timers that it tracks without the server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createServerClock } from '#backend/server-clock.ts'
import { queueLocks } from '#session/locks.ts'
import { createWorld, offline, serverOf, trackOffline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import * as store from '@stint/core/device/timer.ts'
import { startSync } from '#sync/sync.ts'
import type { Sync } from '#sync/sync.ts'

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

async function banner() {
  return device.record.value('banner')
}

async function timer() {
  return device.record.value('timer')
}

/** Starts another sync of the device. */
function startOwnSync(
  wait?: (milliseconds: number) => Promise<void>,
  withLock = queueLocks(),
): Sync {
  const { record, backend } = device
  const clock = createServerClock(null)
  return startSync(record, world.user.id, { backend, clock, withLock, ...(wait && { wait }) })
}

const { savedOrDeleted: durations } = serverOf(() => world)

describe('starting', () => {
  test('A start shows the timer at once and confirms it when the session is created', async () => {
    let phaseDuringCreate: string | undefined
    device.intercept(async (request, send) => {
      if (request.method === 'POST') phaseDuringCreate = (await timer())?.phase
      return send()
    })
    const sessionId = await device.start(taskId)

    expect(phaseDuringCreate).toBe('creating')
    expect((await timer())?.phase).toBe('confirmed')
    expect(await world.stored('timer_sessions')).toMatchObject([
      { $id: sessionId, taskId, isRunning: true, isPaused: false, endTime: null },
    ])
  })

  test('A start without a network stops the timer and says why', async () => {
    device.intercept(offline())
    await device.start(taskId)

    expect(await timer()).toBeUndefined()
    expect((await banner())?.text).toBe('Timer stopped: No internet connection detected')
  })

  test('A start after the end of the sign-in says that the sign-in is the problem', async () => {
    await world.user.call('DELETE', '/account/sessions/current')
    await device.start(taskId)

    expect((await banner())?.text).toBe('Timer stopped: Authentication error')
  })

  test('A session stays if Track offline continues it while it is being discarded', async () => {
    device.intercept(async (request, send) => {
      if (request.method === 'POST') await send()
      throw new TypeError('Failed to fetch')
    })
    const sessionId = await device.start(taskId)
    device.intercept(async (request, send) => {
      const answer = await send()
      const action = (await banner())?.action
      if (action?.kind !== 'track-offline' || !request.url.includes('timer_sessions')) return answer
      await trackOffline(device)
      return answer
    })
    await device.sync.refresh()
    world.server.clock.advance(20_000)
    await device.stop()

    expect(await world.stored('time_entries')).toMatchObject([
      { $id: sessionId, durationSeconds: 20, deletedAt: null },
    ])
  })

  testWalks(
    `
    A start continues after the tab is killed during Creating...
      L dies POST, L start, 5, L open → nothing, runs 5
  `,
    { tracksOffline: false },
  )

  test('A start whose request ends with its page is sent by the next page', async () => {
    device.intercept(offline())
    const left = Promise.withResolvers<void>()
    const sync = startOwnSync(() => {
      left.resolve()
      return new Promise(() => undefined)
    })
    await device.press((draft, now) =>
      store.start(draft, { sessionId: 'early', taskId, device: 'laptop', now }),
    )
    void sync.flush()
    await left.promise
    void sync.close()
    device = await device.reopen()

    expect((await timer())?.phase).toBe('confirmed')
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
    await device.press((draft, now) =>
      store.start(draft, { sessionId: 'early', taskId, device: 'laptop', now }),
    )
    void sync.flush()
    await isSent.promise
    await sync.close()

    await withLock(`sync:${world.user.id}`, async () => undefined)
    expect((await timer())?.phase).toBe('creating')
  })

  test('A start is not repeated for a session that another device ended meanwhile', async () => {
    device.intercept(async (_request, send) => {
      await send()
      return new Promise(() => undefined)
    })
    void device.start(taskId).catch(() => undefined)
    await expect.poll(() => world.stored('timer_sessions')).toHaveLength(1)
    const phone = await world.device('phone')
    world.server.clock.advance(5000)
    let asked = 0
    device = await device.reopen(async (request, send) => {
      const answer = await send()
      if (request.url.includes('time_entries')) asked += 1
      // The device has just learned that there is no entry yet.
      if (asked === 1) await phone.stop()
      return answer
    })
    await device.sync.refresh()

    expect(await durations()).toEqual([5])
    expect(await world.stored('timer_sessions')).toEqual([])
    expect(await timer()).toBeUndefined()
  })

  testWalks(`
    A start stops and saves the running timer first
      L start, 40, L start B → 40, runs 0
    A second click on the same task starts nothing
      L start, 40, L start, 5, L stop → 45
    A start stops and saves a timer that runs on another device
      P start B, 30, L look, L start, P look → 30B, runs 0
  `)

  test('A start keeps the work if Stop is pressed while the session is being created', async () => {
    const created = Promise.withResolvers<void>()
    device.intercept(async (request, send) => {
      if (request.method === 'POST' && request.url.includes('timer_sessions')) await created.promise
      return send()
    })
    const starting = device.start(taskId)
    await expect.poll(timer).toBeDefined()
    world.server.clock.advance(12_000)
    await device.press((draft) => store.stop(draft, world.server.clock.now()))
    created.resolve()
    await starting
    await device.sync.flush()

    expect(await durations()).toEqual([12])
    expect(await world.stored('timer_sessions')).toEqual([])
  })
})

describe('tracking offline', () => {
  test('Track offline is still offered if an earlier stop could not be saved either', async () => {
    const other = await world.createTask('Plan')
    await device.start(taskId)
    world.server.clock.advance(5000)
    device.intercept(offline())
    await device.stop()
    expect((await banner())?.text).toBe('Timer stopped, but failed to save data')
    const sessionId = await device.start(other)
    await device.sync.flush()

    expect(await banner()).toMatchObject({
      text: 'Timer stopped: No internet connection detected',
      action: { kind: 'track-offline', sessionId },
    })
  })
})

describe('work that the backend refuses', () => {
  test('Work that the backend refuses is kept and not sent again endlessly', async () => {
    await device.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    const startedAt = world.server.clock.now() + 3_600_000
    const input = { sessionId: 'from-the-future', taskId, device: 'laptop', now: startedAt }
    await device.press((draft) => store.start(draft, input))
    let requests = 0
    device.intercept(async (_request, send) => {
      requests += 1
      if (requests > 100) throw new Error('It asks without end')
      return send()
    })
    await device.sync.refresh()

    expect(requests).toBeLessThan(20)
    expect((await timer())?.timer.sessionId).toBe('from-the-future')
    expect(device.record.view.sessions.all().map((each) => each.refused?.message)).toEqual([
      expect.stringContaining('startTime'),
    ])
  })
})

describe('pausing and resuming', () => {
  test('Pause and Resume without a timer return an error text', async () => {
    expect(await device.press((draft) => store.pause(draft, 0))).toBe('No active timer session')
    expect(await device.press((draft) => store.resume(draft, 0))).toBe('No active timer session')
  })

  for (const { action, text } of [
    { action: 'pause', text: 'Failed to pause timer' },
    { action: 'resume', text: 'Failed to resume timer' },
  ] as const) {
    test(`A failed press on the timer stops it with '${text}' after three tries and saves the time until then`, async () => {
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
      expect(await timer()).toBeUndefined()
      expect((await banner())?.text).toBe(text)
      device.intercept(undefined)
      await device.sync.refresh()
      expect(await durations()).toEqual([60])
    })
  }

  testWalks(
    `
    A second Pause changes nothing, so it cannot fail and stop the timer
      L start, 60, L pause, 30, L cut, L pause, L on, L resume, 5, L stop → 65
    An automatic break begins and ends without a network
      L start, L cut, 60, L break, 30, L works, 15, L on → nothing, runs 75
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

    expect((await timer())?.timer.status).toBe('paused')
    expect(await banner()).toBeUndefined()
  })
})
