import { describe, expect, test } from 'vitest'
import type { NewAttributes } from '#collections.ts'
import { instantToWire } from '#time/instant.ts'
import { testSessionDocument } from '#test/documents.ts'
import type { TimerSession } from './timer-session.ts'
import {
  timerAttributes,
  isRestorable,
  newSessionAttributes,
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
const BY = { userId: 'ada', device: 'laptop' }

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

describe('a session document', () => {
  test('A session document of a running timer reads as a running timer', () => {
    expect(session('one', nine, { device: 'Firefox, laptop' })).toEqual({
      id: 'one',
      createdAt: nine,
      updatedAt: nine,
      log: null,
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
    expect(newSessionAttributes(running, 'the log', BY)).toEqual({
      taskId: 'write',
      userId: 'ada',
      startTime: '2026-01-01T09:00:00.000Z',
      device: 'laptop',
      log: 'the log',
      isRunning: true,
      isPaused: false,
      currentPauseStart: null,
      pauseDurationSeconds: 0,
      pauses: null,
    })
  })

  test('A pause sends the timer with the start of the pause', () => {
    expect(timerAttributes(paused, 'the log')).toEqual({
      log: 'the log',
      note: null,
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
    expect(timerAttributes(resumed, 'the log')).toEqual({
      log: 'the log',
      note: null,
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
    expect(stopAttributes(stopTimer(again, nine + 30 * MINUTE), 'the log')).toEqual({
      log: 'the log',
      note: null,
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

  test('A note is sent with a new session that has one, and with every press', () => {
    const noted = withNote(running, 'call #acme')
    const stopped = stopTimer(noted, nine + MINUTE)
    expect(newSessionAttributes(noted, 'log', BY)).toMatchObject({ note: 'call #acme' })
    expect(newSessionAttributes(running, 'log', BY)).not.toHaveProperty('note')
    expect(timerAttributes(noted, 'log')).toMatchObject({ note: 'call #acme' })
    expect(timerAttributes(running, 'log')).toMatchObject({ note: null })
    expect(stopAttributes(stopped, 'log')).toMatchObject({ note: 'call #acme' })
  })
})

test.each([
  [RESTORE_WINDOW_MILLISECONDS, true],
  [RESTORE_WINDOW_MILLISECONDS + 1, false],
  [0, true],
  [-MINUTE, true],
])('A fresh load decides about a session created %i ms ago: %s', (age, restorable) => {
  const now = nine + 4 * HOUR
  expect(isRestorable(session('one', now - age), now)).toBe(restorable)
})
