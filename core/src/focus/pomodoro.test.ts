import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { nextBoundary, pomodoroPhase, pomodoroStep } from './pomodoro.ts'
import type { PomodoroPhase } from './pomodoro.ts'
import { elapsedSeconds, pauseTimer, resumeTimer, startTimer } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'

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

/** The phase as text: 'due 1 since 25', in minutes since 9:00. */
function phaseAt(minute: number, timer: ActiveTimer, skips: readonly number[] = []): string {
  const instants = skips.map((skip) => nine + skip * MINUTE)
  const phase = pomodoroPhase(timer, lengths, nine + minute * MINUTE, instants)
  const { kind, stretch } = phase
  if (phase.kind === 'held') return `${kind} ${stretch}, ${phase.leftMilliseconds / MINUTE} left`
  if ('endsAt' in phase) return `${kind} ${stretch} until ${(phase.endsAt - nine) / MINUTE}`
  const since = `${kind} ${stretch} since ${(phase.since - nine) / MINUTE}`
  return phase.kind === 'due' ? `${since}, break of ${phase.breakMinutes}` : since
}

test.each([
  ['at its start', timerOf(), 0, 'focus 1 until 25'],
  ['just before the end', timerOf(), 24.999, 'focus 1 until 25'],
  ['at the end of a stretch', timerOf(), 25, 'due 1 since 25, break of 5'],
  ['long after', timerOf(), 90, 'due 1 since 25, break of 5'],
  ['after its break', timerOf(25, 30), 30, 'focus 2 until 55'],
  ['after a break cut short', timerOf(25, 26), 27, 'focus 2 until 51'],
  ['after a break taken late', timerOf(40, 45), 46, 'focus 2 until 70'],
  ['after a short pause', timerOf(10, 12), 13, 'focus 1 until 27'],
  ['after a pause as long as a break', timerOf(10, 15), 16, 'focus 1 until 40'],
  ['before the long break', timerOf(25, 30, 55, 60, 85, 90), 115, 'due 4 since 115, break of 15'],
  ['paused within a stretch', timerOf(10), 12, 'held 1, 15 left'],
  ['paused for as long as a break', timerOf(10), 15, 'held 1, 25 left'],
  ['paused at the end of a stretch', timerOf(25), 26, 'break 1 until 30'],
  ['paused later than that', timerOf(40), 41, 'break 1 until 45'],
  ['paused when the break is over', timerOf(25), 30, 'over 1 since 30'],
  ['in the long break', timerOf(25, 30, 55, 60, 85, 90, 115), 120, 'break 4 until 130'],
])('The Pomodoro phase of a timer is right: %s', (_, timer, minute, expected) => {
  expect(phaseAt(minute, timer)).toBe(expected)
})

test('A running timer begins another stretch where a break was skipped, but not before the break was due', () => {
  expect(phaseAt(28, timerOf(), [27])).toBe('focus 2 until 52')
  expect(phaseAt(20, timerOf(), [10])).toBe('focus 1 until 25')
})

const due: PomodoroPhase = { kind: 'due', stretch: 1, since: nine, breakMinutes: 5 }
const over: PomodoroPhase = { kind: 'over', stretch: 1, since: nine }
const focus: PomodoroPhase = { kind: 'focus', stretch: 1, endsAt: nine + 60 * MINUTE }
const PAUSE = { kind: 'pause', at: nine }
const OFFER_BREAK = { kind: 'offer-break', since: nine, breakMinutes: 5 }
const OFFER_WORK = { kind: 'offer-work', since: nine }

test.each([
  ['a break begins by itself', due, true, null, 0.1, PAUSE],
  ['at the right instant, woken late', due, true, nine, 60, PAUSE],
  ['time that nobody saw coming is not taken out', due, true, null, 60, OFFER_BREAK],
  ['without autoBreak it is asked', due, false, nine, 0, OFFER_BREAK],
  ['work goes on by itself', over, true, nine, 1, { kind: 'resume', at: nine }],
  ['an absence is not counted as work', over, true, nine, 60, OFFER_WORK],
  ['without autoBreak it waits', over, false, nine, 0, OFFER_WORK],
  ['nothing within a stretch', focus, true, null, 0, { kind: 'nothing' }],
])('The Pomodoro step is right: %s', (_, phase, autoBreak, foreseen, late, expected) => {
  const now = nine + late * MINUTE
  expect(pomodoroStep(phase, { autoBreak, foreseen, now })).toEqual(expected)
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
