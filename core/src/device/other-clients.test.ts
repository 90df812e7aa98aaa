/** Tests documents whose fields a client without logs has changed: its changes are edits. */
import { describe, expect, test } from 'vitest'

import { editEntry, splitEntry } from '#record/entry-edit.ts'
import { withTimes } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { endTimer, pauseTimer, startTimer, withNote } from '#timer/timer.ts'
import {
  at,
  devicesWithSession,
  devicesWithTimer,
  exchange,
  TestBackend,
  TestDevice,
} from '#test/devices.ts'
import { askedOf, counted, stateOf } from '#test/shown.ts'

import { applyChanges } from './changes.ts'

/** Another client changes the fields of a document and leaves its log alone. */
function patchSession(
  backend: TestBackend,
  id: string,
  change: (session: TimerSession) => Partial<TimerSession>,
  now: number,
) {
  const known = backend.sessions.get(id)
  if (!known) throw new Error('There is no such session.')
  backend.sessions.set(id, { ...known, ...change(known), updatedAt: backend.stamp(at(now)) })
}
const paused = ({ state }: TimerSession): Partial<TimerSession> =>
  state.kind === 'stopped'
    ? {}
    : { state: { kind: 'active', timer: pauseTimer(state.timer, at(10)) } }
function patchEntry(
  backend: TestBackend,
  id: string,
  change: (entry: TimeEntry) => Partial<TimeEntry>,
  now: number,
) {
  const known = backend.entries.get(id)
  if (!known) throw new Error('There is no such entry.')
  backend.entries.set(id, { ...known, ...change(known), updatedAt: backend.stamp(at(now)) })
}
const edit = (
  device: TestDevice,
  id: string,
  change: Parameters<typeof editEntry>[1],
  now: number,
) =>
  device.write(at(now), (draft) =>
    applyChanges(draft, { entries: [editEntry(device.entry(id), change, at(now))] }, at(now)),
  )

describe('A client without logs changes fields', () => {
  test('A pause of the timer', () => {
    const { backend, laptop, phone, id } = devicesWithTimer()
    patchSession(backend, id, paused, 10)
    exchange(at(10), laptop, phone)
    expect(counted(laptop)).toEqual([['write', 0, 'paused 10', []]])
    laptop.resume(at(12))
    exchange(at(13), phone, laptop)
    expect(counted(phone)).toEqual([['write', 0, 'running', [[10, 12]]]])
    expect([askedOf(laptop), askedOf(phone)]).toEqual([[], []])
  })

  test('A pause while a press was unsent here', () => {
    const { backend, laptop, phone, id } = devicesWithTimer()
    phone.write(at(9), (draft) =>
      applyChanges(draft, { timer: { sessionId: id, change: { taskId: 'read' } } }, at(9)),
    )
    patchSession(backend, id, paused, 10)
    exchange(at(10), phone, laptop)
    expect(counted(laptop)).toEqual([['read', 0, 'paused 10', []]])
  })

  test('A stop, of which it has saved the entry', () => {
    const { backend, laptop, phone, id } = devicesWithTimer()
    const { timer } = laptop
    if (!timer) throw new Error('There is no timer.')
    const stopped = endTimer(timer, at(10))
    backend.sessions.delete(id)
    const stamp = backend.stamp(at(10))
    const saved = { ...stopped, id, entryType: 'timer', note: null, deletedAt: null, log: null }
    backend.entries.set(id, { ...saved, createdAt: stamp, updatedAt: stamp })
    exchange(at(10), laptop, phone)
    expect([counted(laptop), counted(phone)]).toEqual([
      [['write', 0, 10, []]],
      [['write', 0, 10, []]],
    ])
    expect(stateOf(phone)).toEqual(stateOf(laptop))
  })

  test('A session of its own, whose log is its fields', () => {
    const { backend, laptop, phone, id } = devicesWithTimer()
    for (const each of [laptop, phone]) each.backend = backend
    patchSession(backend, id, () => ({ log: null }), 2)
    const stranger = new TestDevice('stranger', backend)
    stranger.pull(at(3))
    expect(counted(stranger)).toEqual([['write', 0, 'running', []]])
    // Who only reads it writes nothing.
    expect(stateOf(stranger).unsent).toEqual([])
    stranger.pause(at(5))
    stranger.send(at(5))
    expect(backend.sessions.get(id)?.log).not.toBeNull()
    expect(counted(stranger)).toEqual([['write', 0, 'paused 5', []]])
  })

  test.each<[string, (entry: TimeEntry) => Partial<TimeEntry>, object]>([
    ['the note', () => ({ note: 'theirs' }), { note: 'theirs' }],
    [
      'the times',
      (entry) => withTimes(entry, at(10), at(50), entry.pauses),
      { startedAt: at(10), endedAt: at(50) },
    ],
    ['the task', () => ({ taskId: 'read' }), { taskId: 'read' }],
    ['the deletion', () => ({ deletedAt: at(65) }), { deletedAt: expect.any(Number) }],
  ])('%s of a saved session', (_name, change, expected) => {
    const { backend, laptop, phone, id } = devicesWithSession()
    patchEntry(backend, id, change, 65)
    // An edit here that was not sent counts as well.
    edit(laptop, id, { pauses: [{ start: at(20), end: at(30) }] }, 66)
    exchange(at(67), laptop, phone)
    expect(laptop.entry(id)).toMatchObject(expected)
    expect(laptop.entry(id).pauses.intervals).toEqual([{ start: at(20), end: at(30) }])
    expect(stateOf(phone)).toEqual(stateOf(laptop))
  })

  test('The note of a part that was cut off', () => {
    const { backend, laptop, phone, id } = devicesWithSession()
    laptop.write(at(70), (draft) =>
      applyChanges(draft, { entries: splitEntry(laptop.entry(id), at(20), 'new', at(70)) }, at(70)),
    )
    exchange(at(70), laptop, phone)
    const part = phone.view.entries.all().find((each) => each.id !== id)
    patchEntry(backend, part?.id ?? '', () => ({ note: 'theirs' }), 71)
    exchange(at(72), phone, laptop)
    edit(laptop, id, { endedAt: at(15) }, 73)
    exchange(at(74), laptop, phone)
    expect(phone.view.entries.get(part?.id ?? '')).toMatchObject({
      note: 'theirs',
      startedAt: at(20),
    })
    expect(phone.entry(id)).toMatchObject({ note: null, endedAt: at(15) })
    expect(stateOf(phone)).toEqual(stateOf(laptop))
  })
})

