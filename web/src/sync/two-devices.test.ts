/**
 * Devices that had not heard of each other, with the real sync and server. Most of what counts, and of what is asked,
 * is walked in core (core/src/device/walks); here are some of these walks, and what a request decides.
 */
import { describe, expect, test } from 'vitest'

import { askedOn } from '#test/devices.ts'
import { beginWalk, testWalks } from '#test/walk.ts'

describe('Two devices and a server', () => {
  testWalks(`
    Of two timers that both began without a network the later one runs on, and nothing is lost
      L off, P off, L start, 10, P start B, 10, L on, P on → 10, asks 10, runs 10
    The pauses of two devices without a network both count
      L start, P look, T look, L off, P off, 10, L pause, 10, P pause, 10, T stop, P on, L on → 10, asks 20
    The cuts of two devices both count
      L start, 40, L stop, P look, P off, L split 10, P split 20, L on, P on → 10 10 20
    Undo reverts its own change, and a session that is longer than it was deleted elsewhere comes back
      L start, 20, L stop, L trim 10, P look, P note x, P delete, L back, P look → 20(x)
    Every stop that is known is undone
      L start, P look, L off, 10, L stop, 5, P stop, L on, P look, 5, P undo, 5 → nothing, runs 25
    Presses of two devices since the backup count, those before it and after
      L start, P look, 10, backup, L pause, P look, 5, L resume, P look, 5, restore, L off, P off, 5, P pause, 5, L stop, P on, L on → 20, asks 5
    A lost session with two halves gets both back, and the change of one
      backup, L start, 40, L stop, L split 10, P look, restore, P trim 20 2, L look → 10 20
    A lost split is made again
      L start, 40, L stop, backup, L split 10, restore, P look, L look → 10 30
    Two backups lose nothing
      L start, 40, L stop, backup, L split 10, P look, restore, P look, P note x 2, restore, L look, P look → 10 30(x)
  `)
})

describe('The server, which admits one active session', () => {
  testWalks(`
    A start ends a timer that its device had not heard of, and asks about what that screen showed
      L start, 10, P start B, 10, L look → 10, asks 10, runs 10
    A timer that goes on ends one that was started elsewhere before, which keeps its time
      L start, 10, L stop, P start B, 5, L undo, 5, L stop, P look → 20 5B, asks 5
    A timer that was started elsewhere after the undo ends the one that went on
      L start, 10, L stop, P look, 5, L undo, 5, P start B, 5, P stop, L look → 20 5B, asks 5
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
