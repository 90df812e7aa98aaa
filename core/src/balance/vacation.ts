/** What is left of a year's vacation. */
import { dateOfDay, dayNumber } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import type { HoursAccount } from './account.ts'
import type { Allowance } from './items.ts'
import { lastBegun } from './last-begun.ts'
import { owedReader } from './owed.ts'

/** Days of vacation of a year, in hundredths of a day. */
export interface VacationYear {
  readonly year: number
  readonly allowed: number
  /** Left of the year before; below zero if too many were taken. */
  readonly carried: number
  /** The last day on which carried days can be taken; null: they do not expire. */
  readonly carriedUntil: CalendarDate | null
  /** What has expired of them by today. */
  readonly expired: number
  /** Taken up to today, and planned after it. */
  readonly taken: number
  readonly planned: number
  /** `allowed + carried − expired − taken − planned`. */
  readonly left: number
}

/**
 * Returns the years from the first allowance to the year of today. A day off costs the part of it that
 * would have been owed: none on weekends and public holidays, a half on half a holiday, and of hours
 * their part of the day's.
 */
export function vacationYears(account: HoursAccount, today: CalendarDate): VacationYear[] {
  const allowanceOn = lastBegun(account.allowances)
  const onDay = owedReader(account)
  const years: VacationYear[] = []
  const first = Number(account.allowances[0]?.from.slice(0, 4) ?? Infinity)
  for (let year = first; year <= Number(today.slice(0, 4)); year++) {
    const start = dayOf(year, '01-01')
    const allowance = allowanceOn(start)
    if (!allowance) continue
    const used = (from: number, end: number) => {
      let days = 0
      for (let day = from; day < end; day++) {
        for (const { dayOff, share } of onDay(day).taken) {
          if (dayOff.absence === 'vacation') days += share
        }
      }
      return Math.round(days * 100)
    }
    years.push(vacationYear(year, allowance, years.at(-1)?.left ?? 0, dayNumber(today), used))
  }
  return years
}

function vacationYear(
  year: number,
  { halves, carriedUntil }: Allowance,
  carried: number,
  today: number,
  used: (from: number, end: number) => number,
): VacationYear {
  const [start, end] = [dayOf(year, '01-01'), dayOf(year + 1, '01-01')]
  const until = carriedUntil === null ? null : Math.min(dayOf(year, carriedUntil), end - 1)
  const isOver = until !== null && today > until
  const expired = isOver ? Math.max(0, carried - used(start, until + 1)) : 0
  const now = Math.min(today + 1, end)
  const [taken, planned] = [used(start, now), used(now, end)]
  const allowed = halves * 50
  return {
    year,
    allowed,
    carried,
    carriedUntil: until === null ? null : dateOfDay(until),
    expired,
    taken,
    planned,
    left: allowed + carried - expired - taken - planned,
  }
}

function dayOf(year: number, monthAndDay: string): number {
  // 29 February is 1 March in other years.
  return (
    Date.UTC(year, Number(monthAndDay.slice(0, 2)) - 1, Number(monthAndDay.slice(3))) / 86_400_000
  )
}
