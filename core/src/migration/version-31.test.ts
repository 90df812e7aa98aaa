/** Tests how the record of the version before logs is taken over: its queue, its edits, and its offers. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { editEntry, newEntry } from '#record/entry-edit.ts'
import { entryFromStopped } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { endTimer, pauseTimer, resumeTimer, startTimer, withNote } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'
import { at, exchange, twoDevices } from '#test/devices.ts'
import { agreed, shown, stateOf } from '#test/shown.ts'

import { change } from '#device/edits.ts'
import type { Draft } from '#device/draft.ts'
import { takeOver } from './version-31.ts'

const NOW = at(100)
const RUNNING = startTimer('s', 'write', at(0))
const PAUSED = pauseTimer(RUNNING, at(10))
const RESUMED = resumeTimer(PAUSED, at(15))
const STOPPED = endTimer(RESUMED, at(60))

/** A session as that version knew it: without a log. */
const KNOWN = {
  id: 's',
  createdAt: at(0),
  updatedAt: at(1),
  device: 'Old laptop',
  state: { kind: 'active', timer: RUNNING },
} as const
const ENDED = { ...KNOWN, state: { kind: 'stopped', stopped: STOPPED } } as const

interface Old {
  readonly operations?: readonly object[]
  readonly values?: Readonly<Record<string, object>>
  readonly before?: (draft: Draft) => void
}

/** A device that has just been updated, and one that meets it. The backend has the session, or not. */
function updated(
  { operations = [], values = {}, before }: Old,
  session: Omit<TimerSession, 'log'> | null = null,
) {
  const { backend, laptop, phone } = twoDevices()
  if (session) backend.sessions.set(session.id, { ...session, log: null })
  const queued = operations.map((operation, sequence) => {
    return { sequence, operation, attempts: 1, refused: null }
  })
  laptop.write(NOW, (draft) => {
    before?.(draft)
    takeOver(draft, { operations: queued, values: new Map(Object.entries(values)) })
  })
  const taken = shown(laptop)
  exchange(NOW, laptop, phone)
  expect([agreed(laptop, phone), stateOf(laptop).unsent]).toEqual([taken, []])
  return { laptop, phone, backend }
}

const timerValue = (timer: ActiveTimer, base: object | null) => ({
  timer: { key: 'timer', timer, phase: 'offline', device: null, base },
})
const start = { kind: 'start', timer: RUNNING, pressedAt: at(0), keepTrying: true }
const paused = { kind: 'pause', at: at(10) }
const press = { kind: 'press', sessionId: 's', press: paused, keepTrying: true }
const stop = (base: object | null, isDiscarded = false) => {
  return { kind: 'stop', stopped: STOPPED, base, isDiscarded }
}
const SAVED = entryFromStopped(STOPPED)
const save = (draft: Draft) => draft.entries.put(SAVED)
const saveEdited = (draft: Draft) => {
  save(draft)
  const wanted = { note: 'draft', endedAt: at(50) }
  change(draft, 'entry', 's', editEntry(SAVED, wanted, NOW).after)
}
const moved = timerValue({ ...RUNNING, startedAt: at(-5), taskId: 'read' }, KNOWN)
const next = timerValue(startTimer('next', 'read', at(60)), null)

test.each<[string, Old, typeof KNOWN | typeof ENDED | null, string]>([
  ['a start', { operations: [start], values: timerValue(RUNNING, null) }, null, 'write 0-now'],
  [
    'a start and a pause',
    { operations: [start, press], values: timerValue(PAUSED, null) },
    null,
    'write 0-10 paused',
  ],
  [
    'a pause of a session that the backend has',
    { operations: [press], values: timerValue(PAUSED, KNOWN) },
    KNOWN,
    'write 0-10 paused',
  ],
  [
    'a pause and a resume',
    { operations: [press], values: timerValue(RESUMED, KNOWN) },
    KNOWN,
    'write 0-now (10-15)',
  ],
  ['a moved start and another task', { operations: [press], values: moved }, KNOWN, 'read -5-now'],
  ['a timer without unsent presses', { values: timerValue(RUNNING, KNOWN) }, KNOWN, 'write 0-now'],
  ['a stop', { operations: [stop(KNOWN)], before: save }, KNOWN, 'write 0-60 (10-15)'],
  [
    'a start and its stop',
    { operations: [start, stop(null)], before: save },
    null,
    'write 0-60 (10-15)',
  ],
  [
    'a stop whose entry was edited since',
    { operations: [stop(KNOWN)], before: saveEdited },
    KNOWN,
    "write 0-50 (10-15) 'draft'",
  ],
  [
    'a stop that the backend has already, with an edit of its entry since',
    { operations: [stop(ENDED)], before: saveEdited },
    ENDED,
    "write 0-50 (10-15) 'draft'",
  ],
  ['a stop that was discarded', { operations: [stop(KNOWN, true)] }, KNOWN, ''],
  [
    'a stop, and another timer that runs since',
    { operations: [stop(KNOWN)], values: next, before: save },
    KNOWN,
    'write 0-60 (10-15), read 60-now',
  ],
])('What was queued arrives: %s', (_name, old, session, expected) => {
  expect(shown(updated(old, session).laptop)).toBe(expected)
})

const typed = (id: string, from: number, to: number) =>
  newEntry({ id, taskId: 'write', startedAt: at(from), endedAt: at(to) }, at(40)).after

test('An edit of an entry becomes events over what the backend has, and a new entry stays as it is', () => {
  const saved = typed('saved', 0, 30)
  const { backend } = updated({
    before: (draft) => {
      draft.entries.put(saved)
      change(draft, 'entry', 'saved', editEntry(saved, { endedAt: at(20) }, NOW).after)
      change(draft, 'entry', 'new', typed('new', 40, 50))
    },
  })
  expect(readLog(backend.entries.get('saved')?.log ?? null)).toHaveLength(2)
  expect(backend.entries.get('saved')).toMatchObject({ endedAt: at(20), entryType: 'manual' })
  expect(backend.entries.get('new')).toMatchObject({ log: null, endedAt: at(50) })
})

test('Unfinished sessions stay, and what cannot be read is left out', () => {
  const session = { ...KNOWN, createdAt: at(-600) }
  const unfinished = { key: 'unfinished', sessions: [session] }
  const operations = [{ kind: 'unknown' }, { kind: 'stop' }]
  const { laptop } = updated({ operations, values: { unfinished, timer: {} } }, session)
  const kept = [{ id: 's', device: 'Old laptop' }]
  expect(laptop.view.value('unfinished')?.sessions).toMatchObject(kept)
})

test('A queued pause counts over a session that was changed since, and over which another device has begun a log', () => {
  const { backend, laptop, phone } = twoDevices()
  const changed = { kind: 'active', timer: withNote(RUNNING, 'x') } as const
  backend.sessions.set('s', { ...KNOWN, updatedAt: at(2), log: null, state: changed })
  phone.pull(at(30))
  phone.pause(at(30))
  phone.resume(at(31))
  phone.send(at(31))
  const values = new Map(Object.entries(timerValue(RESUMED, KNOWN)))
  laptop.write(NOW, (draft) => takeOver(draft, { operations: [], values }))
  laptop.reload('again')
  exchange(NOW, laptop, phone)
  expect(agreed(laptop, phone)).toBe("write 0-now (10-15 30-31) 'x'")
})
