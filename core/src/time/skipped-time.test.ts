import { describe, expect, test } from 'vitest'
import { guessedChoice, startChoices } from '#record/start-line.ts'
import { sessionTimes } from '#reports/explanation.ts'
import { dateOfDay, localDate, localDateTime } from './calendar.ts'
import type { CalendarDate } from './calendar.ts'
import { dayRuleOf } from './day-rule.ts'
import { readMoment, readSpan, readTimeWords } from './time-span-input.ts'

const HOUR = 3_600_000

/** Long after every clock change of this file, so that nothing is in the future. */
const NOW = Date.parse('2027-01-01T12:00:00Z')

function contextOf(timeZone: string, date: CalendarDate) {
  return { timeZone, date, now: NOW }
}

/** Returns '01:30:00 – 03:30:00, 3600 s', or the message. */
function spanRead(timeZone: string, date: CalendarDate, text: string): string {
  const read = readSpan(text, contextOf(timeZone, date))
  if (read.kind === 'problem') return read.message
  if (read.kind !== 'span') return read.kind
  const { startedAt, endedAt } = read
  const [start, end] = [startedAt, endedAt].map((at) => localDateTime(at, timeZone).slice(11))
  return `${start} – ${end}, ${(endedAt - startedAt) / 1000} s`
}

const BERLIN = ['Europe/Berlin', '2026-03-29'] as const
const LONDON = ['Europe/London', '2026-03-29'] as const
const NEW_YORK = ['America/New_York', '2026-03-08'] as const
const LORD_HOWE = ['Australia/Lord_Howe', '2026-10-04'] as const
const BEIRUT = ['Asia/Beirut', '2026-03-29'] as const

