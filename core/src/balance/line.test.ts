/** Lines of an hours account, as they are typed on Monday 30 November 2026. */
import {
  array,
  assert,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  string,
  subarray,
  uniqueArray,
} from 'fast-check'
import { expect, test } from 'vitest'
import { testItem } from '#test/hours.ts'
import { addDays, dateOfDay } from '#time/calendar.ts'
import { hoursAccount, itemsOf } from './account.ts'
import { itemText } from './item-text.ts'
import {
  ABSENCES,
  CAP_SPANS,
  itemOf,
  MAX_ITEMS,
  PERIOD_WEEKS,
  prefsWithItem,
  SPANS,
} from './items.ts'
import type { Item } from './items.ts'
import { lineProblem, readLine } from './line.ts'

const TODAY = { today: '2026-11-30', weekStart: 1 } as const

/** The line, how it is shown, and the preference that keeps it. */
const LINES: readonly (readonly [line: string, shown: string, prefs: Record<string, unknown>])[] = [
  [
    '38.5h Mon–Fri since 1 March, starting at +12h',
    '38h 30m a week Mon–Fri since 1 Mar 2026, starting at +12h',
    { 'contract:2026-03-01': '138600/week 12345; 43200' },
  ],
  [
    '20h Mon-Wed from 1 Jan',
    '20h a week Mon–Wed since 1 Jan 2027',
    { 'contract:2027-01-01': '72000/week 123' },
  ],
  [
    '8h Mon, 6h Tue Thu since 2026',
    '8h a day Mon, 6h a day Tue Thu since 1 Jan 2026',
    { 'contract:2026-01-01': '28800/day 1, 21600/day 24' },
  ],
  [
    'Mon 8h, Tue and Thu 6h since 3 Nov',
    '8h a day Mon, 6h a day Tue Thu since 3 Nov 2026',
    { 'contract:2026-11-03': '28800/day 1, 21600/day 24' },
  ],
  [
    'Mon – Fri 7h42 since yesterday',
    '7h 42m a day Mon–Fri since 29 Nov 2026',
    { 'contract:2026-11-29': '27720/day 12345' },
  ],
  [
    '160h a month since 2026',
    '160h a month Mon–Fri since 1 Jan 2026',
    { 'contract:2026-01-01': '576000/month 12345' },
  ],
  [
    '1607h/year since 2026',
    '1607h a year Mon–Fri since 1 Jan 2026',
    { 'contract:2026-01-01': '5785200/year 12345' },
  ],
  [
    'odd weeks 40h Mon–Fri, even weeks 32h Mon–Thu since 1 Mar 2025',
    'odd weeks 40h a week Mon–Fri, even weeks 32h a week Mon–Thu since 1 Mar 2025',
    { 'contract:2025-03-01': 'odd 144000/week 12345, even 115200/week 1234' },
  ],
  [
    '40h a week Mon to Fri in odd weeks, 32h Mon to Thu in even weeks since 1 Mar 2025',
    'odd weeks 40h a week Mon–Fri, even weeks 32h a week Mon–Thu since 1 Mar 2025',
    { 'contract:2025-03-01': 'odd 144000/week 12345, even 115200/week 1234' },
  ],
  [
    'since 1 March 10h a week Fri–Mon',
    '10h a week Mon Fri–Sun since 1 Mar 2026',
    { 'contract:2026-03-01': '36000/week 1560' },
  ],
  ['0h from today', '0h a day Mon–Fri since 30 Nov 2026', { 'contract:2026-11-30': '0/day 12345' }],
  [
    '40h since 2 Nov, starting at -3h 30m',
    '40h a week Mon–Fri since 2 Nov 2026, starting at -3h 30m',
    { 'contract:2026-11-02': '144000/week 12345; -12600' },
  ],

  ['vacation 3–14 Aug', 'vacation 3–14 Aug 2026', { 'dayoff:2026-08-03:vacation': '2026-08-14' }],
  ['vacation 24 Dec', 'vacation 24 Dec 2026', { 'dayoff:2026-12-24:vacation': '2026-12-24' }],
  ['holiday next week', 'vacation 7–13 Dec 2026', { 'dayoff:2026-12-07:vacation': '2026-12-13' }],
  [
    '28 Dec – 3 Jan vacation',
    'vacation 28 Dec 2026 – 3 Jan 2027',
    { 'dayoff:2026-12-28:vacation': '2027-01-03' },
  ],
  [
    'sick today pm',
    'sick 30 Nov 2026 in the afternoon',
    { 'dayoff:2026-11-30:sick:pm': '2026-11-30 pm' },
  ],
  [
    'sick yesterday in the morning',
    'sick 29 Nov 2026 in the morning',
    { 'dayoff:2026-11-29:sick': '2026-11-29 am' },
  ],
  [
    'half day 24 dec',
    'half a day off 24 Dec 2026',
    { 'dayoff:2026-12-24:other': '2026-12-24 half' },
  ],
  ['off 2h friday', 'off 2h 4 Dec 2026', { 'dayoff:2026-12-04:other': '2026-12-04 7200' }],
  ['off tomorrow', 'off 1 Dec 2026', { 'dayoff:2026-12-01:other': '2026-12-01' }],
  ['off next monday', 'off 7 Dec 2026', { 'dayoff:2026-12-07:other': '2026-12-07' }],

  [
    'public holiday 15 Aug Assumption',
    'public holiday 15 Aug 2026 Assumption',
    { 'holiday:2026-08-15': 'whole Assumption' },
  ],
  [
    'half public holiday 24 Dec Christmas Eve',
    'half public holiday 24 Dec 2026 Christmas Eve',
    { 'holiday:2026-12-24': 'half Christmas Eve' },
  ],
  [
    '-8h paid out 31 May',
    '-8h paid out 31 May 2026',
    { 'correction:2026-05-31:paid out': -28_800 },
  ],
  [
    '+1h 30m 31 May trip: Ulm',
    '+1h 30m trip Ulm 31 May 2026',
    { 'correction:2026-05-31:trip Ulm': 5400 },
  ],
  ['-45 min today', '-45m 30 Nov 2026', { 'correction:2026-11-30:': -2700 }],
  [
    'at most 40h at the end of each month since 2026',
    'at most 40h at the end of each month since 1 Jan 2026',
    { 'cap:month:2026-01-01': 144_000 },
  ],
  [
    'at most 0h at the end of every year since 2025',
    'at most 0h at the end of each year since 1 Jan 2025',
    { 'cap:year:2025-01-01': 0 },
  ],
  [
    '30 days a year since 2026, carried over until 31 March',
    '30 days of vacation a year since 2026, carried over until 31 March',
    { 'allowance:2026': '30 03-31' },
  ],
  [
    'pay periods 1–15 and 16–end since 2026',
    'pay periods 1–15, 16–end since 1 Jan 2026',
    { 'period:2026-01-01': '1 16' },
  ],
  [
    'pay period: 1st to 15th since 1 March',
    'pay periods 1–15, 16–end since 1 Mar 2026',
    { 'period:2026-03-01': '1 16' },
  ],
  [
    'pay period 20–19 since 20 Jan',
    'pay periods 20–19 since 20 Jan 2026',
    { 'period:2026-01-20': '20' },
  ],
  [
    'pay periods 5-19, 20-4 since 2026',
    'pay periods 5–19, 20–4 since 1 Jan 2026',
    { 'period:2026-01-01': '5 20' },
  ],
  [
    'pay periods 1–31 since 2026',
    'pay periods 1–end since 1 Jan 2026',
    { 'period:2026-01-01': '1' },
  ],
  [
    'biweekly pay periods since 5 Jan',
    'pay periods of 2 weeks since 5 Jan 2026',
    { 'period:2026-01-05': '2w' },
  ],
  [
    'pay period: every two weeks from 5 January 2026',
    'pay periods of 2 weeks since 5 Jan 2026',
    { 'period:2026-01-05': '2w' },
  ],
  [
    'two-week pay periods since 5 Jan',
    'pay periods of 2 weeks since 5 Jan 2026',
    { 'period:2026-01-05': '2w' },
  ],
  [
    'pay periods every other week since 5 Jan',
    'pay periods of 2 weeks since 5 Jan 2026',
    { 'period:2026-01-05': '2w' },
  ],
  [
    'weekly pay periods since 2 March',
    'pay periods of 1 week since 2 Mar 2026',
    { 'period:2026-03-02': '1w' },
  ],
  [
    'pay periods of four weeks since 2026',
    'pay periods of 4 weeks since 1 Jan 2026',
    { 'period:2026-01-01': '4w' },
  ],
  [
    '80h a pay period since 2026',
    '80h a pay period Mon–Fri since 1 Jan 2026',
    { 'contract:2026-01-01': '288000/period 12345' },
  ],
  [
    'at most 10h at the end of each pay period since 2026',
    'at most 10h at the end of each pay period since 1 Jan 2026',
    { 'cap:period:2026-01-01': 36_000 },
  ],
  [
    '27.5 days vacation since 2026',
    '27.5 days of vacation a year since 2026',
    { 'allowance:2026': '27.5' },
  ],
]

