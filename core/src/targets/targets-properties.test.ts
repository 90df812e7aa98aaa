/** Properties of targets that hold for every history. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hoursAccount } from '#balance/account.ts'
import { explain } from '#reports/explanation.ts'
import { groupTotals, secondsOfTag } from '#reports/group-breakdown.ts'
import { periodBars } from '#reports/period-bars.ts'
import { quickStats } from '#reports/quick-stats.ts'
import { trackedTime } from '#reports/report-input.ts'
import type { ReportInput } from '#reports/report-input.ts'
import { testEntryOfStretches, testTask } from '#test/entries.ts'
import { testAccount } from '#test/hours.ts'
import { addDays, intervalOfDates } from '#time/calendar.ts'
import type { DateRange } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { rangePeriod } from '#time/period.ts'
import { countedOf, secondsReader, targetDates, targetsProgress } from './progress.ts'
import { BOUNDS, TARGET_SPANS } from './targets.ts'
import type { Scope, Target } from './targets.ts'

const HOUR = 3_600_000
const ZONES = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Santiago'] as const
const TASKS = [
  testTask('A'),
  testTask('B', 1, { category: 'Design' }),
  testTask('C', 2, { category: 'Design', isActive: false }),
]
const start = Date.parse('2026-09-20T00:00:00Z')
const end = Date.parse('2026-11-10T00:00:00Z')

const anyEntry = fc
  .tuple(
    fc.integer({ min: start, max: end }),
    fc.array(fc.integer({ min: 0, max: 9 * HOUR }), { minLength: 1, maxLength: 5 }),
    fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    fc.constantFrom('a', 'b', 'c', 'unknown'),
    fc.constantFrom(null, '#acme', 'a #Acme and #other', '#other'),
  )
  .map(([at, stretches, share, taskId, note]) => ({
    ...testEntryOfStretches(at, stretches, share, taskId),
    note,
  }))

const anyInput: fc.Arbitrary<ReportInput> = fc
  .record({
    entries: fc.array(anyEntry, { maxLength: 30 }),
    isLast: fc.boolean(),
    zone: fc.constantFrom(...ZONES),
    dayStart: fc.constantFrom(0, 4),
    weekStart: fc.integer({ min: 0, max: 6 }),
    now: fc.integer({ min: start, max: end }),
  })
  .map(({ entries, isLast, zone, dayStart, weekStart, now }) => ({
    entries: isLast ? entries.slice(1) : entries,
    live: isLast ? (entries[0] ?? null) : null,
    tasks: TASKS,
    dayRule: dayRuleOf(zone, dayStart),
    weekStart,
    now,
  }))

const anyScope = fc.constantFrom<Scope[]>(
  { kind: 'all' },
  { kind: 'category', name: 'Design' },
  { kind: 'tag', name: 'ACME' },
  { kind: 'task', name: 'a' },
  { kind: 'task', name: 'unknown' },
)

const anyTarget: fc.Arbitrary<Target> = fc.record({
  bound: fc.constantFrom(...BOUNDS),
  span: fc.constantFrom(...TARGET_SPANS),
  scope: anyScope,
  seconds: fc.integer({ min: 1, max: 86_400 }),
})

const anyAccount = fc.constantFrom(
  hoursAccount({}),
  testAccount(['8h Mon–Fri since 1 January 2026', 'vacation 12–18 October 2026']),
)

test('What was worked is the figure of the report with the same days, and of its explanation', () => {
  fc.assert(
    fc.property(anyInput, anyTarget, anyAccount, (input, target, account) => {
      const [progress] = targetsProgress(input, account, [target], false)
      const { dates, workedSeconds } = progress ?? { dates: null, workedSeconds: 0 }
      if (!dates) throw new Error('There is no progress')
      expect(workedSeconds).toBe(reported(input, target.scope, dates))
      const { taskIds, tags } = countedOf(target.scope, TASKS)
      const { totalSeconds } = explain(
        input,
        [intervalOfDates(dates, input.dayRule)],
        taskIds,
        tags,
      )
      expect(workedSeconds).toBe(totalSeconds)
    }),
  )
})

function reported(input: ReportInput, scope: Scope, dates: DateRange): number {
  const totals = (by: 'category' | 'tag', key: string) =>
    groupTotals(input, dates, by).find((group) => group.key === key)?.seconds ?? 0
  switch (scope.kind) {
    case 'all':
      return periodBars(input, rangePeriod(dates)).totalSeconds
    case 'category':
      return totals('category', scope.name)
    case 'tag':
      return totals('tag', 'acme')
    case 'task':
      return periodBars(input, rangePeriod(dates), scope.name).totalSeconds
  }
}

test('The targets of all work are the chips of Reports', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const targets = TARGET_SPANS.map((span): Target => {
        return { bound: 'least', span, scope: { kind: 'all' }, seconds: 3600 }
      })
      const worked = targetsProgress(input, hoursAccount({}), targets, false)
      const { todaySeconds, weekSeconds, monthSeconds } = quickStats(input)
      expect(worked.map(({ workedSeconds }) => workedSeconds)).toEqual([
        todaySeconds,
        weekSeconds,
        monthSeconds,
      ])
    }),
  )
})

test('The days of a week sum to the week, of whatever a target counts', () => {
  fc.assert(
    fc.property(anyInput, anyScope, (input, scope) => {
      const secondsOf = secondsReader(input)
      const week = targetDates(input, 'week')
      const days = Array.from({ length: 7 }, (_, index) => {
        const from = addDays(week.from, index)
        return secondsOf(scope, { from, to: addDays(from, 1) })
      })
      expect(days.reduce((sum, seconds) => sum + seconds, 0)).toBe(secondsOf(scope, week))
    }),
  )
})

test('A target is on track while no day needs more than an even share', () => {
  fc.assert(
    fc.property(anyInput, anyTarget, anyAccount, (input, target, account) => {
      fc.pre(target.bound === 'least')
      const [progress] = targetsProgress(input, account, [target], false)
      if (!progress || progress.state === 'reached' || progress.daysLeft === 0) return
      // As on the first day of the same period, when nothing was worked.
      const first = { ...input, entries: [], live: null }
      const now = intervalOfDates(progress.dates, input.dayRule).start
      const [begun] = targetsProgress({ ...first, now }, account, [target], false)
      const share = target.seconds / (begun?.daysLeft ?? 0)
      expect(progress.state === 'onTrack').toBe(progress.leftSeconds / progress.daysLeft <= share)
    }),
  )
})

test('What is kept of a tag does not depend on what was asked before', () => {
  fc.assert(
    fc.property(
      anyInput,
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }),
      (input, days) => {
        const time = trackedTime(input)
        for (const day of days) {
          const from = addDays('2026-10-01', day)
          const dates = { from, to: addDays(from, 3) }
          const fresh = trackedTime({ ...input, entries: [...input.entries] })
          expect(secondsOfTag(time, dates, 'acme')).toBe(secondsOfTag(fresh, dates, 'acme'))
        }
      },
    ),
  )
})
