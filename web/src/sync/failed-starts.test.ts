/** Starts whose answers are lost or late. Those that reach no backend are walked in core (core/src/device/walks). */
import { describe, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/changes.ts'
import { openQuestions } from '@stint/core/device/questions.ts'
import * as store from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhone, offline, serverOf, trackOffline } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'

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
