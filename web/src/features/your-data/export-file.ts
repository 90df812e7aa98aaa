/** The files of an export. */
import type { DayRule } from '@stint/core/time/day-rule.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import type { StintJsonInput } from '@stint/core/transfer/stint-json.ts'

export type ExportFormat = 'csv' | 'as-in-report' | 'by-day' | 'json' | 'ics'

/** What a CSV begins with, so that spreadsheets read it as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Returns the text of the file; `input` has the range. Throws when the code cannot be loaded. */
export async function exportFile(
  format: ExportFormat,
  input: StintJsonInput,
  dayRule: DayRule,
  form: CsvForm,
): Promise<string> {
  const { exportCsv, exportDaysCsv, exportIcs, exportPeriodCsv } =
    await import('@stint/core/transfer/entry-export.ts')
  const { exportJson } = await import('@stint/core/transfer/stint-json.ts')
  const { range } = input
  switch (format) {
    case 'csv':
      return BYTE_ORDER_MARK + exportCsv(input, dayRule, form)
    case 'as-in-report':
      return (
        BYTE_ORDER_MARK +
        (range
          ? exportPeriodCsv({ ...input, range }, dayRule, form)
          : exportCsv(input, dayRule, form))
      )
    case 'by-day':
      return BYTE_ORDER_MARK + exportDaysCsv(input, dayRule, form)
    case 'json':
      return exportJson(input, Date.now())
    case 'ics':
      return exportIcs(input)
  }
}
