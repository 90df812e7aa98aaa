import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { totalMilliseconds } from '#time/instant.ts'
import { NO_PAUSES } from './pauses.ts'
import { testEntryDocument, testSessionDocument } from '#test/documents.ts'
import { entryAttributes, entryFromDocument, entryFromStopped } from '#record/time-entry.ts'
import {
  timerAttributes,
  newSessionAttributes,
  sessionFromDocument,
} from '#record/timer-session.ts'
import type { ActiveTimer } from './timer.ts'
import {
  elapsedSeconds,
  IDLE,
  pauseTimer,
  resumeTimer,
  startTimer,
  stoppedBetween,
  stopTimer,
  workedSeconds,
} from './timer.ts'

const start = Date.UTC(2026, 0, 1, 9)
const MINUTE = 60_000
const running = startTimer('session', 'write', start)

test.each([
  [0, 0],
  [999, 0],
  [1000, 1],
  [61_999, 61],
  [100 * 3_600_000, 360_000],
  [-5000, 0],
])('A running timer shows, after %i ms, %i seconds', (milliseconds, seconds) => {
  expect(elapsedSeconds(running, start + milliseconds)).toBe(seconds)
})

test('A pause and a resume change nothing where they were pressed already, and an idle timer shows nothing', () => {
  const paused = pauseTimer(running, start + MINUTE)
  expect(resumeTimer(running, start + MINUTE)).toBe(running)
  expect(pauseTimer(paused, start + 2 * MINUTE)).toBe(paused)
  expect(elapsedSeconds(IDLE, start)).toBe(0)
})

test('A clock that is set back makes no timer end before it began, and removes no pause', () => {
  expect(stopTimer(running, start - MINUTE)).toMatchObject({ endedAt: start, durationSeconds: 0 })
  const resumed = resumeTimer(pauseTimer(running, start + MINUTE), start + 2 * MINUTE)
  const last = start + 2 * MINUTE
  expect(pauseTimer(resumed, start)).toMatchObject({ pausedAt: last })
  expect(stopTimer(resumed, start)).toMatchObject({ endedAt: last, durationSeconds: 60 })
})

test('A stopped timer counts only pauses within it', () => {
  const intervals = [{ start: start - MINUTE, end: start + MINUTE }]
  const within = { intervals: [{ start, end: start + MINUTE }], unplacedSeconds: 30 }
  const all = { intervals, unplacedSeconds: 30 }
  const stopped = stoppedBetween('s', 't', start, start + 5 * MINUTE, all)
  expect(stopped).toMatchObject({ pauses: within, durationSeconds: 210 })
})

test('A stopped timer is never negative, however long it was paused', () => {
  expect(workedSeconds(start, start + MINUTE, { ...NO_PAUSES, unplacedSeconds: 100 })).toBe(0)
  expect(workedSeconds(start, start - MINUTE, NO_PAUSES)).toBe(0)
})

test('A stopped timer rounds once, at the end', () => {
  const intervals = [{ start: start + 100, end: start + 600 }]
  expect(workedSeconds(start, start + 2499, { ...NO_PAUSES, intervals })).toBe(1)
  expect(workedSeconds(start, start + 2500, { ...NO_PAUSES, intervals })).toBe(2)
})

/** A step, and how many milliseconds pass before it. */
const anyStep = fc.record({
  action: fc.constantFrom('pause', 'resume', 'reload', 'look'),
  after: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 7_200_000 })),
})

/** The timer as another device reads it after a round trip through the stored session. */
function reloaded(timer: ActiveTimer): ActiveTimer {
  const document = testSessionDocument(timer.sessionId, {
    ...newSessionAttributes(timer, 'the log', { userId: 'ada', device: 'laptop' }),
    ...timerAttributes(timer, 'the log'),
  })
  const { state } = sessionFromDocument(document)
  if (state.kind !== 'active') throw new Error('An active timer was stored as something else.')
  return state.timer
}

test('Any sequence of pausing, resuming and reloading shows and saves exactly the time worked', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), fc.nat(7_200_000), (steps, last) => {
      let timer: ActiveTimer = running
      let now = start
      let worked = 0
      let isRunning = true
      const shown: unknown[] = []
      const expected: unknown[] = []
      for (const { action, after } of [...steps, { action: 'look', after: last }]) {
        now += after
        if (isRunning) worked += after
        if (action === 'pause') timer = pauseTimer(timer, now)
        if (action === 'resume') timer = resumeTimer(timer, now)
        if (action === 'reload') timer = reloaded(timer)
        if (action === 'pause' || action === 'resume') isRunning = action === 'resume'
        shown.push(timer.status, elapsedSeconds(timer, now))
        expected.push(isRunning ? 'running' : 'paused', Math.floor(worked / 1000))
      }
      expect(shown).toEqual(expected)
      const stopped = stopTimer(timer, now)
      const paused = totalMilliseconds(stopped.pauses.intervals)
      expect(stopped.durationSeconds).toBe(Math.floor((now - start - paused) / 1000))
      expect(stopped.durationSeconds).toBe(Math.floor(worked / 1000))

      const entry = entryFromStopped(stopped)
      const attributes = entryAttributes(entry, 'ada')
      const document = testEntryDocument(entry.id, attributes, entry.createdAt)
      expect(entryFromDocument(document)).toEqual(entry)
    }),
    { numRuns: 10_000 },
  )
})
