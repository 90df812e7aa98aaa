/** The hours account as a CSV file, one row per day. Headings and values are English in every language. */
import { balanceSums } from '#balance/balance.ts'
import type { HoursBalance } from '#balance/balance.ts'
import { BALANCE_PARTS } from '#balance/balance-parts.ts'
import { csvDuration, delimiterOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'

// not translated: headings of a file
const PARTS = ['Opening', 'Worked', 'Owed', 'Holidays', 'Days off', 'Corrections', 'Lapsed']
// not translated: headings of a file
const HEADINGS = ['Day', ...PARTS, 'Balance', 'Balance seconds']

/** Returns the file, the first day first. A balance is the one before and all parts of its row. */
export function balanceCsv(balance: HoursBalance, form: CsvForm): string {
  const write = (seconds: number) => (seconds < 0 ? '-' : '') + csvDuration(Math.abs(seconds), form)
  const rows = balanceSums(balance, 'day')
    .toReversed()
    .map((sum) => [
      sum.dates.from,
      ...BALANCE_PARTS.map((part) => write(sum[part])),
      write(sum.after),
      String(sum.after),
    ])
  const delimiter = delimiterOf(form)
  // Days and numbers alone run as no formula, and a spreadsheet must sum those below zero: no apostrophes.
  const field = (text: string) => (text.includes(delimiter) ? `"${text}"` : text)
  return [HEADINGS, ...rows].map((row) => `${row.map(field).join(delimiter)}\r\n`).join('')
}
