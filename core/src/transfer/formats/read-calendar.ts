/** Reads calendar files. Only this file uses the library for them, which is loaded when it is needed. */
import ICAL from 'ical.js'

import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import type { ImportTable } from '#transfer/import-table.ts'
import { joinedNames, tableOf } from '#transfer/import-table.ts'

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
    if (String(calendar.getFirstPropertyValue('prodid') ?? '').startsWith('-//Stint//')) {
      const why = t(
        'This calendar is from Stint and lacks the pauses. Import the JSON or CSV export instead.',
      )
      return tableOf(HEADINGS, [], [{ line: 1, text: text.slice(0, 15), why }])
    }
    const changed = changedDates(calendar)
    for (const component of calendar.getAllSubcomponents('vevent')) {
      number++
      const report = (why: string) => {
        const summary = component.getFirstPropertyValue('summary')
        problems.push({ line: number, text: typeof summary === 'string' ? summary : 'VEVENT', why })
      }
      try {
        const times = eventRows(component, changed, now)
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

function calendarsOf(text: string, problems: CsvProblem[]): ICAL.Component[] {
  const plain = text.replace(/^\uFEFF/, '')
  const calendars = parsedCalendars(plain)
  if (calendars.length > 0) return calendars
  const isCutOff = !/^END:VCALENDAR\s*$/im.test(plain)
  const rest = withoutBrokenEvents(plain)
  const readable =
    rest === null ? [] : parsedCalendars(isCutOff ? `${rest}\r\nEND:VCALENDAR` : rest)
  if (isCutOff || readable.length === 0) {
    const why = t('This calendar file is cut off or damaged.')
    problems.push({ line: 1, text: text.slice(0, 80), why })
  }
  return readable
}

/** Returns the calendars of a text; none if it has none, or one line that cannot be read. */
function parsedCalendars(text: string): ICAL.Component[] {
  const parsed = parse(text)
  // One calendar is an array that begins with its name; several are an array of these.
  const list: unknown[] = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]
  return list.flatMap((each) =>
    Array.isArray(each) && each[0] === 'vcalendar' ? new ICAL.Component(each) : [],
  )
}

function parse(text: string): unknown {
  try {
    return ICAL.parse(text)
  } catch {
    return null
  }
}

const EVENT = /^BEGIN:VEVENT\s*$[^]*?(?:^END:VEVENT\s*$|(?![^]))/gim

/**
 * Returns the text with nothing but the title of events that cannot be read: they keep their number
 * and are reported as events without times. Null if no event can be read.
 */
function withoutBrokenEvents(text: string): string | null {
  let hasEvents = false
  const rest = text.replace(EVENT, (event) => {
    const isReadable = parse(event) !== null
    hasEvents ||= isReadable
    if (isReadable) return event
    const [title = ''] = /^SUMMARY[:;].*$/im.exec(event) ?? []
    const titled = `BEGIN:VEVENT\r\n${title.trim()}\r\nEND:VEVENT\r\n`
    return parse(titled) === null ? 'BEGIN:VEVENT\r\nEND:VEVENT\r\n' : titled
  })
  return hasEvents ? rest : null
}

/** Returns the instants of recurrences that an event of its own replaces, by the id of their event. */
function changedDates(calendar: ICAL.Component): ReadonlySet<string> {
  return new Set(
    calendar.getAllSubcomponents('vevent').flatMap((component) => {
      const of = component.getFirstPropertyValue('recurrence-id')
      return of instanceof ICAL.Time
        ? `${String(component.getFirstPropertyValue('uid'))} ${textOf(of)}`
        : []
    }),
  )
}

/** Returns the rows of an event, one more than may be at most if it recurs more often. */
function eventRows(
  component: ICAL.Component,
  changed: ReadonlySet<string>,
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
  const zone = zoneOf(component, start)
  const duration = exactDurationOf(component)
  const row = (from: ICAL.Time, to: ICAL.Time) => {
    const end = duration === '' ? textOf(to) : ''
    return [...what, textOf(from), end, duration, zone, kind]
  }
  if (!event.isRecurring() || component.getFirstPropertyValue('recurrence-id') !== null) {
    return [row(start, event.endDate)]
  }
  const rows: string[][] = []
  const each = event.iterator()
  const uid = String(component.getFirstPropertyValue('uid'))
  while (rows.length <= MAX_RECURRENCES) {
    const time = each.next()
    if (!time || time.toJSDate().getTime() > now) break
    if (changed.has(`${uid} ${textOf(time)}`)) continue
    const end = time.clone()
    end.addDuration(event.duration)
    rows.push(row(time, end))
  }
  return rows
}

/** Returns a time in UTC if the file says what its zone is, else as the clocks of its zone show it. */
function textOf(time: ICAL.Time): string {
  if (time.isDate || time.zone === ICAL.Timezone.localTimezone) return time.toString()
  return time.convertToZone(ICAL.Timezone.utcTimezone).toString()
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

/** Returns the name of a zone that the file does not describe; '' for the zone of the import. */
function zoneOf(component: ICAL.Component, time: ICAL.Time): string {
  if (time.zone !== ICAL.Timezone.localTimezone) return ''
  const tzid = component.getFirstProperty('dtstart')?.getParameter('tzid')
  return typeof tzid === 'string' ? tzid : ''
}
