/**
 * The balance of an hours account, by day: what it was, plus what was worked, less what is owed, plus
 * corrections, less what a cap takes. Whole seconds throughout; days are those of every report.
 */
import { parseFilter } from '#record/session-filter.ts'
import type { SessionFilter } from '#record/session-filter.ts'
import { filteredInput } from '#reports/found-sessions.ts'
import { trackedTime } from '#reports/report-input.ts'
import type { ReportInput } from '#reports/report-input.ts'
import {
  addDays,
  addMonths,
  dateOfDay,
  dayNumber,
  localDate,
  nextMidnight,
  startOfMonth,
  startOfWeek,
  startOfYear,
} from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { BALANCE_PARTS } from './balance-parts.ts'
import type { BalancePart } from './balance-parts.ts'
import type { HoursAccount } from './account.ts'
import { CAP_SPANS } from './items.ts'
import { lastBegun } from './last-begun.ts'
import { owedDays } from './owed.ts'
import { payPeriodReader } from './pay-periods.ts'

/** A balance by day. Item i of a column is of the day numbered `firstDay + i`; the last day is today. */
export interface HoursBalance {
  readonly account: HoursAccount
  readonly firstDay: number
  /** What each day adds, by its reason, in seconds. What is owed and what a cap takes is negative. */
  readonly parts: Readonly<Record<BalancePart, Float64Array>>
  /** The balance at the end of each day. */
  readonly balances: Float64Array
  /** What was found to count: the sessions, and the timer if it runs. */
  readonly input: ReportInput
}

/**
 * Returns the balance from the first contract's first day up to today; null while no contract has begun.
 * Work before is not counted; days after today are not either.
 * @param input every session; the filter of the account is applied here.
 */
export function hoursBalance(record: ReportInput, account: HoursAccount): HoursBalance | null {
  const from = account.contracts[0]?.from
  const today = localDate(record.now, record.dayRule)
  if (from === undefined || from > today) return null
  const firstDay = dayNumber(from)
  const end = dayNumber(today) + 1
  const input = filteredInput(record, countedFilter(account, record))
  const { owed, holidays, daysOff } = owedDays(account, firstDay, end)
  const parts = {
    opening: new Float64Array(end - firstDay),
    worked: workedByDay(input, firstDay, end),
    owed: owed.map((seconds) => -seconds),
    holidays,
    daysOff,
    corrections: correctionsByDay(account, firstDay, end),
    lapsed: new Float64Array(end - firstDay),
  }
  return { account, firstDay, parts, balances: balancesOf(account, firstDay, parts), input }
}

/** Returns the filter of the sessions that count. */
export function countedFilter(
  { filter, unbilled }: HoursAccount,
  { now, dayRule, weekStart = 0 }: ReportInput,
): SessionFilter {
  return parseFilter(filter, { now, dayRule, weekStart, unbilled })
}

function workedByDay(input: ReportInput, firstDay: number, end: number): Float64Array {
  const { worked, livePieces } = trackedTime(input)
  const seconds = new Float64Array(end - firstDay)
  const { sums } = worked.days
  const offset = firstDay - worked.days.firstDay
  for (let index = Math.max(0, -offset); index < seconds.length; index++) {
    const day = index + offset
    if (day + 1 >= sums.length) break
    seconds[index] = (sums[day + 1] ?? 0) - (sums[day] ?? 0)
  }
  for (const { day, seconds: more } of livePieces) {
    const index = day - firstDay
    if (index >= 0 && index < seconds.length) seconds[index] = (seconds[index] ?? 0) + more
  }
  return seconds
}

function correctionsByDay(account: HoursAccount, firstDay: number, end: number): Float64Array {
  const seconds = new Float64Array(end - firstDay)
  for (const correction of account.corrections) {
    const index = dayNumber(correction.from) - firstDay
    if (index >= 0 && index < seconds.length) {
      seconds[index] = (seconds[index] ?? 0) + correction.seconds
    }
  }
  return seconds
}

/** Sums up the days, and fills in what depends on the balance before: openings, and what caps take. */
function balancesOf(
  { contracts, caps, periods }: HoursAccount,
  firstDay: number,
  parts: HoursBalance['parts'],
): Float64Array {
  const { opening, lapsed } = parts
  const summed = BALANCE_PARTS.filter((part) => part !== 'opening' && part !== 'lapsed')
  const openings = new Map(
    contracts.map((contract) => [dayNumber(contract.from) - firstDay, contract.opening] as const),
  )
  const cappedAt = capReader(caps, firstReader(periods, 1))
  const balances = new Float64Array(opening.length)
  let balance = 0
  for (let index = 0; index < balances.length; index++) {
    const opened = openings.get(index) ?? null
    if (opened !== null) {
      opening[index] = opened - balance
      balance = opened
    }
    for (const part of summed) balance += parts[part][index] ?? 0
    // Today is not over.
    const most = index < balances.length - 1 ? cappedAt(firstDay + index) : Infinity
    if (balance > most) {
      lapsed[index] = most - balance
      balance = most
    }
    balances[index] = balance
  }
  return balances
}

