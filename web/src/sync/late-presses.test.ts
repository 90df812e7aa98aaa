/** Tests presses that reach the server after another device has stopped the timer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { changePrefs } from '@stint/core/device/edits.ts'
import { changeTimer } from '@stint/core/device/change-timer.ts'
import type { Offer } from '@stint/core/device/stored.ts'
import { discardSession, dropOffer, keepOffer } from '@stint/core/device/questions.ts'
import { pause, stop } from '@stint/core/device/timer.ts'
import {
  goOnline,
  laptopAndPhoneWithTimer,
  lateOffersOn,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { trimAfter, trimOrDelete } from '#test/edits.ts'

import { storeEntries } from './pull.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass, entryThere, secondsThere } = serverOf(() => world)

/** Returns the first offer about late presses. The laptop may also have one of work after the stop. */
function firstLate() {
  const [offer] = lateOffersOn(laptop)
  if (!offer) throw new Error('Nothing is offered')
  return offer
}

/** Keeps the work of an offer on the laptop, and sends that. */
async function keep(offer: Offer): Promise<void> {
  await laptop.press((draft, now) => keepOffer(draft, offer, 'new', now))
  await laptop.sync.flush()
}

/** The laptop pauses for `seconds` of the first minute without a network. Then the phone stops. */
async function pauseUnheard(seconds: number): Promise<void> {
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(seconds)
  await laptop.resume()
  pass(50 - seconds)
  await phone.stop()
}

function changeOnPhone(change: 'trim' | 'delete'): Promise<void> {
  return trimOrDelete(world, phone, change)
}

describe('A press that arrives after the session was saved', () => {
  test('A late pause becomes a pause in the saved session', async () => {
    await pauseUnheard(20)
    expect(await secondsThere()).toBe(60)
    await goOnline(laptop)
    await phone.sync.refresh()

    expect(await secondsThere()).toBe(40)
    expect(secondsOn(laptop)).toEqual([40])
    expect(secondsOn(phone)).toEqual([40])
    expect(unsentCount(laptop.record)).toBe(0)
    expect(offersOn(phone)).toEqual([])
  })

  test('A late pause without a resume lasts until the end of the saved session', async () => {
    laptop.intercept(offline())
    pass(10)
    await laptop.pause()
    pass(50)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(10)
    expect(offersOn(laptop)).toMatchObject([{ why: 'counted' }])
  })

  test('A late resume ends its pause, and work after the saved stop is offered separately', async () => {
    await laptop.pause()
    await phone.sync.refresh()
    laptop.intercept(offline())
    pass(10)
    await laptop.resume()
    pass(30)
    await phone.stop()
    pass(100)
    await laptop.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(30)
    expect(offersOn(laptop)).toMatchObject([
      { why: 'counted', worked: { durationSeconds: 0 }, instead: { durationSeconds: 30 } },
      { why: 'went-on', worked: { durationSeconds: 100 } },
    ])
    const [, wentOn] = offersOn(laptop)
    if (!wentOn) throw new Error('The work after the stop is not offered')
    await laptop.press((draft, now) => keepOffer(draft, wentOn, 'new', now))
    await laptop.sync.flush()
    expect(await secondsThere()).toBe(130)
    expect(offersOn(laptop)).toEqual([])
  })

  test('A late move of the start moves the start of the saved session', async () => {
    const timer = laptop.record.value('timer')?.timer
    if (!timer) throw new Error('Nothing runs')
    laptop.intercept(offline())
    pass(10)
    const earlier = { startedAt: timer.startedAt - 600_000 }
    await laptop.press((draft, now) => changeTimer(draft, timer.sessionId, earlier, now))
    pass(50)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(660)
    expect(secondsOn(laptop)).toEqual([660])
  })

  test('A late press does not change what the other device has confirmed with a later press', async () => {
    laptop.intercept(offline())
    pass(10)
    await laptop.pause()
    pass(10)
    await phone.pause()
    pass(10)
    await phone.resume()
    pass(30)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(40)
  })

  test('Late presses that leave no work leave a deleted entry', async () => {
    laptop.intercept(offline())
    await laptop.pause()
    pass(60)
    await phone.stop()
    await goOnline(laptop)

    expect(await entryThere()).toMatchObject({ durationSeconds: 0, deletedAt: expect.any(String) })
    const offer = firstLate()
    await keep(offer)
    expect(await entryThere()).toMatchObject({ durationSeconds: 60, deletedAt: null })
  })
})

