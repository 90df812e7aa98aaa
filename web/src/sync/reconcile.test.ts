/** Sessions of the server on a device that loads them, and what a screen says about a timer that has ended. */
import { applyChanges } from '@stint/core/device/changes.ts'
import { discardSession } from '@stint/core/device/questions.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { laptopAndPhone, offline, secondsOn, serverOf } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { beginWalk, testWalks } from '#test/walk.ts'

import { pullCollection } from './pull.ts'

describe('Restoring on load', () => {
  testWalks(`
    A load restores a running timer
      L start, 10800, T look → nothing, runs 10800
    A load restores a paused timer three hours later, with its pause
      L start, 60, L pause, 10800, T look, T resume, 5, L look → nothing, runs 65
    An unfinished session is saved until the moment that its owner chose
      L start, L close, 32400, P look, P ends 21600, L open → 10800
    An unfinished session is discarded for good
      L start, L close, 32400, P look, P discard, L open → nothing
    An unfinished session is resumed as it was
      L start, L close, 18000, P look, P continues, L open, P stop, L look → 18000
  `)

  test.each([
    ['that is more than four hours old', 'L start, 14401, T look'],
    ['of a deleted task', 'L start, 60, L archives, T look'],
  ])('A load does not restore a session %s, but offers it', async (_, text) => {
    const { world, go, device } = await beginWalk()
    await go(text)
    const { record } = await device('T')
    expect(record.value('timer')).toBeUndefined()
    expect(record.value('unfinished')?.sessions).toHaveLength(1)
    await world.close()
  })
})

/** The laptop works for a minute on a task that is then archived. The tablet offers the session on a card. */
const CARD = 'L start, 60, L archives, T look'
const AWAKE = '900, L wakes, '.repeat(20)

describe('Two timers', () => {
  testWalks(`
    A timer that was forgotten for hours stays unfinished when another one is started
      L start, L close, 32400, P start B, L open → nothing, runs 0, unfinished 1
    A forgotten timer goes on when its owner resumes it over another one
      L start, L close, 32400, P start B, 5, P continues, 5, P stop, L open → 32410 5B
    A session that is resumed after its stop elsewhere ends no other timer
      ${CARD}, L stop, L start B, 1, T continues, L look → 60, asks 1, runs 1
    A session that a newer timer has ended is not offered as unfinished any more
      ${CARD}, T start B, L look → 60, runs 0
    A timer of five hours ends when another one starts elsewhere, if its device was awake
      L start, ${AWAKE}P start B, L look, P look → 18000, runs 0
    A timer of nine hours leads to a question when another one was started, if its device was asleep
      L start, L wakes, 32400, P start B, L wakes, L look → nothing, runs 0, unfinished 1
  `)
})

test('A session that a restored server has again is deleted only once its entry is there again', async () => {
  const { world, taskId, laptop, phone } = await laptopAndPhone()
  const { backUp, restore } = serverOf(() => world)
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp()
  world.server.clock.advance(60_000)
  await laptop.stop()
  await restore(backup)
  world.server.clock.advance(1000)
  const entriesAtDeletion: number[] = []
  laptop.intercept(async (request, send) => {
    if (request.method === 'DELETE')
      entriesAtDeletion.push((await world.stored('time_entries')).length)
    return send()
  })
  // The phone still shows the timer. Without its entry, the phone would create the session again.
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(entriesAtDeletion).toEqual([1])
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(secondsOn(phone)).toEqual([60])
  await world.close()
})

test('A device that saves an entry again for a restored server sends again what else was lost', async () => {
  const { world, taskId, laptop, phone } = await laptopAndPhone()
  const { backUp, restore } = serverOf(() => world)
  const deleted = await laptop.start(taskId)
  world.server.clock.advance(60_000)
  await laptop.stop()
  await laptop.start(taskId)
  const backup = await backUp()
  const entry = laptop.record.view.entries.get(deleted)
  if (!entry) throw new Error('The entry is not saved')
  const deletion = deleteEntry(entry, laptop.record.clock.now())
  await laptop.press((draft) => applyChanges(draft, { entries: [deletion] }))
  await laptop.sync.flush()
  world.server.clock.advance(10 * 60_000)
  await laptop.stop()
  // The next pull asks for what has changed since the entry of this stop.
  await laptop.sync.refresh()
  await restore(backup)
  world.server.clock.advance(60_000)
  await laptop.sync.refresh()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([600])
  await world.close()
})

describe('The banner about a timer that another device has ended', () => {
  let world: World
  let laptop: Device
  let phone: Device
  let taskId: string

  beforeEach(async () => {
    ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  })

  afterEach(() => world.close())

  test.each([
    ['a refresh', () => phone.sync.refresh()],
    ['a pull', () => pullCollection({ ...phone, userId: world.user.id }, 'time_entries')],
  ])('It says when the timer was stopped as soon as %s brings its entry', async (_, look) => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    world.server.clock.advance(60_000)
    await laptop.stop()
    await look()

    expect(phone.record.value('timer')).toBeUndefined()
    expect(phone.record.value('banner')?.text).toBe('Already stopped on another device at 07:01')
    expect(secondsOn(phone)).toEqual([60])
  })

  test('It says that the timer was discarded', async () => {
    await laptop.start(taskId)
    world.server.clock.advance(9 * 3_600_000)
    const tablet = await world.device('tablet')
    await tablet.press((draft) => {
      const [session] = draft.value('unfinished')?.sessions ?? []
      if (session) discardSession(draft, session)
    })
    await tablet.sync.refresh()
    await laptop.sync.refresh()

    expect(laptop.record.value('timer')).toBeUndefined()
    expect(laptop.record.value('banner')?.text).toMatch(/^Already discarded/)
  })

  test('A failed start keeps its action in the banner when a later timer is stopped elsewhere', async () => {
    phone.intercept(offline())
    await phone.start(taskId)
    phone.intercept(undefined)
    await laptop.start(taskId)
    await phone.sync.refresh()
    world.server.clock.advance(60_000)
    await laptop.stop()
    await phone.sync.refresh()

    expect(phone.record.value('timer')).toBeUndefined()
    expect(phone.record.value('banner')).toMatchObject({ action: { kind: 'track-offline' } })
  })
})

test('A session that another client changes at every look is looked at a few times, and then later', async () => {
  const { world, laptop, taskId } = await laptopAndPhone()
  const id = await laptop.start(taskId)
  const path = `/databases/stint/collections/timer_sessions/documents/${id}`
  let looks = 0
  laptop.intercept(async (request, send) => {
    const isLook = request.method === 'GET' && request.url.includes('/timer_sessions/')
    if (isLook && looks < 200) {
      looks += 1
      world.server.clock.advance(1000)
      await world.user.call('PATCH', path, { data: { note: `${looks}` } })
    }
    return send()
  })
  await laptop.sync.refresh()

  expect(looks).toBeGreaterThan(1)
  expect(looks).toBeLessThan(100)
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  expect(laptop.record.value('timer')?.timer.note).toBe(`${looks}`)
  expect(laptop.record.unsaved()).toBe(0)
  await world.close()
})
