/** Tests a clock that is wrong, or that is set while the browser is open. */
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { splitEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { noteAwake } from '@stint/core/device/awake.ts'
import { applyChanges, isChangedSince } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhone,
  offline,
  serverOf,
  stopAndUndo,
  stopOn,
  storedOffersOn as offersOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'

import { pullEntries } from './pull.ts'

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

describe('A clock that is wrong', () => {
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

  test.each(['is stopped', 'goes on', 'goes on after a stop'])(
    'A start that was moved by a clock that is set ahead keeps the work of a timer that %s',
    async (what) => {
      await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
      laptop.intercept(offline())
      await laptop.start(taskId)
      pass(10)
      await laptop.pause()
      laptop.moveClock(3 * HOUR)
      pass(2)
      await laptop.resume()
      pass(8)
      // Half an hour ago lies after the pause, as this clock shows it.
      await laptop.press((draft, now) => {
        const timer = draft.value('timer')?.timer
        if (timer) changeTimer(draft, timer.sessionId, { startedAt: now - HOUR / 2 }, now)
      })
      if (what === 'is stopped') await laptop.stop()
      if (what === 'goes on after a stop') await stopAndUndo(world, laptop, 0)
      await goOnline(laptop)
      if (what !== 'is stopped') await laptop.stop()

      expect(await saved()).toEqual([1798])
    },
  )

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

  test('A clock that is set ahead before an undo of the stop deletes the entry at the right time', async () => {
    await laptop.start(taskId)
    laptop.intercept(offline())
    pass(10)
    await laptop.stop()
    const [stopped] = laptop.record.view.operations
      .all()
      .flatMap(({ operation }) => (operation.kind === 'stop' ? [operation.stopped] : []))
    if (!stopped) throw new Error('Nothing was stopped')
    laptop.moveClock(3 * HOUR)
    const undoneAt = world.server.clock.now()
    await continueStopped(laptop, stopped)
    await goOnline(laptop)

    const [entry] = await world.stored('time_entries')
    expect(Date.parse(String(entry?.['deletedAt']))).toBe(undoneAt)
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

  test('A part in the future that was deleted does not return by Undo after the clock was corrected', async () => {
    await laptop.start(taskId)
    laptop.intercept(offline())
    pass(20)
    laptop.moveClock(2 * HOUR)
    await laptop.stop()
    const undo = await laptop.press((draft, now) => {
      const [entry] = draft.entries.all()
      if (!entry) throw new Error('There is one')
      const [first, second] = splitEntry(entry, entry.startedAt + HOUR, 'second', now)
      if (!first || !second) throw new Error('There are two')
      applyChanges(draft, { entries: [first, second] }, now)
      return applyChanges(draft, { entries: [deleteEntry(second.after, now)] }, now)
    })
    await goOnline(laptop)

    expect(await laptop.press((draft, now) => isChangedSince(draft, undo, now))).toBe(true)
    expect(await saved()).toEqual([20])
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
      resumeStopped(draft, input)
    })
    await laptop.stop()
    await laptop.sync.flush()

    expect(await saved()).toEqual([13])
    expect(unsentCount(laptop.record)).toBe(0)
  })
  test.each([5, 0])(
    'A stop in a pause that a wrong clock has written is undone into the same pause after %i seconds of it',
    async (seconds) => {
      await laptop.start(taskId)
      pass(10)
      if (seconds > 0) await laptop.pause()
      pass(seconds)
      const stopped = await stopOn(laptop)
      await laptop.sync.flush()
      const [start, end] = [stopped.startedAt + 10_000, stopped.endedAt + 7_200_000]
      const pauses = { ...stopped.pauses, intervals: [{ start, end }] }
      pass(10)
      await continueStopped(laptop, { ...stopped, endedAt: end, pauses })

      expect(laptop.record.value('timer')?.timer).toMatchObject({
        status: 'paused',
        pausedAt: start,
      })
    },
  )
})

test('A stop in a pause, both by a clock that was set ahead, is undone as the corrected clock has them', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.start(taskId)
  await laptop.sync.flush()
  laptop.intercept(offline())
  laptop.moveClock(2 * HOUR)
  const pausedAt = world.server.clock.now()
  await laptop.press((draft, now) => store.pause(draft, now))
  pass(0.1)
  const stopped = await stopOn(laptop)
  await goOnline(laptop)
  await continueStopped(laptop, stopped)
  await goOnline(laptop)

  expect(laptop.record.value('timer')?.timer).toMatchObject({ status: 'paused', pausedAt })
  expect(unsentCount(laptop.record)).toBe(0)
})

test('Work after a stop elsewhere is offered although the clock is set while a pause is sent', async () => {
  await bothShowATimer()
  pass(5)
  await phone.stop()
  pass(6)
  await laptop.press(store.pause)
  const sessionId = laptop.record.value('timer')?.timer.sessionId ?? ''
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method !== 'PATCH') return reply
    laptop.intercept(undefined)
    laptop.moveClock(3 * HOUR)
    await laptop.press(store.resume)
    await laptop.press((draft, now) =>
      changeTimer(draft, sessionId, { startedAt: now - 600_000 }, now),
    )
    return reply
  })
  await laptop.sync.flush()
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'went-on',
      worked: expect.objectContaining({ durationSeconds: 6 }),
    }),
  )
})

test('Work after a resume that is sent already is offered although the clock is set before the stop is sent', async () => {
  const other = await world.createTask('Read')
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await bothShowATimer()
  pass(1)
  await laptop.pause()
  await laptop.sync.flush()
  pass(9)
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method === 'PATCH') throw new TypeError('Failed to fetch')
    return reply
  })
  await laptop.resume()
  await laptop.sync.flush()
  await phone.sync.refresh()
  await phone.start(other)
  await phone.sync.flush()
  pass(6)
  laptop.intercept(async (_request, send) => {
    laptop.intercept(undefined)
    const reply = await send()
    await laptop.press(store.stop)
    laptop.moveClock(2 * HOUR)
    return reply
  })
  await laptop.sync.flush()
  await goOnline(laptop)

  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'went-on',
      worked: expect.objectContaining({ durationSeconds: 6 }),
    }),
  )
})
