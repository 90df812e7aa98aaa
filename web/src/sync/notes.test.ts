/** Tests the note of the running timer, on one device and on two. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { setNote } from '@stint/core/device/timer.ts'
import * as store from '@stint/core/device/timer.ts'
import { goOnline, laptopAndPhone, offline, trackOffline } from '#test/devices.ts'
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

/** Types the note letter by letter after what is there, without telling sync. */
async function type(device: Device, text: string, id = sessionId): Promise<void> {
  for (const letter of text) {
    const note = `${noteOn(device) ?? ''}${letter}`
    await device.press((draft, now) => setNote(draft, id, note, now))
  }
}

function noteOn({ record }: Device) {
  return record.value('timer')?.timer.note
}

async function noteOfSession() {
  const [session] = await world.stored('timer_sessions')
  return session?.['note']
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

  test('Letters that are typed while the note is on its way are one request after it', async () => {
    const sent: unknown[] = []
    await type(laptop, 'cal')
    laptop.intercept(async (request, send) => {
      if (request.method !== 'PATCH') return send()
      sent.push(noteOn(laptop))
      const typed = `${noteOn(laptop)}!`
      if (sent.length < 2)
        await laptop.record.write((draft, now) => setNote(draft, sessionId, typed, now))
      const answer = await send()
      if (sent.length < 2)
        await laptop.record.write((draft, now) => setNote(draft, sessionId, `${typed}!`, now))
      return answer
    })
    await laptop.sync.flush()
    await vi.waitFor(async () => expect(await noteOfSession()).toBe('cal!!'), 5000)
    expect(sent).toEqual(['cal', 'cal!!'])
    expect(noteOn(laptop)).toBe('cal!!')
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

  testWalks(`
    A note that is typed offline survives the end of the tab, and is typed on
      L start, L off, L note x, L close, L open, L note xy, L on, 5, L stop → 5(xy)
    A note whose answer was lost is typed on
      L start, L unanswered, L note x, 5, L note xy, L on, L stop → 5(xy)
    A note is cleared
      L start, L note x, P look, L note, P look, 5, P stop → 5
    The entry of a stop has the note, and a stop that is undone continues with it
      L start, L note x, 60, L stop, L undo, L note xy, 60, L stop → 120(xy)
    A stop that is undone before it is sent continues with the note
      L start, L off, L note x, 60, L stop, L undo, L on, 5, L stop → 65(x)
    A note that its owner changes in the entry before the stop is sent stays
      L start, L off, L note x, 60, L stop, L note y, L on → 60(y)
    Another task on the running timer keeps the note; another start has none
      L start, L note x, L task, 60, L start, 5, L stop → 60B(x) 5
    A session that is gone from the server is created again with its note
      backup, L start, L note x, restore, L look, 5, L stop → 5(x)
  `)
})

describe('on two devices', () => {
  testWalks(`
    Of two notes the later one stays, through pauses, and no second is lost
      L start, P look, P off, P note early, 10, L pause, 10, L resume, 10, L note later, 10, P on, 10, P note last, L look, L stop → 40(last)
    A pause elsewhere does not cost the note, and the note does not cost the pause
      L start, P look, P off, P note x, 10, L pause, 3, P on, L look, L stop → 10(x)
    A note for a session that was stopped elsewhere goes to its entry
      L start, P look, P off, P note x, 3, L stop, P on, L look → 3(x)
    A note for a session whose stop was undone elsewhere goes to the timer that goes on
      L start, P look, P off, P note x, 60, L stop, L undo, P on, L look, L stop → 60(x)
    A note for a session that is stopped and undone at the same time is kept
      L start, P look, L off, P note x, 60, L stop, L undo, L on, P look, P stop → 60(x)
    A stop saves the note that its device does not know
      L start, P look, P note x, 60, L stop → 60(x)
    A note that is typed on, on a session that was stopped elsewhere, is not doubled
      L start, P look, P unanswered, P note x, 5, L look, L stop, P note xy, P on → 5(xy)
  `)
})
