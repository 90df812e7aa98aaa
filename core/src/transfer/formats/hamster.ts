import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The export of Hamster as tab-separated values. */
export const HAMSTER: TableFormat<'hamster'> = {
  name: 'hamster',
  label: t('Hamster, tab-separated export'),
  fits: (has) => has('activity') && has('start time') && has('end time') && has('duration minutes'),
  needs: [['activity'], ['start time'], ['end time']],
  columns: {
    task: ['activity'],
    note: ['description'],
    tags: ['tags'],
    category: ['category'],
    start: ['start time'],
    end: ['end time'],
    duration: ['duration minutes'],
  },
  durationUnit: 'minutes',
}
