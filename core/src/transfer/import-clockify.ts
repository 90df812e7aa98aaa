import { t } from '#text.ts'
import { END_NAMES } from './import-columns.ts'
import type { TableFormat } from './import-table.ts'
import { namedAfterProject } from './import-table.ts'

/**
 * Clockify's detailed report as CSV. The settings of the account determine how dates and times are
 * written: in any order, on a clock of 12 or 24 hours, with or without seconds. Breaks are rows of
 * their own.
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
    ...namedAfterProject({
      client: field('client'),
      project: field('project'),
      task: field('task', 'activity'),
      description: field('description'),
      tags: field('tags'),
    }),
    category: '',
    startDate: field('start date'),
    startTime: field('start time'),
    endDate: field('end date'),
    endTime: field('end time', ...END_NAMES),
    duration: field('duration (h)') || field('duration (decimal)'),
    person: field('email') || field('user'),
    passedOver: field('type').toLowerCase() === 'break' ? t('A break, not imported.') : null,
  }),
}
