/** Starts that do not reach the server, and timers that are tracked without it. */
import { describe, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/changes.ts'
import { openQuestions } from '@stint/core/device/questions.ts'
import * as store from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhone, offline, serverOf, trackOffline } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'

describe('A start that failed, without an answer to the banner', () => {
  testWalks(
    `
    Its time until the failure is asked about
      L off, L start, 10, L cut, L send, L on → nothing, asks 10
    Its time up to the start of another task is asked about
      L cut, L start, 30, L on, L start B, 5, L stop → 5B, asks 30
    Its time is asked about also when the start of another task fails
      L cut, L start, 30, L start B, 5, L on → nothing, asks 30
    Its time counts nowhere after the answer that it was no work
      L cut, L start, 30, L on, L start B, 5, L stop, P look, P leave → 5B
    Track offline is of no use while another timer runs that came from elsewhere, and the time is asked about
      L cut, L start, 20, P start B, L on, L tracks, 5 → nothing, asks 20, runs 5
  `,
    { tracksOffline: false },
  )
})

describe('A start that failed and is tracked offline', () => {
  testWalks(
    `
    It counts from its press
      L cut, L start, 30, L tracks, 5, L on, L stop → 35
    Presses on it count without the server
      L cut, L start, 5, L tracks, 5, L pause, 60, L resume, 10, L stop, L on → 20
    It is created with its current pause when the network is back
      L cut, L start, L tracks, 20, L pause, L on, 5 → nothing, paused 20
    It is sent when the network is back, and other devices stop it
      L cut, L start, 5, L tracks, L on, P look, 5, P stop, L look → 10
    A timer that another device began before the network was back runs on, and nothing is lost
      L cut, L start, 5, L tracks, P start B, 5, L on → 10, runs 5
  `,
    { tracksOffline: false },
  )
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

describe('A start that waits for its answer', () => {
  test('It is tracked offline with the pause and the start that were pressed meanwhile', async () => {
    const { world, taskId, laptop } = await laptopAndPhone()
    const { pass, saved } = serverOf(() => world)
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
    // While the banner offers to continue it, no card asks about it.
    expect(openQuestions(laptop.record.view)).toEqual([])
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
    await world.close()
  })
})
