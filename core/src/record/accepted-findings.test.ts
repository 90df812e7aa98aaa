import { expect, test } from 'vitest'

import {
  acceptance,
  acceptedFromPrefs,
  MAX_ACCEPTED_FINDINGS,
  prefsFromAccepted,
} from './accepted-findings.ts'
import { checkHealth } from './data-health.ts'
import { testEntry } from '#test/entries.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-20T12:00:00Z')

function longNight(hours: number): string[] {
  const entry = testEntry({ id: 'a', start: NOW - 20 * HOUR, end: NOW - (20 - hours) * HOUR })
  return checkHealth([entry], [], NOW)
    .filter(({ kind }) => kind === 'long')
    .map(acceptance)
}

test('What was accepted is what it was after it has travelled, each once', () => {
  const prefs = prefsFromAccepted(['overlap:a:b:1200', 'long:c:46800', 'overlap:a:b:1200'])
  expect(prefs).toEqual({ acceptedFindings: 'overlap:a:b:1200 long:c:46800' })
  expect(acceptedFromPrefs(prefs)).toEqual(['overlap:a:b:1200', 'long:c:46800'])
})

test.each([{}, { acceptedFindings: 7 }, { acceptedFindings: '' }])(
  'What cannot be read is nothing: %j',
  (prefs) => {
    expect(acceptedFromPrefs(prefs)).toEqual([])
  },
)

test('The latest are kept up to a number', () => {
  const many = Array.from({ length: MAX_ACCEPTED_FINDINGS + 2 }, (_, index) => `long:${index}:1`)
  expect(acceptedFromPrefs(prefsFromAccepted(many))).toEqual(many.slice(2))
})

test('A finding that was accepted is named otherwise once it is about other times', () => {
  expect(longNight(13)).toEqual(longNight(13))
  expect(longNight(13)).toHaveLength(1)
  expect(longNight(14)).not.toEqual(longNight(13))
})
