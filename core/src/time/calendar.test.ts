import { dayRuleOf } from './day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  clockSeconds,
  clockTime,
  dateOfDay,
  dayIndexAt,
  dayNumber,
  daysBetween,
  dayTable,
  endClockTime,
  timeInRange,
  formatDate,
  formatDates,
  formatFullDate,
  formatFullDates,
  fullHour,
  hourLabel,
  instantOfClock,
  intervalOfDates,
  isCalendarDate,
  isoWeek,
  isKnownTimeZone,
  knownTimeZone,
  localDate,
  localDateTime,
  monthAndYear,
  nextMidnight,
  relativeDay,
  sessionDay,
  shortMonthName,
  shortWeekdayName,
  spokenDate,
  startOfDate,
  startOfDay,
  startOfMonth,
  startOfWeek,
  startOfYear,
  wallClockStretches,
  weekday,
  zoneClock,
} from './calendar.ts'

const NEW_YORK = 'America/New_York'
const HOUR = 3_600_000

/** Zones that skip or repeat midnight, skip a whole day, or have an offset of odd minutes. */
const ZONES = [
  'UTC',
  NEW_YORK,
  'Europe/Berlin',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Asuncion',
  'America/Havana',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Africa/Casablanca',
] as const

function at(text: string): number {
  return Date.parse(text)
}

