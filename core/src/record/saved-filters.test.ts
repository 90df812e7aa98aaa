import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PREFS } from '#settings.ts'
import type { Prefs } from '#settings.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import {
  filterText,
  MAX_FILTER_NAME,
  MAX_FILTER_TEXT,
  MAX_SAVED_FILTERS,
  prefsWithFilter,
  savedFilters,
} from './saved-filters.ts'
import { saveProblems } from './save-filter.ts'
import type { SavedFilter } from './saved-filters.ts'
import { MAX_FILTER_PARTS, parseFilter } from './session-filter.ts'

const ACME = { name: 'Acme this month', text: '#acme this month' }
const LONG = { name: 'Long', text: '>2h' }

/** Changes preferences as the record does: undefined removes one. */
function changed(prefs: Prefs, changes: Prefs): Prefs {
  return PREFS.take(prefs, changes, Object.keys(changes))
}

test('Saved filters are read sorted by name, and what is none is ignored', () => {
  const prefs = {
    theme: 'dark',
    'filter:long': '>2h',
    'filter:Émile': 'emile',
    'filter:Acme': '#acme',
    'filter:': '#nameless',
    'filter:empty': '',
    'filter:number': 7,
    'filter:endless': 'x'.repeat(MAX_FILTER_TEXT + 1),
  }
  expect(savedFilters(prefs)).toEqual([
    { name: 'Acme', text: '#acme' },
    { name: 'Émile', text: 'emile' },
    { name: 'long', text: '>2h' },
  ])
})

test('A filter is saved, renamed, changed and removed', () => {
  let prefs: Prefs = { theme: 'dark' }
  prefs = changed(prefs, prefsWithFilter(ACME, null))
  prefs = changed(prefs, prefsWithFilter(LONG, null))
  expect(savedFilters(prefs)).toEqual([ACME, LONG])
  const renamed = { name: 'Acme', text: ACME.text }
  prefs = changed(prefs, prefsWithFilter(renamed, ACME))
  expect(savedFilters(prefs)).toEqual([renamed, LONG])
  const longer = { ...LONG, text: '>4h' }
  prefs = changed(prefs, prefsWithFilter(longer, LONG))
  expect(savedFilters(prefs)).toEqual([renamed, longer])
  prefs = changed(prefs, prefsWithFilter(null, renamed))
  prefs = changed(prefs, prefsWithFilter(null, longer))
  expect(prefs).toEqual({ theme: 'dark' })
})

test.each([
  ['Acme this month', '#acme this month'],
  [' acmé THIS month ', '#acme this month'],
  ['long', '>2h'],
  ['acme', 'acme'],
  ['', ''],
])('A filter that is given as %j is %j', (given, text) => {
  expect(filterText(given, [ACME, LONG])).toBe(text)
})

const MANY = Array.from({ length: MAX_SAVED_FILTERS }, (_, index) => ({
  name: `Filter ${index}`,
  text: '#acme',
}))
const NEW = { name: 'New', text: '#acme' }

test.each([
  [NEW, [ACME], null, null, null],
  [{ ...NEW, name: ' ' }, [], null, 'Enter a name.', null],
  [{ ...NEW, name: 'x'.repeat(MAX_FILTER_NAME + 1) }, [], null, 'Use at most 60 characters.', null],
  [{ ...NEW, name: 'LONG ' }, [LONG], null, 'You already have a filter “Long”.', null],
  [{ ...LONG, name: 'LONG' }, [LONG], LONG, null, null],
  [NEW, MANY, null, 'You can save 50 filters. Remove one first.', null],
  [NEW, MANY, { name: 'Filter 3', text: '' }, null, null],
  [{ ...NEW, text: ' "" ' }, [], null, null, 'Enter a filter.'],
  [{ ...NEW, text: 'a '.repeat(MAX_FILTER_PARTS + 1) }, [], null, null, 'Use at most 20 parts.'],
  [
    { ...NEW, text: 'x'.repeat(MAX_FILTER_TEXT + 1) },
    [],
    null,
    null,
    'Use at most 500 characters.',
  ],
] satisfies [SavedFilter, SavedFilter[], SavedFilter | null, string | null, string | null][])(
  'Saving %j beside %j instead of %j: %j, %j',
  (filter, filters, instead, name, text) => {
    const read = parseFilter(filter.text, { now: 0, dayRule: dayRuleOf('UTC') })
    expect(saveProblems(filter, read, filters, instead)).toEqual({ name, text })
  },
)

test('Filters that two devices save are both kept, and of one name the last', () => {
  const anyFilter = fc.record({
    name: fc.string({ minLength: 1, maxLength: 5 }),
    text: fc.string({ minLength: 1 }),
  })
  fc.assert(
    fc.property(anyFilter, anyFilter, (one, other) => {
      const here = changed(changed({}, prefsWithFilter(one, null)), prefsWithFilter(other, null))
      const kept = one.name === other.name ? [other] : [one, other]
      expect(new Set(savedFilters(here))).toEqual(new Set(kept))
    }),
  )
})
