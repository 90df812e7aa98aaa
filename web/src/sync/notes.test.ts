/** Tests how a note that is typed is sent. What becomes of it is walked in core (core/src/device/walks). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { pause, setNote } from '@stint/core/device/timer.ts'
import { laptopAndPhone } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

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

function noteOn({ record }: Device) {
  return record.value('timer')?.timer.note
}

async function noteOfSession() {
  const [session] = await world.stored('timer_sessions')
  return session?.['note']
}

test('A word that is typed is one request, and another device shows it', async () => {
  const writes: string[] = []
  laptop.intercept(async (request, send) => {
    if (request.method !== 'GET') writes.push(request.method)
    return send()
  })
  for (const note of ['c', 'ca', 'cal', 'call', 'call #', 'call #a', 'call #acme'])
    await laptop.record.write((draft) => setNote(draft, sessionId, note))
  expect(noteOn(laptop)).toBe('call #acme')
  expect(laptop.record.unsaved()).toBe(0)
  await vi.waitFor(async () => expect(await noteOfSession()).toBe('call #acme'), 5000)
  expect(writes).toEqual(['PATCH'])
  await phone.sync.refresh()
  expect(noteOn(phone)).toBe('call #acme')
})

test('Letters that are typed while the note is on its way are one request after it', async () => {
  const sent: unknown[] = []
  await laptop.press((draft) => setNote(draft, sessionId, 'cal'))
  laptop.intercept(async (request, send) => {
    if (request.method !== 'PATCH') return send()
    sent.push(noteOn(laptop))
    const typed = `${noteOn(laptop)}!`
    if (sent.length < 2) await laptop.record.write((draft) => setNote(draft, sessionId, typed))
    const answer = await send()
    if (sent.length < 2)
      await laptop.record.write((draft) => setNote(draft, sessionId, `${typed}!`))
    return answer
  })
  await laptop.sync.flush()
  await vi.waitFor(async () => expect(await noteOfSession()).toBe('cal!!'), 5000)
  expect(sent).toEqual(['cal', 'cal!!'])
  expect(noteOn(laptop)).toBe('cal!!')
})

test.each(['nothing', 'a letter'])(
  'A note that meets a change of another device is sent over it, with %s typed meanwhile',
  async (typed) => {
    await laptop.press((draft) => setNote(draft, sessionId, 'cal'))
    await phone.press(pause)
    await phone.sync.flush()
    const requests: string[] = []
    laptop.intercept(async (request, send) => {
      requests.push(request.method)
      if (requests.length > 50) throw new TypeError('too many requests')
      if (typed === 'a letter' && request.method === 'PATCH' && requests.length < 3)
        await laptop.record.write((draft) => setNote(draft, sessionId, 'call'))
      return send()
    })
    await laptop.sync.refresh()
    expect(await noteOfSession()).toBe(typed === 'nothing' ? 'cal' : 'call')
    expect(requests.length).toBeLessThan(20)
    await phone.sync.refresh()
    expect(noteOn(phone)).toBe(noteOn(laptop))
  },
)