/** Returns a function that returns the most that a balance may be after the day of a number. */
function capReader(caps: HoursAccount['caps'], firstOf: FirstOf): (day: number) => number {
  if (caps.length === 0) return () => Infinity
  const spans = CAP_SPANS.flatMap((span) => {
    const ofSpan = caps.filter((cap) => cap.span === span)
    return ofSpan.length === 0 ? [] : [[span, lastBegun(ofSpan)] as const]
  })
  return (day) => {
    const next = dateOfDay(day + 1)
    return Math.min(
      ...spans.map(([span, capOn]) =>
        firstOf(span, next) === next ? (capOn(day)?.seconds ?? Infinity) : Infinity,
      ),
    )
  }
}

type FirstOf = (period: BalancePeriod, date: CalendarDate) => CalendarDate

/**
 * Returns a function that returns the first day of the period that a date is in. Weeks of limits are those of
 * ISO 8601, whatever day the screen's begin with.
 */
function firstReader(periods: HoursAccount['periods'], weekStart: number): FirstOf {
  const payPeriodOn = payPeriodReader(periods)
  return (period, date) => {
    switch (period) {
      case 'day':
        return date
      case 'week':
        return startOfWeek(date, weekStart)
      case 'month':
        return startOfMonth(date)
      case 'period':
        return dateOfDay(payPeriodOn(dayNumber(date)).since)
      case 'year':
        return startOfYear(date)
    }
  }
}

// Sums

/** What days add to a balance. `before` and all parts sum to `after`. */
export interface BalanceSum extends Readonly<Record<BalancePart, number>> {
  readonly dates: DateRange
  readonly before: number
  readonly after: number
}

/** Returns the days of the balance. */
export function datesOfBalance({ firstDay, balances }: HoursBalance): DateRange {
  return { from: dateOfDay(firstDay), to: dateOfDay(firstDay + balances.length) }
}

/** Returns the balance now, or at the end of a day; 0 before the account begins. */
export function balanceAfter({ firstDay, balances }: HoursBalance, date?: CalendarDate): number {
  const last = balances.length - 1
  const index = date === undefined ? last : Math.min(dayNumber(date) - firstDay, last)
  return balances[index] ?? 0
}

/** Returns what the days add, of those that the account has; null if it has none of them. */
export function balanceSum(balance: HoursBalance, dates: DateRange): BalanceSum | null {
  const all = datesOfBalance(balance)
  const from = dates.from > all.from ? dates.from : all.from
  const to = dates.to < all.to ? dates.to : all.to
  if (from >= to) return null
  const [first, end] = [dayNumber(from) - balance.firstDay, dayNumber(to) - balance.firstDay]
  const sumOf = (part: BalancePart) => {
    let sum = 0
    for (let index = first; index < end; index++) sum += balance.parts[part][index] ?? 0
    return sum
  }
  return {
    dates: { from, to },
    before: balance.balances[first - 1] ?? 0,
    opening: sumOf('opening'),
    worked: sumOf('worked'),
    owed: sumOf('owed'),
    holidays: sumOf('holidays'),
    daysOff: sumOf('daysOff'),
    corrections: sumOf('corrections'),
    lapsed: sumOf('lapsed'),
    after: balance.balances[end - 1] ?? 0,
  }
}

/** The periods of the table of a balance. */
export const BALANCE_PERIODS = ['day', 'week', 'month', 'period', 'year'] as const
export type BalancePeriod = (typeof BALANCE_PERIODS)[number]

/** Returns what each period adds, the latest first, cut at the account's first day and after today. */
export function balanceSums(
  balance: HoursBalance,
  period: BalancePeriod,
  within: DateRange = datesOfBalance(balance),
  weekStart = 1,
): BalanceSum[] {
  const sums: BalanceSum[] = []
  const dates = balanceSum(balance, within)?.dates
  if (!dates) return sums
  const endOf = endReader(balance.account, period, weekStart)
  for (let { from } = dates; from < dates.to;) {
    const to = endOf(from)
    const sum = balanceSum(balance, { from, to: to < dates.to ? to : dates.to })
    if (sum) sums.push(sum)
    from = to
  }
  return sums.toReversed()
}

/** Returns a function that returns the day after the period of a date. */
function endReader(
  { periods }: HoursAccount,
  period: BalancePeriod,
  weekStart: number,
): (date: CalendarDate) => CalendarDate {
  const firstOf = firstReader(periods, weekStart)
  const payPeriodOn = payPeriodReader(periods)
  return (date) => {
    switch (period) {
      case 'day':
        return addDays(date, 1)
      case 'week':
        return addDays(firstOf(period, date), 7)
      case 'month':
        return addMonths(firstOf(period, date), 1)
      case 'period':
        return dateOfDay(payPeriodOn(dayNumber(date)).until)
      case 'year':
        return addMonths(firstOf(period, date), 12)
    }
  }
}

/** Returns the days of the pay period that a date is in, of a month without any. */
export function payPeriodOf({ periods }: HoursAccount, date: CalendarDate): DateRange {
  const { since, until } = payPeriodReader(periods)(dayNumber(date))
  return { from: dateOfDay(since), to: dateOfDay(until) }
}

/**
 * Returns when a running timer brings the balance to zero, in epoch milliseconds; null if none runs, if
 * the balance is not below zero, or if the day ends before.
 */
export function zeroAt(balance: HoursBalance, isRunning: boolean): number | null {
  const { input } = balance
  const missing = -balanceAfter(balance)
  if (!isRunning || input.live === null || missing <= 0) return null
  const at = input.now + missing * 1000
  return at < nextMidnight(input.now, input.dayRule) ? at : null
}
