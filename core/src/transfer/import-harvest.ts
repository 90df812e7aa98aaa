import type { TableFormat } from './import-table.ts'
import { namedAfterProject } from './import-table.ts'

/**
 * Harvest's detailed time report as CSV: a day and decimal hours, with the decimal sign of the
 * account. Only accounts that track start and end have times; entries of the others are laid out
 * one after the other on their day.
 */
export const HARVEST: TableFormat = {
  columns: [['date'], ['project', 'task'], ['hours']],
  durationUnit: 'hours',
  readRow: (field) => ({
    ...namedAfterProject({
      client: field('client'),
      project: field('project'),
      task: field('task'),
      description: field('notes'),
      tags: '',
    }),
    category: '',
    startDate: field('date'),
    startTime: field('started at', 'start time'),
    endDate: '',
    endTime: field('ended at', 'end time'),
    duration: field('hours'),
    person: [field('first name'), field('last name')].join(' ').trim(),
    passedOver: null,
  }),
}
