/**
 * An independent calculation of every figure, compared on random histories. It looks at a simulated
 * wall clock once a minute and marks the day, the hour and the task that were worked on. Its clock
 * is `Intl`, not Temporal, and has no rule for days of 23 hours. Both calculations must agree.
 */
import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, intervalOfDates, localDate } from '#time/calendar.ts'
import type { DurationFormat } from '#time/duration.ts'
import { formatParts } from '#time/duration-sum.ts'
import { DURATION_FORMATS, exactDuration, formatDuration } from '#time/duration.ts'
import { ALL_TIME, explain } from './explanation.ts'
import type { Period } from '#time/period.ts'
import { PERIOD_VIEWS, periodDates, periodLength, periodOf, rangePeriod } from '#time/period.ts'
import { printedReport } from './printed-report.ts'
import type { ReportInput } from './report-input.ts'
import { dashboard } from './dashboard.ts'
import { barParts } from './bar-parts.ts'
import { GROUPS, groupBreakdown } from './group-breakdown.ts'
import { ghostBars, periodBars } from './period-bars.ts'
import { quickStats } from './quick-stats.ts'
import { taskBreakdown } from './task-breakdown.ts'
import { activityPattern } from './task-report.ts'
import { testEntry, testTask } from '#test/entries.ts'
import type { TimeEntry } from '#record/time-entry.ts'

const MINUTE = 60_000
const DAY_MINUTES = 1440
/** The number of random histories, by the size of the tests; set HISTORIES=100000 to explore. */
const RUNS = Number(process.env['HISTORIES'] ?? 300)

/** Moments at which clocks change, years and months turn, or a whole day is skipped. */
const MOMENTS = [
  ['America/New_York', '2026-03-08T12:00Z'],
  ['America/New_York', '2026-11-01T12:00Z'],
  ['America/Los_Angeles', '2026-01-01T08:00Z'],
  ['America/Santiago', '2026-09-06T12:00Z'],
  ['America/Santiago', '2026-04-05T12:00Z'],
  ['America/Havana', '2026-11-01T12:00Z'],
  ['Africa/Cairo', '2026-04-24T06:00Z'],
  ['Africa/Cairo', '2026-10-30T00:00Z'],
  ['Asia/Beirut', '2026-03-29T06:00Z'],
  ['Asia/Beirut', '2026-10-25T00:00Z'],
  ['Europe/Berlin', '2026-03-29T06:00Z'],
  ['Europe/London', '2026-10-25T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T00:00Z'],
  ['Australia/Lord_Howe', '2026-10-04T00:00Z'],
  ['Asia/Kolkata', '2026-08-31T18:30Z'],
  ['Pacific/Auckland', '2026-09-26T18:00Z'],
  ['Pacific/Chatham', '2026-04-04T14:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Africa/Casablanca', '2026-02-15T06:00Z'],
  ['UTC', '2028-02-29T12:00Z'],
] as const

/** Each task's category. Entries of the task 'lost' have none. */
const CATEGORIES: Readonly<Record<string, string>> = { a: 'Design', b: 'Field work', c: 'Design' }
const TASKS = ['A', 'B', 'C'].map((name, index) =>
  testTask(name, index, { category: CATEGORIES[name.toLowerCase()] ?? '' }),
)
/** Notes, and the tags that a reader finds in each. */
const NOTES: readonly (readonly [note: string | null, tags: readonly string[]])[] = [
  [null, []],
  ['Call with Ann', []],
  ['#acme', ['acme']],
  ['Call #ACME, then #bike', ['acme', 'bike']],
  ['#bike #bike and item #1', ['bike']],
]

