/** The sessions of a figure as CSV. */
import type { DayRule } from '#time/day-rule.ts'
import { localDate, localDateTime } from '#time/calendar.ts'
import { writeCsv } from '#csv.ts'
import type { Explanation } from '#reports/explanation.ts'
import { csvDuration, delimiterOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'

// not translated: headings of a file
const HEADINGS = ['Date', 'Task', 'Start', 'End', 'Counted seconds', 'Counted', 'Session seconds']

/**
 * Returns the rows as CSV in local time, with a line of headings. Counted is in the form that is asked
 * for, and Counted seconds the same as whole seconds. A running timer has no end.
 */
export function explanationCsv({ rows }: Explanation, dayRule: DayRule, form: CsvForm): string {
  const lines = rows.map(({ entry, taskName, countedSeconds, isLive }) => [
    localDate(entry.startedAt, dayRule),
    taskName,
    localDateTime(entry.startedAt, dayRule.timeZone),
    isLive ? '' : localDateTime(entry.endedAt, dayRule.timeZone),
    String(countedSeconds),
    csvDuration(countedSeconds, form),
    String(entry.durationSeconds),
  ])
  return writeCsv([HEADINGS, ...lines], delimiterOf(form))
}
