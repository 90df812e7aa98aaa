/**
 * What is owed on each day: by the contract that holds, less public holidays and days off. Whole
 * seconds; hours that do not divide evenly are spread so that the week, month or year has them exactly.
 */
import {
  addMonths,
  dateOfDay,
  dayNumber,
  isoWeek,
  startOfMonth,
  startOfYear,
  startOfWeek,
} from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import type { HoursAccount } from './account.ts'
import type { Contract, DayOff, Holiday, Part } from './items.ts'
import { lastBegun } from './last-begun.ts'
import { payPeriodReader } from './pay-periods.ts'

/** What is owed on consecutive days. Item i of a column is of the day numbered `firstDay + i`. */
export interface OwedDays {
  readonly firstDay: number
  /** By the contract, in seconds. */
  readonly owed: Float64Array
  /** What public holidays take off that, and what days off take off the rest. */
  readonly holidays: Float64Array
  readonly daysOff: Float64Array
}

/** What a day off takes off one of its days. */
export interface Taken {
  readonly dayOff: DayOff
  readonly seconds: number
  /** Of what the contract owes, a part of 0 … 1; 0 on a day on which nothing is owed. */
  readonly share: number
}

/** What is owed on a day, with what takes of it. */
export interface OwedDay {
  readonly contract: Contract | null
  readonly owed: number
  readonly holiday: Holiday | null
  readonly holidaySeconds: number
  readonly taken: readonly Taken[]
}

/**
 * Returns what is owed on the days numbered `firstDay … end − 1`. The same account and days return the
 * same object while they are asked for again.
 */
export function owedDays(account: HoursAccount, firstDay: number, end: number): OwedDays {
  const kept = tables.get(account)
  if (kept?.firstDay === firstDay && kept.owed.length === end - firstDay) return kept
  const length = Math.max(0, end - firstDay)
  const days = {
    firstDay,
    owed: new Float64Array(length),
    holidays: new Float64Array(length),
    daysOff: new Float64Array(length),
  }
  const onDay = owedReader(account)
  for (let index = 0; index < length; index++) {
    const { owed, holidaySeconds, taken } = onDay(firstDay + index)
    days.owed[index] = owed
    days.holidays[index] = holidaySeconds
    days.daysOff[index] = taken.reduce((sum, { seconds }) => sum + seconds, 0)
  }
  tables.set(account, days)
  return days
}

const tables = new WeakMap<HoursAccount, OwedDays>()

/** Returns a function that returns what is owed on the day of a number. Ask it for days in order. */
export function owedReader(account: HoursAccount): (day: number) => OwedDay {
  const contractOn = lastBegun(account.contracts)
  const holidays = new Map(account.holidays.map((holiday) => [dayNumber(holiday.from), holiday]))
  const daysOff = daysOffByDay(account.daysOff)
  const shareOn = shareReader(account)
  return (day) => {
    const contract = contractOn(day)
    const owed = contract?.parts.reduce((sum, part) => sum + shareOn(part, day), 0) ?? 0
    const holiday = holidays.get(day) ?? null
    return { contract, owed, holiday, ...takenOff(owed, holiday, daysOff.get(day) ?? []) }
  }
}

function daysOffByDay(daysOff: readonly DayOff[]): Map<number, DayOff[]> {
  const byDay = new Map<number, DayOff[]>()
  for (const dayOff of daysOff) {
    for (let day = dayNumber(dayOff.from); day <= dayNumber(dayOff.last); day++) {
      byDay.set(day, [...(byDay.get(day) ?? []), dayOff])
    }
  }
  return byDay
}

