/** Reads days as people type them when they may be ahead: 'tomorrow', 'next week', '3–14 Aug'. */
import { addDays, addMonths, startOfMonth, startOfWeek } from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { datesIn } from '#time/date-text.ts'
import { filled, plain } from '#time/day-text.ts'
import type { DateContext, DatesProblem, DatesRead } from '#time/day-text.ts'
import { OWN_RANGE_WORDS } from '#time/range-vocabulary.ts'
import { said, WEEKDAY_NAMES } from './line-words.ts'

/** Returns the days, of a date without a year the nearest; null for a text that is no days. */
export function daysAhead(text: string, context: DateContext): DatesRead | DatesProblem | null {
  const dates = spokenAhead(plain(text), context)
  if (dates) return { kind: 'dates', dates }
  return datesIn(text, { ...context, isAhead: true })
}

function spokenAhead(text: string, { today, weekStart }: DateContext): DateRange | null {
  if (TOMORROW.test(text)) return dayOf(addDays(today, 1))
  if (DAY_AFTER.test(text)) return dayOf(addDays(today, 2))
  if (NEXT_WEEK.test(text)) {
    const from = addDays(startOfWeek(today, weekStart), 7)
    return { from, to: addDays(from, 7) }
  }
  if (NEXT_MONTH.test(text)) {
    const from = addMonths(startOfMonth(today), 1)
    return { from, to: addMonths(from, 1) }
  }
  const weekday = NEXT_WEEKDAYS.findIndex((pattern) => pattern.test(text))
  return weekday < 0 ? null : dayOf(addDays(startOfWeek(today, weekday), 7))
}

function dayOf(from: CalendarDate): DateRange {
  return { from, to: addDays(from, 1) }
}

const TOMORROW = whole(said((of) => of.tomorrow))
const DAY_AFTER = whole(said((of) => of.dayAfterTomorrow))
const NEXT_WEEK = next(OWN_RANGE_WORDS.map(({ units }) => units.week).join('|'))
const NEXT_MONTH = next(OWN_RANGE_WORDS.map(({ units }) => units.month).join('|'))
const NEXT_WEEKDAYS = WEEKDAY_NAMES.map(next)

function next(name: string): RegExp {
  return whole(said((of) => filled(of.next, name)))
}

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`)
}