test.each([
  [NEW_YORK, '2026-03-07', 24],
  [NEW_YORK, '2026-03-08', 23],
  [NEW_YORK, '2026-11-01', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['America/Santiago', '2026-04-04', 25],
  ['Pacific/Apia', '2011-12-30', 0],
  ['Asia/Kolkata', '2026-03-08', 24],
] as const)('A local day in %s, %s, has %s hours', (zone, date, hours) => {
  const { start, end } = intervalOfDates({ from: date, to: addDays(date, 1) }, dayRuleOf(zone))
  expect((end - start) / HOUR).toBe(hours)
})

test.each([
  ['Africa/Cairo', '2026-04-24'],
  ['Asia/Beirut', '2026-03-29'],
  ['America/Santiago', '2026-09-06'],
] as const)('A local day starts at 01:00 where the clocks skip midnight: %s, %s', (zone, date) => {
  expect(clockTime(startOfDate(date, dayRuleOf(zone)), zone)).toBe('01:00')
  expect(localDate(startOfDate(date, dayRuleOf(zone)), dayRuleOf(zone))).toBe(date)
  expect(localDate(startOfDate(date, dayRuleOf(zone)) - 1, dayRuleOf(zone))).toBe(addDays(date, -1))
})

test('A local day starts and ends around any instant of it', () => {
  const noon = at('2026-11-01T17:00:00Z')
  expect(startOfDay(noon, dayRuleOf(NEW_YORK))).toBe(at('2026-11-01T04:00:00Z'))
  expect(nextMidnight(noon, dayRuleOf(NEW_YORK))).toBe(at('2026-11-02T05:00:00Z'))
  expect(nextMidnight(at('2026-11-02T05:00:00Z'), dayRuleOf(NEW_YORK))).toBe(
    at('2026-11-03T05:00:00Z'),
  )
})

test('The offset of a local day is that of its own season, whatever the season is now', () => {
  expect(localDate(at('2026-01-15T22:30:00Z'), dayRuleOf('Europe/Berlin'))).toBe('2026-01-15')
  expect(localDate(at('2026-01-15T23:30:00Z'), dayRuleOf('Europe/Berlin'))).toBe('2026-01-16')
  expect(localDate(at('2026-01-15T23:30:00Z'), dayRuleOf('Pacific/Auckland'))).toBe('2026-01-16')
  expect(localDate(at('2026-01-15T23:30:00Z'), dayRuleOf('Pacific/Honolulu'))).toBe('2026-01-15')
})

test.each(ZONES)('The table of days has the midnights of %s, each of them', (zone) => {
  const table = dayTable({ from: '2008-01-01', to: '2028-01-01' }, dayRuleOf(zone))
  const expected = Array.from({ length: table.days + 1 }, (_, index) =>
    startOfDate(dateOfDay(table.firstDay + index), dayRuleOf(zone)),
  )
  expect([...table.starts]).toEqual(expected)
})

test.each(ZONES)('The table of days finds the day of any instant in %s', (zone) => {
  const table = dayTable({ from: '2010-06-01', to: '2027-06-01' }, dayRuleOf(zone))
  const first = table.starts[0] ?? 0
  const end = table.starts[table.days] ?? 0
  fc.assert(
    fc.property(fc.integer({ min: first, max: end - 1 }), (instant) => {
      const index = dayIndexAt(table, instant)
      expect(dateOfDay(table.firstDay + index)).toBe(localDate(instant, dayRuleOf(zone)))
    }),
    { numRuns: 300 },
  )
  for (const [index, start] of table.starts.entries()) {
    if (index === table.days || start === table.starts[index + 1]) continue
    expect(dayIndexAt(table, start)).toBe(index)
    expect(table.starts[dayIndexAt(table, start - 1) + 1]).toBe(start)
  }
})

test('The table of days has an index for instants before and after it', () => {
  const table = dayTable({ from: '2026-01-01', to: '2026-01-03' }, dayRuleOf('UTC'))
  expect(dayIndexAt(table, at('2025-12-31T23:59:59.999Z'))).toBe(-1)
  expect(dayIndexAt(table, at('2026-01-01T00:00:00Z'))).toBe(0)
  expect(dayIndexAt(table, at('2026-01-02T23:59:59.999Z'))).toBe(1)
  expect(dayIndexAt(table, at('2026-01-03T00:00:00Z'))).toBe(2)
})

test('The table of days may be empty', () => {
  const table = dayTable({ from: '2026-01-01', to: '2026-01-01' }, dayRuleOf('UTC'))
  expect([table.days, dayIndexAt(table, at('2026-01-01T00:00:00Z'))]).toEqual([0, 0])
})

test('The wall clock of a day is one stretch if the clocks do not change', () => {
  expect(wallClockStretches('2026-07-04', NEW_YORK)).toEqual([
    { start: at('2026-07-04T04:00:00Z'), end: at('2026-07-05T04:00:00Z'), wallStart: 0 },
  ])
})

test('The wall clock of a day skips the hour that does not exist', () => {
  expect(wallClockStretches('2026-03-08', NEW_YORK)).toEqual([
    { start: at('2026-03-08T05:00:00Z'), end: at('2026-03-08T07:00:00Z'), wallStart: 0 },
    { start: at('2026-03-08T07:00:00Z'), end: at('2026-03-09T04:00:00Z'), wallStart: 3 * HOUR },
  ])
})

test('The wall clock of a day shows a repeated hour in both stretches', () => {
  expect(wallClockStretches('2026-11-01', NEW_YORK)).toEqual([
    { start: at('2026-11-01T04:00:00Z'), end: at('2026-11-01T06:00:00Z'), wallStart: 0 },
    { start: at('2026-11-01T06:00:00Z'), end: at('2026-11-02T05:00:00Z'), wallStart: HOUR },
  ])
})

test('The wall clock of a day begins where the day begins when midnight is skipped', () => {
  const [only, ...more] = wallClockStretches('2026-09-06', 'America/Santiago')
  expect(only?.wallStart).toBe(HOUR)
  expect(more).toEqual([])
})

test('The wall clock of a day that the zone skipped is empty', () => {
  expect(wallClockStretches('2011-12-30', 'Pacific/Apia')).toEqual([])
})

test('A date must be a day that exists', () => {
  expect(isCalendarDate('2024-02-29')).toBe(true)
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '20260101',
    '',
    'today',
    '0000-01-01',
    '9999-12-31',
    '2026-01-01T00:00',
  ]) {
    expect(isCalendarDate(text)).toBe(false)
  }
})

test('Dates convert to day numbers and back', () => {
  expect(dayNumber('1970-01-01')).toBe(0)
  expect(dateOfDay(-1)).toBe('1969-12-31')
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
      expect(dayNumber(dateOfDay(day))).toBe(day)
    }),
  )
})

test('A date has a weekday', () => {
  expect(weekday('2026-11-15')).toBe(0)
  expect(weekday('2026-11-21')).toBe(6)
  expect(weekday('1969-12-28')).toBe(0)
})

test('A date has a week that starts on Sunday, a month and a year', () => {
  expect(startOfWeek('2026-11-15')).toBe('2026-11-15')
  expect(startOfWeek('2026-11-21')).toBe('2026-11-15')
  expect(startOfWeek('2026-01-01')).toBe('2025-12-28')
  expect(startOfMonth('2026-08-31')).toBe('2026-08-01')
  expect(startOfYear('2026-08-31')).toBe('2026-01-01')
})

