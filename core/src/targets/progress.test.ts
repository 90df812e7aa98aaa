import { expect, test } from 'vitest'
import { hoursAccount } from '#balance/account.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { ReportInput } from '#reports/report-input.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { testAccount } from '#test/hours.ts'
import { addDays, clockTime, instantOfClock, isCalendarDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { targetsProgress } from './progress.ts'
import type { TargetProgress } from './progress.ts'
import { readTarget } from './target-line.ts'
import type { Target } from './targets.ts'

const TASKS = [
  testTask('Write', 1),
  testTask('Standup', 2, { category: 'Meetings' }),
  testTask('Retro', 3, { category: 'meetings', isActive: false }),
]
const NAMES = { categories: ['Development', 'Meetings'], tasks: TASKS }

interface Example {
  /** The viewer's clock. */
  readonly now: string
  readonly zone?: string
  readonly weekStart?: number
  readonly dayStart?: number
  /** '2026-11-16 09:00-11:00 write #acme', in the viewer's zone. */
  readonly worked?: readonly string[]
  /** The timer, started at that time: '11:00 write', and whether it is paused now. */
  readonly timer?: string
  readonly isPaused?: boolean
  /** Lines of an hours account. */
  readonly contract?: readonly string[]
}

const WEDNESDAY = '2026-11-18 12:00'
const FOUR_HOURS = ['2026-11-16 09:00-11:00', '2026-11-18 08:00-10:00']
const WEEKDAYS = '8h Mon–Fri since 1 January 2026'

/** A title, a target, what there is, and how far the target is: see `written`. */
const EXAMPLES: readonly (readonly [string, string, Example, string])[] = [
  [
    'Nothing was worked on the third day of a week',
    '10h a week',
    { now: WEDNESDAY },
    '0:00:00 0% behind, 10:00:00 left, 5 × 2:00:00',
  ],
  [
    'More than two sevenths on the third day',
    '10h a week',
    { now: WEDNESDAY, worked: FOUR_HOURS },
    '4:00:00 40% onTrack, 6:00:00 left, 5 × 1:12:00',
  ],
  [
    'Exactly the share of the days before',
    '7h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 09:00-11:00'] },
    '2:00:00 28% onTrack, 5:00:00 left, 5 × 1:00:00',
  ],
  [
    'A second less than that share',
    '7h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 09:00:01-11:00'] },
    '1:59:59 28% behind, 5:00:01 left, 5 × 1:00:01',
  ],
  [
    'Reached to the second',
    '10h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 08:00-18:00'] },
    '10:00:00 100% reached, 0:00:00 left, 5 × –',
  ],
  [
    'Reached, and more',
    '10h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 08:00-18:00', '2026-11-17 08:00-09:00'] },
    '11:00:00 110% reached, 1:00:00 over, 5 × –',
  ],
  [
    'A second before it is reached',
    '10h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 08:00:01-18:00'] },
    '9:59:59 99% onTrack, 0:00:01 left, 5 × 0:00:01',
  ],
  [
    'The last day of the week',
    '10h a week',
    { now: '2026-11-22 12:00', worked: ['2026-11-16 08:00-16:00'] },
    '8:00:00 80% behind, 2:00:00 left, 1 × 2:00:00',
  ],
  [
    'A week that begins on Sunday has seven days left then',
    '10h a week',
    { now: '2026-11-15 12:00', weekStart: 0, worked: ['2026-11-14 08:00-12:00'] },
    '0:00:00 0% onTrack, 10:00:00 left, 7 × 1:25:43',
  ],
  [
    'A week that begins on Monday ends on the same day',
    '10h a week',
    { now: '2026-11-15 12:00', worked: ['2026-11-14 08:00-12:00'] },
    '4:00:00 40% behind, 6:00:00 left, 1 × 6:00:00',
  ],
  [
    'A limit, with less than three sevenths on the third day',
    'max 10h a week',
    { now: WEDNESDAY, worked: FOUR_HOURS },
    '4:00:00 40% onTrack, 6:00:00 left, 5 × 1:12:00',
  ],
  [
    'A limit, with more than three sevenths',
    'max 10h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 08:00-13:00'] },
    '5:00:00 50% fast, 5:00:00 left, 5 × 1:00:00',
  ],
  [
    'A limit that is used up to the second',
    'max 10h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 08:00-18:00'] },
    '10:00:00 100% fast, 0:00:00 left, 5 × –',
  ],
  [
    'A limit that is passed',
    'max 10h a week',
    { now: WEDNESDAY, worked: ['2026-11-16 08:00-18:30'] },
    '10:30:00 105% over, 0:30:00 over, 5 × –',
  ],
  [
    'A month of 30 days on the 18th',
    '60h a month',
    { now: WEDNESDAY, worked: ['2026-11-02 00:00-34:00'] },
    '34:00:00 56% onTrack, 26:00:00 left, 13 × 2:00:00',
  ],
  [
    'A month of 28 days on the 15th',
    '28h a month',
    { now: '2026-02-15 12:00', worked: ['2026-02-02 08:00-21:00'] },
    '13:00:00 46% behind, 15:00:00 left, 14 × 1:04:18',
  ],
  [
    'A month begins on the 1st, whatever the week',
    '28h a month',
    { now: '2026-03-01 12:00', worked: ['2026-02-28 08:00-21:00'] },
    '0:00:00 0% onTrack, 28:00:00 left, 31 × 0:54:12',
  ],
  [
    'A day is on track until it is over',
    '6h a day',
    { now: WEDNESDAY, worked: FOUR_HOURS },
    '2:00:00 33% onTrack, 4:00:00 left, 1 × 4:00:00',
  ],
  [
    'A day that begins at four',
    '6h a day',
    { now: '2026-11-19 02:00', dayStart: 4, worked: ['2026-11-18 22:00-25:00'] },
    '3:00:00 50% onTrack, 3:00:00 left, 1 × 3:00:00',
  ],
  [
    'The same work in days that begin at midnight',
    '6h a day',
    { now: '2026-11-19 02:00', worked: ['2026-11-18 22:00-25:00'] },
    '1:00:00 16% onTrack, 5:00:00 left, 1 × 5:00:00',
  ],
  [
    'A night in which an hour is missing',
    '4h a day',
    { now: '2026-03-29 12:00', worked: ['2026-03-29 01:00-04:00'] },
    '2:00:00 50% onTrack, 2:00:00 left, 1 × 2:00:00',
  ],
  [
    'A night with an hour more, on the last day of a week',
    '10h a week',
    { now: '2026-10-25 12:00', worked: ['2026-10-25 01:00-04:00'] },
    '4:00:00 40% behind, 6:00:00 left, 1 × 6:00:00',
  ],
  [
    'Work over the beginning of a week',
    '10h a week',
    { now: WEDNESDAY, worked: ['2026-11-15 23:00-25:00'] },
    '1:00:00 10% behind, 9:00:00 left, 5 × 1:48:00',
  ],
  [
    'A running timer counts, and says when it is reached',
    '2h a day',
    { now: WEDNESDAY, timer: '11:00 write' },
    '1:00:00 50% onTrack, 1:00:00 left, 1 × 1:00:00, at 13:00',
  ],
  [
    'A paused timer counts, and says nothing',
    '2h a day',
    { now: WEDNESDAY, timer: '11:00 write', isPaused: true },
    '1:00:00 50% onTrack, 1:00:00 left, 1 × 1:00:00',
  ],
  [
    'A target that is reached tomorrow',
    '14h a day',
    { now: WEDNESDAY, timer: '11:00 write' },
    '1:00:00 7% onTrack, 13:00:00 left, 1 × 13:00:00',
  ],
  [
    'A limit that the timer reaches',
    'max 90m a day Write',
    { now: WEDNESDAY, timer: '11:00 write' },
    '1:00:00 66% onTrack, 0:30:00 left, 1 × 0:30:00, at 12:30',
  ],
  [
    'A tag in any case',
    '10h a week #Acme',
    {
      now: WEDNESDAY,
      worked: [
        '2026-11-16 09:00-11:00 write #acme',
        '2026-11-17 09:00-10:00 standup #ACME',
        '2026-11-17 10:00-12:00 write #acmes',
      ],
    },
    '3:00:00 30% onTrack, 7:00:00 left, 5 × 1:24:00',
  ],
  [
    'A timer with the tag',
    '90m a day #acme',
    { now: WEDNESDAY, timer: '11:00 write call #acme' },
    '1:00:00 66% onTrack, 0:30:00 left, 1 × 0:30:00, at 12:30',
  ],
  [
    'A timer without the tag',
    '90m a day #acme',
    { now: WEDNESDAY, timer: '11:00 write', worked: ['2026-11-18 08:00-09:00 write #acme'] },
    '1:00:00 66% onTrack, 0:30:00 left, 1 × 0:30:00',
  ],
  [
    'A category, with its archived task and in any case',
    '10h a week Meetings',
    {
      now: WEDNESDAY,
      worked: [
        '2026-11-16 09:00-11:00 standup',
        '2026-11-17 09:00-10:00 retro',
        '2026-11-17 10:00-12:00 write',
      ],
    },
    '3:00:00 30% onTrack, 7:00:00 left, 5 × 1:24:00',
  ],
  [
    'A task',
    '10h a week Write',
    { now: WEDNESDAY, worked: ['2026-11-16 09:00-11:00 standup', '2026-11-17 09:00-12:00 write'] },
    '3:00:00 30% onTrack, 7:00:00 left, 5 × 1:24:00',
  ],
  [
    'With a contract its weekdays count',
    '10h a week',
    { now: WEDNESDAY, worked: FOUR_HOURS, contract: [WEEKDAYS] },
    '4:00:00 40% onTrack, 6:00:00 left, 3 × 2:00:00',
  ],
  [
    'Neither a public holiday nor a day off counts',
    '10h a week',
    {
      now: WEDNESDAY,
      worked: FOUR_HOURS,
      contract: [WEEKDAYS, 'public holiday 19 November 2026', 'vacation 20 November 2026'],
    },
    '4:00:00 40% behind, 6:00:00 left, 1 × 6:00:00',
  ],
  [
    'Half a day off counts',
    '10h a week',
    {
      now: WEDNESDAY,
      worked: FOUR_HOURS,
      contract: [WEEKDAYS, 'half day vacation 20 November 2026'],
    },
    '4:00:00 40% onTrack, 6:00:00 left, 3 × 2:00:00',
  ],
  [
    'After the last working day none is left',
    '10h a week',
    { now: '2026-11-21 12:00', worked: FOUR_HOURS, contract: [WEEKDAYS] },
    '4:00:00 40% behind, 6:00:00 left, 0 × –',
  ],
  [
    'In a week off all days count',
    '10h a week',
    { now: WEDNESDAY, worked: FOUR_HOURS, contract: [WEEKDAYS, 'vacation 16–20 November 2026'] },
    '4:00:00 40% onTrack, 6:00:00 left, 5 × 1:12:00',
  ],
  [
    'Before the first contract all days count',
    '10h a week',
    { now: WEDNESDAY, worked: FOUR_HOURS, contract: ['8h Mon–Fri since 19 November 2026'] },
    '4:00:00 40% onTrack, 6:00:00 left, 3 × 2:00:00',
  ],
  [
    'A limit allows the share of a day before the first working day',
    'max 10h a week',
    {
      now: '2026-11-15 12:00',
      weekStart: 0,
      worked: ['2026-11-15 09:00-10:00'],
      contract: [WEEKDAYS],
    },
    '1:00:00 10% onTrack, 9:00:00 left, 5 × 1:48:00',
  ],
  [
    'A day that the zone skipped does not count',
    '30h a month',
    { now: '2011-12-31 12:00', zone: 'Pacific/Apia', worked: ['2011-12-01 00:00-29:00'] },
    '29:00:00 96% onTrack, 1:00:00 left, 1 × 1:00:00',
  ],
  [
    'Far from UTC, work after midnight is of the day',
    '2h a day',
    { now: '2026-11-18 09:00', zone: 'Pacific/Auckland', worked: ['2026-11-18 00:30-02:30'] },
    '2:00:00 100% reached, 0:00:00 left, 1 × –',
  ],
  [
    'On the other side as well',
    '2h a day',
    { now: '2026-11-18 23:00', zone: 'America/New_York', worked: ['2026-11-18 20:00-21:00'] },
    '1:00:00 50% onTrack, 1:00:00 left, 1 × 1:00:00',
  ],
]