interface Session {
  readonly taskId: string
  /** Minutes after the first minute of the history. */
  readonly from: number
  readonly minutes: number
  /** The minutes of the session at which it was paused and resumed, by turns. */
  readonly turns: readonly number[]
  readonly note: string | null
}
const anySession: fc.Arbitrary<Session> = fc.record({
  taskId: fc.constantFrom('a', 'b', 'c', 'lost'),
  from: fc.integer({ min: 0, max: 4 * DAY_MINUTES }),
  // Other clients and imports also save sessions of no length.
  minutes: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 200 }) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 1600 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
  turns: fc.array(fc.nat(1600), { maxLength: 5 }),
  note: fc.constantFrom(...NOTES.map(([note]) => note)),
})
/** A range: its first day before or after today, its days, and the weekday of its weeks. */
interface Range {
  readonly start: number
  readonly days: number
  readonly weekStart: number
}
/** As many days as have bars of days, weeks, months and years. */
const anyRange: fc.Arbitrary<Range> = fc.record({
  start: fc.integer({ min: -40, max: 5 }),
  days: fc.oneof(
    fc.integer({ min: 1, max: 31 }),
    fc.integer({ min: 32, max: 184 }),
    fc.integer({ min: 185, max: 1830 }),
    fc.integer({ min: 1831, max: 4000 }),
  ),
  weekStart: fc.integer({ min: 0, max: 6 }),
})
const anyHistory = fc.record({
  moment: fc.constantFrom(...MOMENTS),
  sessions: fc.array(anySession, { minLength: 1, maxLength: 8 }),
  hasTimer: fc.boolean(),
  now: fc.integer({ min: 0, max: 5 * DAY_MINUTES }),
  range: anyRange,
})

/** A timer that was paused at once, on a day without other work. */
const TIMER_WITHOUT_WORK = {
  moment: MOMENTS[0],
  sessions: [{ taskId: 'a', from: 1020, minutes: 1, turns: [0], note: '#acme' }],
  hasTimer: true,
  now: 1020,
  range: { start: 0, days: 1, weekStart: 0 },
}

test(
  'An independent count of every minute agrees with all figures on random histories',
  () => {
    fc.assert(
      fc.property(anyHistory, ({ moment: [zone, center], sessions, hasTimer, now, range }) => {
        const first = Date.parse(center) - 2 * DAY_MINUTES * MINUTE
        const entries = sessions.map((session) => entryOf(session, first))
        const input: ReportInput = {
          entries: hasTimer ? entries.slice(1) : entries,
          live: hasTimer ? (entries[0] ?? null) : null,
          tasks: TASKS,
          dayRule: dayRuleOf(zone),
          now: first + now * MINUTE,
        }
        const marks = marksOf(entries, zone)
        const clerk = {
          ...clerksFigures(input, marks),
          ...clerksCounts(input),
          ...clerksGroups(input, entries),
        }
        expect(ourFigures(input)).toEqual(clerk)
        expect(ourRange(input, range)).toEqual(clerksRange(input, marks, range))
      }),
      { numRuns: RUNS, examples: [[TIMER_WITHOUT_WORK]] },
    )
  },
  600_000 + RUNS * 100,
)

/** The same histories with sessions that begin and end at any second. */
const anySeconds = fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { minLength: 8, maxLength: 8 })

test(
  'The figures shown in each column sum to the total shown below it on 300 random histories',
  () => {
    fc.assert(
      fc.property(
        anyHistory,
        anySeconds,
        fc.constantFrom(...DURATION_FORMATS),
        fc.constantFrom(...PERIOD_VIEWS),
        ({ moment: [zone, center], sessions, hasTimer, now }, seconds, format, view) => {
          const first = Date.parse(center) - 2 * DAY_MINUTES * MINUTE
          const entries = sessions.map((session, index) => {
            const entry = entryOf(session, first)
            const [before, after] = seconds[index] ?? [0, 0]
            const { startedAt, endedAt, pauses, taskId } = entry
            return testEntry({
              taskId: `${taskId}${index}`,
              start: startedAt - before * 1000,
              end: endedAt + after * 1000,
              pauses: pauses.intervals.map(({ start, end }) => [start, end]),
            })
          })
          const input: ReportInput = {
            entries: hasTimer ? entries.slice(1) : entries,
            live: hasTimer ? (entries[0] ?? null) : null,
            tasks: TASKS,
            dayRule: dayRuleOf(zone),
            now: first + now * MINUTE,
          }
          const columns = columnsOf(input, periodOf(view, input.now, dayRuleOf(zone)), format)
          expect(columns.filter(({ added, total }) => added !== total)).toEqual([])
        },
      ),
      { numRuns: Math.max(300, RUNS / 4) },
    )
  },
  600_000 + RUNS * 100,
)

