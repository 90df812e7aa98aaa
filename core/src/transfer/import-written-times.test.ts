import { describe, expect, test } from 'vitest'
import { readCsv } from '#csv.ts'
import { recogniseImport } from './entry-import.ts'
import { exportCsv } from './entry-export.ts'
import { HARVEST_CSV } from '#test/imports.ts'
import { planned, problems, taken } from '#test/plans.ts'
import { dayRuleOf } from '#time/day-rule.ts'

const options = { now: Date.parse('2026-11-28T12:00:00Z') }

const OWN_SHEET = [
  'Date,Task,From,To,Hours,Notes',
  '2026-05-04,Website,13:00,15:30,2.5,Header',
  '2026-05-04,Mail,15:30,16:00,0.5,',
  '2026-05-05,Website,10:15,11:00,0.75,',
].join('\n')

const OWN_TIMES = [
  'Website: 2026-05-04 13:00:00 – 2026-05-04 15:30:00 (Header)',
  'Mail: 2026-05-04 15:30:00 – 2026-05-04 16:00:00',
  'Website: 2026-05-05 10:15:00 – 2026-05-05 11:00:00',
]

test('A sheet of one’s own with hours and notes is no file of Harvest, and its times stay', () => {
  expect(recogniseImport(OWN_SHEET).format).toBe('columns')
  const plan = planned(OWN_SHEET, options)
  expect(taken(plan)).toEqual(OWN_TIMES)
  expect(plan).toMatchObject({ totalSeconds: 3.75 * 3600, notices: [], problems: [] })
})

test.each([
  ['Date,Client,Project,Hours', 'columns'],
  ['Date,Project,Notes,Hours,First Name,Last Name', 'columns'],
  ['Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,First Name', 'harvest'],
  ['Date,Project,Task,Notes,Hours,Invoiced?', 'harvest'],
  [HARVEST_CSV.split('\n')[0], 'harvest'],
])('The headings %s are of the format %s', (headings, format) => {
  expect(recogniseImport(`${headings}\n`).format).toBe(format)
})

test.each([
  ['From', 'To'],
  ['In', 'Out'],
  ['Von', 'Bis'],
  ['Started At', 'Ended At'],
  ['Start time', 'End time'],
])('A file of Harvest with the columns %s and %s is at these times', (from, to) => {
  const text = OWN_SHEET.replace('From,To', `${from},${to}`).replace('Notes', 'Notes,Billable?')
  expect(recogniseImport(text).format).toBe('harvest')
  expect(taken(planned(text, options))).toEqual(OWN_TIMES)
})

test('A file of Toggl with another heading for its end keeps it', () => {
  const text =
    'Email,Project,Start date,Start time,End,Duration\n' +
    'pat@example.org,Site,2026-05-04,13:00:00,15:30:00,02:15:00'
  expect(recogniseImport(text).format).toBe('toggl')
  expect(taken(planned(text, options))).toEqual(['Site: 2026-05-04 13:00:00 – 2026-05-04 15:30:00'])
})

/** Returns a line of Stint's CSV, as a person adds it. */
function added(csv: string, start: string, end: string, pauses = ''): string {
  const cells = new Map([
    ['Task', 'Read'],
    ['Start', start],
    ['End', end],
    ['Pauses', pauses],
  ])
  const [headings = []] = readCsv(csv).rows
  return `${headings.map((heading) => cells.get(heading) ?? '').join(',')}\r\n`
}

describe('a time that the clocks skipped', () => {
  const problem = 'There is no 02:30 on 29 March: clocks went forward at 02:00.'

  test('Its row is skipped with the reason, and other rows of the night are read', () => {
    const plan = planned(
      [
        'Task,Date,Start,End',
        'Deploy,2026-03-29,02:30,03:30',
        'Deploy,2026-03-29,01:30,02:30',
        'Deploy,2026-03-29,01:30,03:30',
        'Deploy,2026-03-29,03:00,04:00',
        'Deploy,2026-03-28,22:00,24:00',
      ].join('\n'),
      options,
    )
    expect(problems(plan)).toEqual([`2: ${problem}`, `3: ${problem}`])
    expect(plan.problems[0]?.text).toBe('Deploy, 2026-03-29, 02:30, 03:30')
    expect(taken(plan)).toEqual([
      'Deploy: 2026-03-29 01:30:00 – 2026-03-29 03:30:00',
      'Deploy: 2026-03-29 03:00:00 – 2026-03-29 04:00:00',
      'Deploy: 2026-03-28 22:00:00 – 2026-03-29 00:00:00',
    ])
    expect(plan.totalSeconds).toBe(4 * 3600)
  })

  test('An end that is on the next day is read there', () => {
    const headings = 'Task,Date,Start,End,Hours'
    const after = `${headings}\nDeploy,2026-03-29,23:00,02:30,3.5`
    expect(taken(planned(after, options))).toEqual([
      'Deploy: 2026-03-29 23:00:00 – 2026-03-30 02:30:00',
    ])
    // Its program has moved the end itself.
    const before = `${headings}\nDeploy,2026-03-28,22:00,02:30,4.5`
    expect(problems(planned(before, options))).toEqual([`2: ${problem}`])
  })

  test('In a zone that has the time, and with an offset, the row is read', () => {
    const text = 'Task,Start,End\nDeploy,2026-03-29 02:30,2026-03-29 03:30'
    expect(planned(text, { ...options, timeZone: 'UTC' }).totalSeconds).toBe(3600)
    const offset = 'Task,Start,End\nDeploy,2026-03-29T02:30:00+01:00,2026-03-29T04:30:00+02:00'
    expect(planned(offset, options).totalSeconds).toBe(3600)
  })

  test('A row without times is laid out over the change', () => {
    const text = 'Task,Date,Hours\nDeploy,2026-03-29,22'
    expect(planned(text, options)).toMatchObject({ totalSeconds: 22 * 3600, problems: [] })
  })

  test('A row that was added to Stint’s own file by hand is skipped with the reason', () => {
    const csv = exportCsv({ entries: [], tasks: [] }, dayRuleOf('Europe/Berlin'))
    const text =
      csv +
      added(csv, '2026-03-29 02:30', '2026-03-29 04:00') +
      added(csv, '2026-03-29 01:00', '2026-03-29 04:00', '2026-03-29 02:30/2026-03-29 03:30')
    expect(problems(planned(text, options))).toEqual([`2: ${problem}`, `3: ${problem}`])
  })
})

test('A time that the clocks showed twice, added to Stint’s own file by hand, is the first, and it is said', () => {
  const csv = exportCsv({ entries: [], tasks: [] }, dayRuleOf('Europe/Berlin'))
  const guess = csv + added(csv, '2026-10-25 01:00', '2026-10-25 02:30')
  const plan = planned(guess, options)
  expect(plan.totalSeconds).toBe(90 * 60)
  expect(plan.notices).toEqual([
    '1 session has a time that the clocks showed twice, and the first is taken. An offset such as +01:00 after the time says which.',
  ])
  const second = csv + added(csv, '2026-10-25 01:00', '2026-10-25 02:30+01:00')
  expect(planned(second, options)).toMatchObject({ totalSeconds: 150 * 60, notices: [] })
})
