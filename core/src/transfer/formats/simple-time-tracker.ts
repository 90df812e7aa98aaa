import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The CSV export of Simple Time Tracker. Its durations are not padded: '0:24:5'. */
export const SIMPLE_TIME_TRACKER: TableFormat<'simple-time-tracker'> = {
  name: 'simple-time-tracker',
  label: t('Simple Time Tracker, CSV export'),
  fits: (has) => has('activity name') && has('time started') && has('time ended'),
  needs: [['activity name'], ['time started'], ['time ended']],
  columns: {
    task: ['activity name'],
    note: ['comment'],
    tags: ['record tags'],
    category: ['categories'],
    start: ['time started'],
    end: ['time ended'],
    duration: ['duration'],
  },
}
