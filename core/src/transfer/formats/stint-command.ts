import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/**
 * What Stint's command line exports, as CSV or JSON. Its seconds are exact: the rest was paused. Its
 * tags are words of the note.
 */
export const STINT_COMMAND: TableFormat<'stint-command'> = {
  name: 'stint-command',
  label: t('Stint, command line'),
  fits: (has) =>
    has('task') &&
    has('start') &&
    has('end') &&
    has('seconds') &&
    has('note') &&
    has('tags') &&
    !has('date'),
  needs: [['task'], ['start'], ['end'], ['seconds']],
  columns: {
    task: ['task'],
    note: ['note'],
    start: ['start'],
    end: ['end'],
    duration: ['seconds'],
  },
  durationUnit: 'seconds',
  hasExactDurations: true,
  isGuarded: true,
}
