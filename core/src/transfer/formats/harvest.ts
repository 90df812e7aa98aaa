import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/**
 * Harvest's detailed time report: a day and decimal hours, with the decimal sign of the account. Only
 * accounts that track start and end have times.
 */
export const HARVEST: TableFormat<'harvest'> = {
  name: 'harvest',
  label: t('Harvest, detailed time report'),
  fits: (has) =>
    has('date') &&
    has('hours') &&
    has('project', 'task') &&
    // Other headings of Harvest are in many sheets.
    has(
      'project code',
      'hours rounded',
      'billable?',
      'invoiced?',
      'approved?',
      'employee?',
      'external reference url',
    ),
  needs: [['date'], ['project', 'task'], ['hours']],
  columns: {
    client: ['client'],
    project: ['project'],
    task: ['task'],
    note: ['notes'],
    date: ['date'],
    start: ['started at'],
    end: ['ended at'],
    duration: ['hours'],
    person: ['first name', 'last name'],
  },
}
