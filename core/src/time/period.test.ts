import type { CalendarDate } from './calendar.ts'
import { dayRuleOf } from './day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween, weekday } from './calendar.ts'
import type { Period, PeriodView } from './period.ts'
import {
  isCurrentPeriod,
  isFuturePeriod,
  leftoverDays,
  parsePeriod,
  PERIOD_VIEWS,
  periodBuckets,
  periodContaining,
  periodDates,
  periodLabel,
  periodOf,
  periodParameters,
  stepPeriod,
  switchView,
} from './period.ts'

const NEW_YORK = 'America/New_York'
const now = Date.parse('2026-11-18T12:00:00Z')

function week(from: CalendarDate): Period {
  return { view: 'weekly', from }
}
function month(from: CalendarDate): Period {
  return { view: 'monthly', from }
}
function year(from: CalendarDate): Period {
  return { view: 'yearly', from }
}

function parse(search: Record<string, string>): Period {
  return parsePeriod({ get: (name) => search[name] ?? null }, now, dayRuleOf(NEW_YORK))
}

const anyDate = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days))
const anyPeriod = fc
  .tuple(fc.constantFrom(...PERIOD_VIEWS), anyDate)
  .map(([view, date]) => periodContaining(view, date))

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
    fc.property(anyPeriod, fc.integer({ min: -200, max: 200 }), (period, steps) => {
      expect(stepPeriod(stepPeriod(period, steps), -steps)).toEqual(period)
      expect(stepPeriod(period, 1).from).toBe(periodDates(period).to)
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
    label: 'Sun',
    dates: '8 Mar 2026',
  })
  expect(buckets.at(-1)?.to).toBe('2026-03-15')
})

test('The bars of August 2026 run from 26 July to 29 August and leave two days out', () => {
  const august = month('2026-08-01')
  expect(periodBuckets(august)).toEqual([
    { from: '2026-07-26', to: '2026-08-02', label: 'Week 1', dates: '26 Jul – 1 Aug 2026' },
    { from: '2026-08-02', to: '2026-08-09', label: 'Week 2', dates: '2–8 Aug 2026' },
    { from: '2026-08-09', to: '2026-08-16', label: 'Week 3', dates: '9–15 Aug 2026' },
    { from: '2026-08-16', to: '2026-08-23', label: 'Week 4', dates: '16–22 Aug 2026' },
    { from: '2026-08-23', to: '2026-08-30', label: 'Week 5', dates: '23–29 Aug 2026' },
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
    label: 'Feb',
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

describe('weeks that begin on Monday', () => {
  const monday = { weekStart: 1 }

  test('Weeks that begin on Monday keep their weekday when periods are stepped and views are switched', () => {
    const shown = periodOf('weekly', now, dayRuleOf(NEW_YORK), 1)
    expect(shown).toEqual({ ...week('2026-11-16'), ...monday })
    expect(periodLabel(shown)).toBe('16–22 Nov 2026')
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
