import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { addDays } from './calendar.ts'
import { datesAtStart, datesText, FIRST_DAY, readDates } from './date-text.ts'
import { dayAtStart, readDay } from './day-text.ts'
import type { DateContext } from './day-text.ts'

/** A Wednesday. */
const TODAY = '2026-11-25'
const CONTEXT: DateContext = { today: TODAY }

/** Returns '2026-11-03', '2026-11-03 … 2026-11-17' with both days included, or the problem. */
function read(text: string, context: Partial<DateContext> = {}): string {
  const found = readDates(text, { ...CONTEXT, ...context })
  if (found.kind === 'problem') return found.message
  const { from, to } = found.dates
  const last = addDays(to, -1)
  return from === last ? from : `${from} … ${last}`
}

const HELP = 'Not understood. Try yesterday, 3 Nov – 17 Nov or last 30 days.'
const ORDER = 'The range ends before it begins.'

describe('one day', () => {
  test.each([
    ['today', '2026-11-25'],
    [' Heute ', '2026-11-25'],
    ['aujourd’hui', '2026-11-25'],
    ['HOY', '2026-11-25'],
    ['yesterday', '2026-11-24'],
    ['gestern', '2026-11-24'],
    ['hier', '2026-11-24'],
    ['ayer', '2026-11-24'],
    ['the day before yesterday', '2026-11-23'],
    ['vorgestern', '2026-11-23'],
    ['avant-hier', '2026-11-23'],
    ['anteayer', '2026-11-23'],
    ['3 days ago', '2026-11-22'],
    ['vor 3 Tagen', '2026-11-22'],
    ['il y a 3 jours', '2026-11-22'],
    ['hace 3 días', '2026-11-22'],
    ['wed', '2026-11-25'],
    ['on Monday', '2026-11-23'],
    ['Thu.', '2026-11-19'],
    ['last Wednesday', '2026-11-18'],
    ['last friday', '2026-11-20'],
    ['Freitag', '2026-11-20'],
    ['am Sonnabend', '2026-11-21'],
    ['letzten Mittwoch', '2026-11-18'],
    ['lundi', '2026-11-23'],
    ['mercredi dernier', '2026-11-18'],
    ['el sábado', '2026-11-21'],
    ['el miércoles pasado', '2026-11-18'],
    ['2026-11-03', '2026-11-03'],
    ['９９９８-12-31', '9998-12-31'],
    ['23.11.', '2026-11-23'],
    ['23. 11. 26', '2026-11-23'],
    ['23.11.2026', '2026-11-23'],
    ['23.11', '2026-11-23'],
    ['26.11.', '2025-11-26'],
    ['3/11/2026', '2026-11-03'],
    ['11/13/2026', '2026-11-13'],
    ['nov 23', '2026-11-23'],
    ['23 nov', '2026-11-23'],
    ['26 nov', '2025-11-26'],
    ['29 feb', '2024-02-29'],
    ['November 23rd, 2024', '2024-11-23'],
    ['Nov. 23 2024', '2024-11-23'],
    ['23. November 2024', '2024-11-23'],
    ['3. Mär', '2026-03-03'],
    ['1er août', '2026-08-01'],
    ['le 3 févr. 2025', '2025-02-03'],
    ['3 juil.', '2026-07-03'],
    ['3 de noviembre de 2024', '2024-11-03'],
    ['15 ago', '2026-08-15'],
    ['Wed 25 Nov 2026', '2026-11-25'],
    ['Mittwoch, 25. November 2026', '2026-11-25'],
    ['Tuesday, 25 Nov 2026', HELP],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
    const day = expected === HELP ? null : expected
    expect(readDay(text, CONTEXT)).toBe(day)
  })

  test('The month is first where people write it first, unless it is no month', () => {
    expect(read('11/3/2026', { isDayFirst: false })).toBe('2026-11-03')
    expect(read('11/3', { isDayFirst: false })).toBe('2026-11-03')
    expect(read('13/3/2026', { isDayFirst: false })).toBe('2026-03-13')
    expect(read('3.11.2026', { isDayFirst: false })).toBe('2026-11-03')
  })

  test.each(['this week', '2026-11', 'november', '3-17 nov', 'since monday', '3 jui', 'soon', ''])(
    '%j is no day',
    (text) => {
      expect(readDay(text, CONTEXT)).toBeNull()
    },
  )
})

