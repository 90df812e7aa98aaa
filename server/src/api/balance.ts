/** The hours account of a person, with core's functions as the app calls them. */
import type { HoursAccount } from '@stint/core/balance/account.ts'
import {
  balanceSum,
  balanceSums,
  datesOfBalance,
  hoursBalance,
  zeroAt,
} from '@stint/core/balance/balance.ts'
import type { BalancePeriod, BalanceSum } from '@stint/core/balance/balance.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { startOfDate, lastDay } from '@stint/core/time/calendar.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { Static } from 'typebox'
import type { BALANCE, BALANCE_SUM } from './answers.ts'
import { dayRuleFor } from './person.ts'
import type { Person } from './person.ts'

/** How many periods an answer has, the latest ones: fifty years of days. */
const MAX_PERIODS = 20_000

/** Returns the instant from which on sessions count; null: there is no account. @throws ApiError stint_time_zone_missing. */
export function beginningOf({ contracts }: HoursAccount, person: Person): number | null {
  const [first] = contracts
  return first ? startOfDate(first.from, dayRuleFor(person)) : null
}

/**
 * Returns what the days add to the balance, of those that the account has.
 * @param dates null: all days of the account.
 * @param isRunning whether a timer runs.
 * @param publicUrl the address of the app.
 */
export function balanceAnswer(
  record: ReportInput,
  { account, settings }: Person,
  dates: DateRange | null,
  by: BalancePeriod | null,
  { isRunning, publicUrl }: { readonly isRunning: boolean; readonly publicUrl: string },
): Static<typeof BALANCE> {
  const balance = hoursBalance(record, account)
  const sum = balance && balanceSum(balance, dates ?? datesOfBalance(balance))
  const at = balance && zeroAt(balance, isRunning)
  const sums = balance && sum && by ? balanceSums(balance, by, sum.dates, settings.weekStart) : []
  return {
    timeZone: record.dayRule.timeZone,
    balance: sum && sumAnswer(sum),
    zeroAt: at === null ? null : instantToWire(at),
    periods: sums.slice(0, MAX_PERIODS).map(sumAnswer),
    explain: `${publicUrl}/balance`,
  }
}

function sumAnswer({ dates, ...seconds }: BalanceSum): Static<typeof BALANCE_SUM> {
  return { from: dates.from, to: lastDay(dates), ...seconds }
}
