/** Compares the hours account with a clerk's books of random years. */
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { hoursAccount } from '#balance/account.ts'
import {
  balanceAfter,
  balanceSum,
  balanceSums,
  BALANCE_PERIODS,
  hoursBalance,
} from '#balance/balance.ts'
import type { HoursBalance } from '#balance/balance.ts'
import { BALANCE_PARTS } from '#balance/balance-parts.ts'
import { dateOfDay } from '#time/calendar.ts'
import { anyYear, clerksDays, inputOf, isPeriodStart, prefsOf } from './balance-clerk.ts'
import type { ClerksDay, Year } from './balance-clerk.ts'

/**
 * Expects that each day of so many years is as the clerk has it, to the second, and that every part adds up. Returns how
 * many days there were.
 */
export function daysAsInTheBooks(years: number): number {
  let days = 0
  fc.assert(
    fc.property(anyYear, fc.integer({ min: 0, max: 5000 }), (year, cut) => {
      const balance = hoursBalance(inputOf(year), hoursAccount(prefsOf(year)))
      const clerk = clerksDays(year)
      days += clerk.length
      const ours = balance ? balanceSums(balance, 'day').toReversed() : []
      expect(
        ours.map(({ dates, owed, holidays, daysOff, worked, after }) => {
          return {
            date: dates.from,
            owed: 0 - owed,
            free: holidays + daysOff,
            worked,
            balance: after,
          }
        }),
      ).toEqual(clerk)
      if (balance) periodsAgree(balance, year, clerk)
      if (balance) sumsAgree(balance, cut)
    }),
    { numRuns: years },
  )
  return days
}

/** Each pay period ends with the balance of its last day. */
function periodsAgree(balance: HoursBalance, year: Year, clerk: readonly ClerksDay[]) {
  const isLast = (index: number) => {
    const next = clerk[index + 1]
    return !next || isPeriodStart(year, Date.parse(next.date) / 86_400_000)
  }
  expect(
    balanceSums(balance, 'period')
      .toReversed()
      .map((sum) => sum.after),
  ).toEqual(clerk.filter((_, index) => isLast(index)).map((day) => day.balance))
}

/** Any cut of the range, and the rows of every table, sum to the balance. */
function sumsAgree(balance: HoursBalance, cut: number) {
  for (const period of BALANCE_PERIODS) {
    const rows = balanceSums(balance, period).toReversed()
    for (const [index, row] of rows.entries()) {
      expect(row.before).toBe(rows[index - 1]?.after ?? 0)
      const changes = BALANCE_PARTS.reduce((sum, part) => sum + row[part], 0)
      expect(row.before + changes).toBe(row.after)
    }
    expect(rows.at(-1)?.after).toBe(balanceAfter(balance))
  }
  const days = balance.balances.length
  const part = balanceSum(balance, {
    from: dateOfDay(balance.firstDay),
    to: dateOfDay(balance.firstDay + 1 + (cut % days)),
  })
  expect(part?.after).toBe(balance.balances[cut % days])
}
