import { expect, test } from 'vitest'
import { testAccount } from '#test/hours.ts'
import { vacationYears } from './vacation.ts'

const FULL = '8h Mon–Fri since 2025'

/** 2026 has 30 days, 5 taken in May, 2 planned in December; all by hand. */
const EXAMPLES: readonly (readonly [title: string, lines: readonly string[], left: number])[] = [
  ['nothing is taken', [], 30],
  ['a week is taken', ['vacation 4–8 May 2026'], 25],
  ['a week with its weekend is taken', ['vacation 4–10 May 2026'], 25],
  ['two days are planned', ['vacation 28–29 Dec'], 28],
  ['half a day is taken', ['half day vacation 4 May 2026'], 29.5],
  ['two hours of eight are taken', ['vacation 2h 4 May 2026'], 29.75],
  ['a public holiday is within', ['vacation 4–8 May 2026', 'public holiday 6 May 2026'], 26],
  ['half a public holiday is within', ['vacation 24 Dec', 'half public holiday 24 Dec'], 29.5],
  ['somebody was sick', ['sick 4–8 May 2026'], 30],
  ['other days off are taken', ['off 4–8 May 2026'], 30],
  ['days are taken in the year before', ['vacation 5–9 May 2025'], 30],
  ['a week is taken over the new year', ['vacation 29 Dec 2026 – 5 Jan 2027'], 27],
]

test.each(EXAMPLES)('Of the days of a year so many are left when %s', (_, lines, left) => {
  const account = testAccount([FULL, '30 days a year since 2026', ...lines])
  expect(vacationYears(account, '2026-11-30').map((year) => year.left / 100)).toEqual([left])
})

test('What is left is carried over, until it expires', () => {
  const lines = [
    FULL,
    '30 days a year since 2025, carried over until 31 March',
    'vacation 5–9 May 2025',
  ]
  const account = testAccount([...lines, 'vacation 2–6 Feb 2026'])
  const of2026 = (today: `${number}-${number}-${number}`) => vacationYears(account, today)[1]
  expect(of2026('2026-03-31')).toEqual({
    year: 2026,
    allowed: 3000,
    carried: 2500,
    carriedUntil: '2026-03-31',
    expired: 0,
    taken: 500,
    planned: 0,
    left: 5000,
  })
  expect(of2026('2026-04-01')).toMatchObject({ expired: 2000, left: 3000 })
})

test('Too many days are taken off the next year', () => {
  const lines = [FULL, '5 days a year since 2025', 'vacation 5–16 May 2025']
  expect(vacationYears(testAccount(lines), '2026-01-01').map(({ left }) => left)).toEqual([-500, 0])
})

test('Another allowance holds from its year on', () => {
  const lines = [FULL, '20 days a year since 2025', '25.5 days a year since 2026']
  const years = vacationYears(testAccount(lines), '2026-11-30')
  expect(years.map(({ allowed, left }) => [allowed, left])).toEqual([
    [2000, 2000],
    [2550, 4550],
  ])
  expect(vacationYears(testAccount([FULL]), '2026-11-30')).toEqual([])
})
