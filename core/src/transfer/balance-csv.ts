/** The hours account as a CSV file, one row per day. Headings and values are English in every language. */
import { balanceSums, payPeriodOf } from '#balance/balance.ts'
import type { HoursBalance } from '#balance/balance.ts'
import { BALANCE_PARTS } from '#balance/balance-parts.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { csvDuration, delimiterOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'

// not translated: headings of a file
const PARTS = ['Opening', 'Worked', 'Owed', 'Holidays', 'Days off', 'Corrections', 'Lapsed']
// not translated: headings of a file
const HEADINGS = ['Day', 'Period', ...PARTS, 'Balance', 'Balance seconds']

/** Returns the file, the first day first; without an account it has no rows. Period is the first day of the pay period, or of the month. A balance is the one before and all parts of its row. */
export function balanceCsv(balance: HoursBalance | null, form: CsvForm): string {
  const write = (seconds: number) => (seconds < 0 ? '-' : '') + csvDuration(Math.abs(seconds), form)
  const rows = balance ? rowsOf(balance, write) : []
  const delimiter = delimiterOf(form)
  // Days and numbers alone run as no formula, and a spreadsheet must sum those below zero: no apostrophes.
  const field = (text: string) => (text.includes(delimiter) ? `"${text}"` : text)
  return [HEADINGS, ...rows].map((row) => `${row.map(field).join(delimiter)}\r\n`).join('')
}

function rowsOf(balance: HoursBalance, write: (seconds: number) => string): string[][] {
  const periodOn = (date: CalendarDate) => payPeriodOf(balance.account, date).from
  return balanceSums(balance, 'day')
    .toReversed()
    .map((sum) => [
      sum.dates.from,
      periodOn(sum.dates.from),
      ...BALANCE_PARTS.map((part) => write(sum[part])),
      write(sum.after),
      String(sum.after),
    ])
}
