import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
/** Properties of the reports that hold for every history. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween, intervalOfDates } from '#time/calendar.ts'
import { ALL_TIME, explain } from './explanation.ts'
import type { Period, PeriodView, RangePeriod } from '#time/period.ts'
import {
  PERIOD_VIEWS,
  periodContaining,
  periodDates,
  periodLength,
  rangePeriod,
  stepPeriod,
} from '#time/period.ts'
import type { ReportInput } from './report-input.ts'
import type { PeriodBars } from './period-bars.ts'
import { dashboard } from './dashboard.ts'
import { barParts } from './bar-parts.ts'
import { ghostBars, periodBars } from './period-bars.ts'
import { periodSummary } from './period-summary.ts'
import { printedReport } from './printed-report.ts'
import { quickStats } from './quick-stats.ts'
import { squaresOf, taskBreakdown } from './task-breakdown.ts'
import { activityPattern, taskStats } from './task-report.ts'
import { testEntryOfStretches, testTask } from '#test/entries.ts'

const HOUR = 3_600_000
const ZONES = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Santiago'] as const
const TASKS = ['A', 'B', 'C', 'D'].map((name, index) => testTask(name, index))
const start = Date.parse('2026-02-20T00:00:00Z')
const end = Date.parse('2026-11-10T00:00:00Z')

const anyEntry = fc
  .tuple(
    fc.integer({ min: start, max: end }),
    fc.array(fc.integer({ min: 0, max: 9 * HOUR }), { minLength: 1, maxLength: 5 }),
    fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    fc.constantFrom('a', 'b', 'c', 'd', 'unknown'),
  )
  .map((parts) => testEntryOfStretches(...parts))

const anyReport: fc.Arbitrary<ReportInput> = fc
  .record({
    entries: fc.array(anyEntry, { maxLength: 30 }),
    isLast: fc.boolean(),
    zone: fc.constantFrom(...ZONES),
    now: fc.integer({ min: start, max: end }),
  })
  .map(({ entries, isLast, zone, now }) => ({
    entries: isLast ? entries.slice(1) : entries,
    live: isLast ? (entries[0] ?? null) : null,
    tasks: TASKS,
    dayRule: dayRuleOf(zone),
    now,
  }))

const anyRange: fc.Arbitrary<RangePeriod> = fc
  .tuple(
    fc.integer({ min: -40, max: 300 }),
    fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 2200 })),
    fc.integer({ min: 0, max: 6 }),
  )
  .map(([day, days, weekStart]) => {
    const from = addDays('2026-01-15', day)
    return rangePeriod({ from, to: addDays(from, days) }, weekStart)
  })

const anyPeriod = fc.oneof(
  fc
    .tuple(fc.constantFrom(...PERIOD_VIEWS), fc.integer({ min: 0, max: 300 }))
    .map(([view, day]) => periodContaining(view, addDays('2026-01-15', day))),
  anyRange,
)

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Returns the seconds of a chart that belong to its period. */
function inPeriod({ bars, leftover }: PeriodBars): number {
  return sum(bars.map((bar) => bar.inPeriodSeconds)) + (leftover?.seconds ?? 0)
}

/** Returns the totals of consecutive periods of a view, from a date on. */
function totals(
  input: ReportInput,
  view: PeriodView,
  from: CalendarDate,
  count: number,
  taskId?: string,
): number[] {
  const first: Period = periodContaining(view, from)
  return Array.from(
    { length: count },
    (_, index) => periodBars(input, stepPeriod(first, index), taskId).totalSeconds,
  )
}

test('For any history the bars and the leftover days sum to the total of the period', () => {
  fc.assert(
    fc.property(anyReport, anyPeriod, (input, period) => {
      const chart = periodBars(input, period)
      expect(inPeriod(chart)).toBe(chart.totalSeconds)
      expect(chart.bars.every((bar) => bar.inPeriodSeconds >= 0)).toBe(true)
      expect(chart.bars.every((bar) => bar.inPeriodSeconds <= bar.seconds)).toBe(true)
    }),
  )
})

