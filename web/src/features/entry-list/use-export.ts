import { addDays, localDate } from '@stint/core/time/calendar.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { exportFileName } from '@stint/core/transfer/export-range.ts'

import { csvForm } from '#hooks/csv-form.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { saveFile } from '#ui/save-file.ts'
import { showToast } from '#ui/toast.tsx'

/** Returns a function that downloads sessions as CSV, in the form that Your data exports. */
export function useExport(): (entries: readonly TimeEntry[]) => Promise<void> {
  const { allTasks } = useTasks()
  const dayRule = useDayRule()
  return async (entries) => {
    const days = entries.map(({ startedAt }) => startedAt)
    const from = localDate(
      days.reduce((a, b) => Math.min(a, b)),
      dayRule,
    )
    const last = localDate(
      days.reduce((a, b) => Math.max(a, b)),
      dayRule,
    )
    const name = exportFileName({ from, to: addDays(last, 1) }, 'csv', 'selection')
    try {
      const { exportCsv } = await import('@stint/core/transfer/entry-export.ts')
      // The byte order mark makes spreadsheets read the file as UTF-8.
      const text = `\uFEFF${exportCsv({ entries, tasks: allTasks }, dayRule, csvForm())}`
      saveFile(name, 'text/csv;charset=utf-8', text)
      showToast({ text: t('Downloaded {name}', { name }) })
    } catch {
      showToast({ text: t('The file couldn’t be created. Try again.'), tone: 'danger' })
    }
  }
}