test.each([
  ['2026-11-16', 47],
  ['2026-11-22', 47],
  ['2026-12-31', 53],
  ['2027-01-03', 53],
  ['2027-01-04', 1],
  ['2024-12-30', 1],
  ['2021-01-01', 53],
  ['2000-02-29', 9],
] as const)('%s is in week %i by ISO 8601', (date, week) => {
  expect(isoWeek(date)).toBe(week)
})

test('The number of a week is the one of Temporal on every day of four centuries', () => {
  const days = Array.from({ length: 146_097 }, (_, day) => dateOfDay(day))
  expect(days.filter((date) => isoWeek(date) !== Temporal.PlainDate.from(date).weekOfYear)).toEqual(
    [],
  )
})

test('Days and months are added to dates by the calendar, never as hours', () => {
  expect(addDays('2026-03-07', 7)).toBe('2026-03-14')
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-01', -1)).toBe('2025-12-01')
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2)
})

describe('a relative day', () => {
  const now = at('2026-03-09T03:30:00Z') // 8 March, 23:30 in New York, on the day of 23 hours

  test.each([
    ['2026-03-09T03:29:00Z', 'today', 'Today'],
    ['2026-03-08T05:00:00Z', 'today', 'Today'],
    ['2026-03-08T04:59:59Z', 'yesterday', 'Yesterday'],
    ['2026-03-07T05:00:00Z', 'yesterday', 'Yesterday'],
    ['2026-03-07T04:59:59Z', '2 days ago', '6 Mar'],
    ['2025-03-08T17:00:00Z', '365 days ago', '8 Mar 2025'],
    ['2026-03-09T12:00:00Z', 'today', '9 Mar'],
  ])('A relative day of %s is %s', (instant, relative, session) => {
    expect(relativeDay(at(instant), now, dayRuleOf(NEW_YORK))).toBe(relative)
    expect(sessionDay(at(instant), now, dayRuleOf(NEW_YORK))).toBe(session)
  })
})

test('The clock shows 24 hours', () => {
  expect(clockTime(at('2026-07-26T13:05:59Z'), 'UTC')).toBe('13:05')
  expect(clockTime(at('2026-07-26T00:00:00Z'), 'UTC')).toBe('00:00')
  expect(clockTime(at('2026-07-26T18:45:00Z'), 'Asia/Kolkata')).toBe('00:15')
})

test('The clock marks an end on a later day with the number of days', () => {
  const start = at('2026-07-26T23:10:00Z')
  expect(endClockTime(start, at('2026-07-26T23:50:00Z'), 'UTC')).toBe('23:50')
  expect(endClockTime(start, at('2026-07-27T00:40:00Z'), 'UTC')).toBe('00:40 +1')
  expect(endClockTime(start, at('2026-07-29T00:00:00Z'), 'UTC')).toBe('00:00 +3')
  expect(endClockTime(start, at('2026-07-27T00:40:00Z'), NEW_YORK)).toBe('20:40')
})

test('A date is written with the day before the month', () => {
  expect(formatDate('2026-07-26')).toBe('26 Jul')
  expect(formatFullDate('2026-07-06')).toBe('6 Jul 2026')
  expect(spokenDate('2026-07-26')).toBe('Sunday 26 July 2026')
  expect(shortWeekdayName('2026-07-26')).toBe('Sun')
  expect(shortMonthName('2026-09-01')).toBe('Sep')
  expect(monthAndYear('2026-08-01')).toBe('August 2026')
})

test.each([
  ['2026-08-31', '2026-09-01', '31 Aug', '31 Aug 2026'],
  ['2026-08-30', '2026-09-01', '30–31 Aug', '30–31 Aug 2026'],
  ['2026-07-26', '2026-08-02', '26 Jul – 1 Aug', '26 Jul – 1 Aug 2026'],
  ['2026-12-27', '2027-01-03', '27 Dec – 2 Jan', '27 Dec 2026 – 2 Jan 2027'],
  ['2026-01-01', '2027-01-01', '1 Jan – 31 Dec', '1 Jan – 31 Dec 2026'],
] as const)('The days from %s until before %s are written as a range', (from, to, short, full) => {
  expect(formatDates({ from, to })).toBe(short)
  expect(formatFullDates({ from, to })).toBe(full)
})