describe('A stop that arrives after a later one was saved', () => {
  test('A stop that arrives after a later one was saved shortens nothing and is offered', async () => {
    laptop.intercept(offline())
    pass(20)
    await laptop.stop()
    pass(40)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(60)
    const offer = firstLate()
    expect(offer).toMatchObject({ why: 'not-stopped', worked: { durationSeconds: 20 } })
    await keep(offer)
    expect(await secondsThere()).toBe(20)
    expect(lateOffersOn(laptop)).toEqual([])
  })

  test('A stop that arrives late stays offered when a third device adds a pause', async () => {
    const tablet = await world.device('tablet')
    await tablet.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    await tablet.sync.refresh()
    laptop.intercept(offline())
    tablet.intercept(offline())
    pass(10)
    await tablet.pause()
    pass(5)
    await tablet.resume()
    pass(5)
    await laptop.stop()
    pass(40)
    await phone.stop()
    await goOnline(laptop)
    await goOnline(tablet)
    await laptop.sync.refresh()

    expect(await secondsThere()).toBe(55)
    const offer = firstLate()
    expect(offer).toMatchObject({ why: 'not-stopped', worked: { durationSeconds: 15 } })
    await keep(offer)
    expect(await secondsThere()).toBe(15)
  })

  test('A stop that arrives late is offered even if it left nothing to save', async () => {
    laptop.intercept(offline())
    await laptop.stop()
    pass(40)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(40)
    expect(firstLate()).toMatchObject({ why: 'not-stopped', worked: { durationSeconds: 0 } })
  })

  test('A stop that arrives late asks nothing if it was pressed within seconds of the other one', async () => {
    laptop.intercept(offline())
    pass(20)
    await laptop.stop()
    pass(3)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(23)
    expect(offersOn(laptop)).toEqual([])
  })

  test('A stop that arrives late ends a pause that was pressed before it', async () => {
    laptop.intercept(offline())
    pass(10)
    await laptop.pause()
    pass(10)
    await laptop.stop()
    pass(40)
    await phone.stop()
    await goOnline(laptop)

    expect(await secondsThere()).toBe(50)
    expect(lateOffersOn(laptop)).toMatchObject([
      { why: 'counted', worked: { durationSeconds: 60 } },
      { why: 'not-stopped', worked: { durationSeconds: 10 } },
    ])
  })
})

describe('What was made of it', () => {
  test('A late press that was counted is announced once and can be undone', async () => {
    await pauseUnheard(20)
    await goOnline(laptop)
    const offer = firstLate()
    expect(offer).toMatchObject({
      why: 'counted',
      worked: { durationSeconds: 60 },
      instead: { durationSeconds: 40 },
    })
    await keep(offer)

    expect(await secondsThere()).toBe(60)
    expect(lateOffersOn(laptop)).toEqual([])
    await laptop.sync.refresh()
    expect(await secondsThere()).toBe(60)
  })

  test('A late press that changes nothing is not announced', async () => {
    await laptop.pause()
    laptop.intercept(offline())
    pass(10)
    await laptop.resume()
    await phone.sync.refresh()
    await phone.stop()
    await goOnline(laptop)

    expect(offersOn(laptop)).toEqual([])
  })

  test('The undo of a late press does not overwrite a later change from another device', async () => {
    await pauseUnheard(20)
    await goOnline(laptop)
    const offer = firstLate()
    await phone.sync.refresh()
    await trimAfter(phone, 50)
    await phone.sync.flush()
    await laptop.sync.refresh()

    expect(lateOffersOn(laptop)).toEqual([])
    await keep(offer)
    expect(await secondsThere()).toBe(30)
  })
})

describe('A session that somebody has changed since it was saved', () => {
  test('A session that was trimmed since its save stays unchanged, and the late pause is offered', async () => {
    await pauseUnheard(20)
    await changeOnPhone('trim')
    await goOnline(laptop)

    expect(await secondsThere()).toBe(35)
    const offer = firstLate()
    expect(offer).toMatchObject({ why: 'not-counted', worked: { durationSeconds: 15 } })
    await keep(offer)
    expect(await secondsThere()).toBe(15)
    expect(lateOffersOn(laptop)).toEqual([])
  })

  test('A session that was changed since its save stays unchanged if the owner rejects the pause', async () => {
    await pauseUnheard(20)
    await changeOnPhone('trim')
    await goOnline(laptop)
    const offer = firstLate()
    await laptop.press((draft) => dropOffer(draft, offer))

    expect(await secondsThere()).toBe(35)
    expect(lateOffersOn(laptop)).toEqual([])
  })

  test('A session that was deleted since its save stays deleted', async () => {
    await pauseUnheard(20)
    await changeOnPhone('delete')
    await goOnline(laptop)

    expect(await entryThere()).toMatchObject({
      durationSeconds: 60,
      deletedAt: expect.any(String),
    })
    expect(lateOffersOn(laptop)).toEqual([])
  })

  test('A session that is changed while the late pause arrives stays unchanged', async () => {
    await pauseUnheard(20)
    let isFirst = true
    laptop.intercept(async (request, send) => {
      if (request.method === 'PATCH' && request.url.includes('time_entries') && isFirst) {
        isFirst = false
        await changeOnPhone('trim')
      }
      return send()
    })
    await laptop.sync.refresh()

    expect(isFirst).toBe(false)
    expect(await secondsThere()).toBe(35)
    expect(lateOffersOn(laptop)).toMatchObject([{ why: 'not-counted' }])
  })
})

