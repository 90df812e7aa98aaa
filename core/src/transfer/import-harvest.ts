import { END_NAMES, START_NAMES } from './import-columns.ts'
import type { TableFormat } from './import-table.ts'
import { namedAfterProject } from './import-table.ts'

/** The headings that only Harvest has. Others of its headings are in many sheets. */
export const HARVEST_HEADINGS = [
  'project code',
  'hours rounded',
  'billable?',
  'invoiced?',
  'approved?',
  'employee?',
  'external reference url',
] as const

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
    startTime: field('started at', ...START_NAMES),
    endDate: '',
    endTime: field('ended at', ...END_NAMES),
    duration: field('hours'),
    person: [field('first name'), field('last name')].join(' ').trim(),
    passedOver: null,
  }),
}
