import { describe, expect, test } from 'vitest'
import { exportCsv } from './entry-export.ts'
import { exportJson } from './stint-json.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { history, planned, problems, taken, ZONE } from '#test/plans.ts'
import { dayRuleOf } from '#time/day-rule.ts'

const options = { now: Date.parse('2026-06-01T12:00:00Z') }
const HEADINGS =
  '"Project","Client","Description","Task","User","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)"'

/** Returns a row of Clockify of 4 May, 09:00 to 11:00. */
function row(description: string, task: string, { tags = '', user = 'Pat' } = {}): string {
  return `"Site","Northwind","${description}","${task}","${user}","${user}@example.org","${tags}","Yes","2026-05-04","09:00:00","2026-05-04","11:00:00","02:00:00","2.00"`
}

const DRAWINGS = row('Drawings', 'Design')
const FORMS = row('Forms', 'Coding')
const NEXT_DAY =
  '"Site","Northwind","Forms","Coding","Pat","Pat@example.org","","Yes","2026-05-05","09:00:00","2026-05-05","12:00:00","03:00:00","3.00"'
const TIMESHEET = [HEADINGS, DRAWINGS, FORMS, NEXT_DAY].join('\n')

describe('rows of one file at the same time', () => {
  test('Rows with the same task and times and another note are both kept, and the plan says so', () => {
    const plan = planned(TIMESHEET, options)
    expect(taken(plan)).toEqual([
      'Site / Design: 2026-05-04 09:00:00 – 2026-05-04 11:00:00 (Drawings #Northwind)',
      'Site / Coding: 2026-05-04 09:00:00 – 2026-05-04 11:00:00 (Forms #Northwind)',
      'Site / Coding: 2026-05-05 09:00:00 – 2026-05-05 12:00:00 (Forms #Northwind)',
    ])
    expect(plan).toMatchObject({ totalSeconds: 7 * 3600, duplicates: 0, problems: [], rows: 3 })
    expect(plan.repeats).toMatchObject({ rows: 0, seconds: 0 })
    expect(plan.overlaps.each).toEqual({ sessions: 2, seconds: 2 * 3600 })
  })

  test.each([
    ['other tags', row('Drawings', 'Design', { tags: 'web' })],
    ['tags that cannot be kept', row('Drawings', 'Design', { tags: '1' })],
    ['another person', row('Drawings', 'Design', { user: 'Ann' })],
  ])('Rows that differ in %s are both kept', (_, other) => {
    const plan = planned([HEADINGS, DRAWINGS, other].join('\n'), options)
    expect(plan).toMatchObject({ totalSeconds: 4 * 3600, duplicates: 0, problems: [] })
  })

  test('A row that is the same in all of it is asked about, and kept until its owner leaves it out', () => {
    const text = [HEADINGS, DRAWINGS, FORMS, DRAWINGS].join('\n')
    const kept = planned(text, options)
    expect(kept).toMatchObject({ totalSeconds: 6 * 3600, duplicates: 0, rows: 3, problems: [] })
    expect(kept.repeats).toMatchObject({ rows: 1, seconds: 2 * 3600 })
    expect(kept.repeats.examples).toMatchObject([{ line: 4, why: 'Is the same as line 2.' }])
    const plan = planned(text, { ...options, repeats: 'leave' })
    expect(plan).toMatchObject({ totalSeconds: 4 * 3600, duplicates: 0, rows: 3 })
    expect(problems(plan)).toEqual(['4: Is the same as line 2.'])
    expect(plan.problems[0]?.text).toContain('Drawings')
    expect(plan.statement.differences).toEqual([{ kind: 'repeats', seconds: -2 * 3600, rows: 1 }])
  })
})

describe('rows that are in the record', () => {
  test('The same file adds nothing the second time, in any order of its rows', () => {
    const existing = history(planned(TIMESHEET, options))
    for (const rows of [
      [DRAWINGS, FORMS, NEXT_DAY],
      [NEXT_DAY, FORMS, DRAWINGS],
    ]) {
      const again = planned([HEADINGS, ...rows].join('\n'), { ...options, existing })
      expect(again).toMatchObject({ changes: [], tasks: [], duplicates: 3, notices: [] })
    }
  })

  test('The row that an earlier version left out is added, whichever comes first', () => {
    const { tasks, entries } = history(planned(TIMESHEET, options))
    const existing = { tasks, entries: entries.filter(({ note }) => !note?.includes('Forms')) }
    for (const rows of [
      [DRAWINGS, FORMS],
      [FORMS, DRAWINGS],
    ]) {
      const again = planned([HEADINGS, ...rows].join('\n'), { ...options, existing })
      expect(taken(again, tasks)).toEqual([
        'Site / Coding: 2026-05-04 09:00:00 – 2026-05-04 11:00:00 (Forms #Northwind)',
      ])
      expect(again.duplicates).toBe(1)
    }
  })

  test('Rows are recognised after their notes were changed', () => {
    const { tasks, entries } = history(planned(TIMESHEET, options))
    const existing = { tasks, entries: entries.map((entry) => ({ ...entry, note: 'Changed' })) }
    const again = planned(TIMESHEET, { ...options, existing })
    expect(again).toMatchObject({ changes: [], duplicates: 3 })
  })

  test('Of two sessions of Stint’s own file the one that is missing is restored', () => {
    const tasks = [testTask('Site', 0, { id: 'site' })]
    const times = { taskId: 'site', start: '2026-03-09T08:00Z', end: '2026-03-09T09:00Z' }
    const [a, b] = ['a', 'b'].map((note) => ({ ...testEntry(times), note }))
    const text = exportCsv(
      { entries: [a, b].filter((each) => each !== undefined), tasks },
      dayRuleOf('Europe/Berlin'),
    )
    for (const [kept, missing] of [
      [a, b],
      [b, a],
    ]) {
      const existing = { tasks, entries: kept ? [kept] : [] }
      const { changes } = planned(text, { existing })
      expect(changes.map(({ after }) => after.note)).toEqual([missing?.note])
    }
  })
})

test('A row of Stint’s own file at the times of another task is named with its line', () => {
  const times = { start: Date.UTC(2026, 4, 4, 9), end: Date.UTC(2026, 4, 4, 10) }
  const of = (name: string) => {
    const task = testTask(name, 0)
    return { tasks: [task], entries: [testEntry({ taskId: task.id, ...times })] }
  }
  const files = [exportCsv(of('Draft'), dayRuleOf(ZONE)), exportJson(of('Draft'), options.now)]
  const lines = files.map((text) => planned(text, { ...options, existing: of('Review') }).likely)
  expect(lines.map(({ examples }) => examples[0]?.line)).toEqual([2, 1])
})
