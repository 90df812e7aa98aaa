import { dateWords } from '@stint/core/time/date-words.ts'
import { describe, expect, test } from 'vitest'

import { readSpanText, readTexts, sentenceOf, textsOf } from './time-texts.ts'

const zone = 'Europe/Berlin'
const now = Date.parse('2026-11-18T18:00:00Z')
const original = {
  startedAt: Date.parse('2026-11-18T08:05:00Z'),
  endedAt: Date.parse('2026-11-18T15:00:00Z'),
  pauses: {
    intervals: [
      { start: Date.parse('2026-11-18T11:00:00Z'), end: Date.parse('2026-11-18T11:30:00Z') },
    ],
    unplacedSeconds: 0,
  },
}

describe.each([
  [24 as const, '09:05', '16:00', '12:00-12:30'],
  [12 as const, '9:05 AM', '4:00 PM', '12:00 PM-12:30 PM'],
])('a %s-hour clock', (hourCycle, start, end, pauses) => {
  test('A session’s times survive formatting and parsing', () => {
    const draft = textsOf(original, { timeZone: zone, hourCycle })
    expect(draft).toEqual({ date: '2026-11-18', start, end, pauses })
    const { times, problem } = readTexts(draft, { timeZone: zone, hourCycle, now, original: null })
    expect(problem).toBeNull()
    expect(times).toEqual(original)
  })
})

describe('a span', () => {
  const timed = {
    startedAt: Date.parse('2026-11-18T08:05:30.250Z'),
    endedAt: Date.parse('2026-11-18T09:05:00.900Z'),
    pauses: { intervals: [], unplacedSeconds: 0 },
  }
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: timed }

  test('A duration makes a session exactly that long, to the millisecond', () => {
    const draft = readSpanText('1h', textsOf(timed, context), context).texts
    expect(draft).toMatchObject({ start: '09:05:30', end: '10:05:30' })
    const { times } = readTexts(draft ?? textsOf(timed, context), context)
    expect(times).toEqual({ ...timed, endedAt: timed.startedAt + 3_600_000 })
  })

  test('An end or a date typed after a duration replaces it', () => {
    const draft = {
      ...textsOf(timed, context),
      ...readSpanText('1h', textsOf(timed, context), context).texts,
    }
    const endedAt = (changed: Partial<typeof draft>) =>
      readTexts({ ...draft, ...changed }, context).times?.endedAt
    expect(endedAt({ end: '11:00' })).toBe(Date.parse('2026-11-18T10:00:00Z'))
    expect(endedAt({ date: '2026-11-17' })).toBe(Date.parse('2026-11-17T09:05:30Z'))
  })

  test('A duration without a start ends now today, and asks for the start on another day', () => {
    const today = { date: '2026-11-18', start: '', end: '', pauses: '' } as const
    const empty = { ...context, original: null }
    expect(readSpanText('1h15', today, empty).texts).toMatchObject({ start: '17:45', end: '19:00' })
    const before = { ...today, date: '2026-11-16' } as const
    expect(readSpanText('1h15', before, empty)).toEqual({
      texts: null,
      problem: 'Enter a start time, such as 9:30 for 1h.',
    })
    expect(readSpanText('1h15', { ...before, start: '9:30' }, empty).texts).toMatchObject({
      end: '10:45',
    })
  })

  test('A span with only an end uses the present start', () => {
    const draft = textsOf(timed, context)
    expect(readSpanText('until 11', draft, context)).toMatchObject({
      texts: { end: '11:00' },
      problem: null,
    })
  })
})

