import { describe, expect, it } from 'vitest'

import { draftOf, draftWithSpan, readDraft, spanProblem } from './entry-draft.ts'

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
])('for a clock of %s hours', (hourCycle, start, end, pauses) => {
  it('a session is written by that clock, and read back as it was', () => {
    const draft = draftOf(original, { timeZone: zone, hourCycle })
    expect(draft).toEqual({ date: '2026-11-18', start, end, pauses })
    const { times, problem } = readDraft(draft, { timeZone: zone, hourCycle, now, original: null })
    expect(problem).toBeNull()
    expect(times).toEqual(original)
  })
})

describe('what is typed in one go', () => {
  const timed = {
    startedAt: Date.parse('2026-11-18T08:05:30.250Z'),
    endedAt: Date.parse('2026-11-18T09:05:00.900Z'),
    pauses: { intervals: [], unplacedSeconds: 0 },
  }
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: timed }

  it('makes a session that a timer saved exactly as long as it says', () => {
    const draft = draftWithSpan(draftOf(timed, context), '1h', context)
    expect(draft).toMatchObject({ start: '09:05:30', end: '10:05:30' })
    const { times } = readDraft(draft ?? draftOf(timed, context), context)
    expect(times).toEqual({ ...timed, endedAt: timed.startedAt + 3_600_000 })
  })

  it('gives way to an end or a day that is typed by hand after it', () => {
    const draft = {
      ...draftOf(timed, context),
      ...draftWithSpan(draftOf(timed, context), '1h', context),
    }
    const endedAt = (changed: Partial<typeof draft>) =>
      readDraft({ ...draft, ...changed }, context).times?.endedAt
    expect(endedAt({ end: '11:00' })).toBe(Date.parse('2026-11-18T10:00:00Z'))
    expect(endedAt({ date: '2026-11-17' })).toBe(Date.parse('2026-11-17T09:05:30Z'))
  })

  it('lets a length end now, and asks when it was on another day', () => {
    const today = { date: '2026-11-18', start: '', end: '', pauses: '' }
    const empty = { ...context, original: null }
    expect(draftWithSpan(today, '1h15', empty)).toMatchObject({ start: '17:45', end: '19:00' })
    const before = { ...today, date: '2026-11-16' }
    expect(draftWithSpan(before, '1h15', empty)).toBeNull()
    expect(spanProblem('1h15', before, empty)).toBe('Say when it started, such as 9:30 for 1h.')
    expect(draftWithSpan({ ...before, start: '9:30' }, '1h15', empty)).toMatchObject({
      end: '10:45',
    })
  })

  it('counts the end from the start that is there', () => {
    const draft = draftOf(timed, context)
    expect(draftWithSpan(draft, 'until 11', context)).toMatchObject({ end: '11:00' })
    expect(spanProblem('until 11', draft, context)).toBeNull()
  })
})

it('an end that the clock shows twice is the one after the start', () => {
  const context = { timeZone: zone, hourCycle: 24 as const, now, original: null }
  const draft = { date: '2026-10-25', start: '2:45', end: '2:15', pauses: '' }
  expect(readDraft(draft, context).times).toMatchObject({
    startedAt: Date.parse('2026-10-25T00:45:00Z'),
    endedAt: Date.parse('2026-10-25T01:15:00Z'),
  })
})
