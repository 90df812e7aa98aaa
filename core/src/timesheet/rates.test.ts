import { prefsWithCategory, unbilledCategories } from '#record/billable.ts'
import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dateOfDay } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { amountOf, moneyNumber, moneyText, sumsOf } from './money.ts'
import type { Money } from './money.ts'
import { rateMeaning, readRate } from './rate-text.ts'
import { MAX_RATE, prefsWithRate, rateOn, ratesOf } from './rates.ts'
import type { Rate } from './rates.ts'

const CONTEXT = { today: '2026-11-30', weekStart: 1, isDayFirst: true } as const

function money(text: string): Money {
  const [minor = '', currency = ''] = text.split(' ')
  return { minor: Number(minor), currency }
}

describe('A rate as it is typed', () => {
  test.each([
    ['95 EUR/h since 1 March', '95.00 EUR an hour since 1 Mar 2026'],
    ['95 EUR', '95.00 EUR an hour'],
    ['95€', '95.00 EUR an hour'],
    ['€95.50 per hour', '95.50 EUR an hour'],
    ['EUR 95,5', '95.50 EUR an hour'],
    ['1,250.50 USD/hour', '1,250.50 USD an hour'],
    ['1.250,50 eur an hour', '1,250.50 EUR an hour'],
    ['1’250 CHF/h', '1,250.00 CHF an hour'],
    ['1.250 EUR', '1,250.00 EUR an hour'],
    ['12.500.000 JPY', null],
    ['9,000 JPY/h', '9,000 JPY an hour'],
    ['9.125 KWD', '9.125 KWD an hour'],
    ['0 EUR', '0.00 EUR an hour'],
    ['80 GBP from 2026-06-15', '80.00 GBP an hour since 15 Jun 2026'],
    ['80 GBP/h 15 June 2025', '80.00 GBP an hour since 15 Jun 2025'],
    ['80 GBP since last monday', '80.00 GBP an hour since 23 Nov 2026'],
    ['100 EUR pro Stunde ab 1.7.2026', '100.00 EUR an hour since 1 Jul 2026'],
    ['100 EUR since 1 Jan 2027', '100.00 EUR an hour since 1 Jan 2027'],
  ])('%s', (text, meaning) => {
    const read = readRate(text, CONTEXT)
    expect(read.kind === 'rate' ? rateMeaning(read) : null).toBe(meaning)
  })

  test.each([
    ['', 'Enter a rate, as 95 EUR/h since 1 March.'],
    ['Acme', 'Enter a rate, as 95 EUR/h since 1 March.'],
    ['95', 'Add the currency, as in 95 EUR/h.'],
    ['95/h', 'Add the currency, as in 95 EUR/h.'],
    ['95 per hour', 'Add the currency, as in 95 EUR/h.'],
    ['95 since 1 March', 'Add the currency, as in 95 EUR/h.'],
    ['95 EUX/h', 'There is no currency EUX.'],
    ['-95 EUR/h', 'A rate can’t be negative.'],
    ['−95 EUR/h', 'A rate can’t be negative.'],
    ['95.505 EUR/h', null],
    ['95.5055 EUR/h', 'EUR has 2 decimals.'],
    ['95.5 JPY/h', 'JPY has no decimals.'],
    ['200,000 EUR/h', 'A rate is at most 100,000.00 EUR.'],
    ['95 EUR/day', 'A rate is for an hour.'],
    ['95 EUR/h since never', 'Not understood. Try yesterday, 3 Nov – 17 Nov or last 30 days.'],
  ])('%j is refused in one sentence', (text, message) => {
    const read = readRate(text, CONTEXT)
    expect(read.kind === 'problem' ? read.message : null).toBe(message)
  })
})