/**
 * The columns of numbers on the pages and on paper: what their texts sum to, and what their total
 * shows.
 */
function columnsOf(
  input: ReportInput,
  period: Period,
  format: DurationFormat,
): { name: string; added: number; total: number }[] {
  const bars = periodBars(input, period)
  const { rows, rest, totalSeconds } = taskBreakdown(input, period)
  const legend = [...rows, ...(rest ? [rest] : [])]
  const times = legend.map((row) => row.seconds)
  const dates = periodDates(period)
  const explanation = explain(input, [intervalOfDates(dates, input.dayRule)])
  const paper = printedReport(input, dates)
  const exact = (name: string, spans: readonly number[], total: number) => ({
    name,
    added: addedUp(spans.map(exactDuration)),
    total: addedUp([exactDuration(total)]),
  })
  return [
    {
      name: 'legend',
      added: addedUp(formatParts(times, format)),
      total: addedUp([formatDuration(totalSeconds, format)]),
    },
    exact('table of the legend', times, totalSeconds),
    exact(
      'table of the bars',
      [...bars.bars.map((bar) => bar.inPeriodSeconds), bars.leftover?.seconds ?? 0],
      totalSeconds,
    ),
    exact(
      'explanation',
      explanation.rows.map((row) => row.countedSeconds),
      totalSeconds,
    ),
    exact(
      'tasks on paper',
      paper.tasks.map((task) => task.seconds),
      paper.totalSeconds,
    ),
    exact(
      'days on paper',
      paper.days.map((day) => day.seconds),
      paper.totalSeconds,
    ),
    exact(
      'sessions on paper',
      paper.sessions.map((session) => session.countedSeconds),
      paper.totalSeconds,
    ),
    {
      name: 'percents on paper',
      added: addedPercents(paper.tasks.map((task) => task.percentLabel)),
      total: paper.totalSeconds === 0 ? 0 : 100,
    },
    {
      name: 'percents of the legend',
      added: addedPercents(legend.map((row) => row.percentLabel)),
      total: 100 * Math.sign(totalSeconds),
    },
  ]
}

/** Returns the sum of the percentages; '<1%' counts as 0. */
function addedPercents(labels: readonly string[]): number {
  const tenths = labels.map((label) => Math.round(10 * Number.parseFloat(label.replace('<1', '0'))))
  return tenths.reduce((sum, each) => sum + each, 0) / 10
}

/** Returns the sum of texts such as '1h 5m 3s', '1h 5m', '1:05' or '1.08h', in seconds. */
function addedUp(texts: readonly string[]): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }
  return texts.reduce((sum, text) => {
    if (/^\d+\.\d\dh$/.test(text)) return sum + Math.round(Number.parseFloat(text) * 100) * 36
    const clock = /^(\d+):(\d\d)$/.exec(text)
    if (clock) return sum + Number(clock[1]) * 3600 + Number(clock[2]) * 60
    return [...text.matchAll(/(\d+)([hms])/g)].reduce(
      (all, [, count, unit]) => all + Number(count) * (units[unit ?? ''] ?? Number.NaN),
      sum,
    )
  }, 0)
}

function entryOf({ taskId, from, minutes, turns, note }: Session, first: number): TimeEntry {
  const start = first + from * MINUTE
  const marks = [...new Set(turns.filter((turn) => turn < minutes))]
    .toSorted((a, b) => a - b)
    .map((turn) => start + turn * MINUTE)
  const pauses = marks.flatMap((mark, index) =>
    index % 2 === 0 ? [[mark, marks[index + 1] ?? start + minutes * MINUTE] as const] : [],
  )
  return { ...testEntry({ taskId, start, end: start + minutes * MINUTE, pauses }), note }
}

