import { expect, test } from 'vitest'

import { allOf, extended, NOTHING_SELECTED, toggled } from './selection.ts'
import type { Selection } from './selection.ts'

const LIST = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
const ids = (selection: Selection) => [...selection.ids].toSorted().join('')
const to = (selection: Selection, index: number, from = 0) => extended(selection, LIST, from, index)

test('A press selects a session, and the next one removes it', () => {
  const one = toggled(NOTHING_SELECTED, 'b')
  expect(ids(one)).toBe('b')
  expect(ids(toggled(toggled(one, 'd'), 'b'))).toBe('d')
})

test('A range replaces the last range and keeps what was selected before', () => {
  const start = toggled(toggled(NOTHING_SELECTED, 'a'), 'c')
  const down = to(start, 4)
  expect(ids(down)).toBe('acde')
  expect(ids(to(down, 3))).toBe('acd')
  expect(ids(to(down, 1))).toBe('abc')
})

test('Without an anchor in the list a range begins at the active row', () => {
  expect(ids(to(NOTHING_SELECTED, 3, 2))).toBe('cd')
  expect(ids(to(toggled(NOTHING_SELECTED, 'gone'), 1, 2))).toBe('bcgone')
  expect(ids(to(allOf(LIST.slice(0, 1)), 4, 3))).toBe('ade')
})

test('All are selected at once', () => {
  expect(ids(allOf(LIST))).toBe('abcde')
})