describe('a sentence', () => {
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: null }
  const none = { intervals: [], unplacedSeconds: 0 }

  test.each([
    ['2026-11-18T09:04:12', '2026-11-18T10:01:47', 24, '09:04 – 10:01'],
    ['2026-11-17T09:04:12', '2026-11-17T10:01:47', 12, '17 Nov 9:04 AM – 10:01 AM'],
    ['2025-11-27T22:00:00', '2025-11-28T01:30:00', 24, '27 Nov 2025 22:00 – 01:30 +1'],
    ['2026-11-18T09:04:12', null, 24, 'since 09:04'],
    ['2026-11-17T23:04:00', null, 24, 'since 17 Nov 23:04'],
  ] as const)('%s to %s is one on a %s-hour clock, and reads back', (from, to, hourCycle, text) => {
    const times = { startedAt: at(from), endedAt: to && at(to), pauses: none }
    const shown = { ...context, hourCycle, original: times }
    expect(sentenceOf(times, shown)).toBe(text)
    const read = readSpanText(text, textsOf(times, shown), shown)
    expect(read).toEqual({ texts: textsOf(times, shown), problem: null })
  })

  test.each(['de', 'fr', 'es'] as const)('a day of each month in %s is read', (language) => {
    for (let month = 1; month <= 12; month += 1) {
      const date = `2025-${String(month).padStart(2, '0')}-09`
      const typed = `${dateWords(date, 'fullDay', language)} 09:04 – 10:01`
      const today = { date: '2026-11-18', start: '', end: '', pauses: '' } as const
      expect(readSpanText(typed, today, context).texts).toMatchObject({ date, end: '10:01' })
    }
  })

  test('a minute that stays keeps its seconds, and a start alone keeps the end', () => {
    const times = {
      startedAt: at('2026-11-18T09:04:12.345'),
      endedAt: at('2026-11-18T10:01:47.678'),
      pauses: none,
    }
    const edited = { ...context, original: times }
    const read = (typed: string) => {
      const { texts } = readSpanText(typed, textsOf(times, edited), edited)
      return texts && readTexts(texts, edited).times
    }
    expect(read('9:04 - 10:30')).toMatchObject({
      startedAt: times.startedAt,
      endedAt: at('2026-11-18T10:30:00'),
    })
    expect(read('since 9')).toMatchObject({
      startedAt: at('2026-11-18T09:00:00'),
      endedAt: times.endedAt,
    })
    expect(read('9:04-10:01')).toEqual(times)
  })
})

test('An end in a repeated hour is the occurrence after the start', () => {
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: null }
  const draft = { date: '2026-10-25', start: '2:45', end: '2:15', pauses: '' } as const
  expect(readTexts(draft, context).times).toMatchObject({
    startedAt: Date.parse('2026-10-25T00:45:00Z'),
    endedAt: Date.parse('2026-10-25T01:15:00Z'),
  })
})

function no(time: string): string {
  return `There is no ${time} on 29 March: clocks went forward at 02:00.`
}

describe('a time that the clocks skipped', () => {
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: null }
  const on = (date: `2026-03-${number}`, start: string, end: string, pauses = '') =>
    readTexts({ date, start, end, pauses }, context)

  test('A start or an end that does not exist is a problem of its field, never a day', () => {
    expect(on('2026-03-29', '02:30', '03:30')).toMatchObject({
      times: null,
      problem: { field: 'start', message: no('02:30') },
    })
    expect(on('2026-03-29', '01:30', '02:30')).toMatchObject({
      times: null,
      problem: { field: 'end', message: no('02:30') },
    })
    expect(on('2026-03-28', '22:00', '2:15')).toMatchObject({
      times: null,
      problem: { field: 'end', message: no('02:15') },
    })
    expect(on('2026-03-28', '22:00', '05:00', '2:15-2:45')).toMatchObject({
      times: null,
      problem: { field: 'pauses', message: no('02:15') },
    })
  })

  test('An interval over the gap lasts as long as it took', () => {
    const { times, problem } = on('2026-03-29', '01:30', '03:30')
    expect(problem).toBeNull()
    expect((times?.endedAt ?? 0) - (times?.startedAt ?? 0)).toBe(3_600_000)
  })

  test('The same time of the next day exists', () => {
    expect(on('2026-03-29', '23:00', '2:30', '2:00-2:10')).toMatchObject({
      problem: null,
      times: {
        startedAt: Date.parse('2026-03-29T21:00:00Z'),
        endedAt: Date.parse('2026-03-30T00:30:00Z'),
        pauses: {
          intervals: [
            { start: Date.parse('2026-03-30T00:00:00Z'), end: Date.parse('2026-03-30T00:10:00Z') },
          ],
        },
      },
    })
  })

  test('A typed line says so, and a duration does not begin at another time instead', () => {
    const beside = { date: '2026-03-29', start: '2:30', end: '', pauses: '' } as const
    for (const text of ['2:30-3:30', '2:30 for 1h', '1h'])
      expect(readSpanText(text, beside, context)).toEqual({ texts: null, problem: no('02:30') })
  })
})

test('An end at the time of the start is a problem, not a day', () => {
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: null }
  const texts = { date: '2026-11-16', start: '9:00', end: '9:00', pauses: '' } as const
  expect(readTexts(texts, context).problem).toEqual({
    field: 'end',
    message: 'The end must be after the start.',
  })
})

/** An instant in Berlin in winter. */
function at(time: string): number {
  return Date.parse(`${time}+01:00`)
}