/** Returns the compared figures as the product calculates them. */
function ourFigures(input: ReportInput): unknown {
  const { dayRule, now } = input
  const { todaySeconds, weekSeconds, monthSeconds, yearSeconds, streakDays } = quickStats(input)
  const board = dashboard(input)
  const week = periodOf('weekly', now, dayRule)
  return {
    chips: { todaySeconds, weekSeconds, monthSeconds, yearSeconds, streakDays },
    today: [board.todaySeconds, board.tasksWorkedOn],
    rows: board.rows.map((row) => [row.task.id, row.todaySeconds, row.totalSeconds]),
    all: explain(input, ALL_TIME).totalSeconds,
    sessions: [quickStats(input).sessions, explain({ ...input, live: null }, ALL_TIME).rows.length],
    counts: PERIOD_VIEWS.flatMap((view) => {
      const period = periodOf(view, now, dayRule)
      const days = [intervalOfDates(periodDates(period), dayRule)]
      return [undefined, ['a']].map((taskIds) => [
        periodBars(input, period, taskIds?.[0]).count,
        explain(input, days, taskIds).count,
      ])
    }),
    onPaper: PERIOD_VIEWS.map(
      (view) => printedReport(input, periodDates(periodOf(view, now, dayRule))).count,
    ),
    charts: PERIOD_VIEWS.flatMap((view) => {
      const period = periodOf(view, now, dayRule)
      const whole = periodBars(input, period)
      const ofTask = periodBars(input, period, 'a')
      return [
        [whole.totalSeconds, ...whole.bars.map((bar) => bar.seconds)],
        [ofTask.totalSeconds, ...ofTask.bars.map((bar) => bar.seconds)],
      ]
    }),
    breakdown: Object.fromEntries(
      taskBreakdown(input, week).rows.map((row) => [row.taskId, row.seconds]),
    ),
    stacks: PERIOD_VIEWS.map((view) => {
      const period = periodOf(view, now, dayRule)
      return barParts(input, period).map((parts) =>
        Object.fromEntries(parts.map(({ taskIds, seconds }) => [taskIds.join(' '), seconds])),
      )
    }),
    groups: GROUPS.map((by) => {
      const days = [intervalOfDates(periodDates(week), dayRule)]
      const { rows, rest, totalSeconds, sumSeconds } = groupBreakdown(input, week, by)
      const explained = rows.map(({ counted: { taskIds, tags } }) =>
        explain(input, days, taskIds, tags),
      )
      expect(explained.map((each) => each.totalSeconds)).toEqual(rows.map((row) => row.seconds))
      expect(rest).toBeNull()
      const times = Object.fromEntries(rows.map((row) => [inLowerCase(row.name), row.seconds]))
      return { times, totalSeconds, sumSeconds }
    }),
    pattern: activityPattern(input, 'a', week).map((day) =>
      day.cells.map(({ segments }) => {
        const worked = segments.filter((segment) => segment.kind === 'work')
        const percent = worked.reduce((sum, segment) => sum + segment.durationPercent, 0)
        return Math.round((percent * 36) / 60)
      }),
    ),
  }
}

/** Returns the figures of a range as the product calculates them. */
function ourRange(input: ReportInput, { start, days, weekStart }: Range): unknown {
  const from = addDays(localDate(input.now, input.dayRule), start)
  const range = rangePeriod({ from, to: addDays(from, days) }, weekStart)
  const whole = [intervalOfDates(range, input.dayRule)]
  const { rows } = taskBreakdown(input, range)
  const { bars, totalSeconds } = periodBars(input, range)
  const paper = printedReport({ ...input, entries: withLive(input) }, range)
  return {
    total: totalSeconds,
    explained: explain(input, whole).totalSeconds,
    onPaper: [
      paper.totalSeconds,
      Object.fromEntries(paper.days.map((day) => [day.date, day.seconds])),
    ],
    breakdown: Object.fromEntries(rows.map((row) => [row.taskId, row.seconds])),
    bars: bars.map((bar) => bar.seconds),
    barsOfTask: periodBars(input, range, 'a').bars.map((bar) => bar.seconds),
    stacks: barParts(input, range).map((parts) =>
      Object.fromEntries(parts.map(({ taskIds, seconds }) => [taskIds.join(' '), seconds])),
    ),
    behind:
      periodLength(range).unit === 'month'
        ? null
        : ghostBars(input, range, bars).map((bar) => bar.seconds),
  }
}

