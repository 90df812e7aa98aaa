/** Tests which active session the screen shows, and which ones are unfinished. */
import { expect, test } from 'vitest'

import { at, exchange, twoDevices } from '#test/devices.ts'
import type { TestDevice } from '#test/devices.ts'
import { askedOf, counted, stateOf } from '#test/shown.ts'

import { noteAwake } from './awake.ts'
import {
  answerQuestion,
  discardSession,
  finishSession,
  openQuestions,
  resumeSession,
} from './questions.ts'
import { changeTask } from './tasks.ts'

const HOURS = 60
const unfinishedOf = ({ view }: TestDevice) => view.value('unfinished')?.sessions ?? []

test('Of two timers the one that was begun later is shown, and the other one ends where its screen leaves it', () => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  phone.start(at(10), 'read')
  phone.send(at(10))
  exchange(at(20), laptop, phone)
  expect(counted(laptop)).toEqual([
    ['write', 0, 20, []],
    ['read', 10, 'running', []],
  ])
  expect(counted(phone)).toEqual(counted(laptop))
})

test('A timer that was started with the knowledge of another one is the later one, though its clock is behind', () => {
  const { laptop, phone } = twoDevices()
  // The clock of the laptop is 5 minutes ahead.
  laptop.start(at(10))
  laptop.send(at(10))
  phone.pull(at(6))
  const later = phone.start(at(6), 'read')
  phone.send(at(6))
  laptop.pull(at(12))
  expect([laptop, phone].map(({ timer }) => timer?.sessionId)).toEqual([later, later])
})

test('A timer that another device has not heard of ends where that one has started its own', () => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  laptop.send(at(0))
  phone.start(at(10), 'read')
  phone.pull(at(11))
  phone.send(at(11))
  exchange(at(20), laptop, phone)
  expect(counted(phone)).toEqual([
    ['write', 0, 10, []],
    ['read', 10, 'running', []],
  ])
  // The laptop showed its own timer until it heard of that.
  expect([askedOf(laptop), askedOf(phone)]).toEqual([[[10, 20]], [[10, 20]]])
  expect(stateOf(phone)).toEqual(stateOf(laptop))
})

test('A timer ends no earlier than its last press, although another one was continued before that', () => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  exchange(at(0), laptop, phone)
  laptop.stop(at(3))
  exchange(at(3), laptop, phone)
  phone.start(at(3), 'read')
  laptop.undoStop(at(4))
  phone.pause(at(6))
  exchange(at(7), laptop, phone)
  expect(counted(laptop)).toEqual(
    [
      ['write', 0, 'running', []],
      ['read', 3, 6, []],
    ].toReversed(),
  )
  expect([counted(phone), askedOf(laptop)]).toEqual([counted(laptop), []])
})

test.each([
  ['created four hours ago', 4 * HOURS, true],
  ['older', 4 * HOURS + 1, false],
])('A session that is %s becomes the timer by itself: %o', (_name, minutes, isShown) => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  laptop.send(at(0))
  phone.pull(at(minutes))
  expect(phone.timer !== undefined).toBe(isShown)
  expect(unfinishedOf(phone)).toHaveLength(isShown ? 0 : 1)
  expect(phone.view.edits.all()).toEqual([])
})

test('The timer on the screen stays although it is old, and one of a deleted task is unfinished', () => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  laptop.send(at(0))
  laptop.pull(at(9 * HOURS))
  expect(laptop.timer?.status).toBe('running')
  phone.write(at(1), (draft) => changeTask(draft, 'write', { isActive: false }, at(1)))
  phone.pull(at(1))
  expect([phone.timer, unfinishedOf(phone).length]).toEqual([undefined, 1])
})

function withUnfinished() {
  const devices = twoDevices()
  const id = devices.laptop.start(at(0))
  devices.laptop.send(at(0))
  devices.phone.pull(at(5 * HOURS))
  const [session] = unfinishedOf(devices.phone)
  if (!session) throw new Error('There is no unfinished session.')
  return { ...devices, id, session }
}

test('An unfinished session is resumed, finished at an earlier time, or discarded', () => {
  const resumed = withUnfinished()
  resumed.phone.start(at(5 * HOURS + 1), 'read')
  const now = at(5 * HOURS + 3)
  resumed.phone.write(now, (draft) => resumeSession(draft, resumed.session, now))
  expect(counted(resumed.phone)).toEqual([
    ['read', 301, 303, []],
    ['write', 0, 'running', []],
  ])
  expect(unfinishedOf(resumed.phone)).toEqual([])

  const finished = withUnfinished()
  finished.phone.write(now, (draft) => finishSession(draft, finished.session, at(60), now))
  expect(counted(finished.phone)).toEqual([['write', 0, 60, []]])
  finished.phone.send(now)
  expect([...finished.backend.sessions]).toEqual([])

  const discarded = withUnfinished()
  discarded.phone.write(now, (draft) => discardSession(draft, discarded.session, now))
  discarded.phone.send(now)
  expect(counted(discarded.phone)).toEqual([])
  expect(discarded.backend.entries.get(discarded.id)).toMatchObject({ deletedAt: now })
})

test('A discarded timer is gone on every device', () => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  exchange(at(1), laptop, phone)
  const [session] = phone.view.sessions.all()
  const { base } = session ?? {}
  if (base) phone.write(at(10), (draft) => discardSession(draft, base, at(10)))
  exchange(at(10), phone, laptop)
  expect([counted(laptop), askedOf(laptop), counted(phone)]).toEqual([[], [], []])
})

test.each([
  [true, [['write', 0, 20, []]]],
  [false, [['write', 0, 10, []]]],
])('The answer to a question counts on every device: %s', (isWork, expected) => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  exchange(at(1), laptop, phone)
  laptop.stop(at(10))
  phone.stop(at(20))
  exchange(at(21), laptop, phone)
  const [question] = openQuestions(phone.view)
  expect(question?.spans).toEqual([{ start: at(10), end: at(20) }])
  if (question) phone.write(at(22), (draft) => answerQuestion(draft, question, isWork, at(22)))
  exchange(at(23), phone, laptop)
  expect([counted(laptop), counted(phone)]).toEqual([expected, expected])
  expect([askedOf(laptop), askedOf(phone)]).toEqual([[], []])
})

test('A device that slept while another one took over ends its timer where it fell asleep', () => {
  const { laptop, phone } = twoDevices()
  laptop.start(at(0))
  laptop.send(at(0))
  // The lid is closed at 10.
  laptop.write(at(10), (draft) => noteAwake(draft, at(10)))
  phone.pull(at(40))
  phone.stop(at(50), at(12))
  phone.send(at(50))
  const memory = laptop.memory.values.get('seen')
  expect(memory).toMatchObject({ at: at(10) })
  laptop.pull(at(60))
  expect(counted(laptop)).toEqual([['write', 0, 12, []]])
})
