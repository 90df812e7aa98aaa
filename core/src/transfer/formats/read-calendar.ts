/** Reads calendar files as tables to import. */
import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import type { ImportTable } from '#transfer/import-table.ts'
import { joinedNames, tableOf } from '#transfer/import-table.ts'
import {
  calendarsOf,
  ICAL,
  recurrences,
  replacedTimes,
  timeText,
  uidOf,
  unknownZone,
} from './calendar-file.ts'

const HEADINGS = [
  'summary',
  'description',
  'categories',
  'start',
  'end',
  'duration',
  'zone',
  'kind',
]

/** How many times one event may recur. */
const MAX_RECURRENCES = 10_000

/**
 * Returns the events of a calendar as a table: the title is the task, the description the note, and
 * the categories are the tags. Whole days and cancelled events are listed and not imported. Events
 * that recur are read up to `now`.
 */
export function readCalendar(text: string, now: number): ImportTable {
  const problems: CsvProblem[] = []
  const rows: { line: number; fields: string[] }[] = []
  let number = 0
  for (const calendar of calendarsOf(text, problems)) {
    if (String(calendar.head.getFirstPropertyValue('prodid') ?? '').startsWith('-//Stint//')) {
      const why = t(
        'This calendar is from Stint and lacks the pauses. Import the JSON or CSV export instead.',
      )
      return tableOf(HEADINGS, [], [{ line: 1, text: text.slice(0, 15), why }])
    }
    const isReplaced = replacedTimes(calendar)
    for (const component of calendar.events) {
      number++
      const report = (why: string) => {
        const summary = component.getFirstPropertyValue('summary')
        problems.push({ line: number, text: typeof summary === 'string' ? summary : 'VEVENT', why })
      }
      try {
        const times = eventRows(component, isReplaced, now)
        for (const fields of times.slice(0, MAX_RECURRENCES)) rows.push({ line: number, fields })
        if (times.length > MAX_RECURRENCES) {
          report(
            t('Recurs more than {count, number} times. Later ones are not imported.', {
              count: MAX_RECURRENCES,
            }),
          )
        }
      } catch {
        report(t('This event cannot be read.'))
      }
    }
  }
  return tableOf(HEADINGS, rows, problems)
}

/** Returns the rows of an event, one more than may be at most if it recurs more often. */
function eventRows(
  component: ICAL.Component,
  isReplaced: ReturnType<typeof replacedTimes>,
  now: number,
): string[][] {
  const event = new ICAL.Event(component)
  const start = event.startDate
  const categories = component
    .getAllProperties('categories')
    .flatMap((property) => property.getValues().map(String))
  const what = [event.summary ?? '', event.description ?? '', joinedNames(categories)]
  const isCancelled = component.getFirstPropertyValue('status') === 'CANCELLED'
  const kind = start.isDate ? 'all-day' : isCancelled ? 'cancelled' : ''
  const zone = unknownZone(component, start)
  const duration = exactDurationOf(component)
  const row = (from: ICAL.Time, to: ICAL.Time) => {
    const end = duration === '' ? timeText(to) : ''
    return [...what, timeText(from), end, duration, zone, kind]
  }
  if (!event.isRecurring() || component.getFirstPropertyValue('recurrence-id') !== null) {
    return [row(start, event.endDate)]
  }
  const rows: string[][] = []
  const uid = uidOf(component)
  for (const time of recurrences(event)) {
    if (rows.length > MAX_RECURRENCES || time.toJSDate().getTime() > now) break
    if (isReplaced(uid, time)) continue
    const end = time.clone()
    end.addDuration(event.duration)
    rows.push(row(time, end))
  }
  return rows
}

/**
 * Returns the duration of an event that has one instead of an end, as ISO 8601; '' for one of days,
 * whose length is the calendar's.
 */
function exactDurationOf(component: ICAL.Component): string {
  const duration = component.getFirstPropertyValue('duration')
  if (!(duration instanceof ICAL.Duration) || duration.days > 0 || duration.weeks > 0) return ''
  return duration.toString()
}
