import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import { isFields } from '#guards.ts'
import type { ImportTable, TextFormat } from '#transfer/import-table.ts'
import { tableOf } from '#transfer/import-table.ts'
import { jsonOf, textOf } from '#transfer/import-json.ts'

/**
 * The export of ActivityWatch: what window was in front when. The app is the task and the title its
 * note. Buckets of other kinds, which say more about the same time, are listed and not imported.
 */
export const ACTIVITY_WATCH: TextFormat<'activity-watch'> = {
  name: 'activity-watch',
  label: t('ActivityWatch, JSON'),
  isText: (text) => /^\uFEFF?\s*\{\s*"buckets"\s*:/.test(text.slice(0, 1000)),
  needs: [],
  columns: { task: ['app'], note: ['title'], start: ['timestamp'], duration: ['duration'] },
  durationUnit: 'seconds',
  read,
}

function read(text: string): ImportTable {
  const { values, problems: broken } = jsonOf(text)
  const [file] = values
  const buckets = isFields(file) && isFields(file['buckets']) ? file['buckets'] : {}
  const problems: CsvProblem[] = [...broken]
  const rows: { line: number; fields: string[] }[] = []
  for (const [name, bucket] of Object.entries(buckets)) {
    const events: unknown = isFields(bucket) ? bucket['events'] : null
    if (!isFields(bucket) || !Array.isArray(events)) continue
    if (bucket['type'] !== 'currentwindow') {
      const why = t('Says more about the time that other buckets have, not imported.')
      problems.push({ line: 1, text: name, why })
      continue
    }
    for (const event of events) {
      const { timestamp, duration, data } = isFields(event) ? event : {}
      const { app, title } = isFields(data) ? data : {}
      const fields = [textOf(app), textOf(title), textOf(timestamp), textOf(duration)]
      rows.push({ line: rows.length + 1, fields })
    }
  }
  return tableOf(['app', 'title', 'timestamp', 'duration'], rows, problems)
}