test('For any history a range that is cut in two sums to the whole', () => {
  const anyTask = fc.constantFrom('a', 'unknown', undefined)
  fc.assert(
    fc.property(anyReport, anyRange, fc.nat(), anyTask, (input, range, after, taskId) => {
      const days = daysBetween(range.from, range.to)
      fc.pre(days > 1)
      const cut = addDays(range.from, 1 + (after % (days - 1)))
      const total = (dates: DateRange) => periodBars(input, rangePeriod(dates), taskId).totalSeconds
      const { from, to } = range
      expect(total({ from, to: cut }) + total({ from: cut, to })).toBe(total({ from, to }))
      expect(
        printedReport(input, { from, to: cut }).totalSeconds +
          printedReport(input, { from: cut, to }).totalSeconds,
      ).toBe(printedReport(input, { from, to }).totalSeconds)
    }),
  )
})

test('For any history the bars behind a range are the total of the days before it', () => {
  fc.assert(
    fc.property(anyReport, anyRange, (input, range) => {
      fc.pre(periodLength(range).unit === 'day')
      const ghosts = ghostBars(input, range, periodBars(input, range).bars)
      const before = periodBars(input, stepPeriod(range, -1))
      expect(sum(ghosts.map(({ seconds }) => seconds))).toBe(before.totalSeconds)
    }),
  )
})

test('For any history a range of a week, a month or a year has its figures', () => {
  fc.assert(
    fc.property(
      anyReport,
      fc.constantFrom(...PERIOD_VIEWS),
      fc.integer({ min: 0, max: 300 }),
      (input, view, day) => {
        const period = periodContaining(view, addDays('2026-01-15', day))
        const range = rangePeriod(periodDates(period))
        expect(taskBreakdown(input, range)).toEqual(taskBreakdown(input, period))
        expect(periodSummary(input, range)).toEqual(periodSummary(input, period))
        const [ofRange, ofPeriod] = [periodBars(input, range), periodBars(input, period)]
        expect(ofRange.totalSeconds).toBe(ofPeriod.totalSeconds)
        expect(ofRange.count).toEqual(ofPeriod.count)
      },
    ),
  )
})

test('For any history weeks, months and the year agree', () => {
  fc.assert(
    fc.property(anyReport, fc.constantFrom('a', 'unknown', undefined), (input, taskId) => {
      const [year] = totals(input, 'yearly', '2026-01-01', 1, taskId)
      expect(sum(totals(input, 'monthly', '2026-01-01', 12, taskId))).toBe(year)
      // All work lies within the year, and so do these weeks.
      expect(sum(totals(input, 'weekly', '2026-01-01', 53, taskId))).toBe(year)
    }),
    { numRuns: 40 },
  )
})

test('For any history a day is the same in every view', () => {
  fc.assert(
    fc.property(anyReport, fc.integer({ min: 0, max: 300 }), (input, after) => {
      const date = addDays('2026-01-15', after)
      const weekly = periodBars(input, periodContaining('weekly', date))
      const week = { from: weekly.bars[0]?.from ?? '', to: weekly.bars[6]?.to ?? '' }
      const monthly = periodBars(input, periodContaining('monthly', date))
      const sameWeek = monthly.bars.find((bar) => bar.from === week.from)
      expect(sameWeek?.seconds ?? weekly.totalSeconds).toBe(weekly.totalSeconds)
      const interval = intervalOfDates({ from: date, to: addDays(date, 1) }, input.dayRule)
      expect(weekly.bars.find((bar) => bar.from === date)?.seconds).toBe(
        explain(input, [interval]).totalSeconds,
      )
    }),
  )
})

test('For any history the parts of all sessions over all time sum to their durations', () => {
  fc.assert(
    fc.property(anyReport, (input) => {
      const entries = [...input.entries, ...(input.live ? [input.live] : [])]
      const seconds = sum(entries.map((entry) => entry.durationSeconds))
      expect(explain(input, ALL_TIME).totalSeconds).toBe(seconds)
      expect(periodBars(input, { view: 'yearly', from: '2026-01-01' }).totalSeconds).toBe(seconds)
    }),
  )
})

test('For any history the explanation of every figure sums to it', () => {
  fc.assert(
    fc.property(anyReport, anyPeriod, (input, period) => {
      const whole = [intervalOfDates(periodDates(period), input.dayRule)]
      const { rows, rest, totalSeconds } = taskBreakdown(input, period)
      expect(explain(input, whole).totalSeconds).toBe(totalSeconds)
      expect(rows.map((row) => explain(input, whole, [row.taskId]).totalSeconds)).toEqual(
        rows.map((row) => row.seconds),
      )
      expect(rest).toBeNull()
      const { bars } = periodBars(input, period)
      expect(
        bars.map((bar) => explain(input, [intervalOfDates(bar, input.dayRule)]).totalSeconds),
      ).toEqual(bars.map((bar) => bar.seconds))
    }),
  )
})

