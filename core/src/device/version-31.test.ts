/** Tests how the record of the version before logs is taken over: its queue, its edits, and its offers. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { editEntry, newEntry } from '#record/entry-edit.ts'
import { entryFromStopped } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { endTimer, pauseTimer, resumeTimer, startTimer, withNote } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'
import { at, exchange, TestBackend, TestDevice } from '#test/devices.ts'
import { askedOf, counted, stateOf } from '#test/shown.ts'

import { change } from './edits.ts'
import type { Draft } from './draft.ts'
import { takeOver } from './version-31.ts'

const NOW = at(100)
const RUNNING = startTimer('s', 'write', at(0))
const PAUSED = pauseTimer(RUNNING, at(10))
const RESUMED = resumeTimer(PAUSED, at(15))
const STOPPED = endTimer(RESUMED, at(60))

/** A session as that version knew it: without a log. */
function known(timer: ActiveTimer, id = 's') {
  return {
    id,
    createdAt: at(0),
    updatedAt: at(1),
    device: 'Old laptop',
    state: { kind: 'active' as const, timer },
  }
}

/** A device that has just been updated, and one that meets it. The backend has the session, or not. */
function updated(
  {
    operations = [],
    values = {},
    before,
  }: {
    operations?: readonly object[]
    values?: Readonly<Record<string, object>>
    before?: (draft: Draft) => void
  },
  session: Omit<TimerSession, 'log'> | null = null,
) {
  const backend = new TestBackend()
  if (session) backend.sessions.set(session.id, { ...session, log: null })
  const [laptop, phone] = [new TestDevice('laptop', backend), new TestDevice('phone', backend)]
  const queued = operations.map((operation, index) => ({
    sequence: index,
    operation,
    attempts: 1,
    refused: null,
  }))
  laptop.write(NOW, (draft) => {
    before?.(draft)
    takeOver(draft, { operations: queued, values: new Map(Object.entries(values)) }, NOW)
  })
  const shown = counted(laptop)
  exchange(NOW, laptop, phone)
  expect(counted(laptop)).toEqual(shown)
  expect(stateOf(phone)).toEqual(stateOf(laptop))
  expect(stateOf(laptop).unsent).toEqual([])
  return { laptop, phone, backend }
}

const timerValue = (timer: ActiveTimer, base: object | null) => ({
  timer: { key: 'timer', timer, phase: 'offline', device: null, base },
})
const start = { kind: 'start', timer: RUNNING, pressedAt: at(0), keepTrying: true }
const press = {
  kind: 'press',
  sessionId: 's',
  press: { kind: 'pause', at: at(10) },
  keepTrying: true,
}
const stop = (base: object | null, isDiscarded = false) => ({
  kind: 'stop',
  stopped: STOPPED,
  base,
  isDiscarded,
})

test.each<
  [
    string,
    Parameters<typeof updated>[0],
    Parameters<typeof updated>[1],
    readonly (readonly unknown[])[],
  ]
>([
  [
    'a start',
    { operations: [start], values: timerValue(RUNNING, null) },
    null,
    [['write', 0, 'running', []]],
  ],
  [
    'a start and a pause',
    { operations: [start, press], values: timerValue(PAUSED, null) },
    null,
    [['write', 0, 'paused 10', []]],
  ],
  [
    'a pause of a session that the backend has',
    { operations: [press], values: timerValue(PAUSED, known(RUNNING)) },
    known(RUNNING),
    [['write', 0, 'paused 10', []]],
  ],
  [
    'a pause and a resume',
    { operations: [press], values: timerValue(RESUMED, known(RUNNING)) },
    known(RUNNING),
    [['write', 0, 'running', [[10, 15]]]],
  ],
  [
    'a moved start and another task',
    {
      operations: [press],
      values: timerValue({ ...RUNNING, startedAt: at(-5), taskId: 'read' }, known(RUNNING)),
    },
    known(RUNNING),
    [['read', -5, 'running', []]],
  ],
  [
    'a timer without unsent presses',
    { values: timerValue(RUNNING, known(RUNNING)) },
    known(RUNNING),
    [['write', 0, 'running', []]],
  ],
  [
    'a stop',
    {
      operations: [stop(known(RUNNING))],
      before: (draft) => draft.entries.put(entryFromStopped(STOPPED)),
    },
    known(RUNNING),
    [['write', 0, 60, [[10, 15]]]],
  ],
  [
    'a start and its stop',
    {
      operations: [start, stop(null)],
      before: (draft) => draft.entries.put(entryFromStopped(STOPPED)),
    },
    null,
    [['write', 0, 60, [[10, 15]]]],
  ],
  [
    'a stop whose entry was edited since',
    {
      operations: [stop(known(RUNNING))],
      before: (draft) => {
        const entry = entryFromStopped(STOPPED)
        draft.entries.put(entry)
        change(
          draft,
          'entry',
          's',
          editEntry(entry, { note: 'draft', endedAt: at(50) }, NOW).after,
          NOW,
        )
      },
    },
    known(RUNNING),
    [['write', 0, 50, [[10, 15]]]],
  ],
  ['a stop that was discarded', { operations: [stop(known(RUNNING), true)] }, known(RUNNING), []],
  [
    'a stop, and another timer that runs since',
    {
      operations: [stop(known(RUNNING))],
      values: timerValue(startTimer('next', 'read', at(60)), null),
      before: (draft) => draft.entries.put(entryFromStopped(STOPPED)),
    },
    known(RUNNING),
    [
      ['write', 0, 60, [[10, 15]]],
      ['read', 60, 'running', []],
    ],
  ],
])('What was queued arrives: %s', (_name, old, session, expected) => {
  const { laptop, phone } = updated(old, session)
  expect(counted(laptop)).toEqual(expected)
  expect([askedOf(laptop), askedOf(phone)]).toEqual([[], []])
})

