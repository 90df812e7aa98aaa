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

test('Accepted findings come back from the preferences unchanged, each once', () => {
  const prefs = prefsFromAccepted(['overlap:a:b:1200', 'long:c:46800', 'overlap:a:b:1200'])
  expect(prefs).toEqual({ acceptedFindings: 'overlap:a:b:1200 long:c:46800' })
  expect(acceptedFromPrefs(prefs)).toEqual(['overlap:a:b:1200', 'long:c:46800'])
})

test.each([{}, { acceptedFindings: 7 }, { acceptedFindings: '' }])(
  'Accepted findings that cannot be read become an empty list: %j',
  (prefs) => {
    expect(acceptedFromPrefs(prefs)).toEqual([])
  },
)

test('Only the latest accepted findings are kept', () => {
  const many = Array.from({ length: MAX_ACCEPTED_FINDINGS + 2 }, (_, index) => `long:${index}:1`)
  expect(acceptedFromPrefs(prefsFromAccepted(many))).toEqual(many.slice(2))
})

test('An accepted finding gets another key when its times change', () => {
  expect(longNight(13)).toEqual(longNight(13))
  expect(longNight(13)).toHaveLength(1)
  expect(longNight(14)).not.toEqual(longNight(13))
})