describe('Another device begins a log over a document that a client without logs has changed', () => {
  test('Presses here over the document before count, also after a reload', () => {
    const backend = new TestBackend()
    const timer = startTimer('s', 'write', at(0))
    const session = { id: 's', createdAt: at(0), device: 'old', log: null } as const
    const state = { kind: 'active', timer } as const
    backend.sessions.set('s', { ...session, updatedAt: at(0), state })
    const [laptop, phone] = [new TestDevice('laptop', backend), new TestDevice('phone', backend)]
    laptop.pull(at(1))
    const noted = { kind: 'active', timer: withNote(timer, 'x') } as const
    backend.sessions.set('s', { ...session, updatedAt: at(2), state: noted })
    laptop.pause(at(10))
    laptop.reload('laptop2')
    laptop.resume(at(20))
    phone.pull(at(12))
    phone.pause(at(30))
    phone.resume(at(31))
    phone.send(at(31))
    exchange(at(40), laptop, phone)
    const pauses = [
      [10, 20],
      [30, 31],
    ]
    expect(counted(laptop)).toEqual([['write', 0, 'running', pauses]])
    expect(stateOf(phone)).toEqual(stateOf(laptop))
  })

  test('An edit here of the entry before counts', () => {
    const { backend, laptop, phone, id } = devicesWithSession()
    patchEntry(backend, id, () => ({ log: null, entryType: 'manual' }), 61)
    for (const each of [laptop, phone]) each.write(at(61), (draft) => draft.entries.remove(id))
    laptop.pull(at(62))
    patchEntry(backend, id, () => ({ note: 'theirs' }), 63)
    edit(laptop, id, { pauses: [{ start: at(20), end: at(30) }] }, 64)
    phone.pull(at(65))
    edit(phone, id, { endedAt: at(50) }, 66)
    phone.send(at(66))
    exchange(at(67), laptop, phone)
    expect(counted(laptop)).toEqual([['write', 0, 50, [[20, 30]]]])
    expect(laptop.entry(id)).toMatchObject({ note: 'theirs' })
    expect(stateOf(phone)).toEqual(stateOf(laptop))
  })
})