test('A date with a zone is no time zone, and every zone of the machine is one', () => {
  const dates = ['2026-01-15T12:00:00Z', '2026-01-15T12:00[Europe/Berlin]', '-002026-01-15T00[UTC]']
  expect(dates.map(isKnownTimeZone)).toEqual([false, false, false])
  const all = [...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+5', 'EST5EDT', 'utc', '+05:30']
  expect(all.filter((zone) => !isKnownTimeZone(zone))).toEqual([])
})

test('A time zone that no machine knows reads as UTC', () => {
  expect(knownTimeZone('Asia/Kolkata')).toBe('Asia/Kolkata')
  expect(['Etc/Unknown', '', null, undefined].map(knownTimeZone)).toEqual(
    Array.from({ length: 4 }, () => 'UTC'),
  )
})

describe('a day that begins later than at midnight', () => {
  const berlin = dayRuleOf('Europe/Berlin', 4)

  test('A day that begins after midnight counts the time before its hour to the day before', () => {
    expect(localDate(at('2026-11-15T02:59:59.999Z'), berlin)).toBe('2026-11-14')
    expect(localDate(at('2026-11-15T03:00:00Z'), berlin)).toBe('2026-11-15')
    expect(startOfDate('2026-11-15', berlin)).toBe(at('2026-11-15T03:00:00Z'))
    expect(nextMidnight(at('2026-11-15T02:00:00Z'), berlin)).toBe(at('2026-11-15T03:00:00Z'))
    expect(sessionDay(at('2026-11-15T00:30:00Z'), at('2026-11-15T09:00:00Z'), berlin)).toBe(
      'Yesterday',
    )
  })

  test('A day that begins after midnight does not change the clock and its midnight', () => {
    expect(clockTime(at('2026-11-15T00:30:00Z'), berlin.timeZone)).toBe('01:30')
    expect(
      endClockTime(at('2026-11-14T22:30:00Z'), at('2026-11-15T00:30:00Z'), berlin.timeZone),
    ).toBe('01:30 +1')
    expect(localDateTime(at('2026-11-15T00:30:00Z'), berlin.timeZone)).toBe('2026-11-15 01:30:00')
    expect(wallClockStretches('2026-11-15', berlin.timeZone)).toEqual(
      wallClockStretches('2026-11-15', 'Europe/Berlin'),
    )
  })

  test('The same day rule is the same object each time, and begins at midnight by default', () => {
    expect(dayRuleOf('Europe/Berlin')).toBe(dayRuleOf('Europe/Berlin', 0))
    expect(dayRuleOf('Europe/Berlin', 4)).toBe(berlin)
    expect(berlin).toEqual({ timeZone: 'Europe/Berlin', startHour: 4 })
  })

  test.each([
    ['at an hour that the clocks skip, it begins after it', '2026-03-29', 2, '2026-03-29T01:00Z'],
    ['at an hour that comes twice, it begins with the first', '2026-10-25', 2, '2026-10-25T00:00Z'],
  ] as const)(
    'A day that begins where the clocks change has one beginning: %s',
    (_, date, hour, start) => {
      const zone = dayRuleOf('Europe/Berlin', hour)
      expect(startOfDate(date, zone)).toBe(at(start))
      expect(localDate(at(start), zone)).toBe(date)
      expect(localDate(at(start) - 1, zone)).toBe(addDays(date, -1))
    },
  )

  test('Days that begin after midnight contain every instant exactly once, in every zone and through every clock change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: 1, max: 23 }),
        fc.integer({ min: at('2005-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
        (name, hour, instant) => {
          const zone = dayRuleOf(name, hour)
          const date = localDate(instant, zone)
          expect(startOfDate(date, zone)).toBeLessThanOrEqual(instant)
          expect(startOfDate(addDays(date, 1), zone)).toBeGreaterThan(instant)
          const table = dayTable({ from: addDays(date, -400), to: addDays(date, 3) }, zone)
          expect(dateOfDay(table.firstDay + dayIndexAt(table, instant))).toBe(date)
        },
      ),
      { numRuns: 300 },
    )
  })
})

test.each([
  [0, '2026-11-15'],
  [1, '2026-11-16'],
  [6, '2026-11-14'],
  [4, '2026-11-19'],
  [5, '2026-11-13'],
])('Weeks that begin on weekday %s hold Thursday the 19th from %s on', (first, start) => {
  expect(startOfWeek('2026-11-19', first)).toBe(start)
})

test.each([
  ['00:00', '12:00 AM', '12 AM'],
  ['00:59', '12:59 AM', '12 AM'],
  ['09:05', '9:05 AM', '9 AM'],
  ['12:00', '12:00 PM', '12 PM'],
  ['23:59', '11:59 PM', '11 PM'],
])('The clock of twelve hours shows %s as %s', (time, text, label) => {
  expect(clockTime(at(`2026-11-15T${time}:00Z`), 'UTC', 12)).toBe(text)
  expect(hourLabel(Number(time.slice(0, 2)), 12)).toBe(label)
})

test('The clock of twelve hours shows a full hour without its minutes, which the other clock has', () => {
  expect([0, 9, 23].map((hour) => fullHour(hour, 12))).toEqual(['12 AM', '9 AM', '11 PM'])
  expect([0, 9, 23].map((hour) => fullHour(hour, 24))).toEqual(['00:00', '09:00', '23:00'])
})

test('The clock of twelve hours marks an end on a later day too', () => {
  const [from, to] = [at('2026-11-14T23:10:00Z'), at('2026-11-15T00:40:00Z')]
  expect(endClockTime(from, to, 'UTC', 12)).toBe('12:40 AM +1')
})

test.each([
  ['Europe/Berlin', '2026-10-24T23:59Z', '2026-10-25T00:00Z', '01:59 – 02:00'],
  ['Europe/Berlin', '2026-10-25T00:59Z', '2026-10-25T01:00Z', '02:59 – 02:00 (second)'],
  ['Europe/Berlin', '2026-10-25T01:59Z', '2026-10-25T02:00Z', '02:59 (second) – 03:00'],
  ['Europe/Berlin', '2026-03-29T00:59Z', '2026-03-29T01:00Z', '01:59 – 03:00'],
  [
    'America/New_York',
    '2026-11-01T05:59:00Z',
    '2026-11-01T06:00:00.001Z',
    '01:59 – 01:00 (second)',
  ],
  // Its clocks go back by half an hour.
  ['Australia/Lord_Howe', '2026-04-04T14:45Z', '2026-04-04T15:05Z', '01:45 – 01:35 (second)'],
  ['Asia/Kolkata', '2026-10-25T00:59Z', '2026-10-25T01:00Z', '06:29 – 06:30'],
])('A range in %s from %s to %s marks which of two equal clock times is meant', (...row) => {
  const [zone, from, to, text] = row
  const [start, end] = [Date.parse(from), Date.parse(to)]
  expect(`${timeInRange(start, zone)} – ${timeInRange(end, zone)}`).toBe(text)
  expect(endClockTime(start, end, zone)).toBe(timeInRange(end, zone))
})

test('The clocks of a zone name the offset, and milliseconds where there are some', () => {
  const { exactTime } = zoneClock('Europe/Berlin')
  expect(exactTime(Date.parse('2026-07-26T11:05:59Z'))).toBe('2026-07-26 13:05:59+02:00')
  expect(exactTime(Date.parse('2026-01-01T00:00:00.007Z'))).toBe('2026-01-01 01:00:00.007+01:00')
  expect(zoneClock('America/St_Johns').exactTime(0)).toBe('1969-12-31 20:30:00-03:30')
  expect(zoneClock('Africa/Monrovia').exactTime(Date.UTC(1960, 0))).toMatch(/-00:44:30$/)
})

test('The clocks of a zone agree with the calendar, also where the clocks change', () => {
  const zones = ['Europe/Berlin', 'America/Santiago', 'Pacific/Apia', 'Asia/Kolkata', 'UTC']
  for (const zone of zones) {
    const clock = zoneClock(zone)
    for (let day = dayNumber('2011-12-01'); day < dayNumber('2012-12-01'); day += 1) {
      const seconds = (day * 4999) % 86_400
      const instant = instantOfClock(dateOfDay(day), seconds, zone)
      expect(clock.instantOf(dateOfDay(day), seconds)).toBe(instant)
      expect(clock.instantOf(dateOfDay(day), 93_600)).toBe(
        instantOfClock(dateOfDay(day), 93_600, zone),
      )
      expect(clock.exactTime(instant).slice(0, 19)).toBe(localDateTime(instant, zone))
      expect(Date.parse(clock.exactTime(instant).replace(' ', 'T'))).toBe(instant)
    }
  }
})

test('The clocks of a zone read a repeated time as the first one, and move a skipped time forward', () => {
  const berlin = 'Europe/Berlin'
  expect(instantOfClock('2026-10-25', 9000, berlin)).toBe(Date.parse('2026-10-25T00:30Z'))
  expect(instantOfClock('2026-03-29', 9000, berlin)).toBe(Date.parse('2026-03-29T01:30Z'))
  expect(clockSeconds(Date.parse('2026-03-29T01:30Z'), berlin)).toBe(12_600)
})