test.each(LINES)('%s', (line, shown, prefs) => {
  const item = testItem(line)
  expect(itemText(item)).toBe(shown)
  expect(prefsWithItem(item, null)).toEqual(prefs)
  expect(itemsOf(hoursAccount(prefs))).toEqual([item])
  expect(testItem(shown)).toEqual(item)
})

const NO_PERIODS = 'Say which days, such as pay periods 1–15 and 16–end, or pay periods of 2 weeks.'

const PROBLEMS: readonly (readonly [line: string, message: string])[] = [
  ['25h Mon since 2026', 'A day has 24 hours.'],
  ['200h Mon–Fri since 2026', 'A day has 24 hours.'],
  ['8h Mon, 7h Mon since 2026', 'A weekday is there twice.'],
  ['40h Mon–Fri', 'Say since when, such as since 1 March.'],
  ['40h Mon–Fri since 32 May', '“32 may” is not understood as a day.'],
  ['8h Mon xyz since 2026', '“xyz” is not understood. Try 38.5h Mon–Fri since 1 March.'],
  ['40h Mon–Fri since 1069-01-01', 'That day is too far away.'],
  [
    'nothing at all',
    'Not understood. Try 38.5h Mon–Fri since 1 March, vacation 3–14 Aug or -8h paid out 31 May.',
  ],
  ['vacation', 'Say on which day, such as 3–14 Aug.'],
  ['vacation 14–3 Aug', 'The range ends before it begins.'],
  ['vacation 2025 – 2026', 'One line is for at most 366 days.'],
  ['vacation when I want', 'Not understood. Try yesterday, 3 Nov – 17 Nov or last 30 days.'],
  ['off 25h today', 'A day has 24 hours.'],
  ['off 0h today', '0 hours off change nothing.'],
  ['public holiday', 'Say on which day, such as 3–14 Aug.'],
  ['-8h paid out', 'Say on which day, such as -8h paid out 31 May.'],
  ['+0h today', 'A correction of 0 hours changes nothing.'],
  [`-8h ${'x'.repeat(41)} 31 May`, 'Use at most 40 characters.'],
  ['at most 40h since 2026', 'Say when, such as at the end of each month.'],
  ['at most 40h at the end of each month', 'Say since when, such as since 1 March.'],
  ['400 days a year since 2026', 'A year has at most 366 days.'],
  ['30 days a year', 'Say since which year, such as since 2026.'],
  ['pay periods since 2026', NO_PERIODS],
  ['pay period soon since 2026', NO_PERIODS],
  ['pay periods of 3 weeks since 2026', NO_PERIODS],
  ['biweekly pay periods 1–15 since 2026', NO_PERIODS],
  ['biweekly pay periods', 'Say since when, such as since 1 March.'],
  ['pay period 20–19', 'Say since when, such as since 1 March.'],
  [
    'pay periods 1–15, 20–end since 2026',
    'Pay periods must follow each other, such as 1–15 and 16–end.',
  ],
  [
    'pay periods 1–15, 10–end since 2026',
    'Pay periods must follow each other, such as 1–15 and 16–end.',
  ],
  ['pay periods 0–15 since 2026', 'A month has 31 days at most.'],
  ['pay periods 1–5, 6–10, 11–15, 16–20, 21–end since 2026', 'A month has at most 4 pay periods.'],
  [
    'pay periods 30–29 since 2026',
    'A pay period begins on a day from 1 to 28, which every month has.',
  ],
  ['x'.repeat(201), 'Use at most 200 characters.'],
]

