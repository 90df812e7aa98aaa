import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/**
 * Toggl Track's detailed report, today's and the classic one: with 'End date' and empty fields, or
 * with 'Stop date' and '-' for nothing. Durations may be rounded; times are not.
 */
export const TOGGL: TableFormat<'toggl'> = {
  name: 'toggl',
  label: t('Toggl Track, detailed report'),
  fits: (has) =>
    has('start date') &&
    has('start time') &&
    has('description', 'project') &&
    has('end time', 'stop time', 'duration') &&
    has('email', 'user', 'member', 'billable', 'tags') &&
    !has('import source'),
  needs: [
    ['description', 'project'],
    ['start date'],
    ['start time'],
    ['end time', 'stop time', 'duration'],
  ],
  columns: {
    client: ['client'],
    project: ['project'],
    task: ['task'],
    note: ['description'],
    tags: ['tags'],
    date: ['start date'],
    start: ['start time'],
    endDate: ['end date', 'stop date'],
    end: ['end time', 'stop time'],
    duration: ['duration'],
    person: ['email', 'user', 'member'],
  },
  nothing: '-',
}