test.each(EXAMPLES)('%s: %s', (_, line, example, expected) => {
  expect(written(progressOf(line, example), example)).toBe(expected)
})

function progressOf(line: string, example: Example): TargetProgress {
  const { contract, timer, isPaused = false } = example
  const account = contract ? testAccount(contract) : hoursAccount({})
  const isRunning = timer !== undefined && !isPaused
  const [progress] = targetsProgress(inputOf(example), account, [target(line)], isRunning)
  if (!progress) throw new Error('There is no progress')
  return progress
}

function target(line: string): Target {
  const read = readTarget(line, NAMES)
  if (read.kind !== 'target') throw new Error(`${line} is no target`)
  return read.target
}

function inputOf(example: Example): ReportInput {
  const { zone = 'Europe/Berlin', weekStart = 1, dayStart = 0, worked = [], timer } = example
  const now = instantIn(example.now, zone)
  return {
    entries: worked.map((line) => entryOf(line, zone)),
    live: timer === undefined ? null : liveOf(timer, example, zone, now),
    tasks: TASKS,
    dayRule: dayRuleOf(zone, dayStart),
    weekStart,
    now,
  }
}

/** Reads '2026-11-16 09:00-11:00 write #acme'. Hours after 23 are of the next day. */
function entryOf(line: string, zone: string): TimeEntry {
  const [date = '', times = '', taskId = 'write', ...note] = line.split(' ')
  const [start = '', end = ''] = times.split('-')
  const at = (time: string) => instantIn(`${date} ${time}`, zone)
  const entry = testEntry({ taskId, start: at(start), end: at(end) })
  return note.length > 0 ? { ...entry, note: note.join(' ') } : entry
}

