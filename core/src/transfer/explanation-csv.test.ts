import { expect, test } from 'vitest'
import { ALL_TIME, explain } from '#reports/explanation.ts'
import type { ReportInput } from '#reports/report-input.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { intervalOfDates } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { CSV_FORM, csvFormOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'
import { explanationCsv } from './explanation-csv.ts'

const now = Date.parse('2026-11-18T12:00:00Z')
const UTC = dayRuleOf('UTC')

const input: ReportInput = {
  entries: [
    testEntry({
      id: 'morning',
      taskId: 'gone',
      start: '2026-11-17T09:00:00Z',
      end: '2026-11-17T09:30:00Z',
    }),
    testEntry({ id: 'night', start: '2026-11-16T23:10:00Z', end: '2026-11-17T00:40:00Z' }),
  ],
  live: testEntry({ id: 'live', taskId: 'lost', start: '2026-11-18T11:59:00Z', end: now }),
  tasks: [testTask('Write'), testTask('Gone', 0, { isActive: false })],
  dayRule: UTC,
  now,
}

/** Returns the lines of the file of three days. */
function linesOf(form: CsvForm): string[] {
  const days = intervalOfDates({ from: '2026-11-17', to: '2026-11-19' }, UTC)
  return explanationCsv(explain(input, [days]), UTC, form).split('\r\n')
}

test('The explanation as CSV has a line of headings and one per session, in local time', () => {
  expect(linesOf(CSV_FORM)).toEqual([
    'Date,Task,Start,End,Counted seconds,Counted,Session seconds',
    '2026-11-18,Unknown task,2026-11-18 11:59:00,,60,0:01:00,60',
    '2026-11-17,Gone (deleted),2026-11-17 09:00:00,2026-11-17 09:30:00,1800,0:30:00,1800',
    '2026-11-16,Write,2026-11-16 23:10:00,2026-11-17 00:40:00,2400,0:40:00,5400',
    '',
  ])
})

test('The explanation as CSV has the form that is asked for', () => {
  expect(linesOf({ ...csvFormOf('de'), duration: 'hours' }).slice(0, 3)).toEqual([
    'Date;Task;Start;End;Counted seconds;Counted;Session seconds',
    '2026-11-18;Unknown task;2026-11-18 11:59:00;;60;0,0167;60',
    '2026-11-17;Gone (deleted);2026-11-17 09:00:00;2026-11-17 09:30:00;1800;0,5000;1800',
  ])
  expect(linesOf({ separator: 'tab', decimal: 'point', duration: 'seconds' })[2]).toBe(
    '2026-11-17\tGone (deleted)\t2026-11-17 09:00:00\t2026-11-17 09:30:00\t1800\t1800\t1800',
  )
})

test.each([
  ['Plan, then "do"', '"Plan, then ""do"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@import', "'@import"],
  ['-5', "'-5"],
  ['Größe 日本', 'Größe 日本'],
])('The explanation as CSV writes the name %j as %j', (name, field) => {
  const tasks = [testTask(name, 0, { id: 'write' })]
  const csv = explanationCsv(explain({ ...input, tasks }, ALL_TIME, ['write']), UTC, CSV_FORM)
  expect(csv).toContain(`\r\n2026-11-16,${field},2026-11-16 23:10:00,`)
})