describe('a time that the clocks skipped', () => {
  test.each([
    [...BERLIN, '02:30-03:30', 'There is no 02:30 on 29 March: clocks went forward at 02:00.'],
    [...BERLIN, '2:15 - 2:45', 'There is no 02:15 on 29 March: clocks went forward at 02:00.'],
    [...BERLIN, '1:30 - 2:30', 'There is no 02:30 on 29 March: clocks went forward at 02:00.'],
    [...BERLIN, '1-2am', 'There is no 02:00 on 29 March: clocks went forward at 02:00.'],
    [...BERLIN, '2:30 for 1h', 'There is no 02:30 on 29 March: clocks went forward at 02:00.'],
    [...BERLIN, '2:30 - now', 'There is no 02:30 on 29 March: clocks went forward at 02:00.'],
    [
      ...BERLIN,
      '1:30 - 2:59:59',
      'There is no 02:59:59 on 29 March: clocks went forward at 02:00.',
    ],
    [
      'Europe/Berlin',
      '2026-03-28',
      '22:00 - 2:30',
      'There is no 02:30 on 29 March: clocks went forward at 02:00.',
    ],
    [
      'Europe/Berlin',
      '2026-03-28',
      '22:00 - 2:30 +1',
      'There is no 02:30 on 29 March: clocks went forward at 02:00.',
    ],
    [
      'Europe/Berlin',
      '2026-05-01',
      '2026-03-29 2:30-4',
      'There is no 02:30 on 29 March: clocks went forward at 02:00.',
    ],
    [...LONDON, '01:00-02:00', 'There is no 01:00 on 29 March: clocks went forward at 01:00.'],
    [...NEW_YORK, '02:30-03:30', 'There is no 02:30 on 8 March: clocks went forward at 02:00.'],
    [...LORD_HOWE, '02:15-03:00', 'There is no 02:15 on 4 October: clocks went forward at 02:00.'],
    [...BEIRUT, '0:30-2:00', 'There is no 00:30 on 29 March: clocks went forward at 00:00.'],
    [
      'Pacific/Apia',
      '2011-12-30',
      '9:00-10:00',
      'There is no 09:00 on 30 December: clocks went forward at 00:00.',
    ],
  ] as const)('In %s on %s, %j is a problem with its reason', (zone, date, text, message) => {
    expect(spanRead(zone, date, text)).toBe(message)
  })

  test.each([
    [...BERLIN, '01:30-03:30', '01:30:00 – 03:30:00, 3600 s'],
    [...BERLIN, '01:59:59-03:00', '01:59:59 – 03:00:00, 1 s'],
    [...LONDON, '00:30-02:00', '00:30:00 – 02:00:00, 1800 s'],
    [...NEW_YORK, '1:30am-3:30am', '01:30:00 – 03:30:00, 3600 s'],
    [...LORD_HOWE, '01:45-02:30', '01:45:00 – 02:30:00, 900 s'],
    // 24:00 is the end of the day, which every day has.
    ['Asia/Beirut', '2026-03-28', '22:00-24:00', '22:00:00 – 01:00:00, 7200 s'],
    ['Pacific/Apia', '2011-12-29', '22:00-24:00', '22:00:00 – 00:00:00, 7200 s'],
    ['Pacific/Apia', '2011-12-29', '22:00-1:00 +2', '22:00:00 – 01:00:00, 10800 s'],
    // Of a repeated hour the first is read.
    ['Europe/Berlin', '2026-10-25', '2:30-3:30', '02:30:00 – 03:30:00, 7200 s'],
  ] as const)('In %s on %s, %j is the time between', (zone, date, text, expected) => {
    expect(spanRead(zone, date, text)).toBe(expected)
  })

  test('The message is written for the clock of 12 hours where its reader has that', () => {
    const context = { ...contextOf(...NEW_YORK), hourCycle: 12 } as const
    expect(readMoment('2:30', context)).toMatchObject({
      message: 'There is no 2:30 AM on 8 March: clocks went forward at 2:00 AM.',
    })
  })

  test('A time that is relative to now, and a duration, never are', () => {
    // 03:30 in Berlin, half an hour after the change.
    const now = Date.parse('2026-03-29T01:30:00Z')
    const context = { ...contextOf(...BERLIN), now }
    expect(readMoment('45m ago', context)).toEqual({ kind: 'moment', at: now - 0.75 * HOUR })
    expect(readSpan('2:30', context)).toEqual({ kind: 'duration', seconds: 9000 })
  })

  test('The line that starts a timer says so instead of taking the time for a name', () => {
    const now = Date.parse('2026-03-29T08:00:00Z')
    const read = (line: string) => startChoices(line, [], { timeZone: 'Europe/Berlin', now })
    const problem = 'There is no 02:30 on 29 March: clocks went forward at 02:00.'
    expect(read('deploy since 2:30')).toEqual({ choices: [], problem })
    expect(read('02:30-03:30 deploy #ops')).toEqual({ choices: [], problem })
    expect(read('deploy 1:30-3:30').choices[0]).toMatchObject({
      name: 'deploy',
      startedAt: now - 7.5 * HOUR,
    })
    expect(readTimeWords('deploy', { ...contextOf(...BERLIN), now })).toBeNull()
    // What lies ahead is offered as the day before's, unless the clocks skipped it then.
    expect(guess('2026-03-29T23:00:00Z')).toBeNull()
    expect(guess('2026-03-30T23:00:00Z')).not.toBeNull()
  })
})

function guess(now: string) {
  const context = { timeZone: 'Europe/Berlin', now: Date.parse(now) }
  return guessedChoice('2:15-2:45 x', [], context)
}

/** Returns '00:30 – 02:30' in UTC, or the message. */
function utcSpan(zone: string, date: CalendarDate, text: string): string {
  const read = readSpan(text, contextOf(zone, date))
  if (read.kind !== 'span') return read.kind === 'problem' ? read.message : read.kind
  const { startedAt, endedAt } = read
  return [startedAt, endedAt].map((at) => new Date(at).toISOString().slice(11, 16)).join(' – ')
}