describe('An amount', () => {
  test.each([
    // 95.00 an hour: 1h 15m are 118.75.
    [4500, '9500 EUR', '11875 EUR'],
    [3600, '9500 EUR', '9500 EUR'],
    [0, '9500 EUR', '0 EUR'],
    // 6 minutes of 95.05 are 9.505, which is rounded up to 9.51.
    [360, '9505 EUR', '951 EUR'],
    // 6 minutes of 95.04 are 9.504.
    [360, '9504 EUR', '950 EUR'],
    // A second of 36.00 is a cent, of 17.99 half a cent less a little.
    [1, '3600 EUR', '1 EUR'],
    [1, '1800 EUR', '1 EUR'],
    [1, '1799 EUR', '0 EUR'],
    // 20 minutes of 1,000 yen are 333.33.
    [1200, '1000 JPY', '333 JPY'],
    // 20 minutes of 9.125 dinars are 3.041666…
    [1200, '9125 KWD', '3042 KWD'],
    // 7h 45m of 99.99: 774.9225.
    [27_900, '9999 EUR', '77492 EUR'],
    [31_536_000, '100000000 KWD', '876000000000 KWD'],
  ])('of %d seconds at %s an hour is %s', (seconds, rate, amount) => {
    expect(amountOf(seconds, money(rate))).toEqual(money(amount))
  })

  test.each([
    ['123450 EUR', '1,234.50 EUR', '1234.50'],
    ['5 EUR', '0.05 EUR', '0.05'],
    ['1234 JPY', '1,234 JPY', '1234'],
    ['9125 KWD', '9.125 KWD', '9.125'],
  ])('%s is written', (amount, text, number) => {
    expect(moneyText(money(amount))).toBe(text)
    expect(moneyNumber(money(amount))).toBe(number)
  })

  test('is off by at most half a minor unit, whatever the time and the rate', () => {
    const rate = integer({ min: 0, max: MAX_RATE * 1000 })
    assert(
      property(integer({ min: 0, max: 31_536_000 }), rate, (seconds, minor) => {
        const amount = amountOf(seconds, { minor, currency: 'EUR' })
        expect(Number.isSafeInteger(amount.minor)).toBe(true)
        const off = BigInt(amount.minor) * 3600n - BigInt(seconds) * BigInt(minor)
        expect(off > -1800n && off <= 1800n).toBe(true)
      }),
    )
  })

  test('is summed by currency', () => {
    expect(sumsOf([money('5 USD'), money('7 EUR'), money('1 USD')])).toEqual([
      money('7 EUR'),
      money('6 USD'),
    ])
  })
})

describe('Rates that are kept', () => {
  const PREFS = {
    'rate:category:Acme:0001-01-01': '80 EUR',
    'rate:category:Acme:2026-03-01': '95.50 EUR',
    'rate:task:site:2026-06-01': '120 USD',
    theme: 'dark',
  }
  test.each([
    ['other', 'Acme', '2026-02-28', '8000 EUR'],
    ['other', 'Acme', '2026-03-01', '9550 EUR'],
    ['other', 'ACME', '2026-03-01', '9550 EUR'],
    ['site', 'Acme', '2026-05-31', '9550 EUR'],
    ['site', 'Acme', '2026-06-01', '12000 USD'],
    ['site', null, '2026-06-01', '12000 USD'],
    ['site', null, '2026-05-31', null],
    ['other', 'Admin', '2026-06-01', null],
  ] as const)('The task %s of %s has on %s the rate %s', (taskId, category, date, rate) => {
    expect(rateOn(ratesOf(PREFS), { taskId, category }, date)).toEqual(rate && money(rate))
  })

  test.each([
    ['rate:category:Acme:2026-02-30', '95 EUR'],
    ['rate:category::2026-03-01', '95 EUR'],
    ['rate:person:Ann:2026-03-01', '95 EUR'],
    ['rate:category:Acme:2026-03-01', '95'],
    ['rate:category:Acme:2026-03-01', '-95 EUR'],
    ['rate:category:Acme:2026-03-01', '95 EUX'],
    ['rate:category:Acme:2026-03-01', '95.555 EUR'],
    ['rate:category:Acme:2026-03-01', '100000.01 EUR'],
    ['rate:category:Acme:2026-03-01', 95],
  ])('%s with %j is no rate', (key, value) => {
    expect(ratesOf({ [key]: value })).toEqual([])
  })

  const anyRate = record<Rate>({
    target: record({
      kind: constantFrom('task', 'category'),
      name: constantFrom('site', 'Acme: a:b', 'x:2026-03-01', 'Büro'),
    }),
    from: integer({ min: 0, max: 30_000 }).map((day): CalendarDate => dateOfDay(day)),
    money: record({
      minor: integer({ min: 0, max: 99_999 }),
      currency: constantFrom('EUR', 'JPY', 'KWD'),
    }),
  })

  test('are read as they were kept, and gone when they are removed', () => {
    assert(
      property(anyRate, (rate) => {
        const kept = prefsWithRate(rate, true)
        expect(ratesOf(kept)).toEqual([rate])
        expect(ratesOf({ ...kept, ...prefsWithRate(rate, false) })).toEqual([])
      }),
    )
  })

  test('of two devices are both kept', () => {
    assert(
      property(
        array(anyRate, { maxLength: 5 }),
        array(anyRate, { maxLength: 5 }),
        (here, there) => {
          const prefs = Object.assign(
            {},
            ...[...here, ...there].map((rate) => prefsWithRate(rate, true)),
          )
          const keys = new Set(Object.keys(prefs))
          expect(ratesOf(prefs).length).toBe(keys.size)
        },
      ),
    )
  })

  test('Categories are billable unless their owner says otherwise', () => {
    const prefs = { ...prefsWithCategory('Admin', false), theme: 'dark' }
    expect([...unbilledCategories(prefs)]).toEqual(['admin'])
    expect([...unbilledCategories({ ...prefs, ...prefsWithCategory('Admin', true) })]).toEqual([])
  })
})
