import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The CSV export of TimeScribe: the day first, and breaks as rows of their own. */
export const TIMESCRIBE: TableFormat<'timescribe'> = {
  name: 'timescribe',
  label: t('TimeScribe, CSV export'),
  fits: (has) => has('import source', 'importquelle') && has('start date', 'startdatum'),
  needs: [
    ['start date', 'startdatum'],
    ['start time', 'startzeit'],
    ['end time', 'endzeit'],
  ],
  columns: {
    kind: ['type', 'typ'],
    project: ['project', 'projekt'],
    note: ['description', 'beschreibung'],
    date: ['start date', 'startdatum'],
    start: ['start time', 'startzeit'],
    endDate: ['end date', 'enddatum'],
    end: ['end time', 'endzeit'],
    duration: ['duration', 'dauer'],
  },
  dateOrder: 'dmy',
}
