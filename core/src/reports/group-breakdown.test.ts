import { expect, test } from 'vitest'
import { dayRuleOf } from '#time/day-rule.ts'
import { intervalOfDates } from '#time/calendar.ts'
import type { Period } from '#time/period.ts'
import { periodDates } from '#time/period.ts'
import { explain } from './explanation.ts'
import { groupBreakdown, groupTotals } from './group-breakdown.ts'
import { barParts } from './bar-parts.ts'
import type { ReportInput } from './report-input.ts'
import { testEntry, testTask } from '#test/entries.ts'
import type { TimeEntry } from '#record/time-entry.ts'

const HOUR = 3_600_000
const MONDAY = Date.parse('2026-11-16T08:00:00Z')
const WEEK: Period = { view: 'weekly', from: '2026-11-15' }
const DAYS = [intervalOfDates(periodDates(WEEK), dayRuleOf('UTC'))]

/** A session of so many hours, from Monday 8:00 on. */
function session(hours: number, note: string | null, taskId = 'write'): TimeEntry {
  return { ...testEntry({ taskId, start: MONDAY, end: MONDAY + hours * HOUR }), note }
}

function reportOf(entries: readonly TimeEntry[], fields: Partial<ReportInput> = {}): ReportInput {
  return {
    entries,
    live: null,
    tasks: [
      testTask('Write', 0, { category: 'Design' }),
      testTask('Dig', 1, { category: 'Field' }),
    ],
    dayRule: dayRuleOf('UTC'),
    now: MONDAY + 12 * HOUR,
    ...fields,
  }
}

function shown({ rows }: ReturnType<typeof groupBreakdown>): string[] {
  return rows.map(({ name, seconds, percentLabel }) => `${name} ${seconds / 3600}h ${percentLabel}`)
}

test.each([
  ['no session', [], [], 0],
  ['one without a note', [session(1, null)], ['No tag 1h 100%'], 0],
  ['one whose note has no tag', [session(1, 'Item #1')], ['No tag 1h 100%'], 0],
  [
    'two spellings of one tag, named as written last',
    [session(1, '#acme'), session(2, 'call #Acme')],
    ['#Acme 3h 100%'],
    0,
  ],
  [
    'a session with two tags, which counts in both',
    [session(3, '#acme #call'), session(1, '#acme'), session(1, null)],
    ['#acme 4h 50%', '#call 3h 38%', 'No tag 1h 12%'],
    3,
  ],
  ['a tag twice in one note', [session(2, '#acme #ACME')], ['#acme 2h 100%'], 0],
])('By tag, %s', (_, entries, expected, countedTwice) => {
  const breakdown = groupBreakdown(reportOf(entries), WEEK, 'tag')
  expect(shown(breakdown)).toEqual(expected)
  expect(breakdown.sumSeconds - breakdown.totalSeconds).toBe(countedTwice * 3600)
  expect(breakdown.squares.filter((row) => row !== null)).toHaveLength(entries.length > 0 ? 100 : 0)
})

test('By tag, the rest counts a session once and is explained by its sessions', () => {
  const entries = [
    ...Array.from({ length: 10 }, (_, index) => session(10, `#big-${index}a`)),
    session(1, '#one #two'),
    session(2, '#two #big-0a'),
  ]
  const input = reportOf(entries)
  const { rows, rest, sumSeconds, totalSeconds } = groupBreakdown(input, WEEK, 'tag')
  expect(rows).toHaveLength(10)
  expect(rest).toMatchObject({ groups: 2, seconds: 3 * 3600 })
  expect(totalSeconds).toBe(103 * 3600)
  expect(sumSeconds).toBe(105 * 3600)
  expect(explain(input, DAYS, undefined, rest?.counted.tags).totalSeconds).toBe(3 * 3600)
  expect(explain(input, DAYS, undefined, rows[0]?.counted.tags).totalSeconds).toBe(12 * 3600)
})

test('By category, tasks count together, and missing tasks are a group of their own', () => {
  const entries = [
    session(4, null),
    session(2, null, 'dig'),
    session(1, null, 'lost'),
    session(1, null, 'blank'),
  ]
  const tasks = [...reportOf([]).tasks, testTask('Blank', 2, { category: '' })]
  const breakdown = groupBreakdown(reportOf(entries, { tasks }), WEEK, 'category')
  expect(shown(breakdown)).toEqual([
    'Design 4h 50%',
    'Field 2h 25%',
    'No category 1h 13%',
    'Unknown task 1h 12%',
  ])
  expect(breakdown.rows[0]).toMatchObject({ color: 'teal', counted: { taskIds: ['write'] } })
  expect(new Set(breakdown.rows.map(({ color }) => color)).size).toBe(4)
})

test('Spellings of one category are one group, as its newest task writes it, in the chosen colour', () => {
  const tasks = [
    testTask('Write', 0, { category: 'acme' }),
    testTask('Dig', 1, { category: 'ACMÉ' }),
  ]
  const categoryColors = new Map([['acme', 'magenta' as const]])
  const input = reportOf([session(4, null), session(2, null, 'dig')], { tasks, categoryColors })
  const { rows } = groupBreakdown(input, WEEK, 'category')
  expect(rows).toMatchObject([
    { name: 'ACMÉ', seconds: 6 * 3600, color: 'magenta', counted: { taskIds: ['write', 'dig'] } },
  ])
  expect(groupTotals(input, periodDates(WEEK), 'category')).toEqual([
    { key: 'ACMÉ', name: 'ACMÉ', seconds: 6 * 3600 },
  ])
})

test('The tasks after the ten of the breakdown are one part of each bar', () => {
  const names = Array.from({ length: 12 }, (_, index) => `T${index}`)
  const entries = names.map((name, index) => session(12 - index, null, name.toLowerCase()))
  const input = reportOf(entries, { tasks: names.map((name) => testTask(name)) })
  const monday = barParts(input, WEEK)[1] ?? []
  expect(monday).toHaveLength(11)
  expect(monday.at(-1)).toMatchObject({
    name: null,
    color: null,
    taskIds: ['t10', 't11'],
    seconds: 3 * 3600,
    percentLabel: '4%',
  })
})