test.each(PROBLEMS)('%s: %s', (line, message) => {
  expect(readLine(line, TODAY)).toEqual({ kind: 'problem', message })
})

test('Nothing typed is no problem', () => {
  expect(readLine('  ', TODAY)).toEqual({ kind: 'empty' })
})

const BESIDE: readonly (readonly [
  line: string,
  others: readonly string[],
  problem: string | null,
])[] = [
  ['8h Mon since 2 Nov', ['9h Mon since 2 Nov'], 'There already is a contract from 2 Nov 2026 on.'],
  ['8h Mon since 2 Nov', ['9h Mon since 3 Nov'], null],
  ['vacation 3 Nov', ['vacation 2–6 Nov'], '3 Nov is already off.'],
  ['vacation 2–6 Nov', ['sick 4 Nov'], '4 Nov is already off.'],
  ['vacation 2–6 Nov', ['sick 4 Nov pm'], '4 Nov is already off.'],
  ['vacation 3 Nov pm', ['sick 3 Nov am'], null],
  ['vacation 3 Nov pm', ['vacation 3 Nov am'], null],
  ['vacation 3 Nov pm', ['vacation 3 Nov pm'], '3 Nov 2026 is already off.'],
  ['off 2h 3 Nov', ['sick 3 Nov am'], null],
  ['vacation 9 Nov', ['vacation 2–6 Nov'], null],
  [
    'public holiday 3 Nov',
    ['half public holiday 3 Nov'],
    'There already is a public holiday on 3 Nov 2026.',
  ],
  ['+2h trip 3 Nov', ['+1h trip 3 Nov'], 'There already is this correction on 3 Nov 2026.'],
  ['+2h trip 3 Nov', ['+1h call 3 Nov'], null],
  [
    'at most 4h at the end of each month since 2026',
    ['at most 8h at the end of each month since 2026'],
    'There already is such a limit from 1 Jan 2026 on.',
  ],
  [
    '20 days a year since 2026',
    ['30 days a year since 2026'],
    'There already is an allowance from 1 Jan 2026 on.',
  ],
  [
    'pay period 20–19 since 2026',
    ['pay periods 1–15, 16–end since 2026'],
    'There already are pay periods from 1 Jan 2026 on.',
  ],
]