test('For any history the parts of a bar sum to it, and each is explained by its sessions', () => {
  fc.assert(
    fc.property(anyReport, anyPeriod, (input, period) => {
      const shown = periodDates(period)
      const { bars, leftover } = periodBars(input, period)
      const parts = barParts(input, period)
      expect(parts.map((each) => sum(each.map(({ seconds }) => seconds)))).toEqual(
        bars.map((bar) => bar.inPeriodSeconds),
      )
      for (const [index, bar] of bars.entries()) {
        const from = bar.from < shown.from ? shown.from : bar.from
        const to = bar.to > shown.to ? shown.to : bar.to
        const days = [intervalOfDates({ from, to }, input.dayRule)]
        const ofBar = parts[index] ?? []
        expect(ofBar.map(({ taskIds }) => explain(input, days, taskIds).totalSeconds)).toEqual(
          ofBar.map(({ seconds }) => seconds),
        )
      }
      for (const { taskId, seconds } of taskBreakdown(input, period).rows) {
        const ofTask = parts.flat().filter(({ taskIds }) => taskIds.includes(taskId))
        const outside = leftover
          ? explain(input, [intervalOfDates(leftover, input.dayRule)], [taskId]).totalSeconds
          : 0
        expect(sum(ofTask.map((part) => part.seconds)) + outside).toBe(seconds)
      }
    }),
  )
})

test('For any history the order of the entries does not matter', () => {
  fc.assert(
    fc.property(anyReport, anyPeriod, (input, period) => {
      const reversed = { ...input, entries: input.entries.toReversed() }
      const figures = (report: ReportInput): unknown => [
        quickStats(report),
        taskBreakdown(report, period),
        periodBars(report, period, 'a'),
        dashboard(report),
        explain(report, ALL_TIME),
      ]
      expect(figures(reversed)).toEqual(figures(input))
    }),
  )
})

test('For any history the screens agree: chips, bars, cards and rows', () => {
  fc.assert(
    fc.property(anyReport, (input) => {
      const stats = quickStats(input)
      const board = dashboard(input)
      expect(board.todaySeconds).toBe(stats.todaySeconds)
      expect(
        board.rows.map(({ task, todaySeconds, totalSeconds }) => {
          const own = taskStats(input, task)
          return [own.todaySeconds - todaySeconds, own.totalSeconds - totalSeconds]
        }),
      ).toEqual(board.rows.map(() => [0, 0]))
    }),
  )
})

test('For any history the activity pattern lies within its cells', () => {
  fc.assert(
    fc.property(anyReport, fc.integer({ min: 0, max: 40 }), (input, weeks) => {
      const week = stepPeriod(periodContaining('weekly', '2026-02-15'), weeks)
      const days = activityPattern(input, 'a', week)
      expect(days).toHaveLength(7)
      const segments = days.flatMap((day) => day.cells.flatMap((cell) => cell.segments))
      expect(
        segments.filter(
          ({ startPercent, durationPercent }) =>
            !(startPercent >= 0 && durationPercent > 0) ||
            startPercent + durationPercent > 100 + 1e-9,
        ),
      ).toEqual([])
    }),
  )
})

describe('the hundred squares', () => {
  const amounts = fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.nat(10_000_000)), {
    minLength: 1,
    maxLength: 11,
  })

  test('Each amount gets its whole percents of the hundred squares, or one more, and they sum to 100', () => {
    fc.assert(
      fc.property(amounts, (parts) => {
        const total = sum(parts)
        fc.pre(total > 0)
        const squares = squaresOf(parts)
        const floors = parts.map((part) => Math.floor((100 * part) / total))
        expect(squares.every((count, index) => [0, 1].includes(count - (floors[index] ?? 0)))).toBe(
          true,
        )
        expect(sum(squares)).toBe(100)
      }),
      { numRuns: 1000 },
    )
  })

  test('A smaller amount never gets more of the hundred squares than a larger one', () => {
    fc.assert(
      fc.property(amounts, (parts) => {
        const descending = parts.toSorted((a, b) => b - a)
        const squares = squaresOf(descending)
        expect(squares).toEqual(squares.toSorted((a, b) => b - a))
      }),
      { numRuns: 1000 },
    )
  })
})
