import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expandRecurringEvent, sync } from 'node-ical'
import { expect, test } from 'vitest'
import { processorTime } from '#test/processor-time.ts'
import { isListOf, isMapOf, isObject, isText } from '#guards.ts'
import { isKnownTimeZone, localDateTime } from '#time/calendar.ts'
import { windowsZone } from '#transfer/formats/windows-zones.ts'
import { readCalendarTraces } from './calendar.ts'
import { keptRange } from './trace.ts'
import type { Trace, TraceReading } from './trace.ts'

const ZONE = 'Europe/Berlin'
const NOW = Date.parse('2026-11-30T12:00:00Z')
/** The number of random calendars, by the size of the tests. */
const CALENDARS = Number(process.env['CALENDARS'] ?? 50)
const RANGE = keptRange(NOW)

const FILES: Readonly<Record<string, string>> = import.meta.glob('./fixtures/*.ics', {
  query: '?raw',
  import: 'default',
  eager: true,
})

function read(text: string): TraceReading {
  const addresses = ['ann@example.org']
  return readCalendarTraces(text, { name: 'work.ics', timeZone: ZONE, now: NOW, addresses })
}

/** Returns each event as '2026-11-30 10:00 +45 min Design review', with why it is set aside. */
function shown(traces: readonly Trace[]): string[] {
  return traces.map(({ from, to, title, aside }) => {
    const minutes = (to - from) / 60_000
    return `${localDateTime(from, ZONE).slice(0, 16)} +${minutes} min ${title}${aside ? `: ${aside}` : ''}`
  })
}

function calendar(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event, index) => [
    'BEGIN:VEVENT',
    `UID:${index}`,
    ...event,
    'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

test('Events of a calendar are read with their repeats, their zones, and why they are no work', () => {
  const { name, traces, problems } = read(FILES['./fixtures/calendar.ics'] ?? '')
  expect(name).toBe('Work')
  expect(shown(traces)).toEqual([
    '2026-11-30 10:00 +45 min Design review',
    '2026-10-19 09:00 +15 min Stand-up',
    '2026-10-28 09:00 +15 min Stand-up',
    '2026-11-02 09:00 +15 min Stand-up',
    '2026-10-26 11:00 +15 min Stand-up, later',
    '2026-11-27 14:00 +30 min Call',
    '2026-11-28 15:00 +30 min Call',
    '2026-11-27 12:00 +60 min Lunch',
    '2026-11-27 18:00 +60 min Gym',
    '2026-11-24 00:00 +2880 min Off: all-day',
    '2026-11-27 09:00 +60 min All hands: declined',
    '2026-11-27 17:00 +60 min Birthday drinks: free',
    '2026-11-27 11:00 +60 min Old plan: cancelled',
  ])
  expect(traces[0]).toMatchObject({ kind: 'calendar', where: 'Work', detail: 'Room 2' })
  expect(problems.map(({ line, text, why }) => `${line} ${text}: ${why}`)).toEqual([
    '7 Moon walk: The zone “Moon/Sea of Clouds” is not known. Its events are left out.',
  ])
})

function at(start: string, rule: string): string[] {
  return [`DTSTART:${start}`, 'DURATION:PT10M', `RRULE:${rule}`]
}

test('Endless events are read within the range, and one that recurs too often is listed', () => {
  const { traces } = read(calendar(at('20000103T080000Z', 'FREQ=WEEKLY')))
  expect(traces.length).toBe(57)
  expect(Math.min(...traces.map(({ to }) => to))).toBeGreaterThanOrEqual(RANGE.start)
  expect(Math.max(...traces.map(({ from }) => from))).toBeLessThan(RANGE.end)
  const odd = read(
    calendar(at('20260101T080000Z', 'FREQ=SECONDLY'), [
      'DTSTART:20261130T080000Z',
      'SUMMARY:Fine',
      'DURATION:PT10M',
    ]),
  )
  expect(odd.traces.at(-1)?.title).toBe('Fine')
  expect(odd.problems.map(({ why }) => why)).toContain(
    'Recurs too often. Later times are left out.',
  )
})

test('Of a calendar that is cut off, the whole events are read', () => {
  const event = ['SUMMARY:Whole', 'DTSTART:20261130T080000Z', 'DTEND:20261130T090000Z']
  const { traces, problems } = read(calendar(event, event).slice(0, -40))
  expect(shown(traces)).toEqual(['2026-11-30 09:00 +60 min Whole'])
  expect(problems.map(({ why }) => why)).toEqual([
    'This calendar file is cut off or damaged.',
    'This event cannot be read.',
  ])
})

/** Returns what the clocks of a zone show in winter and in summer. */
function clocks(zone: string): string[] {
  return ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'].map((time) =>
    localDateTime(Date.parse(time), zone),
  )
}

/** The pairs of another library: 'W. Europe Standard Time' and its zones. */
const isOtherZones = isMapOf(isObject({ iana: isListOf(isText) }))

test('The names that Windows has for zones mean the same clocks as to another library', () => {
  const file = join(import.meta.dirname, '../../../node_modules/node-ical/windowsZones.json')
  const others: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isOtherZones(others)) throw new Error('The library has pairs of names')
  const names = Object.keys(others).filter((name) => windowsZone(name) !== null)
  expect(names.length).toBeGreaterThan(125)
  for (const name of names) {
    const zone = windowsZone(name) ?? ''
    expect([name, isKnownTimeZone(zone)]).toEqual([name, true])
    expect([name, ...clocks(zone)]).toEqual([name, ...clocks(others[name]?.iana[0] ?? '')])
  }
  expect(windowsZone('Moon Standard Time')).toBeNull()
})

