/** How the page names and writes what a balance is made of. */
import type { HoursAccount } from '@stint/core/balance/account.ts'
import type { BalancePeriod } from '@stint/core/balance/balance.ts'
import type { BalancePart } from '@stint/core/balance/balance-parts.ts'
import { signed } from '@stint/core/balance/signed.ts'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  formatFullDates,
  formatWeekdayAndDate,
  shortMonthName,
  startOfWeek,
  yearOf,
} from '@stint/core/time/calendar.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { weekAndDates } from '@stint/core/time/period.ts'

export const PART_NAMES: Readonly<Record<BalancePart, string>> = {
  opening: t('balance|At the start of a contract'),
  worked: t('balance|Worked'),
  owed: t('balance|Owed'),
  holidays: t('Public holidays'),
  daysOff: t('balance|Days off'),
  corrections: t('balance|Corrections'),
  lapsed: t('balance|Over the limit'),
}

/** Returns '+1h 5m 12s', to the second. */
export function exactSigned(seconds: number): string {
  return signed(seconds, exactDuration)
}

/** Returns 'Mon 30 Nov 2026', 'Week 47 · 16–22 Nov 2026', 'Nov 2026', '20 Nov – 19 Dec 2026' or '2026' of its days. */
export function periodName(period: BalancePeriod, dates: DateRange, weekStart: number): string {
  const date = dates.from
  switch (period) {
    case 'day':
      return formatWeekdayAndDate(date, true)
    case 'week': {
      const from = startOfWeek(date, weekStart)
      return weekAndDates({ from, to: addDays(from, 7) }, weekStart)
    }
    case 'month':
      return `${shortMonthName(date)}\u00A0${yearOf(date)}`
    case 'period':
      return formatFullDates(dates)
    case 'year':
      return yearOf(date)
  }
}

/** Returns the period for which somebody is paid: months, unless the account says otherwise. */
export function monthlyUnit({ periods }: HoursAccount): 'month' | 'period' {
  return periods.length === 0 ? 'month' : 'period'
}
