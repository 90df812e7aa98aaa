import { t } from '#text.ts'
import type { TextFormat } from '#transfer/import-table.ts'

/** A calendar file. `read-calendar.ts`, whose library is large, reads it; see `ImportOptions`. */
export const CALENDAR: Omit<TextFormat<'calendar'>, 'read'> = {
  name: 'calendar',
  label: t('Calendar, iCalendar'),
  isText: (text) => /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text),
  needs: [],
  columns: {
    task: ['summary'],
    note: ['description'],
    tags: ['categories'],
    start: ['start'],
    end: ['end'],
    duration: ['duration'],
    zone: ['zone'],
    kind: ['kind'],
  },
}
