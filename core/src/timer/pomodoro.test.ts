import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { nextBoundary, pomodoroPhase, pomodoroStep } from './pomodoro.ts'
import type { PomodoroPhase } from './pomodoro.ts'
import { elapsedSeconds, pauseTimer, resumeTimer, startTimer } from './timer.ts'
import type { ActiveTimer } from './timer.ts'

const MINUTE = 60_000
const nine = Date.UTC(2026, 0, 1, 9)
const lengths = { workMinutes: 25, breakMinutes: 5, longBreakMinutes: 15, longBreakAfter: 4 }

/** A timer that starts at 9:00 and is then paused and resumed in turn at these minutes. */
function timerOf(...minutes: number[]): ActiveTimer {
  return minutes.reduce<ActiveTimer>(
    (timer, minute, index) =>
      (index % 2 === 0 ? pauseTimer : resumeTimer)(timer, nine + minute * MINUTE),
    startTimer('session', 'write', nine),
  )
}

/** The phase, with its instants as minutes since 9:00. */
function phaseAt(minute: number, timer: ActiveTimer, skips: readonly number[] = []) {
  const at = nine + minute * MINUTE
  const phase = pomodoroPhase(
    timer,
    lengths,
    at,
    skips.map((skip) => nine + skip * MINUTE),
  )
  return Object.fromEntries(
    Object.entries(phase).map(([key, value]) => [
      key,
      key === 'endsAt' || key === 'since' ? (Number(value) - nine) / MINUTE : value,
    ]),
  )
}

describe('a running timer', () => {
  test.each([
    ['at its start', timerOf(), 0, { kind: 'focus', stretch: 1, endsAt: 25 }],
    ['just before the end', timerOf(), 24.999, { kind: 'focus', stretch: 1, endsAt: 25 }],
    [
      'at the end of a stretch',
      timerOf(),
      25,
      { kind: 'due', stretch: 1, since: 25, breakMinutes: 5 },
    ],
    ['long after', timerOf(), 90, { kind: 'due', stretch: 1, since: 25, breakMinutes: 5 }],
    ['after its break', timerOf(25, 30), 30, { kind: 'focus', stretch: 2, endsAt: 55 }],
    ['after a break cut short', timerOf(25, 26), 27, { kind: 'focus', stretch: 2, endsAt: 51 }],
    ['after a break taken late', timerOf(40, 45), 46, { kind: 'focus', stretch: 2, endsAt: 70 }],
    ['after a short pause', timerOf(10, 12), 13, { kind: 'focus', stretch: 1, endsAt: 27 }],
    [
      'after a pause as long as a break',
      timerOf(10, 15),
      16,
      { kind: 'focus', stretch: 1, endsAt: 40 },
    ],
    [
      'before the fourth break, which is long',
      timerOf(25, 30, 55, 60, 85, 90),
      115,
      { kind: 'due', stretch: 4, since: 115, breakMinutes: 15 },
    ],
  ])('The Pomodoro phase of a running timer is right: %s', (_, timer, minute, expected) => {
    expect(phaseAt(minute, timer)).toEqual(expected)
  })

  test('A running timer begins another stretch where a break was skipped, but not before the break was due', () => {
    expect(phaseAt(28, timerOf(), [27])).toEqual({ kind: 'focus', stretch: 2, endsAt: 52 })
    expect(phaseAt(20, timerOf(), [10])).toEqual({ kind: 'focus', stretch: 1, endsAt: 25 })
  })
})

describe('a paused timer', () => {
  test.each([
    [
      'within a stretch',
      timerOf(10),
      12,
      { kind: 'held', stretch: 1, leftMilliseconds: 15 * MINUTE },
    ],
    [
      'within a stretch for as long as a break',
      timerOf(10),
      15,
      { kind: 'held', stretch: 1, leftMilliseconds: 25 * MINUTE },
    ],
    ['at the end of a stretch', timerOf(25), 26, { kind: 'break', stretch: 1, endsAt: 30 }],
    ['later than that', timerOf(40), 41, { kind: 'break', stretch: 1, endsAt: 45 }],
    ['when the break is over', timerOf(25), 30, { kind: 'over', stretch: 1, since: 30 }],
    [
      'in the long break',
      timerOf(25, 30, 55, 60, 85, 90, 115),
      120,
      { kind: 'break', stretch: 4, endsAt: 130 },
    ],
  ])('The Pomodoro phase of a paused timer is right: %s', (_, timer, minute, expected) => {
    expect(phaseAt(minute, timer)).toEqual(expected)
  })
})

