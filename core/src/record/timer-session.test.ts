import { describe, expect, test } from 'vitest'
import type { NewAttributes } from '#collections.ts'
import { instantToWire } from '#time/instant.ts'
import { testSessionDocument } from '#test/documents.ts'
import type { TimerSession } from './timer-session.ts'
import {
  timerAttributes,
  isRestorable,
  newSessionAttributes,
  planRestore,
  pressedAt,
  RESTORE_WINDOW_MILLISECONDS,
  sessionFromDocument,
  stopAttributes,
} from './timer-session.ts'
import {
  elapsedSeconds,
  pauseTimer,
  resumeTimer,
  startTimer,
  stopTimer,
  withNote,
} from '#timer/timer.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const nine = Date.UTC(2026, 0, 1, 9)

/** A session in the form of the backend, created at `createdAt` unless its start says otherwise. */
function session(
  id: string,
  createdAt: number,
  fields: Partial<NewAttributes<'timer_sessions'>> = {},
): TimerSession {
  const startTime = new Date(createdAt).toISOString()
  return sessionFromDocument(
    testSessionDocument(id, { taskId: 'write', userId: 'ada', startTime, ...fields }, createdAt),
  )
}

function ids(sessions: readonly TimerSession[]): string[] {
  return sessions.map(({ id }) => id)
}

test.each([
  { name: 'the time in its id', id: '6955370000000abcdef0', startedAt: -20, expected: 0 },
  { name: 'a later start', id: '6955370000000abcdef0', startedAt: 5, expected: 5 },
  { name: 'its start, of another id', id: 'my-session', startedAt: -20, expected: -20 },
  {
    name: 'its start, of an id in the future',
    id: '7955370000000abcdef0',
    startedAt: 0,
    expected: 0,
  },
  {
    name: 'its start, of an id of long ago',
    id: '5955370000000abcdef0',
    startedAt: 0,
    expected: 0,
  },
])('The instant of the press of a session is right for $name', ({ id, startedAt, expected }) => {
  const pressed = Date.UTC(2025, 11, 31, 14, 45, 20)
  const startTime = instantToWire(pressed + startedAt * MINUTE)
  const at = pressedAt(session(id, pressed + 10 * MINUTE, { startTime }))
  expect((at - pressed) / MINUTE).toBe(expected)
})

describe('a session document', () => {
  test('A session document of a running timer reads as a running timer', () => {
    expect(session('one', nine, { device: 'Firefox, laptop' })).toEqual({
      id: 'one',
      createdAt: nine,
      updatedAt: nine,
      device: 'Firefox, laptop',
      state: { kind: 'active', timer: startTimer('one', 'write', nine) },
    })
  })

  test('A session document with a note gives it to the timer, and to what it leaves', () => {
    expect(session('one', nine, { note: 'call' }).state).toMatchObject({ timer: { note: 'call' } })
    const endTime = '2026-01-01T09:30:00.000Z'
    expect(session('one', nine, { note: 'call', endTime }).state).toMatchObject({
      stopped: { note: 'call' },
    })
  })

  test('A session document of another client has a sum of pauses and no places', () => {
    const { state } = session('one', nine, { pauseDurationSeconds: 600 })
    expect(state).toMatchObject({ kind: 'active', timer: { pauses: { unplacedSeconds: 600 } } })
    expect(state.kind === 'active' && elapsedSeconds(state.timer, nine + HOUR)).toBe(3000)
  })

  test('A session document without a start began when it was created', () => {
    expect(session('one', nine, { startTime: null }).state).toMatchObject({
      timer: { startedAt: nine },
    })
  })

  test('A session document of a paused timer does not advance after its pause', () => {
    const paused = {
      isRunning: false,
      isPaused: true,
      currentPauseStart: new Date(nine + 30 * MINUTE).toISOString(),
    }
    const { state } = session('one', nine, paused)
    expect(state).toMatchObject({
      kind: 'active',
      timer: { status: 'paused', pausedAt: nine + 30 * MINUTE },
    })
    expect(session('one', nine, { ...paused, isRunning: true }).state).toEqual(state)
    expect(session('one', nine, { ...paused, isPaused: false }).state).toMatchObject({
      kind: 'unclear',
      timer: { status: 'paused' },
    })
  })

  test('A session document of a paused timer without the start of the pause was paused at its last change', () => {
    const document = testSessionDocument(
      'one',
      { taskId: 'write', userId: 'ada', isRunning: false, isPaused: true },
      nine,
    )
    const { state } = sessionFromDocument({
      ...document,
      $updatedAt: new Date(nine + 40 * MINUTE).toISOString(),
    })
    expect(state).toMatchObject({ timer: { status: 'paused', pausedAt: nine + 40 * MINUTE } })
  })

  test('A session document with an end is stopped, and an open pause is included', () => {
    const { state } = session('one', nine, {
      isRunning: false,
      currentPauseStart: new Date(nine + 30 * MINUTE).toISOString(),
      endTime: new Date(nine + HOUR).toISOString(),
    })
    expect(state).toMatchObject({
      kind: 'stopped',
      stopped: { sessionId: 'one', endedAt: nine + HOUR, durationSeconds: 1800 },
    })
  })

  test('A session document that is not running, paused or ended is unclear', () => {
    expect(session('one', nine, { isRunning: false }).state.kind).toBe('unclear')
  })
})

