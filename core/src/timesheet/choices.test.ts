import { assert, boolean, constantFrom, property, record } from 'fast-check'
import { expect, test } from 'vitest'

import { prefsWithChoices, sheetChoices } from './choices.ts'
import type { SheetChoices } from './choices.ts'
import { NO_ROUNDING, ROUNDED_UNITS, ROUNDING_DIRECTIONS, ROUNDING_STEPS } from './rounding.ts'
import { SHEET_GROUPS } from './timesheet.ts'

const DEFAULT: SheetChoices = {
  rounding: NO_ROUNDING,
  groupBy: 'day',
  showsExact: false,
  onlyBillable: false,
  showsAmounts: true,
}

test.each<[unknown, SheetChoices]>([
  [undefined, DEFAULT],
  [7, DEFAULT],
  ['', DEFAULT],
  ['7 sideways each', DEFAULT],
  [
    '15 down total task exact billable no-amounts',
    {
      rounding: { step: 15, direction: 'down', per: 'total' },
      groupBy: 'task',
      showsExact: true,
      onlyBillable: true,
      showsAmounts: false,
    },
  ],
  ['later 6 words', { ...DEFAULT, rounding: { ...NO_ROUNDING, step: 6 } }],
])('The preference %j is read', (timesheet, choices) => {
  expect(sheetChoices({ timesheet })).toEqual(choices)
})

test('Every choice is read as it was kept', () => {
  const choices = record<SheetChoices>({
    rounding: record({
      step: constantFrom(...ROUNDING_STEPS),
      direction: constantFrom(...ROUNDING_DIRECTIONS),
      per: constantFrom(...ROUNDED_UNITS),
    }),
    groupBy: constantFrom(...SHEET_GROUPS),
    showsExact: boolean(),
    onlyBillable: boolean(),
    showsAmounts: boolean(),
  })
  assert(
    property(choices, (kept) => {
      expect(sheetChoices(prefsWithChoices(kept))).toEqual(kept)
    }),
  )
})