describe('the step of a phase', () => {
  const due: PomodoroPhase = { kind: 'due', stretch: 1, since: nine, breakMinutes: 5 }
  const over: PomodoroPhase = { kind: 'over', stretch: 1, since: nine }
  const hour = 60 * MINUTE

  test.each([
    ['a break begins by itself', due, true, null, 1000, { kind: 'pause', at: nine }],
    ['at the right instant, woken late', due, true, nine, hour, { kind: 'pause', at: nine }],
    [
      'time that nobody saw coming is not taken out',
      due,
      true,
      null,
      hour,
      { kind: 'offer-break', since: nine, breakMinutes: 5 },
    ],
    [
      'without autoBreak it is asked',
      due,
      false,
      nine,
      0,
      { kind: 'offer-break', since: nine, breakMinutes: 5 },
    ],
    ['work goes on by itself', over, true, nine, MINUTE, { kind: 'resume', at: nine }],
    [
      'an absence is not counted as work',
      over,
      true,
      nine,
      hour,
      { kind: 'offer-work', since: nine },
    ],
    ['without autoBreak it waits', over, false, nine, 0, { kind: 'offer-work', since: nine }],
    [
      'nothing within a stretch',
      { kind: 'focus', stretch: 1, endsAt: nine + hour } as const,
      true,
      null,
      0,
      { kind: 'nothing' },
    ],
  ])('The Pomodoro step is right: %s', (_, phase, autoBreak, foreseen, late, expected) => {
    expect(pomodoroStep(phase, { autoBreak, foreseen, now: nine + late })).toEqual(expected)
  })
})

test('Automatic breaks leave the same pauses, however irregularly the browser wakes', () => {
  const wakes = fc.array(fc.integer({ min: 1, max: 110 }), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(wakes, (seconds) => {
      let timer = timerOf()
      let now = nine
      for (const step of seconds) {
        now += step * 1000
        timer = settled(timer, now)
      }
      const cycles = [25, 5, 25, 5, 25, 5, 25, 15]
      const worked = workedIn(cycles, now - nine)
      expect(elapsedSeconds(timer, now)).toBe(Math.floor(worked / 1000))
    }),
  )
})

test('A stretch never has more work than its length before a break is due', () => {
  const minutes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 })
  fc.assert(
    fc.property(minutes, fc.nat({ max: 60 }), (gaps, later) => {
      let at = 0
      const timer = timerOf(...gaps.map((gap) => (at += gap)))
      const now = nine + (at + later) * MINUTE
      const phase = pomodoroPhase(timer, lengths, now)
      const ahead = (nextBoundary(phase) ?? now + MINUTE) - now
      expect(ahead).toBeGreaterThan(0)
      expect(ahead).toBeLessThanOrEqual(25 * MINUTE)
      expect(phase.kind === 'focus' || phase.kind === 'due').toBe(timer.status === 'running')
    }),
  )
})

function settled(timer: ActiveTimer, now: number): ActiveTimer {
  const phase = pomodoroPhase(timer, lengths, now)
  const step = pomodoroStep(phase, { autoBreak: true, foreseen: null, now })
  if (step.kind === 'pause') return settled(pauseTimer(timer, step.at), now)
  if (step.kind === 'resume') return settled(resumeTimer(timer, step.at), now)
  expect(nextBoundary(phase)).toBeGreaterThan(now)
  return timer
}

/** Milliseconds of work within the first milliseconds of alternating stretches and breaks. */
function workedIn(cycles: readonly number[], milliseconds: number): number {
  let left = milliseconds
  let worked = 0
  for (let index = 0; left > 0; index++) {
    const part = Math.min(left, (cycles[index % cycles.length] ?? 0) * MINUTE)
    if (index % 2 === 0) worked += part
    left -= part
  }
  return worked
}
