import type { TableFormat } from './import-table.ts'
import { namedAfterProject } from './import-table.ts'

/**
 * Clockify's detailed report as CSV. Dates and times are written as each account is set: in any
 * order, on a clock of 12 or 24 hours, with seconds or without. Breaks are rows of their own.
 */
export const CLOCKIFY: TableFormat = {
  columns: [
    ['project', 'description'],
    ['start date'],
    ['start time'],
    ['end time', 'duration (h)', 'duration (decimal)'],
  ],
  durationUnit: 'hours',
  readRow: (field) => ({
    ...namedAfterProject(field('project'), field('task', 'activity'), field('description')),
    category: '',
    startDate: field('start date'),
    startTime: field('start time'),
    endDate: field('end date'),
    endTime: field('end time'),
    duration: field('duration (h)') || field('duration (decimal)'),
    person: field('email') || field('user'),
    passedOver: field('type').toLowerCase() === 'break' ? 'A break, which is no work.' : null,
  }),
}