describe('A device that is killed while its presses arrive', () => {
  test.each(['before', 'after'])('A kill %s the write folds late presses once', async (when) => {
    await pauseUnheard(20)
    laptop.intercept(async (request, send) => {
      if (request.method !== 'PATCH' || !request.url.includes('time_entries')) return send()
      if (when === 'after') await send()
      laptop.kill()
      throw new TypeError('Failed to fetch')
    })
    await laptop.sync.refresh()
    laptop = await laptop.reopen()
    await laptop.sync.refresh()

    expect(await secondsThere()).toBe(40)
    expect(secondsOn(laptop)).toEqual([40])
    expect(lateOffersOn(laptop)).toMatchObject([
      { why: 'counted', worked: { durationSeconds: 60 } },
    ])
    expect(unsentCount(laptop.record)).toBe(0)
  })
})

test('A discarded session with work elsewhere stays when the event of its entry arrives first', async () => {
  pass(9 * 3600)
  const tablet = await world.device('tablet')
  const [session] = tablet.record.value('unfinished')?.sessions ?? []
  if (!session) throw new Error('Nothing is offered')
  tablet.intercept(offline())
  await tablet.press((draft, now) => discardSession(draft, session, now))
  pass(60)
  await phone.stop()
  // The event of the entry arrives before the discard is sent.
  const [document] = (await phone.backend.list('time_entries', { limit: 1 })).documents
  if (!document) throw new Error('The phone has saved nothing')
  await storeEntries(tablet.record, [document])
  await goOnline(tablet)
  await phone.sync.refresh()

  expect(secondsOn(phone)).toEqual([9 * 3600 + 60])
  expect(secondsOn(tablet)).toEqual([9 * 3600 + 60])
})

test('A start that is moved while its session turns out to be discarded leads to a question', async () => {
  pass(9 * 3600)
  const tablet = await world.device('tablet')
  const [session] = tablet.record.value('unfinished')?.sessions ?? []
  if (!session) throw new Error('Nothing is offered')
  await tablet.press((draft, now) => discardSession(draft, session, now))
  await tablet.sync.flush()
  let isPressed = false
  phone.intercept(async (request, send) => {
    if (request.url.includes(session.id) && !isPressed) {
      isPressed = true
      const startedAt = world.server.clock.now() - 3600_000
      await phone.press((draft, now) => changeTimer(draft, session.id, { startedAt }, now))
    }
    return send()
  })
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(isPressed).toBe(true)
  expect(offersOn(phone)).toMatchObject([{ why: 'discarded' }])
})

test('Work elsewhere after a stop whose times were changed here is offered', async () => {
  laptop.intercept(offline())
  pass(20)
  await laptop.stop()
  pass(40)
  await phone.stop()
  pass(1)
  await trimAfter(laptop, 15)
  await goOnline(laptop)

  expect(await secondsThere()).toBe(15)
  const [offer] = offersOn(laptop)
  if (!offer) throw new Error('Nothing is offered')
  expect(offer).toMatchObject({ why: 'ran-on', worked: { durationSeconds: 40 } })
  await keep(offer)
  expect(await secondsThere()).toBe(55)
})

test('A pause counts in a session that another device saves and replaces by a newer one at the same moment', async () => {
  pass(5)
  await laptop.stop()
  const other = await world.createTask('Answer mail')
  await laptop.sync.refresh()
  await phone.sync.refresh()
  laptop.intercept(async (_request, send) => {
    await send()
    throw new TypeError('Failed to fetch')
  })
  await laptop.start(taskId)
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  await phone.sync.refresh()
  expect(phone.record.value('timer')?.timer.status).toBe('running')
  pass(20)
  let isFirst = true
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (isFirst && request.method === 'GET' && request.url.includes('time_entries')) {
      isFirst = false
      await phone.stop()
      await phone.start(other)
    }
    return reply
  })
  await laptop.sync.flush()

  expect(isFirst).toBe(false)
  const saved = await world.stored('time_entries')
  expect(new Set(saved.map((entry) => entry['durationSeconds']))).toEqual(new Set([5, 10]))
  expect(laptop.record.value('timer')?.timer.taskId).toBe(other)
  expect(unsentCount(laptop.record)).toBe(0)
})

test('Seconds after a stop elsewhere that is not saved yet are offered when the start was changed after that stop', async () => {
  phone.intercept(offline())
  pass(60)
  await phone.press(stop)
  pass(2)
  const timer = laptop.record.value('timer')?.timer
  if (!timer) throw new Error('Nothing runs')
  const { sessionId, startedAt } = timer
  await laptop.press((draft, now) =>
    changeTimer(draft, sessionId, { startedAt: startedAt - 10_000 }, now),
  )
  await laptop.sync.flush()
  pass(1)
  phone.intercept((request, send) =>
    request.method === 'POST' ? offline()(request, send) : send(),
  )
  await phone.sync.flush()
  phone.kill()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(await secondsThere()).toBe(70)
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 3 } }])
})

test('A pause counts that was pressed in a pause which a late resume had ended before', async () => {
  pass(10)
  await laptop.pause()
  laptop.intercept(offline())
  pass(5)
  await laptop.resume()
  pass(5)
  // The phone has not heard of the first pause.
  await phone.press(pause)
  await phone.sync.flush()
  pass(20)
  await phone.stop()
  await goOnline(laptop)

  expect(await secondsThere()).toBe(15)
  expect(secondsOn(laptop)).toEqual([15])
})
