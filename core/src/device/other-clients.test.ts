/** Tests documents whose fields a client without logs has changed: its changes are edits. */
import { describe, expect, test } from 'vitest'

import { splitEntry } from '#record/entry-edit.ts'
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
import { agreed, shown, stateOf } from '#test/shown.ts'

const paused = ({ state }: TimerSession): Partial<TimerSession> =>
  state.kind === 'stopped'
    ? {}
    : { state: { kind: 'active', timer: pauseTimer(state.timer, at(10)) } }

describe('A client without logs changes fields', () => {
  test('A pause of the timer', () => {
    const { backend, laptop, phone, id } = devicesWithTimer()
    backend.patchSession(id, paused, 10)
    exchange(at(10), laptop, phone)
    expect(agreed(laptop, phone)).toBe('write 0-10 paused')
    laptop.resume(at(12))
    exchange(at(13), phone, laptop)
    expect(agreed(laptop, phone)).toBe('write 0-now (10-12)')
  })

  test('A pause while a press was unsent here', () => {
    const { backend, laptop, phone, id } = devicesWithTimer()
    phone.change(at(9), { timer: { sessionId: id, change: { taskId: 'read' } } })
    backend.patchSession(id, paused, 10)
    exchange(at(10), phone, laptop)
    expect(agreed(laptop, phone)).toBe('read 0-10 paused')
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
    expect(agreed(laptop, phone)).toBe('write 0-10')
  })

  test('A session of its own, whose log is its fields', () => {
    const { backend, id } = devicesWithTimer()
    backend.patchSession(id, () => ({ log: null }), 2)
    const stranger = new TestDevice('stranger', backend)
    stranger.pull(at(3))
    // Who only reads it writes nothing.
    expect([shown(stranger), stateOf(stranger).unsent]).toEqual(['write 0-now', []])
    stranger.pause(at(5))
    stranger.send(at(5))
    expect(backend.sessions.get(id)?.log).not.toBeNull()
    expect(shown(stranger)).toBe('write 0-5 paused')
  })

  // An edit here that was not sent counts as well.
  test.each<[string, (entry: TimeEntry) => Partial<TimeEntry>, string]>([
    ['the note', () => ({ note: 'theirs' }), "write 0-60 (20-30) 'theirs'"],
    ['the times', (entry) => withTimes(entry, at(10), at(50), entry.pauses), 'write 10-50 (20-30)'],
    ['the task', () => ({ taskId: 'read' }), 'read 0-60 (20-30)'],
    ['the deletion', () => ({ deletedAt: at(65) }), ''],
  ])('%s of a saved session', (_name, change, expected) => {
    const { backend, laptop, phone, id } = devicesWithSession()
    backend.patchEntry(id, change, 65)
    laptop.edit(id, { pauses: [{ start: at(20), end: at(30) }] }, 66)
    exchange(at(67), laptop, phone)
    expect(agreed(laptop, phone)).toBe(expected)
  })

  test('The note of a part that was cut off', () => {
    const { backend, laptop, phone, id } = devicesWithSession()
    laptop.change(at(70), { entries: splitEntry(laptop.entry(id), at(20), 'new', at(70)) })
    exchange(at(70), laptop, phone)
    const part = phone.view.entries.all().find((each) => each.id !== id)
    backend.patchEntry(part?.id ?? '', () => ({ note: 'theirs' }), 71)
    exchange(at(72), phone, laptop)
    laptop.edit(id, { endedAt: at(15) }, 73)
    exchange(at(74), laptop, phone)
    expect(agreed(laptop, phone)).toBe("write 0-15, write 20-60 'theirs'")
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
    // The phone showed it as running in the pause of the laptop.
    expect(agreed(laptop, phone)).toBe("write 0-now (10-20 30-31) 'x', asks 10-20")
  })

  test('An edit here of the entry before counts', () => {
    const { backend, laptop, phone, id } = devicesWithSession()
    backend.patchEntry(id, () => ({ log: null, entryType: 'manual' }), 61)
    for (const each of [laptop, phone]) each.write(at(61), (draft) => draft.entries.remove(id))
    laptop.pull(at(62))
    backend.patchEntry(id, () => ({ note: 'theirs' }), 63)
    laptop.edit(id, { pauses: [{ start: at(20), end: at(30) }] }, 64)
    phone.pull(at(65))
    phone.edit(id, { endedAt: at(50) }, 66)
    phone.send(at(66))
    exchange(at(67), laptop, phone)
    expect(agreed(laptop, phone)).toBe("write 0-50 (20-30) 'theirs'")
  })
})
