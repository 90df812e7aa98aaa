/** Tests which active session the screen shows, and which ones are unfinished. */
import { expect, test } from 'vitest'

import { at, devicesWithTimer, exchange, TestDevice, twoDevices } from '#test/devices.ts'
import { agreed, shown } from '#test/shown.ts'

import { noteAwake } from './awake.ts'
import { discardSession, finishSession, resumeSession } from './questions.ts'
import { changeTask } from './tasks.ts'
import { nextSession } from './unsent-sessions.ts'

const HOURS = 60
const unfinishedOf = ({ view }: TestDevice) => view.value('unfinished')?.sessions ?? []

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
  expect(agreed(laptop, phone)).toBe('read 3-6, write 0-now')
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
  phone.write(at(1), (draft) => changeTask(draft, 'write', { isActive: false }))
  phone.pull(at(1))
  expect([phone.timer, unfinishedOf(phone).length]).toEqual([undefined, 1])
})

test.each([
  ['resumed over a timer', resumeSession, 'read 301-303, write 0-now'],
  [
    'finished at an earlier time',
    (...[draft, session]: Parameters<typeof resumeSession>) =>
      finishSession(draft, session, at(60)),
    'write 0-60, read 301-now',
  ],
  ['discarded', discardSession, 'read 301-now'],
] as const)('An unfinished session is %s.', (_, answer, expected) => {
  const { backend, laptop, phone } = twoDevices()
  const id = laptop.start(at(0))
  laptop.send(at(0))
  phone.pull(at(5 * HOURS))
  const [session] = unfinishedOf(phone)
  if (!session) throw new Error('There is no unfinished session.')
  phone.start(at(5 * HOURS + 1), 'read')
  const now = at(5 * HOURS + 3)
  phone.write(now, (draft) => answer(draft, session))
  expect([shown(phone), unfinishedOf(phone)]).toEqual([expected, []])
  phone.send(now)
  expect(backend.sessions.has(id)).toBe(answer === resumeSession)
  expect(backend.entries.get(id)?.deletedAt === now).toBe(answer === discardSession)
})

test.each([true, false])(
  'A timer that was put aside elsewhere is sent again when it is pressed, and not before: with logs %o',
  (hasLogs) => {
    const { backend, laptop, phone } = twoDevices()
    for (const device of [laptop, phone])
      device.write(at(0), (draft) =>
        draft.putValue({ key: 'schema', missing: hasLogs ? {} : { timer_sessions: ['log'] } }),
      )
    const id = laptop.start(at(0))
    laptop.send(at(0))
    const putAside = () => {
      const session = backend.sessions.get(id)
      if (session?.state.kind !== 'active') throw new Error('It is not active.')
      const state = { kind: 'unclear', timer: session.state.timer } as const
      const log = hasLogs ? session.log : null
      backend.sessions.set(id, { ...session, log, updatedAt: backend.stamp(at(301)), state })
    }
    putAside()
    laptop.pull(at(302))
    expect([laptop.timer?.status, nextSession(laptop.view)]).toEqual(['running', null])
    laptop.pause(at(303))
    laptop.send(at(303))
    expect(backend.sessions.get(id)?.state).toMatchObject({
      kind: 'active',
      timer: { status: 'paused' },
    })
    putAside()
    phone.pull(at(304))
    const [session] = unfinishedOf(phone)
    if (!session) throw new Error('There is no unfinished session.')
    expect(nextSession(phone.view)).toBeNull()
    phone.write(at(305), (draft) => resumeSession(draft, session))
    phone.send(at(305))
    expect(backend.sessions.get(id)?.state).toMatchObject({
      kind: 'active',
      timer: { status: 'paused' },
    })
  },
)

test.each([
  ['runs on', undefined, 'active'],
  ['is put aside for another one', 'read', 'unclear'],
])(
  'A timer of which the task is gone and that a restored server lacks %s',
  (_, taskOfOther, kind) => {
    const { backend, laptop, phone } = twoDevices()
    const id = laptop.start(at(0))
    laptop.send(at(0))
    phone.write(at(1), (draft) => changeTask(draft, 'write', { isActive: false }))
    phone.pull(at(1))
    backend.sessions.clear()
    // That one is of hours ago, and nobody shows it.
    if (taskOfOther !== undefined) {
      const tablet = new TestDevice('tablet', backend)
      const other = tablet.start(at(0), taskOfOther)
      tablet.send(at(0))
      backend.patchSession(other, () => ({ createdAt: at(-5 * HOURS) }), 1)
    }
    phone.pull(at(1))
    phone.send(at(1))
    expect(backend.sessions.get(id)?.state.kind).toBe(kind)
    phone.write(at(2), (draft) => changeTask(draft, 'write', { isActive: true }))
    phone.pull(at(2))
    expect(phone.timer?.sessionId).toBe(id)
  },
)

test('A device that slept while another one took over asks about nothing from where it fell asleep', () => {
  const { laptop, phone, id } = devicesWithTimer()
  phone.stop(at(50), at(12))
  phone.send(at(50))
  // The lid was closed at 10.
  laptop.write(at(60), (draft) => {
    draft.putValue({ key: 'seen', sessionId: id, at: at(10) })
    noteAwake(draft)
  })
  laptop.pull(at(60))
  expect(shown(laptop)).toBe('write 0-12')
})