describe('the attributes that each press sends', () => {
  const running = startTimer('one', 'write', nine)
  const paused = pauseTimer(running, nine + 10 * MINUTE)
  const resumed = resumeTimer(paused, nine + 15 * MINUTE)
  const pauses = '[["2026-01-01T09:10:00.000Z","2026-01-01T09:15:00.000Z"]]'

  test('A start sends a running session', () => {
    expect(newSessionAttributes(running, 'ada', 'laptop')).toEqual({
      taskId: 'write',
      userId: 'ada',
      startTime: '2026-01-01T09:00:00.000Z',
      device: 'laptop',
      isRunning: true,
      isPaused: false,
      currentPauseStart: null,
      pauseDurationSeconds: 0,
      pauses: null,
    })
  })

  test('A pause sends the timer with the start of the pause', () => {
    expect(timerAttributes(paused)).toEqual({
      taskId: 'write',
      startTime: '2026-01-01T09:00:00.000Z',
      isRunning: false,
      isPaused: true,
      currentPauseStart: '2026-01-01T09:10:00.000Z',
      pauseDurationSeconds: 0,
      pauses: null,
    })
  })

  test('A resume sends the timer with the finished pause', () => {
    expect(timerAttributes(resumed)).toEqual({
      taskId: 'write',
      startTime: '2026-01-01T09:00:00.000Z',
      isRunning: true,
      isPaused: false,
      currentPauseStart: null,
      pauseDurationSeconds: 300,
      pauses,
    })
  })

  test('A stop sends the end, with the open pause added', () => {
    const again = pauseTimer(resumed, nine + 20 * MINUTE)
    expect(stopAttributes(stopTimer(again, nine + 30 * MINUTE))).toEqual({
      taskId: again.taskId,
      startTime: instantToWire(again.startedAt),
      isRunning: false,
      isPaused: false,
      currentPauseStart: null,
      pauseDurationSeconds: 900,
      pauses: `${pauses.slice(0, -1)},["2026-01-01T09:20:00.000Z","2026-01-01T09:30:00.000Z"]]`,
      endTime: '2026-01-01T09:30:00.000Z',
    })
  })

  test('A note is sent with a new session that has one, and later when it was changed', () => {
    const noted = withNote(running, 'call #acme')
    const stopped = stopTimer(noted, nine + MINUTE)
    expect(newSessionAttributes(noted, 'ada', 'laptop')).toMatchObject({ note: 'call #acme' })
    expect(newSessionAttributes(running, 'ada', 'laptop')).not.toHaveProperty('note')
    expect(timerAttributes(noted)).not.toHaveProperty('note')
    expect(timerAttributes(noted, true)).toMatchObject({ note: 'call #acme' })
    expect(timerAttributes(running, true)).toMatchObject({ note: null })
    expect(stopAttributes(stopped)).not.toHaveProperty('note')
    expect(stopAttributes(stopped, true)).toMatchObject({ note: 'call #acme' })
  })
})