/** A holiday comes first, then whole and half days off, then hours; never more than what is owed. */
function takenOff(
  owed: number,
  holiday: Holiday | null,
  daysOff: readonly DayOff[],
): Pick<OwedDay, 'holidaySeconds' | 'taken'> {
  if (!holiday && daysOff.length === 0) return { holidaySeconds: 0, taken: [] }
  // Two halves of an odd number of seconds are the whole.
  const ofHalves = (halves: number) => Math.floor((owed * halves) / 2)
  let halves = holiday ? (holiday.isHalf ? 1 : 2) : 0
  const holidaySeconds = ofHalves(halves)
  const taken: Taken[] = []
  for (const dayOff of daysOff) {
    if (typeof dayOff.portion === 'number') continue
    const until = dayOff.portion === 'whole' ? 2 : Math.min(2, halves + 1)
    const share = owed === 0 ? 0 : (until - halves) / 2
    taken.push({ dayOff, seconds: ofHalves(until) - ofHalves(halves), share })
    halves = until
  }
  let rest = owed - ofHalves(halves)
  for (const dayOff of daysOff) {
    if (typeof dayOff.portion !== 'number') continue
    const seconds = Math.min(dayOff.portion, rest)
    taken.push({ dayOff, seconds, share: owed === 0 ? 0 : seconds / owed })
    rest -= seconds
  }
  return { holidaySeconds, taken }
}

// Parts of contracts

/** Days of one week, month, pay period or year: from `first` up to, not including, `end`. */
interface Period {
  readonly first: number
  readonly end: number
  readonly isOddWeek: boolean
  /** The days for which it is that period. */
  readonly since: number
  readonly until: number
}

/** Returns a function that returns the seconds of a part on a day. It remembers the periods asked for last. */
function shareReader({ periods }: HoursAccount): (part: Part, day: number) => number {
  const payPeriodOn = payPeriodReader(periods)
  const periodOf = {
    week: remembered(weekOf),
    month: remembered(monthOf),
    period: remembered((day) => ({ ...payPeriodOn(day), isOddWeek: false })),
    year: remembered(yearOf),
  }
  return ({ seconds, span, days, weeks }, day) => {
    const index = days.indexOf(weekdayOf(day))
    if (index < 0) return 0
    if (weeks !== null && periodOf.week(day).isOddWeek !== (weeks === 'odd')) return 0
    if (span === 'day') return seconds
    if (span === 'week') return slice(seconds, index, days.length)
    const { first, end } = periodOf[span](day)
    return slice(seconds, countDays(days, first, day), countDays(days, first, end))
  }
}

/** Returns the item at the index of so many that sum to the total and differ by a second at most. */
function slice(total: number, index: number, count: number): number {
  return Math.floor((total * (index + 1)) / count) - Math.floor((total * index) / count)
}

/** Returns how many of the days numbered `from … to − 1` are such weekdays. */
function countDays(days: readonly number[], from: number, to: number): number {
  return days.reduce((sum, each) => sum + countBefore(each, to) - countBefore(each, from), 0)
}

/** Counted from a Sunday, day -4. */
function countBefore(weekday: number, day: number): number {
  return Math.floor((day + 10 - weekday) / 7)
}

/** Returns 0 for Sunday … 6. 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

function weekOf(day: number): Period {
  const monday = startOfWeek(dateOfDay(day), 1)
  const first = dayNumber(monday)
  return wholePeriod(first, first + 7, isoWeek(monday) % 2 === 1)
}

function monthOf(day: number): Period {
  return monthsFrom(startOfMonth(dateOfDay(day)), 1)
}

function yearOf(day: number): Period {
  return monthsFrom(startOfYear(dateOfDay(day)), 12)
}

function monthsFrom(date: CalendarDate, months: number): Period {
  return wholePeriod(dayNumber(date), dayNumber(addMonths(date, months)))
}

function wholePeriod(first: number, end: number, isOddWeek = false): Period {
  return { first, end, isOddWeek, since: first, until: end }
}

/** Returns the function, which calculates only for a day of another period than the last one. */
function remembered(periodOf: (day: number) => Period): (day: number) => Period {
  let kept = wholePeriod(0, 0)
  return (day) => {
    if (day < kept.since || day >= kept.until) kept = periodOf(day)
    return kept
  }
}
