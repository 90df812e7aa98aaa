import { expect, test } from 'vitest'
import { testEntry, testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { amountsOf } from './amounts.ts'
import { moneyText } from './money.ts'
import { ratesOf } from './rates.ts'

const TASKS = [
  testTask('Write', 0, { category: 'Acme' }),
  testTask('Review', 0, { category: 'Acme' }),
  testTask('Garden', 0, { category: 'Home' }),
  testTask('Travel', 0, { category: 'Swiss' }),
]
const PREFS = {
  'rate:category:Acme:2026-01-01': '90 EUR',
  'rate:category:Acme:2026-11-03': '100 EUR',
  'rate:category:Swiss:2026-01-01': '60 CHF',
}
const MARK = 'k3f9x2/20787/write/1/1b2c/20760:3600'
const NOVEMBER = { from: '2026-11-01', to: '2026-12-01' } as const

const ENTRIES = [
  testEntry({ taskId: 'write', start: '2026-10-31T09:00Z', end: '2026-10-31T10:00Z' }),
  testEntry({ taskId: 'write', start: '2026-11-02T09:00Z', end: '2026-11-02T11:00Z' }),
  {
    ...testEntry({ taskId: 'write', start: '2026-11-03T09:00Z', end: '2026-11-03T10:30Z' }),
    invoiced: MARK,
  },
  testEntry({ taskId: 'review', start: '2026-11-03T09:00Z', end: '2026-11-03T09:20Z' }),
  {
    ...testEntry({ taskId: 'review', start: '2026-11-04T09:00Z', end: '2026-11-04T10:00Z' }),
    billable: false,
  },
  testEntry({ taskId: 'garden', start: '2026-11-05T09:00Z', end: '2026-11-05T10:00Z' }),
  testEntry({ taskId: 'travel', start: '2026-11-30T22:30Z', end: '2026-12-01T01:00Z' }),
]

test('Billable work has its amount, of which what is on no sealed timesheet is open', () => {
  const input = {
    entries: ENTRIES,
    live: null,
    tasks: TASKS,
    dayRule: dayRuleOf('UTC'),
    now: Date.parse('2026-12-02T12:00Z'),
  }
  const pricing = { rates: ratesOf(PREFS), unbilled: new Set(['home']) }
  const { tasks, all } = amountsOf(input, NOVEMBER, pricing)
  expect(
    tasks.map((row) => [
      row.taskName,
      row.seconds / 60,
      row.amounts.map(moneyText),
      row.open.map(moneyText),
    ]),
  ).toEqual([
    // A third of 100 EUR.
    ['Review', 20, ['33.33 EUR'], ['33.33 EUR']],
    ['Travel', 90, ['90.00 CHF'], ['90.00 CHF']],
    ['Write', 210, ['330.00 EUR'], ['180.00 EUR']],
  ])
  expect([all.seconds / 60, all.amounts.map(moneyText), all.open.map(moneyText)]).toEqual([
    320,
    ['90.00 CHF', '363.33 EUR'],
    ['90.00 CHF', '213.33 EUR'],
  ])
})
