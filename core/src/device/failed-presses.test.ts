/** Tests presses that fail because the backend cannot be reached, and how they are continued. */
import { expect, test } from 'vitest'

import { at, exchange, TestBackend, TestDevice } from '#test/devices.ts'
import { agreed, shown } from '#test/shown.ts'

import { trackOffline, turnForBreak } from './timer.ts'
import { PAUSE_FAILED, RESUME_FAILED } from './timer-texts.ts'
import { failAwaited } from './unsent-sessions.ts'

const FAILED = 'Could not start.'
const fail = (device: TestDevice, now: number) =>
  device.write(at(now), (draft) => failAwaited(draft, FAILED))
const strict = () => new TestDevice('laptop', new TestBackend(), false)

test('A failed start counts nothing, and its banner offers to continue it', () => {
  const device = strict()
  const id = device.start(at(1))
  expect(device.view.value('timer')?.phase).toBe('creating')
  fail(device, 3)
  const banner = { text: FAILED, action: { kind: 'track-offline', sessionId: id } }
  expect(device.view.value('banner')).toMatchObject(banner)
  expect(shown(device)).toBe('asks 1-3')
  device.write(at(5), (draft) => trackOffline(draft, id))
  expect([shown(device), device.view.value('banner')]).toEqual(['write 1-now', undefined])
  device.stop(at(8))
  const phone = new TestDevice('phone', device.backend)
  exchange(at(9), device, phone)
  expect(agreed(device, phone)).toBe('write 1-8')
})

test.each([
  ['start', 'write 1-now'],
  ['pause', 'write 1-5 paused'],
  ['resume', 'write 1-now (5-6)'],
] as const)(
  'A %s whose answer was lost does not fail any more once news shows that it arrived',
  (last, going) => {
    const device = strict()
    device.start(at(1))
    if (last !== 'start') {
      exchange(at(2), device)
      device.pause(at(5))
    }
    if (last === 'resume') {
      exchange(at(5), device)
      device.resume(at(6))
    }
    device.send(at(6), 'answer')
    device.pull(at(7))
    fail(device, 9)
    expect([shown(device), device.view.value('banner')]).toEqual([going, undefined])
  },
)

test.each([
  ['pause', PAUSE_FAILED, 'write 1-5'],
  ['resume', RESUME_FAILED, 'write 1-7 (5-6)'],
] as const)('A failed %s stops the timer with a text', (kind, text, ended) => {
  const device = strict()
  device.start(at(1))
  device.send(at(2))
  device.pause(at(5))
  if (kind === 'resume') {
    device.send(at(5))
    device.resume(at(6))
  }
  fail(device, 7)
  const banner = device.view.value('banner')
  expect([shown(device), banner?.text, banner?.action?.kind]).toEqual([ended, text, 'resume'])
})

test('An automatic break does not fail, and a press that was sent does not fail either', () => {
  const device = strict()
  device.start(at(1))
  device.send(at(2))
  device.write(at(5), (draft) => turnForBreak(draft, 'pause', at(5)))
  fail(device, 6)
  expect(shown(device)).toBe('write 1-5 paused')
})

test('A start that was stopped before it failed is saved', () => {
  const device = strict()
  device.start(at(1))
  device.stop(at(3))
  fail(device, 4)
  expect([shown(device), device.view.value('banner')]).toEqual(['write 1-3', undefined])
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
  expect(shown(phone)).toBe('write 0-20, asks 20-30')
})
