import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The detailed export of solidtime: start and end with their days. */
export const SOLIDTIME: TableFormat<'solidtime'> = {
  name: 'solidtime',
  label: t('solidtime, detailed export'),
  fits: (has) =>
    has('start') && has('end') && has('client') && has('project') && has('duration (decimal)'),
  needs: [['start'], ['end'], ['project']],
  columns: {
    client: ['client'],
    project: ['project'],
    task: ['task'],
    note: ['description'],
    tags: ['tags'],
    start: ['start'],
    end: ['end'],
    duration: ['duration', 'duration (decimal)'],
    person: ['user'],
  },
}
