import { expect, test } from 'vitest'
import { hoursBalance } from '#balance/balance.ts'
import { testEntry } from '#test/entries.ts'
import { testAccount } from '#test/hours.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { balanceCsv } from './balance-csv.ts'
import { CSV_FORM } from './csv-form.ts'

test('The file has a row per day, with numbers that a spreadsheet sums', () => {
  const input = {
    entries: [testEntry({ start: '2026-11-02T09:00Z', end: '2026-11-02T17:30:01Z' })],
    live: null,
    tasks: [],
    dayRule: dayRuleOf('UTC'),
    now: Date.parse('2026-11-03T12:00Z'),
  }
  const account = testAccount(['8h Mon–Fri since 2 Nov, starting at +1h', 'sick 3 Nov am'])
  const balance = hoursBalance(input, account)
  const head =
    'Day,Period,Opening,Worked,Owed,Holidays,Days off,Corrections,Lapsed,Balance,Balance seconds'
  const file = balance && balanceCsv(balance, CSV_FORM)
  expect(file?.split('\r\n')).toEqual([
    head,
    '2026-11-02,2026-11-01,1:00:00,8:30:01,-8:00:00,0:00:00,0:00:00,0:00:00,0:00:00,1:30:01,5401',
    '2026-11-03,2026-11-01,0:00:00,0:00:00,-8:00:00,0:00:00,4:00:00,0:00:00,0:00:00,-2:29:59,-8999',
    '',
  ])
  const hours = balance && balanceCsv(balance, { ...CSV_FORM, decimal: 'comma', duration: 'hours' })
  expect(hours?.split('\r\n')[2]).toMatch(
    /^2026-11-03,2026-11-01,"0,0000","0,0000","-8,0000",.*,-8999$/,
  )
})

test('Each row has the first day of its pay period, as the account cuts it', () => {
  const input = {
    entries: [],
    live: null,
    tasks: [],
    dayRule: dayRuleOf('UTC'),
    now: Date.parse('2026-11-21T12:00Z'),
  }
  const account = testAccount([
    '8h Mon–Fri since 18 Nov',
    'pay period 20–19 since 2026',
    'pay periods 1–15 and 16–end since 21 Nov',
  ])
  const balance = hoursBalance(input, account)
  const rows = balance ? balanceCsv(balance, CSV_FORM).split('\r\n') : []
  expect(rows.slice(1, 5).map((row) => row.split(',').slice(0, 2))).toEqual([
    ['2026-11-18', '2026-10-20'],
    ['2026-11-19', '2026-10-20'],
    ['2026-11-20', '2026-11-20'],
    ['2026-11-21', '2026-11-21'],
  ])
  const biweekly = testAccount(['8h Mon–Fri since 18 Nov', 'biweekly pay periods since 6 Nov'])
  const other = hoursBalance(input, biweekly)
  expect(
    (other ? balanceCsv(other, CSV_FORM).split('\r\n') : [])
      .slice(1, 5)
      .map((row) => row.split(',').slice(0, 2)),
  ).toEqual([
    ['2026-11-18', '2026-11-06'],
    ['2026-11-19', '2026-11-06'],
    ['2026-11-20', '2026-11-20'],
    ['2026-11-21', '2026-11-20'],
  ])
})
