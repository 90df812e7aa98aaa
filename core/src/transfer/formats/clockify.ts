import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/**
 * Clockify's detailed report. The settings of the account determine how dates and times are written.
 * Breaks are rows of their own.
 */
export const CLOCKIFY: TableFormat<'clockify'> = {
  name: 'clockify',
  label: t('Clockify, detailed report'),
  fits: (has) =>
    has('start date') &&
    has('start time') &&
    has('project', 'description') &&
    has('duration (h)', 'duration (decimal)'),
  needs: [
    ['project', 'description'],
    ['start date'],
    ['start time'],
    ['end time', 'duration (h)', 'duration (decimal)'],
  ],
  columns: {
    client: ['client'],
    project: ['project'],
    task: ['task', 'activity'],
    note: ['description'],
    tags: ['tags'],
    date: ['start date'],
    start: ['start time'],
    endDate: ['end date'],
    end: ['end time'],
    duration: ['duration (h)', 'duration (decimal)'],
    kind: ['type'],
    person: ['email', 'user'],
  },
}
