import { dayRuleOf } from './day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HOUR_CYCLES,
  instantOfClock,
  isCalendarDate,
  localDate,
  localDateTime,
} from './calendar.ts'
import {
  exactDuration,
  formatDuration,
  formatTimer,
  shortWords,
  spokenDuration,
  spokenWords,
} from './duration.ts'
import { sessionTimes } from '#reports/explanation.ts'
import type { SpanContext } from './time-span-input.ts'
import { readDuration, readMoment, readSpan, readTimeWords } from './time-span-input.ts'

const ZONE = 'Europe/Berlin'
const DATE = '2026-03-09'
const CONTEXT = { date: DATE, timeZone: ZONE, now: Date.parse('2026-03-09T15:00:30Z') } as const

/** Returns '2026-03-09 09:00:00 – 2026-03-09 10:30:00', '75 s', or the message. */
function spanRead(text: string, context: Partial<SpanContext> = {}): string {
  const read = readSpan(text, { ...CONTEXT, ...context })
  switch (read.kind) {
    case 'empty':
      return 'empty'
    case 'problem':
      return read.message
    case 'duration':
      return `${read.seconds} s`
    case 'span':
      return [read.startedAt, read.endedAt]
        .map((instant) => localDateTime(instant, context.timeZone ?? ZONE))
        .join(' – ')
        .replaceAll('2026-03-', '')
        .replace(/:00 – /, ' – ')
        .replace(/:00$/, '')
  }
}

function momentRead(text: string): string {
  const read = readMoment(text, CONTEXT)
  if (read.kind === 'problem') return read.message
  return read.kind === 'empty' ? 'empty' : localDateTime(read.at, ZONE)
}

function durationRead(text: string): number | string {
  const read = readDuration(text)
  if (read.kind === 'problem') return read.message
  return read.kind === 'empty' ? 'empty' : read.seconds
}

/**
 * Returns whether this is the first time that the clock shows this time; of two, the first is read.
 */
function isFirst(instant: number, timeZone: string): boolean {
  const [date = '', time = ''] = localDateTime(instant, timeZone).split(' ')
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return (
    isCalendarDate(date) &&
    instantOfClock(date, (hours * 60 + minutes) * 60 + seconds, timeZone) === instant
  )
}

const SPAN_HELP = 'Not understood. Try 9:30 - 11, or 1h 15m.'
const NOT_AFTER = 'The end must be after the start.'
const BOTH = 'Enter a start and an end, such as 9:30 - 11.'

