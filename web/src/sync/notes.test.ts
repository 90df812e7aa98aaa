/** Tests the note of the running timer, on one device and on two. */
import type { Intercept } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { changeEntry } from '@stint/core/device/edits.ts'
import { setNote } from '@stint/core/device/timer.ts'
import { resumeStopped } from '@stint/core/device/timer.ts'
import * as store from '@stint/core/device/timer.ts'
import {
  goOnline,
  laptopAndPhone,
  offline,
  serverOf,
  trackOffline,
  unsentCount,
} from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string
let sessionId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  sessionId = await laptop.start(taskId)
  await phone.sync.refresh()
})

afterEach(async () => {
  await world.close()
})

const { pass } = serverOf(() => world)

/** Types the note letter by letter after what is there, without telling sync. */
async function type(device: Device, text: string, id = sessionId): Promise<void> {
  for (const letter of text) {
    const note = `${noteOn(device) ?? ''}${letter}`
    await device.press((draft, now) => setNote(draft, id, note, now))
  }
}

/** Types over what is there. */
async function write(device: Device, note: string): Promise<void> {
  await device.press((draft, now) => setNote(draft, sessionId, note, now))
}

function noteOn({ record }: Device) {
  return record.value('timer')?.timer.note
}

async function noteOfSession() {
  const [session] = await world.stored('timer_sessions')
  return session?.['note']
}

/** Returns note and seconds of the entries that are not deleted. */
async function saved() {
  const entries = await world.stored('time_entries')
  return entries
    .filter((entry) => entry['deletedAt'] === null)
    .map((entry) => [entry['note'], entry['durationSeconds']])
}

async function undoStop(device: Device, id: string, newId = 'again'): Promise<void> {
  const entry = device.record.view.entries.get(id)
  if (!entry) throw new Error('Nothing was stopped')
  const { taskId: task, startedAt, endedAt, pauses, durationSeconds } = entry
  const stopped = { sessionId: id, taskId: task, startedAt, endedAt, pauses, durationSeconds }
  const input = { sessionId: newId, stopped, gap: 'undo', device: 'laptop' } as const
  await device.press((draft, now) => resumeStopped(draft, { ...input, now }))
}

/** Loses the answers to writes, which arrive. */
function losesAnswers(): Intercept {
  return async (request, send) => {
    const reply = await send()
    if (request.method === 'GET') return reply
    throw new TypeError('Failed to fetch')
  }
}

