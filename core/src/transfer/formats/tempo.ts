import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** Worklogs of Jira as Tempo exports them: an issue, hours, and the moment of the work. */
export const TEMPO: TableFormat<'tempo'> = {
  name: 'tempo',
  label: t('Tempo or Jira, worklogs'),
  fits: (has) =>
    has('issue key') && has('hours', 'time spent') && has('work date', 'started', 'date'),
  needs: [['issue key'], ['hours', 'time spent'], ['work date', 'started', 'date']],
  columns: {
    task: ['issue key'],
    details: ['issue summary', 'summary'],
    note: ['work description', 'description', 'comment'],
    date: ['work date', 'started', 'date'],
    duration: ['hours', 'time spent'],
    person: ['full name', 'username', 'author'],
  },
}
