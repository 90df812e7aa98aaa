/** What a calendar marks of an hours account, and what a day off costs that is drawn on it. */
import { addDays, dayNumber } from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import type { HoursAccount } from './account.ts'
import type { Absence, DayOff, Holiday } from './items.ts'
import { owedReader } from './owed.ts'

export interface MarkedDay {
  /** A holiday comes before what else is off. */
  readonly kind: 'holiday' | Absence
  readonly isWhole: boolean
  /** All that is off on the day, the holiday first. */
  readonly items: readonly (Holiday | DayOff)[]
}

/** Returns the days that are off, of those in the range, by their date. */
export function markedDays(
  { holidays, daysOff }: HoursAccount,
  { from, to }: DateRange,
): ReadonlyMap<CalendarDate, MarkedDay> {
  const byDate = new Map<CalendarDate, (Holiday | DayOff)[]>()
  const add = (date: CalendarDate, item: Holiday | DayOff) => {
    if (date >= from && date < to) byDate.set(date, [...(byDate.get(date) ?? []), item])
  }
  for (const holiday of holidays) add(holiday.from, holiday)
  for (const dayOff of daysOff) {
    const first = dayOff.from > from ? dayOff.from : from
    for (let date = first; date <= dayOff.last && date < to; date = addDays(date, 1)) {
      add(date, dayOff)
    }
  }
  return new Map([...byDate].map(([date, items]) => [date, markOf(items)] as const))
}

function markOf(items: readonly (Holiday | DayOff)[]): MarkedDay {
  const [first] = items
  const halves = items.reduce((sum, item) => sum + halvesOff(item), 0)
  return {
    kind: first?.kind === 'dayoff' ? first.absence : 'holiday',
    isWhole: halves >= 2,
    items,
  }
}

function halvesOff(item: Holiday | DayOff): number {
  if (item.kind === 'holiday') return item.isHalf ? 1 : 2
  return item.portion === 'whole' ? 2 : typeof item.portion === 'number' ? 0 : 1
}

/**
 * Returns how much of the days would have been owed, in hundredths of a day: what a day off costs of a year's vacation.
 * Nothing is on weekends and public holidays, and before the account begins.
 */
export function costOfDayOff(account: HoursAccount, item: DayOff): number {
  const onDay = owedReader({ ...account, daysOff: [...account.daysOff, item] })
  let days = 0
  for (let day = dayNumber(item.from); day <= dayNumber(item.last); day++) {
    for (const { dayOff, share } of onDay(day).taken) if (dayOff === item) days += share
  }
  return Math.round(days * 100)
}

/** Returns the days off that touch the range. */
export function daysOffWithin({ daysOff }: HoursAccount, { from, to }: DateRange): DayOff[] {
  return daysOff.filter((item) => item.from < to && item.last >= from)
}
