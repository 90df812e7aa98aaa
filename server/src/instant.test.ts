import { expect, test } from 'vitest'
import {
  ASKED_DATES,
  parseInstant,
  parseWireInstant,
  STORED_DATES,
  wireInstant,
} from './instant.ts'

test.each([
  ['2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00'],
  ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.000+00:00'],
  ['2026-01-15 14:12:55+02:00', '2026-01-15T12:12:55.000+00:00'],
  ['2026-01-15T12:00:00.123456789-0330', '2026-01-15T15:30:00.123+00:00'],
  ['2026-01-15', '2026-01-15T00:00:00.000+00:00'],
  ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999+00:00'],
  ['2026-12-28T23:59:59.999Z', '2026-12-28T23:59:59.999+00:00'],
])('the date %s is read as the instant %s', (text, wire) => {
  expect(parseWireInstant(text, STORED_DATES)).toBe(wire)
  expect(parseInstant(text, STORED_DATES)).toBe(Date.parse(wire))
})

test.each([
  '',
  'now',
  '2026-02-30T00:00:00Z',
  '2026-02-30T00:00:00.000Z',
  '2026-01-15T24:00:00Z',
  '2026-01-15T24:00:00.000Z',
  '2026-13-15T12:00:00.000Z',
  '2016-12-31T23:59:60Z',
  '0026-01-15T12:00:00Z',
  '1999-12-31T23:59:59Z',
  '2101-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-01-15T12:00:00+14:30',
  '2026-01-15T12:00:00+02',
  ' 2026-01-15',
  '2026-1-5',
])('the date %j is refused', (text) => {
  expect(parseInstant(text, STORED_DATES)).toBeNull()
})

test.each([
  ['1000-01-01', '1000-01-01T00:00:00.000+00:00'],
  ['0999-12-31T23:00:00-01:00', '1000-01-01T00:00:00.000+00:00'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999+00:00'],
])('a query may name %s', (text, wire) => {
  const instant = parseInstant(text, ASKED_DATES)
  expect(instant === null ? null : wireInstant(instant)).toBe(wire)
})

test.each(['0050-01-01', '0999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-01:00', '10000-01-01'])(
  'a query may not name %s',
  (text) => {
    expect(parseInstant(text, ASKED_DATES)).toBeNull()
  },
)
