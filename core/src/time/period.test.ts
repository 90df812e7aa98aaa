import type { CalendarDate } from './calendar.ts'
import { dayRuleOf } from './day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, startOfMonth, weekday } from './calendar.ts'
import type { CalendarPeriod, Period, PeriodView, RangePeriod } from './period.ts'
import {
  breakdownTitle,
  bucketsBefore,
  isCurrentPeriod,
  isFuturePeriod,
  leftoverDays,
  MAX_RANGE_DAYS,
  parsePeriod,
  PERIOD_VIEWS,
  periodBuckets,
  periodContaining,
  periodDates,
  periodLabel,
  periodLength,
  periodOf,
  periodParameters,
  periodWith,
  rangePeriod,
  stepPeriod,
  switchView,
} from './period.ts'

const NEW_YORK = 'America/New_York'
const now = Date.parse('2026-11-18T12:00:00Z')

function week(from: CalendarDate): CalendarPeriod {
  return { view: 'weekly', from }
}
function month(from: CalendarDate): CalendarPeriod {
  return { view: 'monthly', from }
}
function year(from: CalendarDate): CalendarPeriod {
  return { view: 'yearly', from }
}
/** Both days are in it. */
function range(from: CalendarDate, last: CalendarDate): RangePeriod {
  return { view: 'range', from, to: addDays(last, 1) }
}

function parse(search: Record<string, string>): Period {
  return parsePeriod({ get: (name) => search[name] ?? null }, now, dayRuleOf(NEW_YORK))
}

function bars(period: Period): string[] {
  return periodBuckets(period).map(
    ({ label, beside, dates }) => `${label} ${beside ?? ''} | ${dates}`,
  )
}
function datesBefore(period: Period): string[] {
  return bucketsBefore(period).map(({ dates }) => dates)
}
function inWeeks(period: Period): Period {
  return switchView(period, 'weekly', now, dayRuleOf(NEW_YORK))
}

const anyDate = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days))
const anyCalendarPeriod = fc
  .tuple(fc.constantFrom(...PERIOD_VIEWS), anyDate)
  .map(([view, date]) => periodContaining(view, date))
const anyDays = fc
  .tuple(anyDate, fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 4000 })))
  .map(([from, days]) => rangePeriod({ from, to: addDays(from, days) }))
const anyMonths = fc.tuple(anyDate, fc.integer({ min: 1, max: 80 })).map(([date, months]) => {
  const from = startOfMonth(date)
  return rangePeriod({ from, to: addMonths(from, months) })
})
const anyRange = fc.oneof(anyDays, anyMonths)
const anyPeriod = fc.oneof(anyCalendarPeriod, anyRange)

/** Days that steps bring to whole months are stepped by months from there on. */
function isSteppedAs(one: Period, other: Period): boolean {
  return periodLength(one).unit === periodLength(other).unit
}

test.each([
  ['weekly', '2026-11-15'],
  ['monthly', '2026-11-01'],
  ['yearly', '2026-01-01'],
] as const)('The current period of the %s view starts %s', (view, from) => {
  expect(periodOf(view, now, dayRuleOf(NEW_YORK))).toEqual({ view, from })
})

test('The current period depends on the viewer: the year begins in Auckland first', () => {
  const newYear = Date.parse('2026-12-31T12:00:00Z')
  expect(periodOf('yearly', newYear, dayRuleOf('Pacific/Auckland'))).toEqual(year('2027-01-01'))
  expect(periodOf('yearly', newYear, dayRuleOf(NEW_YORK))).toEqual(year('2026-01-01'))
  expect(periodOf('weekly', newYear, dayRuleOf('Pacific/Auckland'))).toEqual(week('2026-12-27'))
})

test('The current period is current, the next one is in the future, the one before is neither', () => {
  for (const view of PERIOD_VIEWS) {
    const period = periodOf(view, now, dayRuleOf(NEW_YORK))
    const steps = [-1, 0, 1].map((step) => stepPeriod(period, step))
    expect(steps.map((step) => isCurrentPeriod(step, now, dayRuleOf(NEW_YORK)))).toEqual([
      false,
      true,
      false,
    ])
    expect(steps.map((step) => isFuturePeriod(step, now, dayRuleOf(NEW_YORK)))).toEqual([
      false,
      false,
      true,
    ])
  }
})

