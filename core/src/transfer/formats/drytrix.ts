import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The CSV export of DRYTRIX TimeTracker. */
export const DRYTRIX: TableFormat<'drytrix'> = {
  name: 'drytrix',
  label: t('DRYTRIX TimeTracker, CSV export'),
  fits: (has) => has('start time') && has('duration (hours)') && has('duration (formatted)'),
  needs: [['start time'], ['end time'], ['project']],
  columns: {
    client: ['client'],
    project: ['project'],
    task: ['task'],
    note: ['notes'],
    tags: ['tags'],
    start: ['start time'],
    end: ['end time'],
    duration: ['duration (hours)'],
    person: ['user'],
  },
  nothing: 'N/A',
}
