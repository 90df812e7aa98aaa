/** The parts of a calendar file. Only this file uses the library for them, which is loaded when it is needed. */
import ICAL from 'ical.js'

import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import { dateOfDay, isKnownTimeZone, zoneClock } from '#time/calendar.ts'
import type { ZoneClock } from '#time/calendar.ts'
import { readZone } from '#transfer/import-zones.ts'
import { windowsZone } from './windows-zones.ts'

export { ICAL }

const DAY_SECONDS = 86_400

/** A calendar: its head, which has its name and its zones, and its events. */
export interface Calendar {
  readonly head: ICAL.Component
  readonly events: readonly ICAL.Component[]
}

/**
 * Returns the calendars of a file, with the whole events of one that is cut off. Adds what cannot be
 * read to the problems. Zones that the file names and does not describe are known to the times of it.
 */
export function calendarsOf(text: string, problems: CsvProblem[]): readonly Calendar[] {
  const plain = text.replace(/^\uFEFF/, '')
  knowZones(plain)
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
function parsedCalendars(text: string): readonly Calendar[] {
  const parsed = parse(text)
  // One calendar is an array that begins with its name; several are an array of these.
  const list: unknown[] = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]
  return list.flatMap((each) =>
    Array.isArray(each) && each[0] === 'vcalendar' ? calendarOf(each) : [],
  )
}

/** Parts the events from the head, because the library looks for each zone among all parts of a calendar. */
function calendarOf([name, properties, parts]: readonly unknown[]): Calendar {
  const all: readonly unknown[] = Array.isArray(parts) ? parts : []
  const zones = all.filter((part) => isNamed(part, 'vtimezone'))
  const head = new ICAL.Component([name, properties, zones])
  const events = all.flatMap((part) =>
    isNamed(part, 'vevent') ? new ICAL.Component(part, head) : [],
  )
  return { head, events }
}

function isNamed(part: unknown, name: string): part is unknown[] {
  return Array.isArray(part) && part[0] === name
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

/** Returns a function that says whether a recurrence is replaced by an event of its own. */
export function replacedTimes({ events }: Calendar): (uid: string, time: ICAL.Time) => boolean {
  const replaced = new Set<string>()
  for (const component of events) {
    const of = component.getFirstPropertyValue('recurrence-id')
    if (of instanceof ICAL.Time) replaced.add(`${uidOf(component)} ${timeText(of)}`)
  }
  // Some programs write the day alone.
  return (uid, time) =>
    replaced.has(`${uid} ${timeText(time)}`) ||
    replaced.has(`${uid} ${time.toString().slice(0, 10)}`)
}

/** Yields the times at which an event that recurs begins. The library leaves out the first one of dates alone. */
export function* recurrences(event: ICAL.Event): Generator<ICAL.Time> {
  const { component, startDate } = event
  const isOfDates = !component.hasProperty('rrule')
  const isFirstOut = component
    .getAllProperties('exdate')
    .flatMap((property) => property.getValues())
    .some((time) => time instanceof ICAL.Time && time.compare(startDate) === 0)
  if (isOfDates && !isFirstOut) yield startDate
  const each = event.iterator()
  for (let time = each.next(); time; time = each.next()) {
    if (!isOfDates || time.compare(startDate) !== 0) yield time
  }
}

export function uidOf(component: ICAL.Component): string {
  return String(component.getFirstPropertyValue('uid'))
}

/** Returns a time in UTC if its zone is known, else as the clocks of its zone show it. */
export function timeText(time: ICAL.Time): string {
  if (time.isDate || isFloating(time)) return time.toString()
  return time.convertToZone(ICAL.Timezone.utcTimezone).toString()
}

/** Returns whether a time has no zone, or one that nobody knows: see `unknownZone`. */
export function isFloating(time: ICAL.Time): boolean {
  return time.zone === ICAL.Timezone.localTimezone
}

/** Returns the name of the zone of an event that is not known; '' if it is, or has none. */
export function unknownZone(component: ICAL.Component, time: ICAL.Time): string {
  if (time.isDate || !isFloating(time)) return ''
  const tzid = component.getFirstProperty('dtstart')?.getParameter('tzid')
  return typeof tzid === 'string' ? tzid : ''
}

/** Returns what the clocks show at a time, in seconds since 1970 as if they were in UTC. */
export function wallSeconds({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

// Zones

/** A zone by its clocks, which the library knows only as a file describes them. */
class ClockZone extends ICAL.Timezone {
  readonly #offsetAt: (wall: number) => number

  /** `offsetAt` has seconds from UTC by what the clocks show. */
  constructor(tzid: string, offsetAt: (wall: number) => number) {
    super({ tzid })
    this.#offsetAt = offsetAt
  }

  override utcOffset(time: ICAL.Time): number {
    return this.#offsetAt(wallSeconds(time))
  }
}

const ZONE_IN_FILE = /;TZID=(?:"([^"\r\n]+)"|([^":;,\r\n]+))/gi

/** Tells the library the zones in the text that this machine knows. What the file describes comes before them. */
function knowZones(text: string): void {
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, '')
  for (const [, quoted, plain] of unfolded.matchAll(ZONE_IN_FILE)) {
    const tzid = quoted ?? plain ?? ''
    if (ICAL.TimezoneService.has(tzid)) continue
    const offsetAt = offsetsOf(tzid)
    if (offsetAt) ICAL.TimezoneService.register(new ClockZone(tzid, offsetAt), tzid)
  }
}

/** Reads names of the tz database, also at the end of a path, names of Windows, and offsets. */
function offsetsOf(tzid: string): ((wall: number) => number) | null {
  const [inPath = ''] = /[A-Z]\w+(?:\/[\w+-]+)+$/.exec(tzid) ?? []
  const place = [tzid, windowsZone(tzid) ?? '', inPath].find(isKnownTimeZone)
  if (place !== undefined) {
    const clock = zoneClock(place)
    return (wall) => wall - instantOfWall(wall, clock) / 1000
  }
  const zone = readZone(tzid, 'UTC')
  return zone && 'offset' in zone ? () => zone.offset / 1000 : null
}

/** Returns the instant at which the clocks show so many seconds since 1970. */
export function instantOfWall(wall: number, clock: ZoneClock): number {
  const day = Math.floor(wall / DAY_SECONDS)
  return clock.instantOf(dateOfDay(day), wall - day * DAY_SECONDS)
}