test.each([
  [week('2026-03-01'), 1, '2026-03-08'],
  [week('2026-01-04'), -1, '2025-12-28'],
  [periodContaining('monthly', '2026-01-31'), 1, '2026-02-01'],
  [month('2026-12-01'), 1, '2027-01-01'],
  [month('2026-01-01'), -1, '2025-12-01'],
  [year('2026-01-01'), 1, '2027-01-01'],
  [periodContaining('yearly', '2024-02-29'), 1, '2025-01-01'],
] as const)('Stepping from %o by %i goes to %s', (period, steps, from) => {
  expect(stepPeriod(period, steps)).toEqual({ view: period.view, from })
})

test('Stepping forward and back returns to the same period, and consecutive periods leave no day out', () => {
  fc.assert(
    fc.property(anyPeriod, fc.integer({ min: -20, max: 20 }), (period, steps) => {
      expect(stepPeriod(period, 1).from).toBe(periodDates(period).to)
      const stepped = stepPeriod(period, steps)
      fc.pre(isSteppedAs(stepped, period))
      expect(stepPeriod(stepped, -steps)).toEqual(period)
    }),
  )
})

test('Switching the view shows the current period if the current period was shown', () => {
  expect(switchView(year('2026-01-01'), 'weekly', now, dayRuleOf(NEW_YORK))).toEqual(
    week('2026-11-15'),
  )
  expect(switchView(week('2026-11-15'), 'monthly', now, dayRuleOf(NEW_YORK))).toEqual(
    month('2026-11-01'),
  )
})

test('Switching the view shows the same days if a past period was shown', () => {
  expect(switchView(year('2024-01-01'), 'monthly', now, dayRuleOf(NEW_YORK))).toEqual(
    month('2024-01-01'),
  )
  expect(switchView(month('2026-08-01'), 'weekly', now, dayRuleOf(NEW_YORK))).toEqual(
    week('2026-07-26'),
  )
  expect(switchView(week('2026-03-29'), 'yearly', now, dayRuleOf(NEW_YORK))).toEqual(
    year('2026-01-01'),
  )
})

test.each([
  [week('2026-11-15'), '15–21 Nov 2026'],
  [week('2026-07-26'), '26 Jul – 1 Aug 2026'],
  [week('2026-12-27'), '27 Dec 2026 – 2 Jan 2027'],
  [month('2026-08-01'), 'August 2026'],
  [year('2026-01-01'), '2026'],
])('The label of %o is %s', (period, label) => {
  expect(periodLabel(period)).toBe(label)
})

test('The bars of a week are its days from Sunday to Saturday', () => {
  const buckets = periodBuckets(week('2026-03-08'))
  expect(buckets.map((bucket) => bucket.label)).toEqual([
    'Sun',
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
  ])
  expect(buckets.at(0)).toEqual({
    from: '2026-03-08',
    to: '2026-03-09',
    unit: 'day',
    label: 'Sun',
    beside: '8 Mar',
    dates: '8 Mar 2026',
  })
  expect(buckets.at(-1)?.to).toBe('2026-03-15')
})

test('The bars of August 2026 run from 26 July to 29 August and leave two days out', () => {
  const august = month('2026-08-01')
  expect(
    periodBuckets(august).map(({ from, to, label, beside, dates }) => [
      from,
      to,
      label,
      beside,
      dates,
    ]),
  ).toEqual([
    ['2026-07-26', '2026-08-02', 'Week 1', '26 Jul – 1 Aug', '26 Jul – 1 Aug 2026'],
    ['2026-08-02', '2026-08-09', 'Week 2', '2–8 Aug', '2–8 Aug 2026'],
    ['2026-08-09', '2026-08-16', 'Week 3', '9–15 Aug', '9–15 Aug 2026'],
    ['2026-08-16', '2026-08-23', 'Week 4', '16–22 Aug', '16–22 Aug 2026'],
    ['2026-08-23', '2026-08-30', 'Week 5', '23–29 Aug', '23–29 Aug 2026'],
  ])
  expect(leftoverDays(august)).toEqual({
    from: '2026-08-30',
    to: '2026-09-01',
    dates: '30–31 Aug',
  })
})

test('The bars of February 2026 end with a week of March', () => {
  const february = month('2026-02-01')
  expect(periodBuckets(february).at(0)?.from).toBe('2026-02-01')
  expect(periodBuckets(february).at(-1)?.dates).toBe('1–7 Mar 2026')
  expect(leftoverDays(february)).toBeNull()
})

