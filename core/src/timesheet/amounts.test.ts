import { expect, test } from 'vitest'
import { testEntry, testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { amountsOf } from './amounts.ts'
import type { Amounts } from './amounts.ts'
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

const PRICING = { rates: ratesOf(PREFS), unbilled: new Set(['home']) }

/** The timer's work, and minutes, amount and open amount of its task, then of all. */
test.for<[string, Parameters<typeof testEntry>[0], unknown, unknown]>([
  [
    'is one line with the saved work of its task and day, of which a part is invoiced',
    { taskId: 'write', start: '2026-11-03T12:00Z', end: '2026-11-03T12:00:01Z' },
    // 5,401 s at 100 EUR are 150.03, where a second alone is 0.03; 2 h at 90 EUR are 180.
    [210 + 1 / 60, ['330.03 EUR'], ['180.03 EUR']],
    [320 + 1 / 60, ['90.00 CHF', '363.36 EUR'], ['90.00 CHF', '213.36 EUR']],
  ],
  [
    'over midnight has the rate of each day',
    { taskId: 'write', start: '2026-11-02T23:00Z', end: '2026-11-03T01:00Z' },
    [330, ['520.00 EUR'], ['370.00 EUR']],
    [440, ['90.00 CHF', '553.33 EUR'], ['90.00 CHF', '403.33 EUR']],
  ],
  [
    'counts from the first day of the period on',
    { taskId: 'review', start: '2026-10-31T22:00Z', end: '2026-11-01T01:00Z' },
    [80, ['123.33 EUR'], ['123.33 EUR']],
    [380, ['90.00 CHF', '453.33 EUR'], ['90.00 CHF', '303.33 EUR']],
  ],
  [
    'of a category that is not billable has no amount',
    { taskId: 'garden', start: '2026-11-05T12:00Z', end: '2026-11-05T13:00Z' },
    undefined,
    [320, ['90.00 CHF', '363.33 EUR'], ['90.00 CHF', '213.33 EUR']],
  ],
  [
    'of a task without a rate has time and no amount',
    { taskId: 'untitled', start: '2026-11-05T12:00Z', end: '2026-11-05T13:00Z' },
    [60, [], []],
    [380, ['90.00 CHF', '363.33 EUR'], ['90.00 CHF', '213.33 EUR']],
  ],
  [
    'outside of the period does not count',
    { taskId: 'write', start: '2026-12-01T12:00Z', end: '2026-12-01T13:00Z' },
    [210, ['330.00 EUR'], ['180.00 EUR']],
    [320, ['90.00 CHF', '363.33 EUR'], ['90.00 CHF', '213.33 EUR']],
  ],
])('The running timer %s', ([, work, ofTask, ofAll]) => {
  const live = testEntry({ id: 'live', ...work })
  const input = {
    entries: ENTRIES,
    live,
    tasks: [...TASKS, testTask('Untitled', 0, { category: 'Development' })],
    dayRule: dayRuleOf('UTC'),
    now: live.endedAt,
  }
  const { tasks, all } = amountsOf(input, NOVEMBER, PRICING)
  const row = tasks.find(({ taskId }) => taskId === live.taskId)
  expect(row && shown(row)).toEqual(ofTask)
  expect(shown(all)).toEqual(ofAll)
  // It is what the report has once the timer is saved, while a device still shows it as running too.
  const saved = { ...input, entries: [...ENTRIES, live] }
  expect(amountsOf({ ...saved, live: null }, NOVEMBER, PRICING)).toEqual({ tasks, all })
  expect(amountsOf(saved, NOVEMBER, PRICING)).toEqual({ tasks, all })
})

/** Returns the minutes, the amounts and the open ones. */
function shown({ seconds, amounts, open }: Amounts): unknown[] {
  return [seconds / 60, amounts.map(moneyText), open.map(moneyText)]
}
