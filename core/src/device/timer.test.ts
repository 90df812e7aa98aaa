/** Tests the presses on the timer: what each one means here and on another device. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { newTask } from '#record/task.ts'
import { agreed, shown } from '#test/shown.ts'
import { at, exchange, TestDevice, twoDevices } from '#test/devices.ts'

import { isChangedSince, startNewTask, undoStartNewTask } from './changes.ts'
import { deleteTask } from './tasks.ts'
import { pause, setNote, turnForBreak } from './timer.ts'
import { NO_ACTIVE_SESSION } from './timer-texts.ts'
import { claimSession } from './unsent-sessions.ts'

type Press = readonly [number, (device: TestDevice, now: number) => unknown]
const start = (minute: number, taskId = 'write', startedAt = minute): Press => [
  minute,
  (device, now) => device.start(now, taskId, at(startedAt)),
]
const pauseAt = (minute: number): Press => [minute, (device, now) => device.pause(now)]
const resumeAt = (minute: number): Press => [minute, (device, now) => device.resume(now)]
const stopAt = (minute: number, endedAt = minute): Press => [
  minute,
  (device, now) => device.stop(now, at(endedAt)),
]
const undoStop = (minute: number): Press => [minute, (device, now) => device.undoStop(now)]
const moved = (device: TestDevice, now: number, startedAt: number) => {
  const sessionId = device.timer?.sessionId ?? ''
  return device.change(now, { timer: { sessionId, change: { startedAt: at(startedAt) } } })
}
const breakFrom = (minute: number, from: number): Press => [
  minute,
  (device, now) => device.write(now, (draft) => turnForBreak(draft, 'pause', at(from))),
]
const breakTo = (minute: number, to: number): Press => [
  minute,
  (device, now) => device.write(now, (draft) => turnForBreak(draft, 'resume', at(to))),
]
const taskDeleted: Press = [
  5,
  (device, now) => device.write(now, (draft) => deleteTask(draft, 'write')),
]

test.each<[string, readonly Press[], string, asked?: string]>([
  ['an earlier start', [start(10, 'write', 4)], 'write 4-now'],
  ['a double click', [start(1), start(2)], 'write 1-now'],
  [
    'a resume, and a press that another tab has made already',
    [start(1), pauseAt(5), pauseAt(6), resumeAt(8), resumeAt(9)],
    'write 1-now (5-8)',
  ],
  // Another screen showed the timer until it heard of the break.
  [
    'a break that began before its press',
    [start(1), breakFrom(10, 6), breakTo(12, 11)],
    'write 1-now (6-11)',
    ', asks 6-10',
  ],
  ['a stop at an earlier time', [start(1), stopAt(9, 5)], 'write 1-5'],
  [
    'a stop at an earlier time before a pause',
    [start(1), pauseAt(6), resumeAt(7), stopAt(9, 5)],
    'write 1-5',
  ],
  ['Undo of an earlier stop', [start(1), stopAt(9, 5), undoStop(10)], 'write 1-now'],
  ['a deleted task', [start(1), taskDeleted], 'write 1-5'],
])('A press is shown here and on another device: %s', (_name, presses, expected, asked = '') => {
  const { laptop, phone } = twoDevices()
  for (const [minute, press] of presses) press(laptop, at(minute))
  expect(shown(laptop)).toBe(expected)
  exchange(at(12), laptop, phone)
  expect(agreed(laptop, phone)).toBe(expected)
  // Once more, with news after each press.
  const { laptop: tablet, phone: watch } = twoDevices()
  for (const [minute, press] of presses) {
    press(tablet, at(minute))
    exchange(at(minute), tablet, watch)
  }
  expect(shown(watch)).toBe(expected + asked)
})

test('A press without a timer has an error text, and a start that moves later is undone', () => {
  const device = new TestDevice('laptop')
  expect(device.write(at(1), (draft) => pause(draft))).toBe(NO_ACTIVE_SESSION)
  device.start(at(1))
  const undo = moved(device, at(9), 4)
  device.pause(at(10))
  expect(isChangedSince(device.view, undo)).toBe(false)
})

test('A note that is typed is one event until it is sent, and then the next one', () => {
  const { laptop, phone } = twoDevices()
  const id = laptop.start(at(1))
  const type = (text: string, now: number) =>
    laptop.write(at(now), (draft) => setNote(draft, id, text))
  const eventsHere = () => readLog(laptop.view.sessions.get(id)?.log ?? null)?.length
  for (const [place, text] of ['d', 'dr', 'dra'].entries()) type(text, 2 + place)
  expect([laptop.timer?.note, eventsHere()]).toEqual(['dra', 2])
  laptop.write(at(5), (draft) => claimSession(draft, id))
  type('draf', 6)
  type('draft', 7)
  expect([laptop.timer?.note, eventsHere()]).toEqual(['draft', 3])
  exchange(at(8), laptop, phone)
  expect(phone.timer?.note).toBe('draft')
  type('', 9)
  exchange(at(10), laptop, phone)
  expect(phone.timer?.note).toBeUndefined()
})

test('Undo of a new task discards its timer, unless it has other work since', () => {
  const { laptop, phone } = twoDevices()
  const task = newTask('fresh', 'Fresh', at(1))
  const input = { sessionId: 's', device: 'laptop' }
  laptop.write(at(1), (draft) => startNewTask(draft, task, input))
  exchange(at(2), laptop, phone)
  expect(phone.timer?.taskId).toBe('fresh')
  expect(laptop.write(at(3), (draft) => undoStartNewTask(draft, task, 's'))).toBe(true)
  expect(laptop.timer).toBeUndefined()
  exchange(at(4), laptop, phone)
  // The phone showed the timer until it heard of that.
  expect(agreed(laptop, phone)).toBe('asks 3-4')
})
