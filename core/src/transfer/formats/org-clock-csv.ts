import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The table that org-clock-csv makes of Org mode's clocks. The effort is an estimate, no duration. */
export const ORG_CLOCK_CSV: TableFormat<'org-clock-csv'> = {
  name: 'org-clock-csv',
  label: t('Org mode, clocks as CSV'),
  fits: (has) => has('task') && has('parents') && has('effort') && has('ishabit'),
  needs: [['task'], ['start'], ['end']],
  columns: {
    project: ['parents'],
    task: ['task'],
    category: ['category'],
    tags: ['tags'],
    start: ['start'],
    end: ['end'],
  },
  isProjectTask: true,
}