function liveOf(line: string, example: Example, zone: string, now: number): TimeEntry {
  const [time = '', taskId = '', ...note] = line.split(' ')
  const startedAt = instantIn(`${example.now.slice(0, 10)} ${time}`, zone)
  const entry = testEntry({ id: 'live', taskId, start: startedAt, end: now })
  return { ...entry, note: note.join(' ') }
}

function instantIn(text: string, zone: string): number {
  const [date = '', time = ''] = text.split(' ')
  if (!isCalendarDate(date)) throw new Error(`${date} is no date`)
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const secondsOfDay = (hours % 24) * 3600 + minutes * 60 + seconds
  return instantOfClock(addDays(date, Math.floor(hours / 24)), secondsOfDay, zone)
}

/** Returns '4:00:00 40% onTrack, 6:00:00 left, 5 × 1:12:00, at 13:00'. */
function written(progress: TargetProgress, { zone = 'Europe/Berlin' }: Example): string {
  const { workedSeconds, percent, state, leftSeconds, overSeconds } = progress
  const { daysLeft, perDaySeconds, reachedAt } = progress
  const rest = overSeconds > 0 ? `${clock(overSeconds)} over` : `${clock(leftSeconds)} left`
  expect([leftSeconds, overSeconds]).toContain(0)
  const perDay = perDaySeconds === null ? '–' : clock(perDaySeconds)
  const until = reachedAt === null ? '' : `, at ${clockTime(reachedAt, zone)}`
  return `${clock(workedSeconds)} ${percent}% ${state}, ${rest}, ${daysLeft} × ${perDay}${until}`
}

function clock(seconds: number): string {
  const [hours, minutes, rest] = [seconds / 3600, (seconds % 3600) / 60, seconds % 60].map(
    Math.floor,
  )
  return `${hours}:${two(minutes)}:${two(rest)}`
}

function two(value = 0): string {
  return String(value).padStart(2, '0')
}