test('The bars of a year are its months', () => {
  const buckets = periodBuckets(year('2024-01-01'))
  expect(buckets.map((bucket) => bucket.label).join(' ')).toBe(
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  )
  expect(buckets.at(1)).toEqual({
    from: '2024-02-01',
    to: '2024-03-01',
    unit: 'month',
    label: 'Feb',
    beside: null,
    dates: 'February 2024',
  })
})

test('Only the bars of months that extend beyond five weeks leave days out', () => {
  const months = Array.from({ length: 36 }, (_, index) => stepPeriod(month('2026-01-01'), index))
  expect(
    months.filter((period) => leftoverDays(period)).map((period) => period.from.slice(0, 7)),
  ).toEqual([
    '2026-05',
    '2026-08',
    '2027-01',
    '2027-05',
    '2027-10',
    '2028-01',
    '2028-04',
    '2028-07',
    '2028-12',
  ])
  expect(leftoverDays(week('2026-08-30'))).toBeNull()
  expect(leftoverDays(year('2026-01-01'))).toBeNull()
})

test('Each bar begins on the day after the bar before it', () => {
  fc.assert(
    fc.property(anyPeriod, (period) => {
      const buckets = periodBuckets(period)
      expect(buckets.slice(1).map((bucket) => bucket.from)).toEqual(
        buckets.slice(0, -1).map((bucket) => bucket.to),
      )
      expect(buckets.every((bucket) => bucket.from < bucket.to)).toBe(true)
    }),
  )
})

test('The bars of a week or a year cover exactly its days', () => {
  const view = fc.constantFrom('weekly' as const, 'yearly' as const)
  fc.assert(
    fc.property(view, anyDate, (view, date) => {
      const period = periodContaining(view, date)
      const buckets = periodBuckets(period)
      expect({ from: buckets.at(0)?.from, to: buckets.at(-1)?.to }).toEqual(periodDates(period))
      expect(leftoverDays(period)).toBeNull()
    }),
  )
})

test('The bars of a month and the leftover days cover the days from the Sunday before it to its end', () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const period = periodContaining('monthly', date)
      const buckets = periodBuckets(period)
      const first = buckets.at(0)?.from ?? '0001-01-01'
      const end = leftoverDays(period)?.to ?? buckets.at(-1)?.to ?? ''
      expect(buckets).toHaveLength(5)
      expect(weekday(first)).toBe(0)
      expect(daysBetween(first, period.from)).toBeLessThan(7)
      expect(end >= periodDates(period).to).toBe(true)
    }),
  )
})

test('A period is read back from the address that it is written to', () => {
  fc.assert(
    fc.property(anyPeriod, (period) => {
      expect(parse(periodParameters(period))).toEqual(period)
    }),
  )
})

test('The address accepts any day of the period', () => {
  expect(parse({ view: 'monthly', from: '2026-08-31' })).toEqual(month('2026-08-01'))
})

test.each([
  [{}, week('2026-11-15')],
  [{ view: 'daily' }, week('2026-11-15')],
  [{ view: 'yearly' }, year('2026-01-01')],
  [{ view: 'yearly', from: 'garbage' }, year('2026-01-01')],
  [{ view: 'monthly', from: '2026-02-30' }, month('2026-11-01')],
  [{ view: 'weekly', from: '99999999-01-01' }, week('2026-11-15')],
  [{ view: '__proto__', from: '' }, week('2026-11-15')],
  [{ from: '2026-01-01' }, week('2025-12-28')],
] satisfies [Partial<Record<'view' | 'from', string>>, Period][])(
  'falls back to the present where %o cannot be read',
  (search, period) => {
    expect(parse(search)).toEqual(period)
  },
)

test('The address accepts three views', () => {
  expect(PERIOD_VIEWS satisfies readonly PeriodView[]).toEqual(['weekly', 'monthly', 'yearly'])
})