describe('a time that comes twice', () => {
  const AUTUMN = ['Europe/Berlin', '2026-10-25'] as const
  const FALL = ['America/New_York', '2026-11-01'] as const
  test.each([
    [...AUTUMN, '2:30-3:30', '00:30 – 02:30'],
    [...AUTUMN, '2:30 first - 3:30', '00:30 – 02:30'],
    [...AUTUMN, '2:30 second - 3:30', '01:30 – 02:30'],
    [...AUTUMN, '2:30 (second)–2:45 (second)', '01:30 – 01:45'],
    [...AUTUMN, '2:30 second - 2:45', '01:30 – 01:45'],
    [...AUTUMN, '2:45 - 2:15 second', '00:45 – 01:15'],
    [...AUTUMN, '2:30 first - 2:30 second', '00:30 – 01:30'],
    [...AUTUMN, '2:30 second for 15m', '01:30 – 01:45'],
    [...AUTUMN, '2:30 (zum zweiten Mal) - 3', '01:30 – 02:00'],
    [...AUTUMN, '2h30 2e fois - 3h', '01:30 – 02:00'],
    [...AUTUMN, '2:30 segunda vez - 3', '01:30 – 02:00'],
    [...AUTUMN, '3:30 second - 4', '3:30 comes only once that day.'],
    [...FALL, '1:30 am (second) - 3', '06:30 – 08:00'],
    ['Australia/Lord_Howe', '2026-04-05', '1:45 second - 1:50', '15:15 – 15:20'],
  ] as const)('In %s on %s, %j is %s', (zone, date, text, expected) => {
    expect(utcSpan(zone, date, text)).toBe(expected)
  })

  test('A moment and the line are told apart by the same words', () => {
    const now = Date.parse('2026-10-25T08:00:00Z')
    const context = { timeZone: 'Europe/Berlin', date: '2026-10-25', now } as const
    const at = Date.parse('2026-10-25T01:30:00Z')
    expect(readMoment('2:30 second', context)).toEqual({ kind: 'moment', at })
    const read = (line: string) => startChoices(line, [], { timeZone: 'Europe/Berlin', now })
    expect(read('deploy since 2:30 second').choices[0]).toMatchObject({
      name: 'deploy',
      startedAt: at,
    })
    expect(read('2:30 second-3 deploy').choices[0]).toMatchObject({ name: 'deploy', startedAt: at })
    expect(read('8-8:30 second interview').choices[0]).toMatchObject({ name: 'second interview' })
  })
})

/** A clock change that skipped times, as UTC milliseconds of the clocks before and after. */
interface Gap {
  readonly timeZone: string
  readonly from: number
  readonly to: number
}

/** Returns the zone's last changes forward before 2027, and its longest one. */
function gapsOf(timeZone: string): Gap[] {
  const gaps: Gap[] = []
  let clock = Temporal.Instant.fromEpochMilliseconds(NOW).toZonedDateTimeISO(timeZone)
  for (let index = 0; index < 400; index++) {
    const change = clock.getTimeZoneTransition('previous')
    if (!change || change.year < 1900) break
    const before = change.subtract({ nanoseconds: 1 })
    const [from, to] = [before, change].map(
      ({ offsetNanoseconds }) => change.epochMilliseconds + offsetNanoseconds / 1_000_000,
    )
    if (from !== undefined && to !== undefined && from < to) gaps.push({ timeZone, from, to })
    clock = change
  }
  const longest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0]
  return [...gaps.slice(0, 2), ...(longest ? [longest] : [])]
}

function dateAndClock(wall: number): { readonly date: CalendarDate; readonly time: string } {
  const date = dateOfDay(Math.floor(wall / (24 * HOUR)))
  return { date, time: new Date(wall).toISOString().slice(11, 19) }
}

const SKIPPED = 'There is no such time'

/** Returns the time as the zone's clocks show it, or `SKIPPED`. */
function shownMoment(timeZone: string, date: CalendarDate, time: string): string {
  const read = readMoment(time, contextOf(timeZone, date))
  if (read.kind === 'moment') return localDateTime(read.at, timeZone)
  return read.kind === 'problem' && /^There is no \d/.test(read.message) ? SKIPPED : read.kind
}