test.each([
  ['9-1030', '09 09:00 – 09 10:30'],
  ['9:30 to 11', '09 09:30 – 09 11:00'],
  ['9.30am - 1pm', '09 09:30 – 09 13:00'],
  ['09:00–10:30', '09 09:00 – 09 10:30'],
  ['09:00—10:30', '09 09:00 – 09 10:30'],
  ['09:00 − 10:30', '09 09:00 – 09 10:30'],
  ['22-0130', '09 22:00 – 10 01:30'],
  ['from 9 until 10', '09 09:00 – 09 10:00'],
  ['9:00:15-9:01:30', '09 09:00:15 – 09 09:01:30'],
  ['9h30-11h', '09 09:30 – 09 11:00'],
  ['  9：30　〜 ', SPAN_HELP],
  ['　９：３０－１１：００　', '09 09:30 – 09 11:00'],
  ['9:30\u00a0-\u202f11\u200b', '09 09:30 – 09 11:00'],
  ['9 A.M. TO 10 P.M.', '09 09:00 – 09 22:00'],
  ['9a-10p', '09 09:00 – 09 22:00'],
  ['noon-1', '09 12:00 – 09 13:00'],
  ['noon - 1pm', '09 12:00 – 09 13:00'],
  ['22 - midnight', '09 22:00 – 10 00:00'],
  ['22-24', '09 22:00 – 10 00:00'],
  ['0-24', '09 00:00 – 10 00:00'],
  ['14:00 - now', '09 14:00 – 09 16:00:30'],
  ['9:30 for 1h15', '09 09:30 – 09 10:45'],
  ['9:30 + 90', '09 09:30 – 09 11:00'],
  ['23:10 – 00:40 +1', '09 23:10 – 10 00:40'],
  ['9:00 - 8:00 +3', '09 09:00 – 12 08:00'],
  ['yesterday 9-10', '08 09:00 – 08 10:00'],
  ['2026-03-05 22:00-01:00', '05 22:00 – 06 01:00'],
  ['5 Mar, 9-10', '05 09:00 – 05 10:00'],
  ['mon 9-10', '09 09:00 – 09 10:00'],
  ['fri 9-10', '06 09:00 – 06 10:00'],
  ['last monday 9-10', '02 09:00 – 02 10:00'],
  ['vorgestern 9-10', '07 09:00 – 07 10:00'],
  ['3 days ago 9-10', '06 09:00 – 06 10:00'],
  ['5.3. 9-10', '05 09:00 – 05 10:00'],
  ['5.3.2026 9-10', '05 09:00 – 05 10:00'],
  ['5/3 9-10', '05 09:00 – 05 10:00'],
  ['mar 5 9-10', '05 09:00 – 05 10:00'],
  ['March 5, 2026 9:30 for 1h', '05 09:30 – 05 10:30'],
  ['9.10-11', '09 09:10 – 09 11:00'],
])('The span %s is read', (text, expected) => {
  expect(spanRead(text)).toBe(expected)
})

test.each([
  ['9-1pm', '09:00 – 13:00'],
  ['1-3pm', '13:00 – 15:00'],
  ['11-1pm', '11:00 – 13:00'],
  ['12-1pm', '12:00 – 13:00'],
  ['9am-5', '09:00 – 17:00'],
  ['9am-17', '09:00 – 17:00'],
  ['9pm-10', '21:00 – 22:00'],
  ['12am-1am', '00:00 – 01:00'],
  ['12pm-1pm', '12:00 – 13:00'],
  ['9-5', '09:00 – 17:00'],
  ['10-2', '10:00 – 14:00'],
  ['12-1', '12:00 – 13:00'],
  ['12:30-1:15', '12:30 – 13:15'],
  ['9-9', '09:00 – 21:00'],
  ['13-1530', '13:00 – 15:30'],
])('A missing am or pm follows from the rest of the span', (text, expected) => {
  expect(spanRead(text)).toBe(
    expected
      .split(' – ')
      .map((time) => `09 ${time}`)
      .join(' – '),
  )
})

test.each([
  ['9pm-1', '09 21:00 – 10 01:00'],
  ['11-1am', '09 23:00 – 10 01:00'],
  ['22-5', '09 22:00 – 10 05:00'],
  ['09:00-05:00', '09 09:00 – 10 05:00'],
  ['9am-05:00', '09 09:00 – 10 05:00'],
  ['11pm-7am', '09 23:00 – 10 07:00'],
])('The span %s is read as one over midnight', (text, expected) => {
  expect(spanRead(text)).toBe(expected)
})

test.each([
  ['until 11', '10:00', '10:00 – 11:00'],
  ['-11:30', '10:00', '10:00 – 11:30'],
  ['to 5', '14:00', '14:00 – 17:00'],
  ['till 12', '10:00', '10:00 – 12:00'],
])('The span %s is read with the known start', (text, from, expected) => {
  const startedAt = Date.parse(`${DATE}T${from}:00+01:00`)
  expect(spanRead(text, { startedAt }).replaceAll('09 ', '')).toBe(expected)
  expect(spanRead(text)).toBe('Enter a start time, such as 9:30 - 11.')
})

