import { t } from '@stint/core/text.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import type { SheetGrouping, Timesheet } from '@stint/core/timesheet/timesheet.ts'
import { exportFileName } from '@stint/core/transfer/export-range.ts'
import { timesheetCsv } from '@stint/core/transfer/timesheet-csv.ts'

import { csvForm } from '#hooks/csv-form.ts'
import { saveFile } from '#ui/save-file.ts'
import { showToast } from '#ui/toast.tsx'

/** Returns a function that downloads the sheet as CSV, in the form that Your data exports. */
export function useSheetExport(
  sheet: Timesheet,
  dates: DateRange,
  form: { readonly groupBy: SheetGrouping; readonly hasAmounts: boolean },
): () => void {
  return () => {
    const name = exportFileName(dates, 'csv', 'timesheet')
    // The byte order mark makes spreadsheets read the file as UTF-8.
    saveFile(name, 'text/csv;charset=utf-8', `\uFEFF${timesheetCsv(sheet, form, csvForm())}`)
    showToast({ text: t('Downloaded {name}', { name }) })
  }
}