describe('on one device', () => {
  test('A word that is typed is one request, and another device shows it', async () => {
    const writes: string[] = []
    laptop.intercept(async (request, send) => {
      if (request.method !== 'GET') writes.push(request.method)
      return send()
    })
    for (const note of ['c', 'ca', 'cal', 'call', 'call #', 'call #a', 'call #acme'])
      await laptop.record.write((draft, now) => setNote(draft, sessionId, note, now))
    expect(noteOn(laptop)).toBe('call #acme')
    expect(laptop.record.unsaved()).toBe(0)
    await vi.waitFor(async () => expect(await noteOfSession()).toBe('call #acme'), 5000)
    expect(writes).toEqual(['PATCH'])
    await phone.sync.refresh()
    expect(noteOn(phone)).toBe('call #acme')
  })

  test('A note that is typed offline survives the end of the tab and is sent afterwards', async () => {
    laptop.intercept(offline())
    await type(laptop, 'call')
    laptop = await laptop.reopen(offline())
    expect(noteOn(laptop)).toBe('call')
    await type(laptop, ' Ann')
    await goOnline(laptop)
    expect(await noteOfSession()).toBe('call Ann')
    expect(unsentCount(laptop.record)).toBe(0)
  })

  test('A letter that is typed while the note is on its way is sent after it', async () => {
    await type(laptop, 'cal')
    laptop.intercept(async (request, send) => {
      if (request.method === 'PATCH' && noteOn(laptop) === 'cal') await type(laptop, 'l')
      return send()
    })
    await laptop.sync.flush()
    expect(await noteOfSession()).toBe('call')
    expect(noteOn(laptop)).toBe('call')
  })

  test('A note whose answer was lost is typed on', async () => {
    await type(laptop, 'cal')
    laptop.intercept(losesAnswers())
    await laptop.sync.flush()
    pass(5)
    await type(laptop, 'l')
    await goOnline(laptop)
    expect(await noteOfSession()).toBe('call')
    await laptop.stop()
    expect(await saved()).toEqual([['call', 5]])
  })

  test('A note is cleared', async () => {
    await type(laptop, 'call')
    await laptop.sync.flush()
    await write(laptop, '')
    await laptop.sync.flush()
    expect(await noteOfSession()).toBeNull()
    await phone.sync.refresh()
    expect(noteOn(phone)).toBeUndefined()
  })

  test('The entry of a stop has the note, and a stop that is undone continues with it', async () => {
    await type(laptop, 'call')
    pass(60)
    await laptop.stop()
    expect(await saved()).toEqual([['call', 60]])
    await undoStop(laptop, sessionId)
    await type(laptop, ' Ann')
    await laptop.sync.flush()
    expect(await noteOfSession()).toBe('call Ann')
    pass(60)
    await laptop.stop()
    expect(await saved()).toEqual([['call Ann', 120]])
  })

  test('A stop that is undone before it is sent continues with the note', async () => {
    laptop.intercept(offline())
    await type(laptop, 'call')
    pass(60)
    await laptop.stop()
    await undoStop(laptop, sessionId)
    await goOnline(laptop)
    expect(await noteOfSession()).toBe('call')
    expect(noteOn(laptop)).toBe('call')
    expect(await saved()).toEqual([])
  })

  test('A note that its owner changes in the entry before the stop is sent stays', async () => {
    laptop.intercept(offline())
    await type(laptop, 'call')
    pass(60)
    await laptop.stop()
    await laptop.press((draft, now) => {
      const entry = draft.entries.get(sessionId)
      if (entry) changeEntry(draft, { ...entry, note: 'meeting', updatedAt: now }, now)
    })
    await goOnline(laptop)
    expect(await saved()).toEqual([['meeting', 60]])
  })

  test('Another task on the running timer keeps the note; another start has none', async () => {
    const other = await world.createTask('Read')
    await laptop.sync.refresh()
    await type(laptop, 'call')
    await laptop.press((draft, now) => changeTimer(draft, sessionId, { taskId: other }, now))
    await laptop.sync.flush()
    expect(noteOn(laptop)).toBe('call')
    pass(60)
    await laptop.start(taskId)
    expect(await saved()).toEqual([['call', 60]])
    expect(noteOn(laptop)).toBeUndefined()
    expect(await noteOfSession()).toBeNull()
  })

  test('A start has a note from the beginning, and Track offline continues with it', async () => {
    await laptop.stop()
    laptop.intercept(offline())
    const input = { sessionId: 'noted', taskId, device: 'laptop', note: '#acme' }
    await laptop.press((draft, now) => store.start(draft, { ...input, now }))
    await laptop.sync.flush()
    await trackOffline(laptop)
    await type(laptop, ' call', 'noted')
    await goOnline(laptop)
    expect(await noteOfSession()).toBe('#acme call')
  })

  test('A session that is gone from the server is created again with its note', async () => {
    await type(laptop, 'call')
    await laptop.sync.flush()
    const path = `/databases/stint/collections/timer_sessions/documents/${sessionId}`
    await world.user.call('DELETE', path)
    await laptop.sync.refresh()
    expect(await noteOfSession()).toBe('call')
  })
})

describe('on two devices', () => {
  testWalks([
    [
      'Of two notes the later one stays, through pauses, and no second is lost',
      'L start, P look, P off, P note early, 10, L pause, 10, L resume, 10, L note later, 10, P on, 10, P note last, L look, L stop',
      '40(last)',
    ],
    [
      'A pause elsewhere does not cost the note, and the note does not cost the pause',
      'L start, P look, P off, P note x, 10, L pause, 3, P on, L look, L stop',
      '10(x)',
    ],
    [
      'A note for a session that was stopped elsewhere goes to its entry',
      'L start, P look, P off, P note x, 3, L stop, P on, L look',
      '3(x)',
    ],
    [
      'A note for a session whose stop was undone elsewhere goes to the timer that goes on',
      'L start, P look, P off, P note x, 60, L stop, L undo, P on, L look, L stop',
      '60(x)',
    ],
    [
      'A note for a session that is stopped and undone at the same time is kept',
      'L start, P look, L off, P note x, 60, L stop, L undo, L on, P look, P stop',
      '60(x)',
    ],
    [
      'A stop saves the note that its device does not know',
      'L start, P look, P note x, 60, L stop',
      '60(x)',
    ],
  ])

  test('A note that is typed on, on a session that was stopped elsewhere, is not doubled', async () => {
    await type(phone, 'call')
    phone.intercept(losesAnswers())
    await phone.sync.flush()
    pass(5)
    await laptop.sync.refresh()
    await laptop.stop()
    await type(phone, ' Ann')
    await goOnline(phone)
    expect(await saved()).toEqual([['call Ann', 5]])
  })
})
