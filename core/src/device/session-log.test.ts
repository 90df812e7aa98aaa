import { expect, test } from 'vitest'

import { failAwaited } from '#device/unsent-sessions.ts'
import { at, TestBackend, TestDevice } from '#test/devices.ts'

import { start, trackOffline } from './timer.ts'

test('A timer that was started with the knowledge of another one is the later one, though its clock is behind', () => {
  const backend = new TestBackend()
  const [laptop, phone] = [new TestDevice('laptop', backend), new TestDevice('phone', backend)]
  // The clock of the laptop is 5 minutes ahead.
  laptop.start(at(10))
  laptop.send(at(10))
  phone.pull(at(6))
  const later = phone.start(at(6), 'read')
  phone.send(at(6))
  laptop.pull(at(12))
  expect([laptop, phone].map(({ timer }) => timer?.sessionId)).toEqual([later, later])
})

test('A start that failed before any request was made can be tracked offline', () => {
  const device = new TestDevice('laptop', new TestBackend(), false)
  const input = { sessionId: 'first', taskId: 'write', device: 'laptop', now: at(0) }
  device.write(at(0), (draft) => start(draft, input))
  device.write(at(0), (draft) => failAwaited(draft, 'Timer stopped', at(0)))
  expect(device.timer).toBeUndefined()
  device.write(at(1), (draft) => trackOffline(draft, { sessionId: 'first', now: at(1) }))
  expect(device.timer?.startedAt).toBe(at(0))
})

test('A pause that failed leaves the question open about what it claimed after the pause of another device', () => {
  const backend = new TestBackend()
  const laptop = new TestDevice('laptop', backend)
  const phone = new TestDevice('phone', backend, false)
  laptop.start(at(0))
  laptop.send(at(0))
  phone.pull(at(0))
  laptop.pause(at(20))
  laptop.send(at(20))
  phone.pause(at(30))
  phone.pull(at(30))
  phone.write(at(30), (draft) => failAwaited(draft, 'Timer stopped', at(30)))
  expect(phone.timer).toBeUndefined()
  expect(phone.questions.map(({ spans }) => spans)).toEqual([[{ start: at(20), end: at(30) }]])
})
