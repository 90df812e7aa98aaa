/** Documents that a client without logs has changed, before a log begins over them. */
import { expect, test } from 'vitest'

import { startTimer, withNote } from '#timer/timer.ts'
import {
  at,
  devicesWithSession,
  devicesWithTimer,
  exchange,
  TestBackend,
  TestDevice,
} from '#test/devices.ts'
import { agreed, shown, stateOf } from '#test/shown.ts'

test('A device that only reads a session without a log writes nothing, and a press begins the log', () => {
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

test('Presses over a document count that another client has changed before another device began its log', () => {
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

test('An edit of an entry counts that another client has changed before another device began its log', () => {
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