test.each(BESIDE)('%s beside %s: %s', (line, others, message) => {
  expect(
    lineProblem(
      testItem(line),
      others.map((other) => testItem(other)),
    ),
  ).toBe(message)
})

test('An account has so many lines of a kind at most, which fit into half of the preferences', () => {
  const off: Item[] = Array.from({ length: MAX_ITEMS.dayoff }, (_, index) => {
    return {
      kind: 'dayoff',
      absence: 'vacation',
      from: addDays('2026-01-01', index),
      last: addDays('2026-01-01', index),
      portion: 27_720,
    }
  })
  const full = 'You can have 300 such lines. Remove one first.'
  expect(lineProblem(testItem('vacation 3 Nov 2030'), off)).toBe(full)
  const holidays: Item[] = Array.from({ length: MAX_ITEMS.holiday }, (_, index) => {
    return {
      kind: 'holiday',
      from: addDays('2026-01-01', index),
      isHalf: false,
      name: 'Day of the Republic',
    }
  })
  const prefs = [...off, ...holidays].map((item) => prefsWithItem(item, null))
  const size = JSON.stringify(Object.assign({}, ...prefs)).length
  expect(size).toBeLessThan(32_000)
})

test('What is no item is ignored', () => {
  const prefs = {
    'contract:2026-03-01': '138600/fortnight 12345',
    'contract:2026-02-30': '138600/week 12345',
    'contract:2026-01-01:x': '138600/week 12345',
    'contract:2026-01-02': '138600/week 12345; soon',
    'contract:2026-01-03': '138600/week 54321',
    'contract:2026-01-04': 7,
    'dayoff:2026-08-03:strike': '2026-08-14',
    'dayoff:2026-08-03:sick': '2026-08-01',
    'dayoff:2026-08-04:sick': '2026-08-04 pm',
    'dayoff:2026-08-05:sick': '2026-08-05 some',
    'holiday:2026-12-25': 'Christmas',
    'correction:2026-05-31:x': '8h',
    'correction:2026-05-31:y': 0.5,
    'cap:decade:2026-01-01': 3600,
    'cap:month:2026-01-01': -1,
    'allowance:26': '30',
    'period:2026-01-01': '16 1',
    'period:2026-01-02': '1 29',
    'period:2026-01-03': 'weekly',
    'period:2026-01-04': 20,
    'allowance:2026': '30 02-31',
    'filter:Acme': '#acme',
    balanceFilter: 7,
  }
  const account = hoursAccount(prefs)
  expect(itemsOf(account)).toEqual([])
  expect(account.filter).toBe('')
})

