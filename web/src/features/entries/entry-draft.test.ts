import { describe, expect, it } from 'vitest'

import { draftOf, readDraft } from './entry-draft.ts'

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
    const draft = draftOf(original, { zone, hourCycle })
    expect(draft).toEqual({ date: '2026-11-18', start, end, pauses })
    const { times, problem } = readDraft(draft, { zone, hourCycle, now, original: null })
    expect(problem).toBeNull()
    expect(times).toEqual(original)
  })
})
