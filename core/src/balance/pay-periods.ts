/**
 * Pay periods: the days for which somebody is paid, parts of a month such as 1–15 and 16–end, or 20–19, or two weeks.
 * Without a line that says so, they are the months.
 */
import { addMonths, dateOfDay, dayNumber, startOfMonth } from '#time/calendar.ts'
import { lastBegun } from './last-begun.ts'
import type { PayPeriods } from './items.ts'

/** Days by their numbers: from `first` up to, not including, `end`. */
export interface PayPeriod {
  readonly first: number
  readonly end: number
  /** What is left of it between the days on which the periods themselves change. */
  readonly since: number
  readonly until: number
}

const MONTHS: readonly number[] = [1]

/** Returns a function that returns the pay period of the day of a number. */
export function payPeriodReader(changes: readonly PayPeriods[]): (day: number) => PayPeriod {
  const changeOn = lastBegun(changes)
  return (day) => {
    const change = changeOn(day)
    const { first, end } = periodAround(day, change)
    const changed = change ? dayNumber(change.from) : -Infinity
    const next = changes.map(({ from }) => dayNumber(from)).find((from) => from > day) ?? Infinity
    return { first, end, since: Math.max(first, changed), until: Math.min(end, next) }
  }
}

type Days = Pick<PayPeriod, 'first' | 'end'>

function periodAround(day: number, change: PayPeriods | null): Days {
  if (!change || change.weeks === null) return periodOfMonth(day, change?.starts ?? MONTHS)
  const [from, length] = [dayNumber(change.from), 7 * change.weeks]
  const first = from + Math.floor((day - from) / length) * length
  return { first, end: first + length }
}

/** @param starts the days of each month on which one begins, in order, each of 1 … 28. */
function periodOfMonth(day: number, starts: readonly number[]): Days {
  const month = startOfMonth(dateOfDay(day))
  const begins = [-1, 0, 1].flatMap((months) => {
    const start = dayNumber(addMonths(month, months)) - 1
    return starts.map((date) => start + date)
  })
  return {
    first: begins.findLast((begin) => begin <= day) ?? day,
    end: begins.find((begin) => begin > day) ?? day + 1,
  }
}
