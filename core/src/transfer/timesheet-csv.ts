/** The timesheet as a CSV file: one row per line of the sheet. Headings and values are English in every language. */
import { writeCsv } from '#csv.ts'
import { moneyNumber } from '#timesheet/money.ts'
import { groupLines } from '#timesheet/timesheet.ts'
import type { SheetGrouping, SheetLine, Timesheet } from '#timesheet/timesheet.ts'
import { csvDuration, delimiterOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'

// not translated: headings of a file
const HEADINGS = ['Date', 'Task', 'Note', 'Duration', 'Seconds', 'Exact', 'Exact seconds']
// not translated: headings of a file
const PRICED = ['Billable', 'Amount', 'Currency']

/** How the sheet is shown. */
interface SheetForm {
  readonly groupBy: SheetGrouping
  /** Adds what is billable and what it costs. */
  readonly hasAmounts: boolean
}

/** Returns the file, in the order of the sheet. The column Seconds sums to its total. */
export function timesheetCsv(
  { lines }: Pick<Timesheet, 'lines'>,
  { groupBy, hasAmounts }: SheetForm,
  form: CsvForm,
): string {
  const headings = hasAmounts ? [...HEADINGS, ...PRICED] : HEADINGS
  const rows = groupLines(lines, groupBy).flatMap((group) =>
    group.lines.map((line) => {
      const cells = timeCells(line, form)
      return hasAmounts ? [...cells, ...priceCells(line, form)] : cells
    }),
  )
  return writeCsv([headings, ...rows], delimiterOf(form))
}

function timeCells(
  { date, taskName, notes, seconds, exactSeconds }: SheetLine,
  form: CsvForm,
): string[] {
  const times = [seconds, exactSeconds].flatMap((time) => [csvDuration(time, form), String(time)])
  return [date, taskName, notes.join('\n'), ...times]
}

function priceCells({ isBillable, amount }: SheetLine, { decimal }: CsvForm): string[] {
  const number = amount === null ? '' : moneyNumber(amount)
  return [
    isBillable ? 'yes' : 'no', // not translated: a value of a file
    decimal === 'comma' ? number.replace('.', ',') : number,
    amount?.currency ?? '',
  ]
}