test('A span where the clocks change is counted by instants', () => {
  const forward = { date: '2026-03-29' } as const
  expect(spanRead('1:00-4:00', forward)).toBe('29 01:00 – 29 04:00')
  expect(readSpan('1:00-4:00', { ...CONTEXT, ...forward })).toEqual({
    kind: 'span',
    startedAt: Date.parse('2026-03-29T00:00Z'),
    endedAt: Date.parse('2026-03-29T02:00Z'),
  })
  // The clock shows 02:30 twice; the first is meant.
  expect(readSpan('02:30-03:30', { ...CONTEXT, date: '2026-10-25' })).toEqual({
    kind: 'span',
    startedAt: Date.parse('2026-10-25T00:30Z'),
    endedAt: Date.parse('2026-10-25T02:30Z'),
  })
})

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['\u200b', 'empty'],
  ['lunch', SPAN_HELP],
  ['9-10-11', SPAN_HELP],
  ['9-', 'Say when it ended, such as 9:30 - 11.'],
  ['9:30am', BOTH],
  ['yesterday 1h', BOTH],
  ['25:00-26:00', 'There is no time 25:00.'],
  ['9-9:60', 'There is no time 9:60.'],
  ['13pm-14', 'There is no time 13pm.'],
  ['0am-1', 'There is no time 0am.'],
  ['24:01-3', 'There is no time 24:01.'],
  ['09:00-09:00', NOT_AFTER],
  ['9am-9am', NOT_AFTER],
  ['9:00 for 0', NOT_AFTER],
  ['17:00 - now', NOT_AFTER],
  ['9:30 for lunch', SPAN_HELP],
  ['-15m', SPAN_HELP],
  ['9'.repeat(200), SPAN_HELP],
  ['9-9'.repeat(20), SPAN_HELP],
  ['2026-11-03', SPAN_HELP],
  ['this week 9-10', SPAN_HELP],
  ['0x10-11', SPAN_HELP],
  ['1e3', SPAN_HELP],
])('The span "%s" is refused with: %s', (text, message) => {
  expect(spanRead(text)).toBe(message)
})

test('A span without an end or a start is a duration', () => {
  expect(spanRead('1:15')).toBe('4500 s')
  expect(spanRead('1h15')).toBe('4500 s')
  expect(spanRead('90')).toBe('5400 s')
  expect(spanRead('1000000')).toBe('That is longer than 31 days.')
})

test.each([
  ['930', '2026-03-09 09:30:00'],
  ['9', '2026-03-09 09:00:00'],
  ['9:30', '2026-03-09 09:30:00'],
  ['9.30am', '2026-03-09 09:30:00'],
  ['9.30 pm', '2026-03-09 21:30:00'],
  ['12am', '2026-03-09 00:00:00'],
  ['21:05:30', '2026-03-09 21:05:30'],
  ['24:00', '2026-03-10 00:00:00'],
  ['at noon', '2026-03-09 12:00:00'],
  ['now', '2026-03-09 16:00:30'],
  ['15 minutes ago', '2026-03-09 15:45:30'],
  ['15m ago', '2026-03-09 15:45:30'],
  ['15 ago', '2026-03-09 15:45:30'],
  ['-15m', '2026-03-09 15:45:30'],
  ['−15', '2026-03-09 15:45:30'],
  ['-1h15', '2026-03-09 14:45:30'],
  ['1.5 ago', '2026-03-09 14:30:30'],
  ['an hour ago', '2026-03-09 15:00:30'],
  ['half an hour ago', '2026-03-09 15:30:30'],
  ['1 hour and 10 minutes ago', '2026-03-09 14:50:30'],
  ['yesterday 22:10', '2026-03-08 22:10:00'],
  ['Yesterday at 10pm', '2026-03-08 22:00:00'],
  ['today, 9', '2026-03-09 09:00:00'],
  ['2026-11-03 9:30', '2026-11-03 09:30:00'],
  ['2026-11-03T09:30:15', '2026-11-03 09:30:15'],
  ['3 Mar 9:30', '2026-03-03 09:30:00'],
  ['3 november 9:30', '2025-11-03 09:30:00'],
  ['3 Nov 2026 930', '2026-11-03 09:30:00'],
  ['', 'empty'],
  ['yesterday', 'Add a time, such as yesterday 9:30.'],
  ['9:75', 'There is no time 9:75.'],
  ['2026-02-30 9:30', 'Not understood. Try 9:30, or 15m ago.'],
  ['31 feb 9:30', 'Not understood. Try 9:30, or 15m ago.'],
  ['3 foo 9:30', 'Not understood. Try 9:30, or 15m ago.'],
  ['soon', 'Not understood. Try 9:30, or 15m ago.'],
  ['long ago', 'Not understood. Try 9:30, or 15m ago.'],
  ['ago', 'Not understood. Try 9:30, or 15m ago.'],
  ['-', 'Not understood. Try 9:30, or 15m ago.'],
  ['99999', 'Not understood. Try 9:30, or 15m ago.'],
])('The moment %s is read as %s', (text, expected) => {
  expect(momentRead(text)).toBe(expected)
})

