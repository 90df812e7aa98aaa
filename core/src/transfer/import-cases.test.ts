import { describe, expect, test } from 'vitest'
import { recogniseImport } from './entry-import.ts'
import { history, planned, problems, taken } from '#test/plans.ts'

/** Made-up files of the kinds that went wrong, by their name. */
const FILES: Readonly<Record<string, string>> = import.meta.glob('../test/cases/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const NOW = Date.parse('2026-11-28T12:00:00Z')

function fileOf(name: string): string {
  return FILES[`../test/cases/${name}`] ?? ''
}

/** Returns the plan of a case as lines: its sessions with their work and pause in minutes. */
function planOf(name: string, options = {}) {
  const plan = planned(fileOf(name), { now: NOW, ...options })
  return {
    plan,
    sessions: taken(plan),
    minutes: plan.changes.map(({ after }) => [
      after.durationSeconds / 60,
      after.pauses.unplacedSeconds / 60,
    ]),
  }
}

describe('rows of one file', () => {
  test('with another note or task are no repeats of each other', () => {
    const { plan, sessions } = planOf('i04-clockify-timesheet-same-start.csv')
    expect(sessions).toEqual([
      'Site / Design: 2026-05-04 09:00:00 – 2026-05-04 11:00:00 (Drawings #Northwind)',
      'Site / Coding: 2026-05-04 09:00:00 – 2026-05-04 11:00:00 (Forms #Northwind)',
      'Site / Coding: 2026-05-05 09:00:00 – 2026-05-05 12:00:00 (Forms #Northwind)',
    ])
    expect(plan).toMatchObject({ totalSeconds: 7 * 3600, duplicates: 0, problems: [] })
    expect(plan.overlaps.each).toEqual({ sessions: 2, seconds: 7200 })
  })

  test('are found in the record by their times after their task was renamed', () => {
    const { plan } = planOf('i03-clockify-dmy24.csv')
    const { tasks, entries } = history(plan)
    const renamed = tasks.map((task) => ({ ...task, name: 'Website relaunch' }))
    const again = planOf('i03-clockify-dmy24.csv', { existing: { tasks: renamed, entries } })
    expect(again.plan).toMatchObject({ changes: [], duplicates: 0, totalSeconds: 0 })
    expect(again.plan.likely).toMatchObject({ rows: 2, seconds: 8100 })
    expect(again.plan.likely.examples[0]?.why).toBe(
      'Has the times of a session of “Website relaunch”.',
    )
  })

  test('that overlap the record or each other are counted, with their time', () => {
    const { plan } = planOf('i49-overlap-existing-a.csv')
    const existing = history(plan)
    const asked = planOf('i49-overlap-existing-b.csv', { existing }).plan
    expect(asked.likely).toMatchObject({ rows: 1, seconds: 7200 })
    expect(asked.overlaps).toEqual({
      each: { sessions: 0, seconds: 0 },
      record: { sessions: 1, seconds: 1800 },
    })
    const both = planOf('i49-overlap-existing-b.csv', { existing, likely: 'take' }).plan
    expect(both.overlaps).toEqual({
      each: { sessions: 2, seconds: 1800 },
      record: { sessions: 2, seconds: 7200 },
    })
  })
})

test.each([
  [
    'i08-kimai-break.csv',
    'kimai',
    [
      'Site / Workshop: 2026-06-16 09:00:00 – 2026-06-16 17:00:00 (Day at the client #travel #onsite #Northwind)',
      'Site / Writing: 2026-06-17 09:00:00 – 2026-06-17 12:00:00 (#Northwind)',
    ],
    [
      [435, 45],
      [180, 0],
    ],
  ],
  [
    'i09-kimai-de-break.csv',
    'kimai',
    [
      'Website / Workshop: 2026-06-16 09:00:00 – 2026-06-16 17:00:00 (Tag beim Kunden #reise #Nordwind)',
      'Website / Schreiben: 2026-06-17 09:00:00 – 2026-06-17 12:00:00 (#Nordwind)',
    ],
    [
      [435, 45],
      [180, 0],
    ],
  ],
  [
    'i42-two-breaks.csv',
    'columns',
    [
      'Imported: 2026-11-16 09:00:00 – 2026-11-16 17:30:00',
      'Imported: 2026-11-17 09:00:00 – 2026-11-17 17:00:00',
    ],
    [
      [480, 30],
      [420, 60],
    ],
  ],
  [
    'i16-own-sheet-hours.csv',
    'columns',
    [
      'Website: 2026-05-04 13:00:00 – 2026-05-04 15:30:00 (Header)',
      'Mail: 2026-05-04 15:30:00 – 2026-05-04 16:00:00',
      'Website: 2026-05-05 10:15:00 – 2026-05-05 11:00:00',
    ],
    [
      [150, 0],
      [30, 0],
      [45, 0],
    ],
  ],
  [
    'i22-solidtime-detailed.csv',
    'solidtime',
    [
      'Website / Website: 2026-05-04 09:00:00 – 2026-05-04 10:30:00 (Header #web #css #Northwind)',
      'Website / Build: 2026-05-04 10:30:00 – 2026-05-04 11:00:00 (Footer #Northwind)',
      'Office: 2026-05-04 11:00:00 – 2026-05-04 11:30:00',
    ],
    [
      [90, 0],
      [30, 0],
      [30, 0],
    ],
  ],
  [
    'i12-jira-durations.csv',
    'columns',
    [
      'OPS-12: 2026-03-09 09:00:00 – 2026-03-09 19:00:00',
      'OPS-12: 2026-03-10 09:00:00 – 2026-03-10 10:30:00',
      'OPS-12: 2026-03-11 09:00:00 – 2026-03-11 21:30:00',
      'OPS-12: 2026-03-12 09:00:00 – 2026-03-12 09:06:00',
      'OPS-12: 2026-03-13 09:00:00 – 2026-03-13 09:30:00',
      'OPS-12: 2026-03-14 09:00:00 – 2026-03-14 10:30:00',
      'OPS-12: 2026-03-16 09:00:00 – 2026-03-16 10:30:00',
    ],
    [
      [600, 0],
      [90, 0],
      [750, 0],
      [6, 0],
      [30, 0],
      [90, 0],
      [90, 0],
    ],
  ],
  [
    'i10-zone-abbreviation.csv',
    'columns',
    [
      'Call: 2026-02-06 10:00:00 – 2026-02-06 11:00:00',
      'Call: 2026-07-06 10:00:00 – 2026-07-06 11:30:00',
      'Call: 2026-07-07 16:00:00 – 2026-07-07 17:00:00',
    ],
    [
      [60, 0],
      [90, 0],
      [60, 0],
    ],
  ],
  [
    'i13-iso-offset.csv',
    'columns',
    [
      'Call: 2026-03-09 09:30:00 – 2026-03-09 10:30:00',
      'Call: 2026-03-10 10:30:00 – 2026-03-10 11:30:00',
      'Call: 2026-03-11 09:30:00 – 2026-03-11 10:00:00',
      'Call: 2026-03-12 09:30:00 – 2026-03-12 10:30:00',
    ],
    [
      [60, 0],
      [60, 0],
      [30, 0],
      [60, 0],
    ],
  ],
  [
    'i11-jira-ddmmmyy.csv',
    'tempo',
    [
      'OPS-12: 2026-03-09 09:30:00 – 2026-03-09 11:00:00 (Renew certificates – checked chain)',
      'OPS-13: 2026-03-10 14:00:00 – 2026-03-10 14:15:00 (Move mail)',
    ],
    [
      [90, 0],
      [15, 0],
    ],
  ],
  [
    'i25-months-de.csv',
    'columns',
    [
      'Büro: 2026-03-09 09:00:00 – 2026-03-09 10:00:00',
      'Büro: 2026-05-12 09:00:00 – 2026-05-12 10:00:00',
      'Büro: 2026-10-03 09:00:00 – 2026-10-03 10:00:00',
    ],
    [
      [60, 0],
      [60, 0],
      [60, 0],
    ],
  ],
  [
    'i26-months-fr.csv',
    'columns',
    [
      'Bureau: 2026-03-09 09:00:00 – 2026-03-09 10:30:00',
      'Bureau: 2026-02-12 09:00:00 – 2026-02-12 10:00:00',
    ],
    [
      [90, 0],
      [60, 0],
    ],
  ],
  [
    'i17-ampm.csv',
    'columns',
    [
      'Noon: 2026-08-14 11:45:00 – 2026-08-14 12:48:22',
      'Midnight: 2026-08-14 00:05:00 – 2026-08-14 00:48:22',
      'Short: 2026-08-15 09:00:00 – 2026-08-15 10:00:00',
      'Nospace: 2026-08-15 14:00:00 – 2026-08-15 15:15:00',
      'Spanish: 2026-08-16 09:30:00 – 2026-08-16 13:15:00',
    ],
    [
      [3802 / 60, 0],
      [2602 / 60, 0],
      [60, 0],
      [75, 0],
      [225, 0],
    ],
  ],
  [
    'i30-tag-heading.csv',
    'columns',
    [
      'call: 2026-03-09 09:00:00 – 2026-03-09 10:00:00 (#northwind)',
      'Imported: 2026-03-09 10:00:00 – 2026-03-09 11:00:00 (#home)',
    ],
    [
      [60, 0],
      [60, 0],
    ],
  ],
  [
    'i21-org-clock.csv',
    'org-clock-csv',
    [
      'writing / Book: 2026-03-09 09:30:00 – 2026-03-09 11:00:00 (Draft #deep)',
      'writing / Book: 2026-03-09 11:00:00 – 2026-03-09 11:20:00 (Fix)',
    ],
    [
      [90, 0],
      [20, 0],
    ],
  ],
  [
    'i23-timezone-column.csv',
    'columns',
    [
      'Call: 2026-07-06 16:00:00 – 2026-07-06 17:00:00',
      'Call: 2026-07-07 04:00:00 – 2026-07-07 05:00:00',
    ],
    [
      [60, 0],
      [60, 0],
    ],
  ],
  [
    'i28-excel-serial.csv',
    'columns',
    ['Office: 2026-03-09 09:00:00 – 2026-03-09 10:30:00'],
    [[90, 0]],
  ],
  [
    'i05-simpletimetracker.csv',
    'simple-time-tracker',
    [
      'Music / Piano: 2026-03-12 12:43:33 – 2026-03-12 17:58:19 (scales, "slow" #home #daily)',
      'Music / Piano: 2026-03-12 18:18:03 – 2026-03-12 18:42:08',
    ],
    [
      [18_886 / 60, 0],
      [1445 / 60, 0],
    ],
  ],
  [
    'i14-timew-export.json',
    'timewarrior',
    ['Northwind: 2026-03-09 09:30:00 – 2026-03-09 10:30:00 (#call)'],
    [[60, 0]],
  ],
  [
    'i48-harvest-mixed.csv',
    'harvest',
    [
      'Site / Design: 2026-11-16 09:00:00 – 2026-11-16 10:30:00 (Draw #Northwind)',
      'Mail / Admin: 2026-11-16 10:30:00 – 2026-11-16 11:00:00 (#Northwind)',
    ],
    [
      [90, 0],
      [30, 0],
    ],
  ],
  [
    'i44-harvest-same-day-order.csv',
    'harvest',
    [
      'Site / Design: 2026-11-16 09:00:00 – 2026-11-16 10:30:00 (Draw #Northwind)',
      'Site / Design: 2026-11-16 10:30:00 – 2026-11-16 11:00:00 (Draw more #Northwind)',
    ],
    [
      [90, 0],
      [30, 0],
    ],
  ],
])('The sessions of %s are those of the file, as %s', (name, format, sessions, minutes) => {
  expect(recogniseImport(fileOf(name))).toMatchObject({ format, why: null })
  const read = planOf(name)
  expect(read.sessions).toEqual(sessions)
  expect(read.minutes).toEqual(minutes)
  const { statedSeconds, countedSeconds, differences } = read.plan.statement
  const named = differences.reduce((sum, { seconds }) => sum + seconds, 0)
  expect(countedSeconds).toBe(statedSeconds + named)
})

test('What a case cannot import is listed with its reason', () => {
  expect(problems(planOf('i44-harvest-same-day-order.csv').plan)).toEqual([
    '4: 25h 0m do not fit into the free time of the day: 22h 0m are left.',
  ])
  expect(problems(planOf('i14-timew-export.json').plan)).toEqual([
    '2: Has no end: it may still be running.',
  ])
  expect(planOf('i21-org-clock.csv').plan.notices).toEqual([])
  expect(planOf('i12-jira-durations.csv').plan.notices).toContain(
    'A day (d) counts 8 hours and a week (w) 5 days, as in Jira.',
  )
})

test('A row that does not fit into its day is told what the other rows leave', () => {
  const plan = planned('Date,Project,Hours\n2026-03-09,Web,1.5\n2026-03-09,Mail,23.25')
  expect(problems(plan)).toEqual([
    '3: 23h 15m do not fit into the free time of the day: 22h 30m are left.',
  ])
})
