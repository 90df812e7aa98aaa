import { t } from '#text.ts'
import type { TableFormat } from '#transfer/import-table.ts'

/** The export of Kimai in English and German: a day, times, and breaks in a column. */
export const KIMAI: TableFormat<'kimai'> = {
  name: 'kimai',
  label: t('Kimai, CSV export'),
  fits: (has) =>
    has('date', 'datum') &&
    has('from', 'begin', 'von', 'beginn') &&
    has('customer', 'kunde') &&
    has('project', 'projekt') &&
    has('activity', 'tätigkeit'),
  needs: [
    ['date', 'datum'],
    ['from', 'begin', 'von', 'beginn'],
    ['project', 'projekt'],
  ],
  columns: {
    client: ['customer', 'kunde'],
    project: ['project', 'projekt'],
    task: ['activity', 'tätigkeit'],
    note: ['description', 'beschreibung'],
    tags: ['tags', 'schlagworte', 'schlagwörter'],
    date: ['date', 'datum'],
    start: ['from', 'begin', 'von', 'beginn'],
    end: ['to', 'end', 'bis', 'ende'],
    duration: ['duration', 'dauer'],
    person: ['user', 'username', 'benutzer', 'name'],
  },
}