test.each([
  ['0', 0],
  ['90', 5400],
  ['1h15', 4500],
  ['1h 15m', 4500],
  ['1H 15 M', 4500],
  ['1h75', 8100],
  ['1.5', 5400],
  ['1,5', 5400],
  ['.5', 1800],
  ['0,25', 900],
  ['1.5h', 5400],
  ['1,5 hours', 5400],
  ['90m', 5400],
  ['1:15', 4500],
  ['1:15:30', 4530],
  ['100:00', 360_000],
  ['1h15m30s', 4530],
  ['1h15m30', 4530],
  ['15m30', 930],
  ['45 min', 2700],
  ['2 hours', 7200],
  ['2 hrs, 5 mins', 7500],
  ['1 hour and 15 minutes', 4500],
  ['1 hour, 15 minutes and 30 seconds', 4530],
  ['30s', 30],
  ['an hour', 3600],
  ['half an hour', 1800],
  ['１ｈ１５', 4500],
  ['0.333', 1199],
  ['744h', 2_678_400],
  ['745h', 'That is longer than 31 days.'],
  ['-15m', 'A duration cannot be below zero.'],
  ['', 'empty'],
  ['1:60', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['15m 1h', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['1h 1h', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['1 15', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['1m 30s 10', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['1 month', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['1.2.3', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['h', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['NaN', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
  ['9e99', 'Not understood. Try 1h 15m, 1:15 or 1.25.'],
])('The duration "%s" is read as %s', (text, expected) => {
  expect(durationRead(text)).toBe(expected)
})

describe('what Stint writes it reads', () => {
  const anySeconds = fc.integer({ min: 0, max: 30 * 86_400 })

  test('Every duration that Stint writes is read back', () => {
    fc.assert(
      fc.property(anySeconds, (seconds) => {
        expect(durationRead(exactDuration(seconds))).toBe(seconds)
        const minutes = seconds - (seconds % 60)
        expect(durationRead(formatDuration(seconds))).toBe(minutes)
        expect(durationRead(spokenDuration(minutes))).toBe(minutes)
        const hours = 3600 + (seconds % 360_000)
        expect(durationRead(formatTimer(hours))).toBe(hours)
      }),
    )
  })

  const anyZone = fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', ZONE)
  const anyMinute = fc.integer({ min: 29_000_000, max: 29_700_000 })

  test('Every span that Stint writes is read back', () => {
    const anyLength = fc.integer({ min: 1, max: 3000 })
    const anyCycle = fc.constantFrom(...HOUR_CYCLES)
    fc.assert(
      fc.property(anyMinute, anyLength, anyZone, anyCycle, (start, length, timeZone, cycle) => {
        const [startedAt, endedAt] = [start * 60_000, (start + length) * 60_000]
        const context = { date: localDate(startedAt, dayRuleOf(timeZone)), timeZone, now: 0 }
        const text = sessionTimes({ startedAt, endedAt }, timeZone, cycle)
        expect(readSpan(text, context)).toEqual({ kind: 'span', startedAt, endedAt })
      }),
      { numRuns: 500 },
    )
  })

  test('Every moment that Stint writes is read back', () => {
    fc.assert(
      fc.property(anyMinute, anyZone, (minute, timeZone) => {
        const at = minute * 60_000 + 7000
        fc.pre(isFirst(at, timeZone))
        const context = { date: '2000-01-01', timeZone, now: 0 } as const
        expect(readMoment(localDateTime(at, timeZone), context)).toEqual({
          kind: 'moment',
          at,
        })
      }),
    )
  })

  test('Reading any text at all ends soon', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[0-9:.,\-+ hmsapto]{0,40}$/),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(anyText, (text) => {
        const span = readSpan(text, CONTEXT)
        expect(span.kind === 'span' ? span.endedAt - span.startedAt : 1).toBeGreaterThan(0)
        const duration = readDuration(text)
        expect(duration.kind === 'duration' ? duration.seconds : 0).toBeGreaterThanOrEqual(0)
        const moment = readMoment(text, CONTEXT)
        expect(moment.kind === 'moment' ? moment.at : 0).not.toBeNaN()
      }),
      { numRuns: 500 },
    )
  })
})

describe('The words of other languages', () => {
  test.each([
    ['1 Std. 15 Min.', 4500],
    ['1 Std. 15', 4500],
    ['2 Stunden', 7200],
    ['eine Stunde', 3600],
    ['eine halbe Stunde', 1800],
    ['1 Stunde und 5 Minuten', 3900],
    ['40 Sek.', 40],
    ['1,25 Std.', 4500],
    ['1.5 Std', 5400],
    ['1h.5', 3630],
    ['1 h 15 min', 4500],
    ['2 heures et 5 minutes', 7500],
    ['une heure', 3600],
    ['une demi-heure', 1800],
    ['40 secondes', 40],
    ['1 hora y 5 minutos', 3900],
    ['un minuto', 60],
    ['media hora', 1800],
    ['15 minutos', 900],
    ['30 seg', 30],
  ])('The duration %s is read as %i seconds', (text, seconds) => {
    expect(durationRead(text)).toBe(seconds)
  })

  test.each([
    ['jetzt', '2026-03-09 16:00:30'],
    ['maintenant', '2026-03-09 16:00:30'],
    ['ahora', '2026-03-09 16:00:30'],
    ['vor 15 Min.', '2026-03-09 15:45:30'],
    ['vor einer Viertelstunde', 'Not understood. Try 9:30, or 15m ago.'],
    ['vor 1 Std. 15 Min.', '2026-03-09 14:45:30'],
    ['il y a 15 min', '2026-03-09 15:45:30'],
    ['il y a une heure', '2026-03-09 15:00:30'],
    ['hace 2 horas', '2026-03-09 14:00:30'],
    ['heute 9:30', '2026-03-09 09:30:00'],
    ['gestern um 22:10', '2026-03-08 22:10:00'],
    ['gestern', 'Add a time, such as gestern 9:30.'],
    ['aujourd’hui 9h30', '2026-03-09 09:30:00'],
    ["aujourd'hui à 9h30", '2026-03-09 09:30:00'],
    ['hier 22:10', '2026-03-08 22:10:00'],
    ['hoy a las 9:30', '2026-03-09 09:30:00'],
    ['ayer 22:10', '2026-03-08 22:10:00'],
    ['3. März 9:30', '2026-03-03 09:30:00'],
    ['26. Juli 2025 um 9:30', '2025-07-26 09:30:00'],
    ['4. Mär 9:30', '2026-03-04 09:30:00'],
    ['1. Okt. 9:30', '2025-10-01 09:30:00'],
    ['3 févr. 9:30', '2026-02-03 09:30:00'],
    ['3 juin 2025 9:30', '2025-06-03 09:30:00'],
    ['3 juil. 2025, 9:30', '2025-07-03 09:30:00'],
    ['1 août 9:30', '2025-08-01 09:30:00'],
    ['3 ene 9:30', '2026-01-03 09:30:00'],
    ['3 de septiembre de 2025 a las 9:30', '2025-09-03 09:30:00'],
    ['15 ago 9:30', '2025-08-15 09:30:00'],
    ['15 ago', '2026-03-09 15:45:30'],
    ['3 vendémiaire 9:30', 'Not understood. Try 9:30, or 15m ago.'],
  ])('The moment %s is read as %s', (text, expected) => {
    expect(momentRead(text)).toBe(expected)
  })

  test.each([
    ['9 bis 11', '09 09:00 – 09 11:00'],
    ['von 9:30 bis jetzt', '09 09:30 – 09 16:00:30'],
    ['gestern 9-10', '08 09:00 – 08 10:00'],
    ['9:30 für 1 Std.', '09 09:30 – 09 10:30'],
    ['de 9h à 10h30', '09 09:00 – 09 10:30'],
    ['9h30 jusqu’à maintenant', '09 09:30 – 09 16:00:30'],
    ['9:30 pendant 45 min', '09 09:30 – 09 10:15'],
    ['de 9 a 11', '09 09:00 – 09 11:00'],
    ['desde las 9 hasta las 11', '09 09:00 – 09 11:00'],
    ['9 a - 11 p', '09 09:00 – 09 23:00'],
    ['15 minutos', '900 s'],
  ])('The span %s is read', (text, expected) => {
    expect(spanRead(text)).toBe(expected)
  })

  test.each(['de', 'fr', 'es'] as const)(
    'Every duration that a %s screen shows is read',
    (language) => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 31 * 86_400 }), (total) => {
          const hours = Math.floor(total / 3600)
          const minutes = Math.floor((total % 3600) / 60)
          const seconds = total % 60
          const exact = { hours, minutes, seconds }
          expect(durationRead(shortWords(exact))).toBe(total)
          expect(durationRead(shortWords({ hours, minutes }))).toBe(total - seconds)
          expect(durationRead(spokenWords(exact, language))).toBe(
            total >= 60 ? total - seconds : total,
          )
        }),
      )
    },
  )
})

function clockIn(instant: number): string {
  return localDateTime(instant, ZONE).slice(11, 16)
}

describe('times within another text', () => {
  const MOMENT = Date.parse('2026-03-09T15:00:30Z')
  test.each([
    ['10m ago', MOMENT - 600_000],
    ['vor 2 Stunden', MOMENT - 7_200_000],
    ['since 9:30', '09:30'],
    ['SEIT 9', '09:00'],
    ['depuis hier 22:00', '22:00'],
    ['desde las 9', '09:00'],
    ['9-10', '09:00 – 10:00'],
    ['yesterday 9 to 10', '09:00 – 10:00'],
    ['Montag 9-10', '09:00 – 10:00'],
    ['since fri 9', '09:00'],
  ])('%j is read', (text, expected) => {
    const read = readTimeWords(text, CONTEXT)
    const shown =
      read?.kind === 'span'
        ? `${clockIn(read.startedAt)} – ${clockIn(read.endedAt)}`
        : read?.kind === 'moment' && (typeof expected === 'number' ? read.at : clockIn(read.at))
    expect(shown).toBe(expected)
  })

  test.each([
    '',
    'now',
    '9',
    '9:30',
    '15m',
    '1:15',
    '-15m',
    'vor 10',
    '1-1',
    '2025',
    '2024-2025',
    'since 2025',
    '9:30 for 1h',
    'until 11',
    'from 9',
    'yesterday',
    'sam 9-10',
    '1/2 9-10',
    'nov 9-10',
    '25-26',
    `since ${' '.repeat(200)}9${'0'.repeat(100)}`,
  ])('%j may be something else and is not read', (text) => {
    expect(readTimeWords(text, CONTEXT)).toBeNull()
  })
})
