/** Tests presses that fail because the backend cannot be reached, and how they are continued. */
import { expect, test } from 'vitest'

import { at, exchange, TestBackend, TestDevice } from '#test/devices.ts'
import { askedOf, counted } from '#test/shown.ts'

import { beginBreak, dismissBanner, trackOffline } from './timer.ts'
import { PAUSE_FAILED, RESUME_FAILED } from './timer-texts.ts'
import { failAwaited } from './unsent-sessions.ts'

const FAILED = 'Could not start.'
const fail = (device: TestDevice, now: number) =>
  device.write(at(now), (draft) => failAwaited(draft, FAILED, at(now)))
const strict = () => new TestDevice('laptop', new TestBackend(), false)

test('A failed start counts nothing, its banner offers to continue it, and otherwise it is asked about', () => {
  const device = strict()
  const id = device.start(at(1))
  expect(device.view.value('timer')?.phase).toBe('creating')
  fail(device, 3)
  expect(counted(device)).toEqual([])
  expect(device.view.value('banner')).toMatchObject({
    text: FAILED,
    action: { kind: 'track-offline', sessionId: id },
  })
  expect(askedOf(device)).toEqual([[1, 3]])
  device.write(at(5), (draft) => trackOffline(draft, { sessionId: id, now: at(5) }))
  expect(counted(device)).toEqual([['write', 1, 'running', []]])
  expect([askedOf(device), device.view.value('banner')]).toEqual([[], undefined])
  device.stop(at(8))
  const phone = new TestDevice('phone', device.backend)
  exchange(at(9), device, phone)
  expect(counted(phone)).toEqual([['write', 1, 8, []]])
})

test('A failed start that is not continued is a question on every device', () => {
  const device = strict()
  device.start(at(1))
  fail(device, 3)
  device.write(at(4), (draft) => dismissBanner(draft))
  const phone = new TestDevice('phone', device.backend)
  exchange(at(5), device, phone)
  expect([counted(phone), askedOf(phone)]).toEqual([[], [[1, 3]]])
})

test.each([
  ['pause', PAUSE_FAILED, [['write', 1, 5, []]], [['write', 1, 'running', [[5, 9]]]]],
  ['resume', RESUME_FAILED, [['write', 1, 7, [[5, 6]]]], [['write', 1, 'running', [[5, 6]]]]],
] as const)(
  'A failed %s stops the timer, and Resume continues it',
  (kind, text, stopped, resumed) => {
    const device = strict()
    const phone = new TestDevice('phone', device.backend)
    device.start(at(1))
    exchange(at(2), device, phone)
    device.pause(at(5))
    if (kind === 'resume') {
      exchange(at(5), device, phone)
      device.resume(at(6))
    }
    fail(device, 7)
    expect(counted(device)).toEqual(stopped)
    const action = device.view.value('banner')?.action
    expect(device.view.value('banner')?.text).toBe(text)
    if (action?.kind !== 'resume') throw new Error('The banner offers nothing.')
    device.stopped = action.stopped
    device.undoStop(at(9), action.gap)
    expect(counted(device)).toEqual(resumed)
    exchange(at(10), device, phone)
    expect(counted(phone)).toEqual(resumed)
    expect([askedOf(device), askedOf(phone)]).toEqual([[], []])
  },
)

test('An automatic break does not fail, and a press that was sent does not fail either', () => {
  const device = strict()
  device.start(at(1))
  device.send(at(2))
  device.write(at(5), (draft) => beginBreak(draft, at(5)))
  fail(device, 6)
  expect(counted(device)).toEqual([['write', 1, 'paused 5', []]])
})

test('A start that was stopped before it failed is saved', () => {
  const device = strict()
  device.start(at(1))
  device.stop(at(3))
  fail(device, 4)
  expect(counted(device)).toEqual([['write', 1, 3, []]])
  expect(device.view.value('banner')).toBeUndefined()
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
  fail(phone, 30)
  expect(phone.timer).toBeUndefined()
  expect(askedOf(phone)).toEqual([[20, 30]])
})