test('The banner of a failed start still offers to continue it, and its time does not count', () => {
  const banner = {
    key: 'banner',
    text: 'Could not start.',
    action: { kind: 'track-offline', timer: RUNNING },
  }
  const { laptop, phone } = updated({
    operations: [{ kind: 'discard', sessionId: 's', timer: RUNNING }],
    values: { banner },
  })
  expect(laptop.view.value('banner')).toMatchObject({
    text: 'Could not start.',
    action: { sessionId: 's' },
  })
  expect([counted(laptop), counted(phone)]).toEqual([[], []])
})

test('An offer becomes a question about the time that does not count', () => {
  const worked = { ...STOPPED, endedAt: at(80) }
  const offers = { key: 'offers', offers: [{ why: 'not-counted', worked, instead: STOPPED }] }
  const { laptop } = updated({
    values: { offers },
    before: (draft) => draft.entries.put(entryFromStopped(STOPPED)),
  })
  expect(askedOf(laptop)).toEqual([[60, 80]])
})

test('An edit of an entry becomes events over what the backend has, and a new entry stays as it is', () => {
  const saved = {
    ...newEntry({ id: 'saved', taskId: 'write', startedAt: at(0), endedAt: at(30) }, at(40)).after,
  }
  const { backend } = updated({
    before: (draft) => {
      draft.entries.put(saved)
      change(draft, 'entry', 'saved', editEntry(saved, { endedAt: at(20) }, NOW).after, NOW)
      change(
        draft,
        'entry',
        'new',
        newEntry({ id: 'new', taskId: 'read', startedAt: at(40), endedAt: at(50) }, NOW).after,
        NOW,
      )
    },
  })
  expect(readLog(backend.entries.get('saved')?.log ?? null)).toHaveLength(2)
  expect(backend.entries.get('saved')).toMatchObject({ endedAt: at(20), entryType: 'manual' })
  expect(backend.entries.get('new')).toMatchObject({ log: null, endedAt: at(50) })
})

test('Unfinished sessions stay, and what cannot be read is left out', () => {
  const session = { ...known(RUNNING), createdAt: at(-600) }
  const { laptop } = updated(
    {
      operations: [{ kind: 'unknown' }, { kind: 'stop' }],
      values: { unfinished: { key: 'unfinished', sessions: [session] }, timer: { broken: true } },
    },
    session,
  )
  expect(laptop.view.value('unfinished')?.sessions).toMatchObject([
    { id: 's', device: 'Old laptop' },
  ])
})

test('A queued pause counts over a session that was changed since, and over which another device has begun a log', () => {
  const backend = new TestBackend()
  const changed = { kind: 'active', timer: withNote(RUNNING, 'x') } as const
  backend.sessions.set('s', { ...known(RUNNING), updatedAt: at(2), log: null, state: changed })
  const [laptop, phone] = [new TestDevice('laptop', backend), new TestDevice('phone', backend)]
  phone.pull(at(30))
  phone.pause(at(30))
  phone.resume(at(31))
  phone.send(at(31))
  const values = new Map(Object.entries(timerValue(RESUMED, known(RUNNING))))
  laptop.write(NOW, (draft) => takeOver(draft, { operations: [], values }, NOW))
  laptop.reload('again')
  exchange(NOW, laptop, phone)
  const pauses = [
    [10, 15],
    [30, 31],
  ]
  expect(counted(laptop)).toEqual([['write', 0, 'running', pauses]])
  expect(stateOf(phone)).toEqual(stateOf(laptop))
})
