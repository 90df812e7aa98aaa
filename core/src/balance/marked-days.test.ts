import { expect, test } from 'vitest'
import { testAccount, testItem } from '#test/hours.ts'
import { itemText } from './item-text.ts'
import { costOfDayOff, daysOffWithin, markedDays } from './marked-days.ts'
import type { DayOff } from './items.ts'

const YEAR = { from: '2026-01-01', to: '2027-01-01' } as const
const ACCOUNT = testAccount([
  '8h Mon–Fri since 2 Nov',
  'vacation 28 Dec – 4 Jan',
  'half public holiday 24 Dec Christmas Eve',
  'public holiday 25 Dec Christmas',
  'sick 24 Dec pm',
  'sick 3 Nov am',
  'off 2h 4 Nov',
  'vacation 25 Dec',
])

test('Each day that is off is marked, holidays first, within the range', () => {
  const marks = [...markedDays(ACCOUNT, YEAR)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  expect(marks.map(([date, { kind, isWhole }]) => [date, kind, isWhole])).toEqual([
    ['2026-11-03', 'sick', false],
    ['2026-11-04', 'other', false],
    ['2026-12-24', 'holiday', true],
    ['2026-12-25', 'holiday', true],
    ['2026-12-28', 'vacation', true],
    ['2026-12-29', 'vacation', true],
    ['2026-12-30', 'vacation', true],
    ['2026-12-31', 'vacation', true],
  ])
  const next = markedDays(ACCOUNT, { from: '2027-01-01', to: '2028-01-01' })
  expect([...next.keys()]).toEqual(['2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04'])
  expect(marks[2]?.[1].items.map(itemText)).toEqual([
    'half public holiday 24 Dec 2026 Christmas Eve',
    'sick 24 Dec 2026 in the afternoon',
  ])
})

test.each([
  ['vacation 9–15 Nov', 500],
  ['vacation 14–15 Nov', 0],
  ['half day 10 Nov', 50],
  ['vacation 10 Nov pm', 50],
  ['off 2h 10 Nov', 25],
  ['vacation 23–27 Dec', 150],
  ['vacation 26 Oct – 2 Nov', 100],
])('%s costs %s hundredths of a day', (line, cost) => {
  const item = testItem(line)
  if (item.kind !== 'dayoff') throw new Error(line)
  const account = { ...ACCOUNT, daysOff: ACCOUNT.daysOff.filter(({ from }) => from < '2026-12-24') }
  expect(costOfDayOff(account, item satisfies DayOff)).toBe(cost)
})

test.each([
  ['2026-12-25', ['2026-12-25', '2026-12-28']],
  ['2027-01-04', ['2026-12-28']],
  ['2027-01-05', []],
] as const)('Days off that touch the days from %s on are found', (from, firsts) => {
  const found = daysOffWithin(ACCOUNT, { from, to: '2027-02-01' })
  expect(found.map((item) => item.from)).toEqual(firsts)
})