/** The printed report has saved sessions only. */
function withLive({ entries, live }: ReportInput): readonly TimeEntry[] {
  return live ? [...entries, live] : entries
}

/** A tag has the name that was written last. The clerk writes all in lower case. */
function inLowerCase(name: string): string {
  return name.startsWith('#') ? name.toLowerCase() : name
}

/** The marked minutes of work on one task in one hour of the wall clock. */
interface Tally {
  readonly taskId: string
  readonly date: string
  readonly hour: number
  marks: number
}

function marksOf(entries: readonly TimeEntry[], zone: string): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const { taskId, startedAt, endedAt, pauses } of entries) {
    for (let minute = startedAt; minute < endedAt; minute += MINUTE) {
      if (pauses.intervals.some(({ start, end }) => minute >= start && minute < end)) continue
      const { date, hour } = wallClock(minute, zone)
      const key = `${taskId} ${date} ${hour}`
      const tally = tallies.get(key) ?? { taskId, date, hour, marks: 0 }
      tally.marks++
      tallies.set(key, tally)
    }
  }
  return [...tallies.values()]
}

/** Returns the same figures from the marks, with dates as texts and weeks counted in plain days. */
function clerksFigures(
  { dayRule, now, tasks, live }: ReportInput,
  tallies: readonly Tally[],
): object {
  const zone = dayRule.timeZone
  const today = wallClock(now, zone).date
  const sunday = plusDays(today, -new Date(today).getUTCDay())
  const month = today.slice(0, 7)
  const year = today.slice(0, 4)
  const seconds = (matches: (tally: Tally) => boolean): number =>
    60 * tallies.filter(matches).reduce((sum, tally) => sum + tally.marks, 0)
  const between = (from: string, to: string, taskId?: string): number =>
    seconds(
      (tally) =>
        tally.date >= from && tally.date < to && (taskId === undefined || tally.taskId === taskId),
    )
  const monthStart = `${month}-01`
  const firstSunday = plusDays(monthStart, -new Date(monthStart).getUTCDay())
  const edges = {
    weekly: Array.from({ length: 8 }, (_, index) => plusDays(sunday, index)),
    monthly: Array.from({ length: 6 }, (_, index) => plusDays(firstSunday, 7 * index)),
    yearly: Array.from(
      { length: 13 },
      (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`,
    ),
  }
  const totals = {
    weekly: (taskId?: string) => between(sunday, plusDays(sunday, 7), taskId),
    monthly: (taskId?: string) => between(month, `${month}-99`, taskId),
    yearly: (taskId?: string) => between(year, `${year}-99`, taskId),
  }
  const bars = (view: keyof typeof edges, taskId?: string): number[] => [
    totals[view](taskId),
    ...edges[view].slice(1).map((to, index) => between(edges[view][index] ?? '', to, taskId)),
  ]
  const taskIds = [...new Set(tallies.map((tally) => tally.taskId))]
  const stack = (view: keyof typeof edges, index: number) => {
    const [from = '', to = ''] = edges[view].slice(index)
    const inBar = tallies.filter(
      ({ date }) => date >= from && date < to && (view !== 'monthly' || date.startsWith(month)),
    )
    const worked = taskIds.map((taskId) => {
      const ofTask = inBar.filter((tally) => tally.taskId === taskId)
      return [taskId, 60 * ofTask.reduce((sum, tally) => sum + tally.marks, 0)] as const
    })
    return Object.fromEntries(worked.filter(([, time]) => time > 0))
  }
  const workedDates = new Set(tallies.map((tally) => tally.date))
  // A running timer counts as a day of work from its first moment, also while it is paused.
  if (live && wallClock(live.startedAt, zone).date === today) workedDates.add(today)
  const weekDates = edges.weekly.slice(0, 7)
  return {
    chips: {
      todaySeconds: between(today, plusDays(today, 1)),
      weekSeconds: totals.weekly(),
      monthSeconds: totals.monthly(),
      yearSeconds: totals.yearly(),
      streakDays: streak(today, workedDates, zone),
    },
    today: [
      between(today, plusDays(today, 1)),
      new Set(tallies.filter((tally) => tally.date === today).map((tally) => tally.taskId)).size,
    ],
    rows: tasks
      .map(({ id }) => [
        id,
        between(today, plusDays(today, 1), id),
        seconds((tally) => tally.taskId === id),
      ])
      .toReversed(),
    all: seconds(() => true),
    charts: PERIOD_VIEWS.flatMap((view) => [bars(view), bars(view, 'a')]),
    stacks: PERIOD_VIEWS.map((view) => edges[view].slice(1).map((_, index) => stack(view, index))),
    breakdown: Object.fromEntries(
      taskIds
        .map((taskId) => [taskId, totals.weekly(taskId)] as const)
        .filter(([, worked]) => worked > 0),
    ),
    pattern: weekDates.map((date) =>
      Array.from(
        { length: 24 },
        (_, hour) =>
          seconds((tally) => tally.taskId === 'a' && tally.date === date && tally.hour === hour) /
          60,
      ),
    ),
  }
}

/**
 * Returns the figures of a range from the marks. Each of its dates is in the group that its weekday,
 * its month or its year says.
 */
function clerksRange(
  { dayRule, now }: ReportInput,
  tallies: readonly Tally[],
  { start, days, weekStart }: Range,
): object {
  const today = wallClock(now, dayRule.timeZone).date
  const dates = Array.from({ length: days }, (_, day) => plusDays(today, start + day))
  const first = dates[0] ?? ''
  const weekOf = (date: string) =>
    plusDays(date, -((new Date(date).getUTCDay() - weekStart + 7) % 7))
  const groupOf = (date: string) =>
    days <= 31 ? date : days <= 184 ? weekOf(date) : date.slice(0, days <= 1830 ? 7 : 4)
  const groups = [...new Set(dates.map(groupOf))]
  const inRange = tallies.filter(({ date }) => date >= first && date < plusDays(first, days))
  const seconds = (marks: readonly Tally[]) =>
    60 * marks.reduce((sum, { marks: each }) => sum + each, 0)
  const by = (marks: readonly Tally[], keyOf: (tally: Tally) => string) =>
    Object.fromEntries([...Map.groupBy(marks, keyOf)].map(([key, each]) => [key, seconds(each)]))
  const inGroup = (group: string) => inRange.filter(({ date }) => groupOf(date) === group)
  const isMonths = first.endsWith('-01') && plusDays(first, days).endsWith('-01')
  const total = seconds(inRange)
  return {
    total,
    explained: total,
    onPaper: [total, by(inRange, ({ date }) => date)],
    breakdown: by(inRange, ({ taskId }) => taskId),
    bars: groups.map((group) => seconds(inGroup(group))),
    barsOfTask: groups.map((group) =>
      seconds(inGroup(group).filter(({ taskId }) => taskId === 'a')),
    ),
    stacks: groups.map((group) => by(inGroup(group), ({ taskId }) => taskId)),
    // Months before have another number of days.
    behind: isMonths
      ? null
      : groups.map((group) => {
          const before = new Set(
            dates.filter((date) => groupOf(date) === group).map((date) => plusDays(date, -days)),
          )
          return seconds(tallies.filter(({ date }) => before.has(date)))
        }),
  }
}

/**
 * Counts the sessions that began in each period, and those that were already running when it began.
 */
function clerksCounts({ entries, live, dayRule, now }: ReportInput): object {
  const zone = dayRule.timeZone
  const today = wallClock(now, zone).date
  const sunday = plusDays(today, -new Date(today).getUTCDay())
  const [month, year] = [today.slice(0, 7), today.slice(0, 4)]
  const periods = [
    [sunday, plusDays(sunday, 6)],
    [`${month}-01`, `${month}-31`],
    [`${year}-01-01`, `${year}-12-31`],
  ] as const
  const count = (from: string, to: string, taskId?: string) => {
    const of = (session: TimeEntry) => {
      if (taskId !== undefined && session.taskId !== taskId) return 'elsewhere'
      const begun = wallClock(session.startedAt, zone).date
      if (begun >= from && begun <= to) return 'begun'
      const isAtWork = marksOf([session], zone).some(({ date }) => date >= from && date <= to)
      return isAtWork ? 'earlier' : 'elsewhere'
    }
    const saved = entries.map(of)
    return {
      begun: saved.filter((where) => where === 'begun').length,
      earlier: saved.filter((where) => where === 'earlier').length,
      hasLive: live !== null && of(live) !== 'elsewhere',
    }
  }
  return {
    sessions: [entries.length, entries.length],
    // Shown on the chart and in its explanation.
    counts: periods.flatMap(([from, to]) =>
      [count(from, to), count(from, to, 'a')].map((each) => [each, each]),
    ),
    // The printed report leaves the running timer out.
    onPaper: periods.map(([from, to]) => ({ ...count(from, to), hasLive: false })),
  }
}

/** Returns the week's work by category and by tag, each session looked at on its own. */
function clerksGroups({ dayRule, now }: ReportInput, entries: readonly TimeEntry[]): object {
  const zone = dayRule.timeZone
  const today = wallClock(now, zone).date
  const sunday = plusDays(today, -new Date(today).getUTCDay())
  const sessions = entries.map((entry) => {
    const marks = marksOf([entry], zone).filter(
      ({ date }) => date >= sunday && date < plusDays(sunday, 7),
    )
    const tags = NOTES.find(([note]) => note === entry.note)?.[1] ?? []
    return {
      seconds: 60 * marks.reduce((sum, tally) => sum + tally.marks, 0),
      category: [CATEGORIES[entry.taskId] ?? 'Unknown task'],
      tag: tags.length === 0 ? ['No tag'] : tags,
    }
  })
  return {
    groups: (['category', 'tag'] as const).map((by) => {
      const times = new Map<string, number>()
      for (const { seconds, ...groups } of sessions) {
        for (const group of seconds === 0 ? [] : groups[by]) {
          const name = by === 'tag' && group !== 'No tag' ? `#${group}` : group
          times.set(name, (times.get(name) ?? 0) + seconds)
        }
      }
      return {
        times: Object.fromEntries(times),
        totalSeconds: sessions.reduce((sum, session) => sum + session.seconds, 0),
        sumSeconds: [...times.values()].reduce((sum, seconds) => sum + seconds, 0),
      }
    }),
  }
}

function streak(today: string, worked: ReadonlySet<string>, zone: string): number {
  let days = 0
  let date = today
  while (worked.has(date)) {
    days++
    date = plusDays(date, -1)
    // This date did not exist on Samoa's clocks.
    if (zone === 'Pacific/Apia' && date === '2011-12-30') date = '2011-12-29'
  }
  return days
}

function plusDays(date: string, days: number): string {
  const moved = new Date(date)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

interface Clock {
  readonly format: Intl.DateTimeFormat
  /** The readings by instant. Histories around one moment share their minutes. */
  readonly readings: Map<number, { date: string; hour: number }>
}
const clocks = new Map<string, Clock>()

function wallClock(instant: number, zone: string): { date: string; hour: number } {
  const { format, readings } = clockOf(zone)
  let reading = readings.get(instant)
  if (!reading) {
    // sv-SE writes '2026-03-08 03'.
    const [date = '', hour = ''] = format.format(instant).split(' ')
    reading = { date, hour: Number(hour) }
    readings.set(instant, reading)
  }
  return reading
}

function clockOf(zone: string): Clock {
  let clock = clocks.get(zone)
  if (!clock) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    })
    clock = { format, readings: new Map() }
    clocks.set(zone, clock)
  }
  return clock
}
