/**
 * The record of hours of a month or pay period: a row per day with its begin, end and breaks, what was worked and owed,
 * and why less is owed. It is made for paper with two signatures, and adds up to the balance.
 */
import { trackedTime } from '#reports/report-input.ts'
import { entriesTouching } from '#reports/worked-days.ts'
import { secondsWorkedWithin, workedUntil } from '#reports/worked-time.ts'
import { dayNumber, intervalOfDates } from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { clipIntervals, intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { balanceSum, balanceSums } from './balance.ts'
import type { BalanceSum, HoursBalance } from './balance.ts'
import type { Contract, Correction, DayOff, Holiday } from './items.ts'
import { owedReader } from './owed.ts'

/** A day of the sheet. Times are whole seconds; what is owed is 0 or more. */
export interface SheetDay {
  readonly date: CalendarDate
  /** When the first work of the day began and the last ended, in epoch milliseconds; null without work. */
  readonly work: Interval | null
  /** Between them, without work, as begin and end are written: in minutes. */
  readonly breaks: number
  readonly worked: number
  /** By the contract, less public holidays and days off. */
  readonly owed: number
  /** Why less is owed, and what else has changed the balance. */
  readonly reasons: readonly (Holiday | DayOff | Correction)[]
  /** What else has changed the balance: the start of a contract, corrections, limits. */
  readonly other: number
  /** Of that, the start of a contract, and what was over a limit. */
  readonly opening: number
  readonly lapsed: number
  /** At the end of the day. */
  readonly balance: number
}

export interface HoursSheet {
  readonly dates: DateRange
  /** Those that hold on its days, in order. */
  readonly contracts: readonly Contract[]
  /** The balance that is carried forward. */
  readonly before: number
  readonly days: readonly SheetDay[]
  /** The sums of the days. */
  readonly sum: Pick<SheetDay, 'breaks' | 'worked' | 'owed' | 'other' | 'balance'>
}

/** Returns the sheet of the days, of those that the account has; null if it has none of them. */
export function hoursSheet(balance: HoursBalance, dates: DateRange): HoursSheet | null {
  const sum = balanceSum(balance, dates)
  if (!sum) return null
  const reasonsOn = owedReader(balance.account)
  const workOn = workReader(balance)
  const days = balanceSums(balance, 'day', sum.dates)
    .toReversed()
    .map((day): SheetDay => {
      const date = day.dates.from
      const { holiday, taken } = reasonsOn(dayNumber(date))
      const corrections = balance.account.corrections.filter(({ from }) => from === date)
      const daysOff = taken.filter(({ share }) => share > 0).map(({ dayOff }) => dayOff)
      return {
        date,
        ...workOn(day),
        ...figuresOf(day),
        opening: day.opening,
        lapsed: day.lapsed,
        reasons: [...(holiday ? [holiday] : []), ...daysOff, ...corrections],
      }
    })
  return {
    dates: sum.dates,
    contracts: contractsOn(balance, sum.dates),
    before: sum.before,
    days,
    sum: { ...figuresOf(sum), breaks: days.reduce((all, { breaks }) => all + breaks, 0) },
  }
}

function figuresOf(sum: BalanceSum): Pick<SheetDay, 'worked' | 'owed' | 'other' | 'balance'> {
  const { opening, worked, owed, holidays, daysOff, corrections, lapsed, after } = sum
  return {
    worked,
    owed: 0 - owed - holidays - daysOff,
    other: opening + corrections + lapsed,
    balance: after,
  }
}

function contractsOn(
  { account: { contracts } }: HoursBalance,
  { from, to }: DateRange,
): Contract[] {
  const begun = contracts.findLastIndex((contract) => contract.from <= from)
  return contracts.slice(Math.max(0, begun)).filter((contract) => contract.from < to)
}

/** Returns a function that returns when there was work on a day. */
function workReader({
  input,
}: HoursBalance): (sum: BalanceSum) => Pick<SheetDay, 'work' | 'breaks'> {
  const { worked, live } = trackedTime(input)
  return ({ dates, worked: seconds }) => {
    const day = intervalOfDates(dates, input.dayRule)
    const entries = entriesTouching(worked, day)
    const intervals = [...entries, ...(live ? [live] : [])]
      .flatMap((entry) => workOf(entry, day))
      .toSorted((a, b) => a.start - b.start)
    const start = intervals[0]?.start
    if (start === undefined) return { work: null, breaks: 0 }
    const work = { start, end: Math.max(...intervals.map(({ end }) => end)) }
    return { work, breaks: breaksOf(work, intervals, seconds) }
  }
}

/**
 * Returns the seconds without work, so that begin, work and breaks lead to the end as they are written, in minutes. Of
 * work at the same time, it is what nothing covers.
 */
function breaksOf(work: Interval, intervals: readonly Interval[], worked: number): number {
  const between = totalMilliseconds(intervalsBetween(intervals, work))
  const overlaps = totalMilliseconds(intervals) > work.end - work.start - between
  if (overlaps) return Math.round(between / MINUTE) * 60
  const span = Math.floor(work.end / MINUTE) - Math.floor(work.start / MINUTE)
  return Math.max(0, span * 60 - worked)
}

const MINUTE = 60_000

/** Returns the parts of a day in which a session was worked on. */
function workOf(entry: TimeEntry, day: Interval): Interval[] {
  if (secondsWorkedWithin(entry, day.start, day.end) === 0) return []
  const span = { start: entry.startedAt, end: workedUntil(entry) }
  return clipIntervals(intervalsBetween(entry.pauses.intervals, span), day.start, day.end)
}
