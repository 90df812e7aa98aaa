/** Finds the rows at the end of a table that sum up the others. */
import { headingWords } from './import-headings.ts'
import { readDate } from './import-dates.ts'
import type { DateOrder } from './import-dates.ts'
import type { DurationUnit } from './import-durations.ts'
import { readImportedDuration } from './import-durations.ts'
import type { ImportRow } from './import-table.ts'

const TOTAL =
  /^(?:grand |sub)?(?:totals?|sum|summe|gesamt(?:summe)?|insgesamt|somme|suma|total general|total heures|total hours|total horas|gesamtstunden|summary)\b/

/** Returns the rows without those that are no work of a day but the sum of several. */
export function withoutTotalRows(rows: readonly ImportRow[], order: DateOrder): ImportRow[] {
  return rows.filter((row) => !isTotal(row, order))
}

/** Returns whether a row has no day and no time, and is called so or has a duration alone. */
function isTotal(row: ImportRow, order: DateOrder): boolean {
  // The word may stand in the column before the sum.
  const times = [row.startTime, row.endTime].filter((text) => !TOTAL.test(headingWords(text)))
  if (times.some((text) => text !== '')) return false
  if (row.startDate !== '' && readDate(row.startDate, order) !== null) return false
  const texts = row.fields.filter((field) => field.trim() !== '')
  const [first = ''] = texts
  // A day that cannot be read beside a task such as 'Total redesign' is a mistake, to be listed.
  const hasDay = row.startDate !== '' && row.startDate !== first.trim()
  if (!hasDay && TOTAL.test(headingWords(first))) return true
  // The sums of a spreadsheet that were saved as formulas.
  if (texts.length > 0 && texts.every((text) => text.trim().startsWith('='))) return true
  return row.startDate === '' && row.duration !== '' && texts.length === 1
}

/** Returns the total that the last such row states, in seconds; null if there is none to read. */
export function totalRowSeconds(
  all: readonly ImportRow[],
  rows: readonly ImportRow[],
  unit: DurationUnit,
): number | null {
  if (all.length === rows.length) return null
  const kept = new Set(rows)
  const totals = all.filter((row) => !kept.has(row))
  const last = totals.findLast(({ fields }) => fields.some((field) => isClock(field.trim())))
  const named = totals.findLast(({ duration }) => duration !== '')
  const text = named?.duration ?? last?.fields.find((field) => isClock(field.trim())) ?? ''
  const seconds = readImportedDuration(text, unit)
  return seconds === null ? null : Math.round(seconds)
}

/** Returns whether a field is a duration as clocks write it, in a table without a column for these. */
function isClock(text: string): boolean {
  return /^\d+:\d{2}(?::\d{2})?$/.test(text)
}