// Any item

const anyDate = integer({ min: 0, max: 47_000 }).map(dateOfDay)
const someSeconds = integer({ min: 1, max: 86_400 })
const anyDays = subarray([1, 2, 3, 4, 5, 6, 0], { minLength: 1 })
const anyParts = oneof(
  record({ seconds: someSeconds, span: constantFrom(...SPANS), days: anyDays }).map((part) => [
    { ...part, weeks: null },
  ]),
  uniqueArray(record({ seconds: someSeconds, days: anyDays, weeks: constantFrom('odd', 'even') }), {
    minLength: 1,
    selector: ({ weeks }) => weeks,
  }).map((parts) =>
    parts
      .toSorted((a, b) => (a.weeks > b.weeks ? -1 : 1))
      .map((part) => ({ ...part, span: 'week' as const })),
  ),
)
const anyItem = oneof(
  record({
    kind: constantFrom('contract'),
    from: anyDate,
    parts: anyParts,
    opening: option(integer({ min: -400_000, max: 400_000 })),
  }),
  record({
    kind: constantFrom('dayoff'),
    absence: constantFrom(...ABSENCES),
    from: anyDate,
    days: integer({ min: 0, max: 365 }),
    portion: oneof(constantFrom('whole', 'half', 'am', 'pm'), someSeconds),
  }).map(({ days, ...item }) => ({ ...item, last: addDays(item.from, days) })),
  record({
    kind: constantFrom('holiday'),
    from: anyDate,
    isHalf: constantFrom(true, false),
    name: string({ unit: constantFrom('a', 'É', 'ß'), maxLength: 20 }),
  }),
  record({
    kind: constantFrom('correction'),
    from: anyDate,
    note: array(constantFrom('paid', 'out', 'Ulm', '#x', 'ä'), { maxLength: 4 }).map((words) =>
      words.join(' '),
    ),
    seconds: oneof(
      someSeconds,
      someSeconds.map((seconds) => -seconds),
    ),
  }),
  record({
    kind: constantFrom('cap'),
    span: constantFrom(...CAP_SPANS),
    from: anyDate,
    seconds: integer({ min: 0, max: 400_000 }),
  }),
  record({
    kind: constantFrom('allowance'),
    from: integer({ min: 1970, max: 2099 }).map((year): `${number}-01-01` => `${year}-01-01`),
    halves: integer({ min: 0, max: 732 }),
    carriedUntil: option(constantFrom('03-31', '12-31', '02-28')),
  }),
  record({
    kind: constantFrom('period'),
    from: anyDate,
    starts: uniqueArray(integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 4 }).map((days) =>
      days.toSorted((a, b) => a - b),
    ),
    weeks: constantFrom(null),
  }),
  record({
    kind: constantFrom('period'),
    from: anyDate,
    starts: constantFrom([]),
    weeks: constantFrom(...PERIOD_WEEKS),
  }),
)

test('Any item is shown as a line that reads as the item, and is stored as itself', () => {
  assert(
    property(anyItem, (item: Item) => {
      const read = readLine(itemText(item), TODAY)
      expect([itemText(item), read]).toEqual([itemText(item), { kind: 'item', item }])
      const stored = Object.entries(prefsWithItem(item, null))
      expect(stored.map(([name, value]) => itemOf(name, value))).toEqual([item])
    }),
  )
})
