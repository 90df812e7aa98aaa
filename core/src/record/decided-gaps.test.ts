import { describe, expect, test } from 'vitest'

import {
  decidedGap,
  decidedGapsFromPrefs,
  gapRows,
  MAX_DECIDED_GAPS,
  prefsFromDecidedGaps,
} from './decided-gaps.ts'
import type { GapDecision } from './decided-gaps.ts'
import type { Interval } from '#time/instant.ts'

function at(text: string): number {
  return Date.parse(`2026-11-18T${text}Z`)
}

function gap(start: string, end: string): Interval {
  return { start: at(start), end: at(end) }
}

/** '12:00 – 13:00 break'. */
function rows(gaps: readonly Interval[], ...decided: [string, string, GapDecision][]): string[] {
  const decisions = decided.map(([start, end, decision]) => decidedGap(gap(start, end), decision))
  return gapRows(gaps, decisions).map(({ interval, decided }) => {
    const [from, to] = [interval.start, interval.end].map((instant) =>
      new Date(instant).toISOString().slice(11, 16),
    )
    return `${from} – ${to} ${decided?.decision ?? 'untracked'}`
  })
}

test('Decisions about gaps come back from the preferences unchanged, sorted by their start', () => {
  const lunch = decidedGap(gap('12:00:00.400', '12:45:30.100'), 'break')
  const walk = decidedGap(gap('09:00', '09:10'), 'ignored')
  const prefs = prefsFromDecidedGaps([lunch, walk])
  expect(prefs).toEqual({ decidedGaps: '1794992400+600i 1795003200+2731b' })
  expect(decidedGapsFromPrefs(prefs)).toEqual([walk, lunch])
})

test.each([{}, { decidedGaps: 7 }, { decidedGaps: '' }, { decidedGaps: 'x+1b 5+b 5+5z ' }])(
  'Decisions about gaps that cannot be read are ignored: %j',
  (prefs) => {
    expect(decidedGapsFromPrefs(prefs)).toEqual([])
  },
)

test('Only the latest decisions about gaps are kept', () => {
  const many = Array.from({ length: MAX_DECIDED_GAPS + 2 }, (_, index) =>
    decidedGap({ start: index * 600_000, end: index * 600_000 + 300_000 }, 'break'),
  )
  const kept = decidedGapsFromPrefs(prefsFromDecidedGaps(many.toReversed()))
  expect(kept).toEqual(many.slice(2))
})

describe('a gap', () => {
  const lunch = gap('12:00', '13:00')

  test('A gap that nobody decided about is untracked', () => {
    expect(rows([lunch])).toEqual(['12:00 – 13:00 untracked'])
  })

  test('A gap with a decision is no longer untracked', () => {
    expect(rows([lunch], ['12:00', '13:00', 'break'])).toEqual(['12:00 – 13:00 break'])
  })

  test('A gap that has grown since the decision is untracked in the new part', () => {
    expect(rows([gap('11:00', '13:03')], ['12:00', '13:00', 'ignored'])).toEqual([
      '11:00 – 12:00 untracked',
      '12:00 – 13:00 ignored',
    ])
  })

  test('A gap that is tracked later disappears, and the rest of it keeps its decision', () => {
    expect(rows([], ['12:00', '13:00', 'break'])).toEqual([])
    expect(rows([gap('12:30', '13:00')], ['12:00', '13:00', 'break'])).toEqual([
      '12:30 – 13:00 break',
    ])
  })

  test('A gap with several decisions shows them in their order', () => {
    expect(rows([lunch], ['12:40', '13:00', 'ignored'], ['12:00', '12:10', 'break'])).toEqual([
      '12:00 – 12:10 break',
      '12:10 – 12:40 untracked',
      '12:40 – 13:00 ignored',
    ])
  })
})