const SERIES_ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']

/** A series: when it begins, how it recurs, and what is changed of it. */
interface Series {
  readonly zone: string | null
  readonly day: number
  readonly hour: number
  readonly rule: string
  /** Indexes of times that are taken out, and of one that is moved. */
  readonly out: readonly number[]
  readonly moved: number | null
}

const anyRule = fc.oneof(
  fc.constantFrom('FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY', 'FREQ=WEEKLY;INTERVAL=2'),
  fc
    .subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 })
    .map((days) => `FREQ=WEEKLY;BYDAY=${days.join(',')}`),
  fc.constantFrom(1, 15, 28, 31).map((day) => `FREQ=MONTHLY;BYMONTHDAY=${day}`),
  fc.constantFrom('1MO', '2TU', '-1FR').map((day) => `FREQ=MONTHLY;BYDAY=${day}`),
  fc.constant('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
  fc.constantFrom('FREQ=YEARLY', 'FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU'),
)

const anySeries: fc.Arbitrary<Series> = fc.record({
  zone: fc.constantFrom(null, ...SERIES_ZONES),
  day: fc.integer({ min: 0, max: 500 }),
  hour: fc.integer({ min: 4, max: 23 }),
  rule: fc
    .tuple(
      anyRule,
      fc.oneof(
        fc.constant(''),
        fc.integer({ min: 1, max: 90 }).map((count) => `;COUNT=${count}`),
        fc.integer({ min: 1, max: 28 }).map((day) => `;UNTIL=202611${two(day)}T120000Z`),
      ),
    )
    .map((parts) => parts.join('')),
  out: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
  moved: fc.option(fc.integer({ min: 0, max: 60 })),
})

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** Returns '20261130T090000' for so many days after 1 July 2025. */
function written(day: number, hour: number): string {
  const date = new Date(Date.UTC(2025, 6, 1 + day)).toISOString().slice(0, 10)
  return `${date.replaceAll('-', '')}T${two(hour)}0000`
}

/** Returns a calendar of events of one series. */
function seriesOf(...events: readonly (readonly string[])[]): string {
  return calendar(...events).replaceAll(/UID:\d+/g, 'UID:s')
}

/**
 * Returns a calendar of a series; what is taken out and moved is among the times that it has. It
 * begins at a time that its rule has: of others, the standard says nothing.
 */
function calendarOf({ zone, day, hour, rule, out, moved }: Series): string {
  const property = (name: string, value: string) =>
    zone === null ? `${name}:${value}Z` : `${name};TZID=${zone}:${value}`
  const local = (instant: number) =>
    localDateTime(instant, zone ?? 'UTC')
      .replaceAll(/[-:]/g, '')
      .replace(' ', 'T')
  const begun = (start: string) => [
    'SUMMARY:Series',
    property('DTSTART', start),
    'DURATION:PT45M',
    `RRULE:${rule}`,
  ]
  const [first = ''] = timesByOther(seriesOf(begun(written(day, hour))), Date.UTC(2025, 0))
  fc.pre(first !== '')
  const series = begun(local(Date.parse(first.slice(0, 24))))
  const times = read(seriesOf(series)).traces.map(({ from }) => local(from))
  const isOut = new Set(out.flatMap((index) => times[index] ?? []))
  const movedTime = moved === null ? undefined : times[moved]
  const change = (time: string) => [
    'SUMMARY:Moved',
    property('RECURRENCE-ID', time),
    property('DTSTART', time.replace(/T../, 'T02')),
    'DURATION:PT20M',
  ]
  return seriesOf(
    [...series, ...[...isOut].map((time) => property('EXDATE', time))],
    ...(movedTime === undefined || isOut.has(movedTime) ? [] : [change(movedTime)]),
  )
}

/** Returns the times as another parser, with another library for repeats, reads them. */
function timesByOther(text: string, start = RANGE.start): string[] {
  const event = Object.values(sync.parseICS(text)).find((each) => each?.type === 'VEVENT')
  if (event?.type !== 'VEVENT') throw new Error('The calendar has an event')
  const [from, to] = [new Date(start), new Date(RANGE.end - 1)]
  return expandRecurringEvent(event, { from, to, expandOngoing: true }).map(
    ({ start: at, summary }) => `${at.toISOString()} ${typeof summary === 'string' ? summary : ''}`,
  )
}

test('Another parser reads the same times of repeats', () => {
  fc.assert(
    fc.property(anySeries, (series) => {
      const text = calendarOf(series)
      const own = read(text).traces.map(
        ({ from, title }) => `${new Date(from).toISOString()} ${title}`,
      )
      expect(own.toSorted()).toEqual(timesByOther(text).toSorted())
    }),
    { numRuns: CALENDARS },
  )
})

test('An event is read within 200 µs of processor time, of up to fifty thousand', () => {
  const count = CALENDARS * 50
  const events = Array.from({ length: count }, (_, index) => {
    const start = written(300 + (index % 200), 8 + (index % 9))
    return [`SUMMARY:Event ${index}`, `DTSTART;TZID=Europe/Berlin:${start}`, 'DURATION:PT30M']
  })
  const text = calendar(...events)
  const bound = count / 5
  expect(processorTime(bound, () => read(text))).toBeLessThan(bound)
  expect(read(text).traces).toHaveLength(count)
})