describe('whole periods', () => {
  test.each([
    ['this week', '2026-11-22 … 2026-11-28'],
    ['dieser Woche', '2026-11-22 … 2026-11-28'],
    ['vorige Woche', '2026-11-15 … 2026-11-21'],
    ['diesem Jahr', '2026-01-01 … 2026-12-31'],
    ['voriges Jahr', '2025-01-01 … 2025-12-31'],
    ['l’an dernier', '2025-01-01 … 2025-12-31'],
    ['este mes', '2026-11-01 … 2026-11-30'],
    ['diese Woche', '2026-11-22 … 2026-11-28'],
    ['la semaine dernière', '2026-11-15 … 2026-11-21'],
    ['la semana pasada', '2026-11-15 … 2026-11-21'],
    ['this month', '2026-11-01 … 2026-11-30'],
    ['letzten Monat', '2026-10-01 … 2026-10-31'],
    ['ce mois-ci', '2026-11-01 … 2026-11-30'],
    ['el mes pasado', '2026-10-01 … 2026-10-31'],
    ['this quarter', '2026-10-01 … 2026-12-31'],
    ['letztes Quartal', '2026-07-01 … 2026-09-30'],
    ['le trimestre dernier', '2026-07-01 … 2026-09-30'],
    ['este trimestre', '2026-10-01 … 2026-12-31'],
    ['this year', '2026-01-01 … 2026-12-31'],
    ['previous year', '2025-01-01 … 2025-12-31'],
    ['l’année dernière', '2025-01-01 … 2025-12-31'],
    ['el año pasado', '2025-01-01 … 2025-12-31'],
    ['W47', '2026-11-16 … 2026-11-22'],
    ['week 47', '2026-11-16 … 2026-11-22'],
    ['2026-W47', '2026-11-16 … 2026-11-22'],
    ['W47 2025', '2025-11-17 … 2025-11-23'],
    ['KW 49', '2025-12-01 … 2025-12-07'],
    ['KW47/2026', '2026-11-16 … 2026-11-22'],
    ['S47', '2026-11-16 … 2026-11-22'],
    ['semana 47 de 2026', '2026-11-16 … 2026-11-22'],
    ['2020-W53', '2020-12-28 … 2021-01-03'],
    ['2021-W53', HELP],
    ['W0', HELP],
    ['Q3', '2026-07-01 … 2026-09-30'],
    ['Q4', '2026-10-01 … 2026-12-31'],
    ['Q3 2025', '2025-07-01 … 2025-09-30'],
    ['2026-Q3', '2026-07-01 … 2026-09-30'],
    ['T3 2026', '2026-07-01 … 2026-09-30'],
    ['Q5', HELP],
    ['nov', '2026-11-01 … 2026-11-30'],
    ['dec', '2025-12-01 … 2025-12-31'],
    ['November 2024', '2024-11-01 … 2024-11-30'],
    ['noviembre de 2024', '2024-11-01 … 2024-11-30'],
    ['2026-11', '2026-11-01 … 2026-11-30'],
    ['2026-13', HELP],
    ['2026', '2026-01-01 … 2026-12-31'],
    ['2126', HELP],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('Weeks begin with the day of the context, numbered ones on Monday', () => {
    expect(read('this week', { weekStart: 1 })).toBe('2026-11-23 … 2026-11-29')
    expect(read('last week', { weekStart: 6 })).toBe('2026-11-14 … 2026-11-20')
    expect(read('W47', { weekStart: 6 })).toBe('2026-11-16 … 2026-11-22')
  })
})

describe('ranges', () => {
  test.each([
    ['last 30 days', '2026-10-27 … 2026-11-25'],
    ['past 2 weeks', '2026-11-12 … 2026-11-25'],
    ['last 3 months', '2026-08-26 … 2026-11-25'],
    ['last 1 days', '2026-11-25'],
    ['last 9999 years', `${FIRST_DAY} … 2026-11-25`],
    ['die letzten 30 Tage', '2026-10-27 … 2026-11-25'],
    ['les 30 derniers jours', '2026-10-27 … 2026-11-25'],
    ['los últimos 30 días', '2026-10-27 … 2026-11-25'],
    ['since 3 nov', '2026-11-03 … 2026-11-25'],
    ['since today', '2026-11-25'],
    ['seit Montag', '2026-11-23 … 2026-11-25'],
    ['depuis le 3 nov', '2026-11-03 … 2026-11-25'],
    ['desde el 3 de noviembre', '2026-11-03 … 2026-11-25'],
    ['3 nov..', '2026-11-03 … 2026-11-25'],
    ['after 3 nov', '2026-11-04 … 2026-11-25'],
    ['nach März', '2026-04-01 … 2026-11-25'],
    ['after today', ORDER],
    ['since 2027', ORDER],
    ['until 3 nov', `${FIRST_DAY} … 2026-11-03`],
    ['before 3 nov', `${FIRST_DAY} … 2026-11-02`],
    ['bis zum 3. Nov.', `${FIRST_DAY} … 2026-11-03`],
    ['vor 2026', `${FIRST_DAY} … 2025-12-31`],
    ['jusqu’au 3 nov', `${FIRST_DAY} … 2026-11-03`],
    ['antes del 3 de nov', `${FIRST_DAY} … 2026-11-02`],
    ['..17 nov', `${FIRST_DAY} … 2026-11-17`],
    ['3..17 nov', '2026-11-03 … 2026-11-17'],
    ['3-17 nov', '2026-11-03 … 2026-11-17'],
    ['3.–17. Nov.', '2026-11-03 … 2026-11-17'],
    ['3.-17.11.2025', '2025-11-03 … 2025-11-17'],
    ['Nov 3–17, 2025', '2025-11-03 … 2025-11-17'],
    ['3 nov - 17 nov', '2026-11-03 … 2026-11-17'],
    ['from 3 to 17 November', '2026-11-03 … 2026-11-17'],
    ['vom 3. bis zum 17. November', '2026-11-03 … 2026-11-17'],
    ['du 3 au 17 nov', '2026-11-03 … 2026-11-17'],
    ['del 3 al 17 de noviembre de 2025', '2025-11-03 … 2025-11-17'],
    ['2026-11-03..2026-11-17', '2026-11-03 … 2026-11-17'],
    ['2026-11-03 - 2026-11-17', '2026-11-03 … 2026-11-17'],
    ['2026-11-03 to yesterday', '2026-11-03 … 2026-11-24'],
    ['3 oct – 17 nov 2025', '2025-10-03 … 2025-11-17'],
    ['27 dec - 2 jan', '2025-12-27 … 2026-01-02'],
    ['27 dec - 2 jan 2025', '2024-12-27 … 2025-01-02'],
    ['27 dec 2024 - 2 jan', '2024-12-27 … 2025-01-02'],
    ['20 nov - 5 dec', '2026-11-20 … 2026-12-05'],
    ['may - july', '2026-05-01 … 2026-07-31'],
    ['nov - mar', '2026-11-01 … 2027-03-31'],
    ['mon-fri', '2026-11-23 … 2026-11-27'],
    ['Montag bis Dienstag', '2026-11-23 … 2026-11-24'],
    ['W44-W47', '2026-10-26 … 2026-11-22'],
    ['Q1 - Q2 2025', '2025-01-01 … 2025-06-30'],
    ['2024 - 2025', '2024-01-01 … 2025-12-31'],
    ['2024-2025', HELP],
    ['3 nov - 3 nov', '2026-11-03'],
    ['17-3 nov', ORDER],
    ['17 nov - 3 nov', ORDER],
    ['17 oct - 3 sep', ORDER],
    ['2026-11-17..2026-11-03', ORDER],
    ['17 nov 2026 - 3 nov 2026', ORDER],
    ['today - yesterday', ORDER],
    ['3 - 17', HELP],
    ['..', HELP],
    ['31 nov - 2 dec', HELP],
    ['since 31 april', HELP],
    ['', HELP],
    ['x'.repeat(200), HELP],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })
})

describe('dates among words', () => {
  test.each([
    ['3-17 nov hiring', 2],
    ['3 nov - 17 nov, 2026 x', 6],
    ['since last monday call', 3],
    ['november 3 days', 2],
    ['november', 1],
    ['mon-fri', 1],
    ['23.11. x', 1],
    ['17..3 nov', 2],
    ['14 march 15', 2],
    ['from 3 to 17 nov x', 5],
    ['mar', 0],
    ['mon', 0],
    ['dec mon', 0],
    ['from november', 0],
    ['3.11', 0],
    ['1/2', 0],
    ['2024-2025', 0],
    ['14', 0],
    ['last', 0],
    ['', 0],
  ])('%j takes %i words', (text, count) => {
    expect(datesAtStart(text.split(' '), CONTEXT)?.taken ?? 0).toBe(count)
  })

  test.each(['hier', 'gestern', 'lundi', 'letzte Woche', '3 août'])(
    'The words of other languages than that of the build are not read: %s',
    (text) => expect(datesAtStart(text.split(' '), CONTEXT)).toBeNull(),
  )

  test.each([
    ['mon 9-10', '2026-11-23', 1],
    ['last monday 9-10', '2026-11-23', 2],
    ['23.11. 9-10', '2026-11-23', 1],
    ['nov 23 9-10', '2026-11-23', 2],
    ['3 Nov, 9:30', '2026-11-03', 2],
    ['2026-11-03 9', '2026-11-03', 1],
    ['9.10 - 11', null, 0],
    ['9-10 nov', null, 0],
    ['sam 9-10', null, 0],
    ['this week 9-10', null, 0],
  ])('The day before the time in %s is %s', (text, date, count) => {
    const found = dayAtStart(text.split(' '), CONTEXT)
    expect([found?.read ?? null, found?.taken ?? 0]).toEqual([date, count])
  })
})

test('The text of a range that begins nowhere says when it ends', () => {
  expect(datesText({ from: FIRST_DAY, to: '2026-11-04' })).toBe('until 3 Nov 2026')
})

test('Reading any text at all ends soon', () => {
  const piece = fc.constantFrom(
    '3',
    '17.',
    'nov',
    '..',
    '-',
    'since',
    'last',
    '9999',
    'years',
    'W53',
    '/',
    '2026',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 9 }).map((each) => each.join(' ')),
  )
  fc.assert(
    fc.property(text, (typed) => {
      const found = readDates(typed, CONTEXT)
      const isInOrder = found.kind === 'problem' || found.dates.from < found.dates.to
      expect(isInOrder).toBe(true)
      expect(datesAtStart(typed.split(' '), CONTEXT)?.taken ?? 1).toBeGreaterThan(0)
    }),
    { numRuns: 200 },
  )
})

/** On Monday 30 November 2026, where days may be ahead. */
const AHEAD: readonly (readonly [text: string, dates: string])[] = [
  ['3–14 Aug', '2026-08-03 … 2026-08-14'],
  ['24 Dec', '2026-12-24'],
  ['3 May', '2027-05-03'],
  ['28 Dec – 3 Jan', '2026-12-28 … 2027-01-03'],
  ['December', '2026-12-01 … 2026-12-31'],
  ['friday', '2026-12-04'],
  ['monday', '2026-11-30'],
  ['mon – wed', '2026-11-30 … 2026-12-02'],
  ['yesterday', '2026-11-29'],
  ['last week', '2026-11-23 … 2026-11-29'],
  ['3 May 2026', '2026-05-03'],
]

test.each(AHEAD)('Where days may be ahead, %s is %s', (text, dates) => {
  expect(read(text, { today: '2026-11-30', weekStart: 1, isAhead: true })).toBe(dates)
})