describe('ranges', () => {
  test.each([
    [range('2026-11-18', '2026-11-18'), '18 Nov 2026'],
    [range('2026-11-03', '2026-11-17'), '3–17 Nov 2026'],
    [range('2026-11-01', '2026-11-30'), 'November 2026'],
    [range('2026-10-01', '2026-12-31'), '1 Oct – 31 Dec 2026'],
    [range('2026-01-01', '2026-12-31'), '2026'],
    [range('2025-12-30', '2026-01-02'), '30 Dec 2025 – 2 Jan 2026'],
    [{ ...range('2026-11-16', '2026-11-22'), weekStart: 1 }, 'Week 47 · 16–22 Nov 2026'],
    [range('2026-11-16', '2026-11-22'), '16–22 Nov 2026'],
  ])('The label of %o is %s', (period, label) => {
    expect(periodLabel(period)).toBe(label)
  })

  test.each([
    [range('2026-11-03', '2026-11-17'), 1, range('2026-11-18', '2026-12-02')],
    [range('2026-11-03', '2026-11-17'), -2, range('2026-10-04', '2026-10-18')],
    [range('2026-03-08', '2026-03-08'), -1, range('2026-03-07', '2026-03-07')],
    [range('2026-02-01', '2026-02-28'), 1, range('2026-03-01', '2026-03-31')],
    [range('2026-02-01', '2026-02-28'), -1, range('2026-01-01', '2026-01-31')],
    [range('2026-01-01', '2026-03-31'), 1, range('2026-04-01', '2026-06-30')],
    [range('2026-01-01', '2026-03-31'), -1, range('2025-10-01', '2025-12-31')],
    [range('2024-01-01', '2024-12-31'), 1, range('2025-01-01', '2025-12-31')],
    [range('2026-02-01', '2026-03-30'), 1, range('2026-03-31', '2026-05-27')],
  ])('Stepping from %o by %i goes to %o', (period, steps, stepped) => {
    expect(stepPeriod(period, steps)).toEqual(stepped)
  })

  test.each([
    [1, 'Daily Breakdown', 1],
    [31, 'Daily Breakdown', 31],
    [32, 'Weekly Breakdown', 5],
    [184, 'Weekly Breakdown', 27],
    [185, 'Monthly Breakdown', 7],
    [1830, 'Monthly Breakdown', 61],
    [1831, 'Yearly Breakdown', 6],
    [MAX_RANGE_DAYS, 'Yearly Breakdown', 101],
  ])('A range of %i days has the %s of %i bars', (days, title, count) => {
    // A Sunday.
    const period = rangePeriod({ from: '2023-01-01', to: addDays('2023-01-01', days) })
    expect(breakdownTitle(period)).toBe(title)
    expect(periodBuckets(period)).toHaveLength(count)
  })

  test('The bars of a range are cut at its edges', () => {
    expect(bars(range('2026-11-03', '2026-11-04'))).toEqual([
      'Tue 3 Nov | 3 Nov 2026',
      'Wed 4 Nov | 4 Nov 2026',
    ])
    expect(bars(range('2026-10-01', '2026-12-31')).slice(0, 2)).toEqual([
      'Week 1 1–3 Oct | 1–3 Oct 2026',
      'Week 2 4–10 Oct | 4–10 Oct 2026',
    ])
    expect(bars({ ...range('2026-10-01', '2026-12-31'), weekStart: 1 }).at(-1)).toBe(
      'Week 53 28–31 Dec | 28–31 Dec 2026',
    )
    expect(bars(range('2025-12-15', '2026-09-01'))).toEqual([
      'Dec 2025 | 15–31 Dec 2025',
      ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug'].map((name) =>
        expect.stringMatching(new RegExp(`^${name} 2026 \\| \\w+ 2026$`)),
      ),
      'Sep 2026 | 1 Sep 2026',
    ])
    expect(bars(range('2019-07-01', '2026-11-18'))).toEqual([
      '2019  | 1 Jul – 31 Dec 2019',
      ...['2020', '2021', '2022', '2023', '2024', '2025'].map((name) => `${name}  | ${name}`),
      '2026  | 1 Jan – 18 Nov 2026',
    ])
  })

  test('The bars behind those of a range are the same days, weeks and months before it', () => {
    expect(datesBefore(range('2026-11-03', '2026-11-04'))).toEqual(['1 Nov 2026', '2 Nov 2026'])
    expect(datesBefore(range('2026-10-01', '2026-12-31')).slice(0, 2)).toEqual([
      '1–3 Jul 2026',
      '4–10 Jul 2026',
    ])
    expect(datesBefore(range('2026-01-01', '2026-12-31')).at(1)).toBe('February 2025')
    // The range before has a day less, which the last bar has not.
    const march = bucketsBefore(range('2026-03-01', '2026-03-31'))
    expect(march.filter(({ from, to }) => from === to)).toHaveLength(3)
  })

  test('The bars of a range cover exactly its days, and those behind them the days before', () => {
    fc.assert(
      fc.property(anyRange, (period) => {
        const buckets = periodBuckets(period)
        expect({ from: buckets.at(0)?.from, to: buckets.at(-1)?.to }).toEqual(periodDates(period))
        const before = bucketsBefore(period)
        expect(before).toHaveLength(buckets.length)
        expect(before.at(0)?.from).toBe(periodDates(stepPeriod(period, -1)).from)
        expect(before.slice(1).map(({ from }) => from)).toEqual(
          before.slice(0, -1).map(({ to }) => to),
        )
        const end = periodDates(stepPeriod(period, -1)).to
        const last = before.at(-1)?.to ?? ''
        // A month may have more days than the one after it.
        expect(periodLength(period).unit === 'month' ? last <= end : last === end).toBe(true)
      }),
    )
  })

  test('A range with a date is the one that steps lead to', () => {
    fc.assert(
      fc.property(anyRange, anyDate, (period, date) => {
        const found = periodWith(period, date)
        const { from, to } = periodDates(found)
        expect(from <= date && date < to).toBe(true)
        fc.pre(isSteppedAs(found, period))
        expect(periodWith(found, period.from)).toEqual(period)
      }),
    )
  })

  test.each([
    [{ from: '2026-11-03', to: '2026-11-17' }, range('2026-11-03', '2026-11-17')],
    [{ view: 'monthly', from: '2026-11-03', to: '2026-11-03' }, range('2026-11-03', '2026-11-03')],
    [{ from: '2026-11-17', to: '2026-11-03' }, week('2026-11-15')],
    [{ from: '2026-11-03', to: 'garbage' }, week('2026-11-01')],
    [{ view: 'monthly', from: '2026-11-03', to: '2026-02-30' }, month('2026-11-01')],
    [{ to: '2026-11-03' }, week('2026-11-15')],
    [{ from: '1900-01-01', to: '2026-11-03' }, week('1899-12-31')],
    [{ from: '0101-01-01', to: '0190-12-31' }, week('0100-12-26')],
    [{ from: '9900-01-01', to: '9990-12-31' }, week('9899-12-31')],
  ] satisfies [Partial<Record<'view' | 'from' | 'to', string>>, Period][])(
    'The address %o is read as %o',
    (search, period) => {
      expect(parse(search)).toEqual(period)
    },
  )

  test('A range that is switched to a view shows the current period if it has today', () => {
    expect(inWeeks(range('2026-10-01', '2026-12-31'))).toEqual(week('2026-11-15'))
    expect(inWeeks(range('2026-07-01', '2026-09-30'))).toEqual(week('2026-06-28'))
  })
})

