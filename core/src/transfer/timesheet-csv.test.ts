import { expect, test } from 'vitest'

import { readCsv } from '#csv.ts'
import { parseFilter } from '#record/session-filter.ts'
import { findSessions } from '#reports/found-sessions.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { ratesOf } from '#timesheet/rates.ts'
import { timesheet } from '#timesheet/timesheet.ts'
import type { SheetRule } from '#timesheet/timesheet.ts'
import { CSV_FORM, csvFormOf } from './csv-form.ts'
import { timesheetCsv } from './timesheet-csv.ts'

const TASKS = [testTask('Write', 0, { category: 'Acme' }), testTask('=Review')]
const PRICING = {
  rates: ratesOf({ 'rate:category:Acme:2026-01-01': '95 EUR' }),
  unbilled: new Set<string>(),
}
const RULE: SheetRule = {
  rounding: { step: 15, direction: 'up', per: 'total' },
  pricing: PRICING,
  onlyBillable: false,
}

function sheet() {
  const entries = [
    { ...testEntry({ start: '2026-11-03T09:00Z', end: '2026-11-03T09:50Z' }), note: 'Draft; "1"' },
    {
      ...testEntry({ start: '2026-11-03T12:00Z', end: '2026-11-03T12:20Z', taskId: '=review' }),
      billable: false,
    },
    testEntry({ start: '2026-11-04T09:00Z', end: '2026-11-04T09:50Z' }),
  ]
  const context = { now: 0, dayRule: dayRuleOf('UTC') }
  const found = findSessions(parseFilter('', context), entries, TASKS)
  return timesheet(found, { from: '2026-11-01', to: '2026-12-01' }, TASKS, RULE)
}

test('The file has the lines of the sheet in its order, and its total', () => {
  const { rows } = readCsv(timesheetCsv(sheet(), { groupBy: 'task', hasAmounts: false }, CSV_FORM))
  expect(rows).toEqual([
    ['Date', 'Task', 'Note', 'Duration', 'Seconds', 'Exact', 'Exact seconds'],
    ['2026-11-03', "'=Review", '', '0:15:00', '900', '0:20:00', '1200'],
    ['2026-11-03', 'Write', 'Draft; "1"', '1:00:00', '3600', '0:50:00', '3000'],
    ['2026-11-04', 'Write', '', '0:45:00', '2700', '0:50:00', '3000'],
  ])
  expect(rows.slice(1).reduce((sum, row) => sum + Number(row[4]), 0)).toBe(sheet().seconds)
})

test('With amounts, it has them in the form of the language', () => {
  const form = { ...csvFormOf('de'), duration: 'hours' } as const
  const csv = timesheetCsv(sheet(), { groupBy: 'day', hasAmounts: true }, form)
  expect(csv.split('\r\n')).toEqual([
    'Date;Task;Note;Duration;Seconds;Exact;Exact seconds;Billable;Amount;Currency',
    '2026-11-03;Write;"Draft; ""1""";1,0000;3600;0,8333;3000;yes;95,00;EUR',
    `2026-11-03;'=Review;;0,2500;900;0,3333;1200;no;;`,
    '2026-11-04;Write;;0,7500;2700;0,8333;3000;yes;71,25;EUR',
    '',
  ])
})
