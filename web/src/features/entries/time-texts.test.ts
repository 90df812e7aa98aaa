import { describe, expect, test } from 'vitest'

import { readSpanText, readTexts, textsOf } from './time-texts.ts'

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

test('An end in a repeated hour is the occurrence after the start', () => {
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: null }
  const draft = { date: '2026-10-25', start: '2:45', end: '2:15', pauses: '' } as const
  expect(readTexts(draft, context).times).toMatchObject({
    startedAt: Date.parse('2026-10-25T00:45:00Z'),
    endedAt: Date.parse('2026-10-25T01:15:00Z'),
  })
})
