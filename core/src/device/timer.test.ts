/** Tests the presses on the timer: what each one means here and on another device. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { at, exchange, TestDevice, twoDevices } from '#test/devices.ts'
import { askedOf, counted } from '#test/shown.ts'

import { applyChanges, isChangedSince } from './changes.ts'
import { startNewTask, undoStartNewTask } from './start-new-task.ts'
import { deleteTask } from './tasks.ts'
import { newTask } from '#record/task.ts'
import { beginBreak, endBreak, pause, setNote } from './timer.ts'
import { NO_ACTIVE_SESSION } from './timer-texts.ts'
import { claimSession } from './unsent-sessions.ts'

function sortedByTask(shown: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return shown.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
}

type Press = readonly [number, (device: TestDevice, now: number) => void]
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
  const timer = { sessionId, change: { startedAt: at(startedAt) } }
  return device.write(now, (draft) => applyChanges(draft, { timer }, now))
}
const move = (minute: number, startedAt: number): Press => [
  minute,
  (device, now) => moved(device, now, startedAt),
]

test.each<[string, readonly Press[], readonly (readonly unknown[])[], asked?: readonly number[]]>([
  ['a start', [start(1)], [['write', 1, 'running', []]]],
  ['an earlier start', [start(10, 'write', 4)], [['write', 4, 'running', []]]],
  ['a double click', [start(1), start(2)], [['write', 1, 'running', []]]],
  [
    'a start over a running timer',
    [start(1), start(5, 'read')],
    [
      ['write', 1, 5, []],
      ['read', 5, 'running', []],
    ],
  ],
  [
    'an earlier start over a running timer, which ends there',
    [start(1), start(10, 'read', 5)],
    [
      ['write', 1, 5, []],
      ['read', 5, 'running', []],
    ],
  ],
  ['a pause', [start(1), pauseAt(5)], [['write', 1, 'paused 5', []]]],
  [
    'a resume, and a press that another tab has made already',
    [start(1), pauseAt(5), pauseAt(6), resumeAt(8), resumeAt(9)],
    [['write', 1, 'running', [[5, 8]]]],
  ],
  [
    'a break that began before its press',
    [
      start(1),
      [10, (device, now) => device.write(now, (draft) => beginBreak(draft, at(6), now))],
      [12, (device, now) => device.write(now, (draft) => endBreak(draft, at(11), now))],
    ],
    [['write', 1, 'running', [[6, 11]]]],
    // Another screen showed the timer until it heard of the break.
    [6, 10],
  ],
  ['a stop', [start(1), stopAt(5)], [['write', 1, 5, []]]],
  ['a stop in a pause', [start(1), pauseAt(3), stopAt(5)], [['write', 1, 5, [[3, 5]]]]],
  ['a stop at an earlier time', [start(1), stopAt(9, 5)], [['write', 1, 5, []]]],
  [
    'a stop at an earlier time before a pause',
    [start(1), pauseAt(6), resumeAt(7), stopAt(9, 5)],
    [['write', 1, 5, []]],
  ],
  ['Undo of a stop', [start(1), stopAt(5), undoStop(6)], [['write', 1, 'running', []]]],
  [
    'Undo of a stop at an earlier time',
    [start(1), stopAt(9, 5), undoStop(10)],
    [['write', 1, 'running', []]],
  ],
  [
    'Undo of a stop in a pause',
    [start(1), pauseAt(3), stopAt(5), undoStop(6)],
    [['write', 1, 'paused 3', []]],
  ],
  [
    'Undo of a stop, and another stop',
    [start(1), stopAt(5), undoStop(6), stopAt(8)],
    [['write', 1, 8, []]],
  ],
  [
    'Undo of a stop over another timer, whose time it leaves out',
    [start(1), stopAt(5), start(6, 'read'), undoStop(8)],
    [
      ['write', 1, 'running', [[6, 8]]],
      ['read', 6, 8, []],
    ],
  ],
  ['an earlier start afterwards', [start(5), move(9, 2)], [['write', 2, 'running', []]]],
  [
    'a later start afterwards',
    [start(1), pauseAt(3), resumeAt(5), move(9, 4)],
    [['write', 4, 'running', [[4, 5]]]],
  ],
  [
    'Undo of a later start',
    [
      start(1),
      [
        9,
        (device, now) =>
          device.write(now, (draft) => applyChanges(draft, moved(device, now, 4), now)),
      ],
    ],
    [['write', 1, 'running', []]],
  ],
  [
    'a deleted task',
    [start(1), [5, (device, now) => device.write(now, (draft) => deleteTask(draft, 'write', now))]],
    [['write', 1, 5, []]],
  ],
])('A press is shown here and on another device: %s', (_name, presses, expected, asked) => {
  const { laptop, phone } = twoDevices()
  for (const [minute, press] of presses) press(laptop, at(minute))
  const byTask = sortedByTask(expected)
  expect(sortedByTask(counted(laptop))).toEqual(byTask)
  exchange(at(12), laptop, phone)
  expect(sortedByTask(counted(phone))).toEqual(byTask)
  // Once more, with news after each press.
  const { laptop: tablet, phone: watch } = twoDevices()
  for (const [minute, press] of presses) {
    press(tablet, at(minute))
    exchange(at(minute), tablet, watch)
  }
  expect(sortedByTask(counted(watch))).toEqual(byTask)
  expect([laptop, phone].flatMap(askedOf)).toEqual([])
  expect(askedOf(watch)).toEqual(asked ? [asked] : [])
})

test('A press without a timer has an error text, and a start that moves later is undone', () => {
  const device = new TestDevice('laptop')
  expect(device.write(at(1), (draft) => pause(draft, at(1)))).toBe(NO_ACTIVE_SESSION)
  device.start(at(1))
  const undo = moved(device, at(9), 4)
  device.pause(at(10))
  expect(isChangedSince(device.view, undo)).toBe(false)
})

test('A note that is typed is one event until it is sent, and then the next one', () => {
  const { laptop, phone } = twoDevices()
  const id = laptop.start(at(1))
  const type = (text: string, now: number) =>
    laptop.write(at(now), (draft) => setNote(draft, id, text, at(now)))
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
  const input = { sessionId: 's', device: 'laptop', now: at(1) }
  laptop.write(at(1), (draft) => startNewTask(draft, task, input))
  exchange(at(2), laptop, phone)
  expect(phone.timer?.taskId).toBe('fresh')
  expect(laptop.write(at(3), (draft) => undoStartNewTask(draft, task, 's', at(3)))).toBe(true)
  expect(laptop.timer).toBeUndefined()
  exchange(at(4), laptop, phone)
  expect([counted(laptop), counted(phone)]).toEqual([[], []])
  expect(phone.questions).toEqual(laptop.questions)
})