describe('weeks that begin on Monday', () => {
  const monday = { weekStart: 1 }

  test('Weeks that begin on Monday keep their weekday when periods are stepped and views are switched', () => {
    const shown = periodOf('weekly', now, dayRuleOf(NEW_YORK), 1)
    expect(shown).toEqual({ ...week('2026-11-16'), ...monday })
    expect(periodLabel(shown)).toBe('Week 47 · 16–22 Nov 2026')
    expect(periodBuckets(shown).map(({ label }) => label)).toEqual([
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
    ])
    expect(stepPeriod(shown, -1)).toEqual({ ...week('2026-11-09'), ...monday })
    expect(isCurrentPeriod(shown, now, dayRuleOf(NEW_YORK))).toBe(true)
    expect(switchView(shown, 'monthly', now, dayRuleOf(NEW_YORK))).toEqual({
      ...month('2026-11-01'),
      ...monday,
    })
  })

  test('Weeks that begin on Monday are the bars of a month and determine its leftover days', () => {
    const november = periodContaining('monthly', '2026-11-18', 1)
    expect(periodBuckets(november)[0]).toMatchObject({ from: '2026-10-26', to: '2026-11-02' })
    expect(periodBuckets(november).map(({ label }) => label)).toEqual([
      'Week 44',
      'Week 45',
      'Week 46',
      'Week 47',
      'Week 48',
    ])
    expect(leftoverDays(november)).toMatchObject({ from: '2026-11-30', to: '2026-12-01' })
  })

  test('The address accepts any day of a week that begins on Monday', () => {
    const address = new URLSearchParams({ view: 'weekly', from: '2026-11-15' })
    expect(parsePeriod(address, now, dayRuleOf(NEW_YORK), 1)).toEqual({
      ...week('2026-11-09'),
      ...monday,
    })
  })
})
