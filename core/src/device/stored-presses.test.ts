/** Tests how a press is stored: the log of its session, what it means, and logs that this version cannot read. */
import { expect, test } from 'vitest'

import { isUnreadable, readLog, rootOf } from '#log/documents.ts'
import { isSealBroken } from '#log/seal.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { splitEntry } from '#record/entry-edit.ts'
import {
  at,
  devicesWithSession,
  devicesWithTimer,
  exchange,
  TestDevice,
  twoDevices,
} from '#test/devices.ts'
import { agreed, shown, stateOf } from '#test/shown.ts'

import { append, logOf } from './session-log.ts'

const NEWER = '[99,0,[],[]]'

test('A press appends an event to the log of its session and puts what the log means', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  const unsent = { base: null, isTried: false, tried: { laptop: 0 } }
  expect(device.view.sessions.get(id)).toMatchObject(unsent)
  const presses = [
    { action: { kind: 'pause' } },
    { action: { kind: 'resume' }, at: at(6) },
  ] as const
  const ids = device.write(at(5), (draft) => append(draft, id, presses))
  expect(ids).toEqual(['laptop.2', 'laptop.3'])
  expect(logOf(device.view, id).map((event) => event.at)).toEqual([at(0), at(5), at(6)])
  device.stop(at(9))
  // Of a session that was never sent, only its entry is left, with the log.
  expect(device.view.sessions.get(id)).toBeUndefined()
  expect(readLog(device.entry(id).log)).toHaveLength(4)
  expect(device.entry(id)).toMatchObject({ createdAt: at(9), sessionId: id, durationSeconds: 480 })
})

test('A session that the backend may have stays until its document is deleted', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  device.send(at(1), 'answer')
  device.stop(at(9))
  expect(device.view.sessions.get(id)).toMatchObject({ isTried: true, base: null })
  device.send(at(9))
  expect(device.view.sessions.get(id)).toBeUndefined()
  expect([...device.backend.sessions]).toEqual([])
})

test('Nothing is left of a session without work that was never sent, and a deleted entry of one that was', () => {
  const device = new TestDevice('laptop')
  device.start(at(0))
  device.stop(at(0))
  expect(device.view.entries.all()).toEqual([])
  const id = device.start(at(1))
  device.send(at(1))
  device.stop(at(1))
  device.send(at(2))
  expect(device.backend.entries.get(id)).toMatchObject({ durationSeconds: 0, deletedAt: at(1) })
})

test('A part that is cut off has a seal instead of a log, and names its root', () => {
  const { laptop, id } = devicesWithSession()
  laptop.change(at(70), { entries: splitEntry(laptop.entry(id), at(20), 'unused', at(70)) })
  const part = laptop.view.entries.all().find((each) => each.id !== id) ?? laptop.entry(id)
  expect(part).toMatchObject({ sessionId: id, log: expect.stringMatching(/^part /) })
  expect([rootOf(part), isUnreadable(part.log), isSealBroken(part)]).toEqual([id, false, false])
  expect(isSealBroken({ ...part, note: 'by another client' })).toBe(true)
  expect(laptop.view.entries.get('unused')).toBeUndefined()
})

test.each([
  ['a newer', NEWER],
  ['an unreadable', 'cut of'],
])('An entry with %s log is edited without it, and the log is never written over', (_name, log) => {
  const { backend, laptop, phone, id } = devicesWithSession()
  backend.patchEntry(id, () => ({ log }), 61)
  laptop.pull(at(62))
  expect(isUnreadable(laptop.entry(id).log)).toBe(true)
  laptop.edit(id, { note: 'draft', endedAt: at(50) }, 63)
  exchange(at(64), laptop, phone)
  expect(backend.entries.get(id)).toMatchObject({ log, note: 'draft', endedAt: at(50) })
  laptop.change(at(65), { entries: [deleteEntry(laptop.entry(id), at(65))] })
  exchange(at(66), phone, laptop)
  expect(backend.entries.get(id)).toMatchObject({ log, deletedAt: at(65) })
  expect(shown(phone)).toBe('')
})

test('A session with a newer log is shown by its fields and pressed on without the log', () => {
  const { backend, laptop, phone } = twoDevices()
  const id = laptop.start(at(0))
  laptop.send(at(0))
  backend.patchSession(id, () => ({ log: NEWER }), 1)
  phone.pull(at(2))
  expect(shown(phone)).toBe('write 0-now')
  phone.pause(at(5))
  phone.send(at(5))
  phone.pull(at(6))
  phone.resume(at(8))
  phone.pull(at(9))
  expect(shown(phone)).toBe('write 0-now (5-8)')
  phone.send(at(9))
  phone.pull(at(9))
  const written = { log: NEWER, state: { timer: { status: 'running' } } }
  expect(backend.sessions.get(id)).toMatchObject(written)
  expect(shown(phone)).toBe('write 0-now (5-8)')
})

test('A stop of a session with a newer log keeps that log in the entry', () => {
  const { backend, laptop, phone, id } = devicesWithTimer()
  backend.patchSession(id, () => ({ log: NEWER }), 2)
  phone.pull(at(3))
  phone.stop(at(10))
  phone.undoStop(at(11))
  phone.pause(at(12))
  phone.stop(at(15))
  exchange(at(15), phone, laptop)
  expect(backend.sessions.get(id)).toBeUndefined()
  expect(backend.entries.get(id)).toMatchObject({ log: NEWER, durationSeconds: 12 * 60 })
  expect([agreed(phone, laptop), stateOf(phone).unsent]).toEqual(['write 0-15 (12-15)', []])
})

test('A timer that a later version has stopped has ended here as well', () => {
  const { backend, laptop, phone, id } = devicesWithTimer()
  laptop.pause(at(10))
  laptop.stop(at(12))
  laptop.send(at(12))
  backend.patchEntry(id, () => ({ log: NEWER }), 13)
  exchange(at(14), phone, laptop)
  expect(shown(phone)).toBe('write 0-12 (10-12), asks 12-14')
  expect([...backend.sessions]).toEqual([])
  expect(backend.entries.get(id)).toMatchObject({ log: NEWER, durationSeconds: 600 })
})

test('A newer log that arrives after an edit here is not written over', () => {
  const { backend, laptop, phone, id } = devicesWithSession()
  backend.patchEntry(id, () => ({ log: NEWER }), 61)
  phone.edit(id, { note: 'draft' }, 62)
  exchange(at(63), phone, laptop)
  expect(backend.entries.get(id)).toMatchObject({ log: NEWER, note: 'draft' })
  agreed(laptop, phone)
})