/** Returns the span as the zone's clocks show it, or `SKIPPED`. */
function shownSpan(timeZone: string, date: CalendarDate, from: string, to: string): string {
  const read = readSpan(`${from}-${to}`, contextOf(timeZone, date))
  if (read.kind === 'span') {
    const isShort = read.endedAt - read.startedAt < 24 * HOUR
    const shown = [read.startedAt, read.endedAt].map((at) => localDateTime(at, timeZone))
    return isShort ? shown.join(' – ') : 'a day'
  }
  return read.kind === 'problem' && /^There is no \d/.test(read.message) ? SKIPPED : read.kind
}

test('In every zone, a typed time is shown as it was typed, or the clocks skipped it and the message says so', () => {
  const gaps = Intl.supportedValuesOf('timeZone').flatMap(gapsOf)
  expect(gaps.length).toBeGreaterThan(500)
  for (const { timeZone, from, to } of gaps) {
    for (const wall of [
      from - HOUR,
      from - 1000,
      from,
      (from + to) / 2,
      to - 1000,
      to,
      to + HOUR,
    ]) {
      const { date, time } = dateAndClock(wall)
      const isSkipped = wall >= from && wall < to
      const expected = isSkipped ? SKIPPED : `${date} ${time}`
      expect(shownMoment(timeZone, date, time), `${timeZone} ${date} ${time}`).toBe(expected)
    }
  }
})

test('In every zone, both instants of a time that comes twice are read from what is shown', () => {
  const repeated = Intl.supportedValuesOf('timeZone').flatMap((timeZone) => {
    const clock = Temporal.Instant.fromEpochMilliseconds(NOW).toZonedDateTimeISO(timeZone)
    const last = clock.getTimeZoneTransition('previous')
    return [last, last?.getTimeZoneTransition('previous')].flatMap((change) => {
      // Before 1970 many clocks were ahead by seconds, which no text shows.
      if (!change || change.epochMilliseconds < 0) return []
      const before = change.subtract({ nanoseconds: 1 })
      const lost = (before.offsetNanoseconds - change.offsetNanoseconds) / 1_000_000
      return lost >= 60_000 && lost < 24 * HOUR
        ? [{ timeZone, at: change.epochMilliseconds, lost }]
        : []
    })
  })
  expect(repeated.length).toBeGreaterThan(100)
  for (const { timeZone, at, lost } of repeated) {
    const half = Math.floor(lost / 120_000) * 60_000
    for (const [from, to] of [
      [at - lost, at],
      [at - half, at + half],
      [at, at + half],
      [at - 60_000, at + lost],
      [at + half, at + lost + 60_000],
    ] as const) {
      const start = Math.floor(from / 60_000) * 60_000
      const end = Math.floor(to / 60_000) * 60_000
      const text = sessionTimes({ startedAt: start, endedAt: end }, timeZone)
      const date = localDate(start, dayRuleOf(timeZone))
      const read = readSpan(text, contextOf(timeZone, date))
      expect([timeZone, text, read]).toEqual([
        timeZone,
        text,
        { kind: 'span', startedAt: start, endedAt: end },
      ])
    }
  }
})

test('In every zone, a span of one day is shown as it was typed and is shorter than a day, or the message says what was skipped', () => {
  for (const gap of Intl.supportedValuesOf('timeZone').flatMap(gapsOf)) {
    const { timeZone, from, to } = gap
    const walls = [from - 2 * HOUR, from - 60_000, (from + to) / 2, to, to + 2 * HOUR]
    for (const [index, start] of walls.entries()) {
      for (const end of walls.slice(index + 1)) {
        const { date, time } = dateAndClock(start)
        const last = dateAndClock(end)
        if (last.date !== date) continue
        const isSkipped = [start, end].some((wall) => wall >= from && wall < to)
        const expected = isSkipped ? SKIPPED : `${date} ${time} – ${date} ${last.time}`
        const shown = shownSpan(timeZone, date, time, last.time)
        expect(shown, `${timeZone} ${date} ${time}-${last.time}`).toBe(expected)
      }
    }
  }
})
