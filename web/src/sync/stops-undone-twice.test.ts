/** Tests a stop that two devices undo: one timer continues, with the presses of both. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import { resumeStopped } from '@stint/core/device/resume-stopped.ts'
import {
  continueStopped,
  goOnline,
  laptopAndPhoneWithTimer,
  losing,
  offersOn,
  offline,
  secondsOn,
  serverOf,
  stopAndUndo,
  stopOn,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  ;({ world, laptop, phone } = await laptopAndPhoneWithTimer())
})

afterEach(async () => {
  await world.close()
})

const { pass } = serverOf(() => world)

/** Undoes a stop on the phone. The timer continues as the session 'elsewhere', and nothing is sent. */
async function undoElsewhere(stopped: StoppedTimer): Promise<void> {
  const input = { sessionId: 'elsewhere', stopped, gap: 'undo' as const, device: 'phone' }
  await phone.press((draft, now) => resumeStopped(draft, { ...input, now }))
}

test('A stop that two devices have undone continues as one timer', async () => {
  pass(10)
  laptop.intercept(offline())
  await stopAndUndo(world, laptop, 5)
  pass(20)
  const there = await stopOn(phone)
  await undoElsewhere(there)
  await phone.sync.flush()
  pass(10)
  await goOnline(laptop)
  await phone.sync.refresh()
  expect(laptop.record.value('timer')?.timer.sessionId).toBe('elsewhere')
  expect(phone.record.value('timer')?.timer.sessionId).toBe('elsewhere')
  pass(5)
  await laptop.stop()
  await phone.sync.refresh()

  expect(secondsOn(laptop)).toEqual([50])
  expect(secondsOn(phone)).toEqual([50])
  expect(offersOn(laptop)).toEqual([])
})

test.each(['before', 'after'])(
  'A stop that two devices have undone counts once when one stops and undoes again %s the news',
  async (when) => {
    pass(10)
    const here = await stopOn(laptop)
    const there = await stopOn(phone)
    await laptop.sync.flush()
    laptop.intercept(offline())
    await undoElsewhere(there)
    await phone.sync.flush()
    pass(1)
    await continueStopped(laptop, here)
    pass(10)
    await phone.stop()
    pass(1)
    const again = await stopOn(laptop)
    if (when === 'after') await goOnline(laptop)
    pass(1)
    const input = { sessionId: 'last', stopped: again, gap: 'undo' as const, device: 'laptop' }
    await laptop.press((draft, now) => resumeStopped(draft, { ...input, now }))
    await goOnline(laptop)
    await phone.sync.refresh()
    expect(laptop.record.value('timer')?.timer.sessionId).toBe('last')
    expect(phone.record.value('timer')?.timer.sessionId).toBe('last')
    pass(7)
    await laptop.stop()
    await phone.sync.refresh()

    // After the news, the second between both stops is asked about.
    const asked = when === 'after' ? [1] : []
    const counted = 30 - asked.length
    expect(secondsOn(laptop)).toEqual([counted])
    expect(secondsOn(phone)).toEqual([counted])
    expect(offersOn(laptop).map(({ worked }) => worked.durationSeconds)).toEqual(asked)
  },
)

test('A stop that two devices have undone continues, although one of them already showed what continues it', async () => {
  pass(10)
  await stopAndUndo(world, laptop, 2)
  const there = await stopOn(phone)
  await phone.sync.flush()
  await laptop.sync.flush()
  // The phone hears of the session that continues, and not yet of the deleted entry.
  phone.intercept((request, send) => {
    const isEntries = request.method === 'GET' && request.url.includes('/time_entries/')
    return isEntries ? offline()(request, send) : send()
  })
  await phone.sync.refresh()
  expect(phone.record.value('timer')?.timer.sessionId).toBe('again')
  pass(2)
  await undoElsewhere(there)
  await goOnline(phone)
  pass(8)
  await laptop.sync.refresh()

  expect(phone.record.value('timer')?.timer.sessionId).toBe('again')
  expect(laptop.record.value('timer')?.timer.sessionId).toBe('again')
  await laptop.stop()
  expect(secondsOn(laptop)).toEqual([22])
})

test.each(['goes on', 'is stopped here', 'is stopped elsewhere'])(
  'A stop that two devices undo after it was saved continues as one timer that %s',
  async (what) => {
    // The entry is saved, and its deletion does not arrive.
    laptop.intercept(losing('PATCH'))
    pass(10)
    const here = await stopOn(laptop)
    const there = await stopOn(phone)
    await phone.sync.flush()
    await continueStopped(laptop, here)
    await laptop.sync.refresh()
    pass(5)
    await laptop.pause()
    pass(5)
    await laptop.resume()
    await undoElsewhere(there)
    await phone.sync.flush()
    pass(5)
    if (what === 'is stopped here') await laptop.stop()
    if (what === 'is stopped elsewhere') await phone.stop()
    await goOnline(laptop)
    await phone.sync.refresh()
    const shown = laptop.record.value('timer')?.timer.sessionId
    if (what === 'goes on') await phone.stop()
    await laptop.sync.refresh()

    expect(shown).toBe(what === 'goes on' ? 'elsewhere' : undefined)
    expect(secondsOn(laptop)).toEqual([20])
    expect(secondsOn(phone)).toEqual([20])
    expect(offersOn(phone)).toEqual([])
    expect(unsentCount(laptop.record)).toBe(0)
  },
)
