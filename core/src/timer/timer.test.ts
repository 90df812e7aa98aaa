import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TimeEntryDocument, TimerSessionDocument } from '#collections.ts'
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

describe('a running timer', () => {
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

  test('A running timer does not change when it is resumed', () => {
    expect(resumeTimer(running, start + MINUTE)).toBe(running)
  })
})

describe('a paused timer', () => {
  const paused = pauseTimer(running, start + MINUTE)

  test('A paused timer does not advance', () => {
    expect(elapsedSeconds(paused, start + MINUTE)).toBe(60)
    expect(elapsedSeconds(paused, start + 100 * MINUTE)).toBe(60)
  })

  test('A paused timer does not change when it is paused again: the first pause counts', () => {
    expect(pauseTimer(paused, start + 2 * MINUTE)).toBe(paused)
  })

  test('A paused timer continues from its old value when it is resumed', () => {
    const resumed = resumeTimer(paused, start + 10 * MINUTE)
    expect(resumed).toEqual({
      ...running,
      pauses: {
        intervals: [{ start: start + MINUTE, end: start + 10 * MINUTE }],
        unplacedSeconds: 0,
      },
    })
    expect(elapsedSeconds(resumed, start + 10 * MINUTE)).toBe(60)
    expect(elapsedSeconds(resumed, start + 11 * MINUTE)).toBe(120)
  })

  test('A paused timer adds its open pause when it is stopped', () => {
    expect(stopTimer(paused, start + 5 * MINUTE)).toEqual({
      sessionId: 'session',
      taskId: 'write',
      startedAt: start,
      endedAt: start + 5 * MINUTE,
      pauses: {
        intervals: [{ start: start + MINUTE, end: start + 5 * MINUTE }],
        unplacedSeconds: 0,
      },
      durationSeconds: 60,
    })
  })
})

describe('an idle timer', () => {
  test('An idle timer shows nothing', () => {
    expect(elapsedSeconds(IDLE, start)).toBe(0)
  })
})

describe('a clock that is set back', () => {
  test('A clock that is set back never makes a timer end before it began', () => {
    expect(stopTimer(running, start - MINUTE)).toMatchObject({ endedAt: start, durationSeconds: 0 })
  })

  test('A clock that is set back never removes a recorded pause', () => {
    const resumed = resumeTimer(pauseTimer(running, start + MINUTE), start + 2 * MINUTE)
    expect(pauseTimer(resumed, start)).toMatchObject({ pausedAt: start + 2 * MINUTE })
    expect(stopTimer(resumed, start)).toMatchObject({
      endedAt: start + 2 * MINUTE,
      durationSeconds: 60,
    })
  })
})

describe('a stopped timer', () => {
  test('A stopped timer counts only pauses within it', () => {
    const pauses = {
      intervals: [{ start: start - MINUTE, end: start + MINUTE }],
      unplacedSeconds: 30,
    }
    expect(stoppedBetween('s', 't', start, start + 5 * MINUTE, pauses)).toMatchObject({
      pauses: { intervals: [{ start, end: start + MINUTE }], unplacedSeconds: 30 },
      durationSeconds: 210,
    })
  })

  test('A stopped timer is never negative, however long it was paused', () => {
    expect(workedSeconds(start, start + MINUTE, { ...NO_PAUSES, unplacedSeconds: 100 })).toBe(0)
    expect(workedSeconds(start, start - MINUTE, NO_PAUSES)).toBe(0)
  })

  test('A stopped timer rounds once, at the end', () => {
    const half = { start: start + 100, end: start + 600 }
    expect(workedSeconds(start, start + 2499, { intervals: [half], unplacedSeconds: 0 })).toBe(1)
    expect(workedSeconds(start, start + 2500, { intervals: [half], unplacedSeconds: 0 })).toBe(2)
  })
})

type Action = 'pause' | 'resume' | 'reload' | 'look'
interface Step {
  readonly action: Action
  /** Milliseconds that pass before the step. */
  readonly after: number
}
const anyStep: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('pause', 'resume', 'reload', 'look'),
  after: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 7_200_000 })),
})

/** The timer as another device reads it after a round trip through the stored session. */
function reloaded(timer: ActiveTimer): ActiveTimer {
  const document: TimerSessionDocument = testSessionDocument(timer.sessionId, {
    ...newSessionAttributes(timer, 'the log', { userId: 'ada', device: 'laptop' }),
    ...timerAttributes(timer, 'the log'),
  })
  const { state } = sessionFromDocument(document)
  if (state.kind !== 'active') throw new Error('An active timer was stored as something else.')
  return state.timer
}

describe('any sequence of pausing, resuming and reloading', () => {
  test('Any sequence of pausing, resuming and reloading shows and saves exactly the time worked', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), fc.nat(7_200_000), (steps, last) => {
        let timer: ActiveTimer = running
        let now = start
        let worked = 0
        let shown = 0
        let isWorking = true
        const wrong: string[] = []
        for (const { action, after } of [...steps, { action: 'look', after: last }]) {
          now += after
          if (isWorking) worked += after
          if (action === 'pause') {
            timer = pauseTimer(timer, now)
            isWorking = false
          }
          if (action === 'resume') {
            timer = resumeTimer(timer, now)
            isWorking = true
          }
          if (action === 'reload') timer = reloaded(timer)
          const elapsed = elapsedSeconds(timer, now)
          if (elapsed !== Math.floor(worked / 1000)) wrong.push(`${action}: shows ${elapsed}`)
          if (elapsed < shown) wrong.push(`${action}: went back to ${elapsed}`)
          if ((timer.status === 'running') !== isWorking) wrong.push(`${action}: ${timer.status}`)
          shown = elapsed
        }
        expect(wrong).toEqual([])

        const stopped = stopTimer(timer, now)
        const paused = stopped.pauses.intervals.reduce((sum, pause) => {
          return sum + pause.end - pause.start
        }, 0)
        expect(stopped.durationSeconds).toBe(Math.floor((now - start - paused) / 1000))
        expect(stopped.durationSeconds).toBe(shown)

        const entry = entryFromStopped(stopped)
        const document: TimeEntryDocument = testEntryDocument(
          entry.id,
          entryAttributes(entry, 'ada'),
          entry.createdAt,
        )
        expect(entryFromDocument(document)).toEqual(entry)
      }),
      { numRuns: 10_000 },
    )
  })
})
