/**
 * Devices that had not heard of each other: what a request to the server decides. What counts, and what is asked, is
 * walked in core (core/src/device/walks), and simulation.test.ts shows it with the real sync.
 */
import { describe, expect, test } from 'vitest'

import { askedOn } from '#test/devices.ts'
import { beginWalk, testWalks } from '#test/walk.ts'

describe('The server, which admits one active session', () => {
  testWalks(`
    A start ends a timer that its device had not heard of, and asks about what that screen showed
      L start, 10, P start B, 10, L look → 10, asks 10, runs 10
    A moved start of an unsent stop is kept, whichever device completes the stop
      L start, 3600, L off, L move -3600, L task, L stop, L dies PATCH, L send, P look, L open → 7200B
  `)
})

test('A question survives the end of the tab, and is on a device that was signed in since', async () => {
  const { world, go, device } = await beginWalk()
  await go('L start, P look, L off, 10, P stop, 10, L stop, L on, L close, L open, T look')
  const asked = await Promise.all(['L', 'T'].map(async (letter) => askedOn(await device(letter))))
  expect(asked).toMatchObject([[[expect.any(String), 10]], [[expect.any(String), 10]]])
  await go('T keep, L look')
  expect(askedOn(await device('L'))).toEqual([])
  await world.close()
})

test('A session whose stop is undone keeps its id, through any number of stops', async () => {
  const { world, go } = await beginWalk()
  await go('L start, 10, L stop')
  const [saved] = await world.stored('time_entries')
  await go('5, L undo')
  expect((await world.stored('timer_sessions')).map(({ $id }) => $id)).toEqual([saved?.$id])
  await go('10, L stop, L undo, 5, L stop')

  const entries = await world.stored('time_entries')
  expect(entries.map(({ $id, durationSeconds }) => [$id, durationSeconds])).toEqual([
    [saved?.$id, 30],
  ])
  expect(await world.stored('timer_sessions')).toEqual([])
  await world.close()
})