describe('a fresh load', () => {
  const now = nine + 4 * HOUR

  test('A fresh load without sessions does nothing', () => {
    expect(planRestore([], now)).toEqual({
      finish: [],
      restore: null,
      superseded: [],
      unfinished: [],
    })
  })

  test('A fresh load restores a timer paused three hours ago', () => {
    const paused = session('one', now - 3 * HOUR, {
      isRunning: false,
      isPaused: true,
      currentPauseStart: new Date(now - 2 * HOUR).toISOString(),
    })
    expect(planRestore([paused], now)).toMatchObject({ restore: paused, unfinished: [] })
  })

  test.each([
    [RESTORE_WINDOW_MILLISECONDS, true],
    [RESTORE_WINDOW_MILLISECONDS + 1, false],
    [0, true],
    [-MINUTE, true],
  ])('A fresh load decides about a session created %i ms ago: %s', (age, restorable) => {
    const candidate = session('one', now - age)
    expect(isRestorable(candidate, now)).toBe(restorable)
    const plan = planRestore([candidate], now)
    expect(plan.restore).toBe(restorable ? candidate : null)
    expect(plan.unfinished).toEqual(restorable ? [] : [candidate])
  })

  test('A fresh load offers a session that is too old: started 09:00, paused 12:30, loaded 13:15', () => {
    const old = session('one', nine, {
      isRunning: false,
      isPaused: true,
      currentPauseStart: new Date(nine + 3.5 * HOUR).toISOString(),
    })
    const plan = planRestore([old], nine + 4.25 * HOUR)
    expect(plan).toMatchObject({ restore: null, unfinished: [old] })
    expect(
      old.state.kind === 'active' && stopTimer(old.state.timer, nine + 3.5 * HOUR).durationSeconds,
    ).toBe(3.5 * 3600)
  })

  test('A fresh load finishes sessions that were stopped but not removed, whatever else runs', () => {
    const stopped = session('stopped', now - HOUR, {
      isRunning: false,
      endTime: new Date(now - MINUTE).toISOString(),
    })
    const older = session('older', now - 2 * HOUR)
    const plan = planRestore([stopped, older], now)
    expect(ids(plan.finish)).toEqual(['stopped'])
    expect(plan.restore?.id).toBe('older')
  })

  test('A fresh load restores the newest session and ends each older one where the next began', () => {
    const sessions = [
      session('second', now - 2 * HOUR),
      session('third', now - HOUR),
      session('first', now - 3 * HOUR),
    ]
    const plan = planRestore(sessions, now)
    expect(plan.restore?.id).toBe('third')
    expect(plan.superseded.map(({ session: { id }, endedAt }) => [id, endedAt])).toEqual([
      ['second', now - HOUR],
      ['first', now - 2 * HOUR],
    ])
    expect(plan.unfinished).toEqual([])
  })

  test('A fresh load loses nothing to a session that was tracked offline and sent late', () => {
    const older = session('older', now - HOUR)
    const late = session('late', now - MINUTE, {
      startTime: new Date(now - 2 * HOUR).toISOString(),
    })
    expect(planRestore([older, late], now)).toMatchObject({
      restore: { id: 'late' },
      superseded: [{ session: { id: 'older' }, endedAt: now - MINUTE }],
    })
  })

  test('A fresh load offers old and unclear sessions beside the restored one', () => {
    const sessions = [
      session('unclear', now - MINUTE, { isRunning: false }),
      session('new', now - HOUR),
      session('old', now - 9 * HOUR),
    ]
    const plan = planRestore(sessions, now)
    expect(plan.restore?.id).toBe('new')
    expect(plan.superseded).toEqual([])
    expect(ids(plan.unfinished)).toEqual(['unclear', 'old'])
  })
})
