/** Tests two devices that know different things about one timer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { dropOffer, keepOffer } from '@stint/core/device/questions.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import { newDocumentId } from '#record/document-id.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  firstOffer,
  goOnline,
  laptopAndPhone,
  offline,
  secondsOn,
  serverOf,
  stopOn,
  storedOffersOn as offersOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editOn, HOUR, lastEntry, splitAfter } from '#test/edits.ts'

import { pullEntries, storeEntries } from './pull.ts'

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

describe('one timer on two devices', () => {
  test('A timer that is resumed in the moment of its pause runs on where the pause was heard of', async () => {
    await bothShowATimer()
    pass(10)
    await laptop.pause()
    await phone.sync.refresh()
    await laptop.resume()
    await phone.sync.refresh()
    await laptop.sync.refresh()

    expect(phone.record.value('timer')?.timer.status).toBe('running')
    expect(laptop.record.value('timer')?.timer.status).toBe('running')
  })

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
    expect(secondsOn(phone)).toEqual([1860])
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
    await editOn(laptop, { note: 'Draft' })
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
    pass(1)
    await phone.resume()
    pass(10)
    await phone.stop()
    await splitAfter(phone, 7)
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
    const stopped = await stopOn(laptop)
    const input = { sessionId: 'resumed', stopped, gap: 'undo', device: 'laptop' } as const
    await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
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

test('Work after a stop elsewhere is offered from that stop on, although a part of a later session is known first', async () => {
  await bothShowATimer()
  laptop.intercept(offline())
  pass(20)
  await phone.stop()
  pass(1)
  await phone.start(taskId)
  pass(20)
  await phone.stop()
  await splitAfter(phone, 5, { entry: lastEntry(phone), id: 'half' })
  await phone.sync.flush()
  laptop.intercept(undefined)
  const half = await laptop.backend.get('time_entries', 'half')
  await storeEntries(laptop.record, [half])
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 21 } }])
})
