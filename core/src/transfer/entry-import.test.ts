import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportCsv, exportDaysCsv } from './entry-export.ts'
import { exportJson } from './stint-json.ts'
import { recogniseImport } from './entry-import.ts'
import type { ImportOptions } from './entry-import.ts'
import { TABLE_FORMATS, TEXT_FORMATS } from './formats/list.ts'
import { CATEGORY_SOURCES, noteWithTags } from './import-table.ts'
import { NOTE_MAX_LENGTH } from '#record/entry-edit.ts'
import { asTag, tagKey, tagsOf } from '#record/tags.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { FORMAT_FILES } from '#test/format-files.ts'
import { history, NOW, planned, problems, taken, ZONE } from '#test/plans.ts'
import {
  CLOCKIFY_24_CSV,
  CLOCKIFY_CSV,
  GERMAN_CSV,
  HARVEST_COMMA_CSV,
  HARVEST_CSV,
  TOGGL_CSV,
  TOGGL_STOP_CSV,
} from '#test/imports.ts'
import { NEW_ENTRY } from '#record/time-entry.ts'

function table(...dates: string[]): string {
  return ['Date,Hours,Task', ...dates.map((date) => `${date},1,A`)].join('\n')
}

/** Returns a table with one entry. */
function oneRow(start: string, end: string, duration: string): string {
  return `Date,Start,End,Duration,Task\n${start},${end},${duration},A`
}

test.each([
  [TOGGL_CSV, 'toggl'],
  [TOGGL_STOP_CSV, 'toggl'],
  [CLOCKIFY_CSV, 'clockify'],
  [CLOCKIFY_24_CSV, 'clockify'],
  [HARVEST_CSV, 'harvest'],
  [HARVEST_COMMA_CSV, 'harvest'],
  [GERMAN_CSV, 'columns'],
  [exportCsv({ entries: [], tasks: [] }, dayRuleOf(ZONE)), 'stint-csv'],
  [exportJson({ entries: [], tasks: [] }, NOW), 'stint-json'],
  ['a,b\n1,2', 'columns'],
])('The format of a file is recognised: %.40s', (text, format) => {
  expect(recogniseImport(text)).toMatchObject({ format, why: null })
})

test('A table is recognised with its first rows and a guess at its columns', () => {
  expect(recogniseImport(GERMAN_CSV)).toEqual({
    format: 'columns',
    label: 'Other table',
    firstRows: GERMAN_CSV.split('\r\n').map((line) => line.split(';')),
    mapping: {
      hasHeadings: true,
      project: 3,
      task: null,
      details: null,
      note: 4,
      tags: null,
      client: null,
      category: null,
      kind: null,
      date: 0,
      start: 1,
      endDate: null,
      end: 2,
      duration: null,
      zone: null,
      person: [],
      pause: null,
      secondPause: null,
      pauseStart: null,
      pauseEnd: null,
      durationUnit: null,
    },
    why: null,
  })
})

test.each([
  ['', 'The file is empty.'],
  ['\uFEFF\r\n ', 'The file is empty.'],
  ['PK\u0003\u0004\u0014', 'The file is a spreadsheet or an archive. Save it as CSV first.'],
  ['%PDF-1.7', 'The file is a PDF. Export it as CSV instead.'],
  ['D\0a\0t\0e\0', 'This file isn’t UTF-8 text. Save it as CSV in UTF-8 first.'],
  [
    '<!DOCTYPE html><html>',
    'The file is a web page or XML. Export CSV or tab-separated text instead.',
  ],
  ['[{"description":"x"}]', 'The file isn’t a table: it has one column.'],
  ['{"description":"x"}', 'This JSON isn’t a list of sessions. Export CSV instead.'],
  ['just words', 'The file isn’t a table: it has one column.'],
  [
    exportDaysCsv({ entries: [], tasks: [] }, dayRuleOf(ZONE)),
    'The file has sessions divided by day. Import the CSV or JSON export instead.',
  ],
])('A file that cannot be imported is recognised as what it is: %j', (text, why) => {
  expect(recogniseImport(text)).toMatchObject({ format: 'unknown', why })
  expect(planned(text)).toMatchObject({ rows: 0, problems: [{ line: 1, why }], changes: [] })
})

test('An import from Toggl names tasks after tasks, projects or descriptions, whichever is there first', () => {
  const plan = planned(TOGGL_CSV)
  expect(taken(plan)).toEqual([
    'Website / Design: 2026-03-09 09:00:00 – 2026-03-09 10:30:00 (Header, first draft #web #draft #Acme)',
    'Website / Website: 2026-03-09 23:15:00 – 2026-03-10 00:45:10 (#Acme)',
    'Read "Peopleware": 2026-03-10 08:00:00 – 2026-03-10 08:20:00',
    'Imported: 2026-03-10 12:00:00 – 2026-03-10 12:05:00',
  ])
  expect(plan).toMatchObject({ rows: 4, duplicates: 0, problems: [], notices: [] })
  const shown = plan.totals.map(({ category, name, entries, seconds }) => [
    `${category} / ${name}`,
    entries,
    seconds,
  ])
  expect(shown).toEqual([
    ['Website / Website', 1, 5410],
    ['Website / Design', 1, 5400],
    ['Development / Read "Peopleware"', 1, 1200],
    ['Development / Imported', 1, 300],
  ])
  expect(plan.totals.every(({ isNew }) => isNew)).toBe(true)
  expect(plan.totalSeconds).toBe(12_310)
  expect(plan.changes[0]).toEqual({
    before: null,
    after: {
      ...NEW_ENTRY,
      id: 'new-2',
      taskId: 'new-1',
      startedAt: Date.parse('2026-03-09T08:00:00Z'),
      endedAt: Date.parse('2026-03-09T09:30:00Z'),
      durationSeconds: 5400,
      entryType: 'import',
      note: 'Header, first draft #web #draft #Acme',
      createdAt: NOW,
      updatedAt: NOW,
    },
  })
})

test('An import from Toggl uses times, not rounded durations, and reports a running timer', () => {
  const plan = planned(TOGGL_STOP_CSV)
  expect(taken(plan)).toEqual([
    'Plan: 2026-03-09 09:00:00 – 2026-03-09 09:52:30',
    'Website: 2026-03-09 10:00:00 – 2026-03-09 10:30:00 (#web)',
  ])
  expect(problems(plan)).toEqual(['4: Has no end: it may still be running.'])
  expect(plan.notices).toEqual([
    '1 session has a duration that doesn’t match its times. Times win.',
  ])
})

test('An import from Toggl reports a file with the work of several people', () => {
  const two = TOGGL_CSV.replace('Ada,ada@', 'Bob,bob@')
  expect(planned(two).notices).toEqual(['Contains time of 2 people. All will be imported.'])
})

test('An import from Clockify reads a 12-hour clock and the month first', () => {
  const plan = planned(CLOCKIFY_CSV)
  expect(taken(plan)).toEqual([
    'Website / Design: 2026-03-09 09:00:00 – 2026-03-09 10:30:00 (Header #Acme)',
    'Website / Website: 2026-03-15 23:15:00 – 2026-03-16 00:45:10 (#deep-work #Büro #Acme)',
    'Reading: 2026-03-16 12:00:00 – 2026-03-16 12:20:00 (#reading)',
  ])
  expect(plan).toMatchObject({ dateOrder: 'mdy', isDateOrderAmbiguous: false, problems: [] })
})

test('An import from Clockify reads a 24-hour clock, the day first and a break', () => {
  const plan = planned(CLOCKIFY_24_CSV)
  expect(taken(plan)).toEqual([
    'Website / Design: 2026-02-19 15:00:00 – 2026-02-19 18:00:00 (Header)',
    'Website / Website: 2026-02-20 09:00:00 – 2026-02-20 09:00:40 (Call)',
  ])
  expect(problems(plan)).toEqual(['3: A break, not imported.'])
  expect(plan).toMatchObject({ dateOrder: 'dmy', isDateOrderAmbiguous: false, rows: 3 })
})

test('An import from Harvest without times lays entries out from 09:00', () => {
  const plan = planned(HARVEST_CSV)
  expect(taken(plan)).toEqual([
    'Website / Design: 2026-03-09 09:00:00 – 2026-03-09 10:30:00 (Header, first draft #Acme)',
    'Website / Development: 2026-03-09 10:30:00 – 2026-03-09 10:49:48 (#Acme)',
    'Office / Admin: 2026-03-10 09:00:00 – 2026-03-10 12:00:00 (Mail #Acme)',
  ])
  expect(plan.notices).toEqual([
    '3 sessions have no times and are placed in the free time of their day, from 09:00.',
  ])
})

test('An import from Harvest begins earlier if the work does not fit into the rest of the day', () => {
  expect(taken(planned(HARVEST_COMMA_CSV))).toEqual([
    'Website / Design: 2026-03-09 07:44:24 – 2026-03-09 23:59:24',
    'Website / Design: 2026-03-09 23:59:24 – 2026-03-10 00:00:00',
  ])
})

test('An import from Harvest uses times if the account has them', () => {
  const text =
    'Date,Project,Notes,Hours,Billable?,Started At,Ended At\n' +
    '9/3/2026,Website,,1.5,Yes,9:00am,10:30am\n13/3/2026,Website,,0.75,Yes,11:30pm,12:15am'
  expect(taken(planned(text))).toEqual([
    'Website: 2026-03-09 09:00:00 – 2026-03-09 10:30:00',
    'Website: 2026-03-13 23:30:00 – 2026-03-14 00:15:00',
  ])
})

test('Any other table is read by the guessed columns', () => {
  const plan = planned(GERMAN_CSV)
  expect(taken(plan)).toEqual([
    'Website: 2026-03-09 09:00:00 – 2026-03-09 10:30:00 (Entwurf)',
    'Büro: 2026-03-13 14:15:00 – 2026-03-13 15:00:00',
  ])
})

test('Any other table is read by the columns that its owner maps', () => {
  const text = '2026-03-09T09:00:00Z;90;x;Admin;Write\n2026-03-09 12:00;45,5;y;;Write'
  const mapping = {
    hasHeadings: false,
    project: null,
    task: 4,
    details: null,
    note: 2,
    tags: null,
    client: null,
    category: 3,
    kind: null,
    date: null,
    start: 0,
    endDate: null,
    end: null,
    duration: 1,
    zone: null,
    person: [],
    pause: null,
    secondPause: null,
    pauseStart: null,
    pauseEnd: null,
    durationUnit: 'minutes',
  } as const
  const plan = planned(text, { mapping })
  expect(taken(plan)).toEqual([
    'Admin / Write: 2026-03-09 10:00:00 – 2026-03-09 11:30:00 (x)',
    'Admin / Write: 2026-03-09 12:00:00 – 2026-03-09 12:45:30 (y)',
  ])
  expect(plan.tasks).toMatchObject([{ name: 'Write', category: 'Admin' }])
  expect(recogniseImport(text).mapping?.hasHeadings).toBe(false)
})

test.each([
  ['Start,End,Task\n2026-03-09 09:00,2026-03-09 10:00,A', '09:00:00 – 2026-03-09 10:00:00'],
  ['Start,End,Task\n"Mar 9, 2026 9:00 AM","Mar 9, 2026 1:00 PM",A', '09:00:00 – 2026-03-09 13:0'],
  ['Date,Hours,Task\n9 Mar 2026,2:30,A', '09:00:00 – 2026-03-09 11:30:00'],
  ['Date,Minutes,Task\n2026/3/9,90,A', '09:00:00 – 2026-03-09 10:30:00'],
  ['Day,Duration (seconds),Task\n2026-03-09,90,A', '09:00:00 – 2026-03-09 09:01:30'],
  ['Date,Time,Task\n2026-03-09,1h 15m,A', '09:00:00 – 2026-03-09 10:15:00'],
  ['Date,Start,Duration,Task\n2026-03-09,8:00,1.5,A', '08:00:00 – 2026-03-09 09:30:00'],
  ['Date,Start,End,Duration,Task\n2026-03-09,23:30,0:15,0:45,A', '23:30:00 – 2026-03-10 00:15'],
  ['Start,End,Task\n2026-03-09T08:00:00.250Z,2026-03-09T09:00:00+00:00,A', '09:00:00 – 2026-03-'],
])('The cell %j of any other table is read', (text, expected) => {
  const [first = ''] = taken(planned(text))
  expect(first.slice('A: 2026-03-09 '.length)).toContain(expected)
})

test.each([
  [['03/04/2025', '13/04/2025'], 'dmy', false, '2025-04-03'],
  [['03/04/2025', '03/14/2025'], 'mdy', false, '2025-03-04'],
  [['03/04/2025', '04/03/2025'], 'mdy', true, '2025-03-04'],
  [['03.04.2025', '04.03.2025'], 'dmy', true, '2025-04-03'],
  // Now is 20 March: nothing was worked in April or later.
  [['03/04/2026', '02/03/2026'], 'mdy', false, '2026-03-04'],
  [['04/03/2026', '03/02/2026'], 'dmy', false, '2026-03-04'],
  [['03/03/2026'], 'mdy', false, '2026-03-03'],
  [['2026-03-04'], 'ymd', false, '2026-03-04'],
])('The order of day and month of %j is %s', (dates, dateOrder, isDateOrderAmbiguous, first) => {
  const plan = planned(table(...dates))
  expect(plan).toMatchObject({ dateOrder, isDateOrderAmbiguous })
  expect(taken(plan)[0]).toContain(first)
  expect(plan.notices.some((notice) => notice.startsWith('Dates'))).toBe(isDateOrderAmbiguous)
})

test('The order of day and month is the one that the owner chooses', () => {
  const plan = planned(table('03/04/2025'), { dateOrder: 'dmy' })
  expect(taken(plan)[0]).toContain('2025-04-03')
  expect(plan.isDateOrderAmbiguous).toBe(false)
})

test('An import counts elapsed time where the clocks change', () => {
  const plan = planned(oneRow('2025-10-26,01:00', '04:00', '4:00'))
  expect(plan).toMatchObject({ totalSeconds: 4 * 3600, notices: [] })
})

test('An import reads a repeated end time as the second one if the duration requires it', () => {
  expect(planned(oneRow('2025-10-26,01:30', '02:30', '2:00')).totalSeconds).toBe(7200)
  expect(planned(oneRow('2025-10-26,01:30', '02:30', '1:00')).totalSeconds).toBe(3600)
})

/** Returns a file of Toggl with one entry. */
function toggl(client: string, project: string, description: string, tags: string): string {
  return (
    'Client,Project,Description,Start date,Start time,End date,End time,Tags\n' +
    `"${client}","${project}","${description}",2026-03-09,09:00:00,2026-03-09,10:00:00,"${tags}"`
  )
}

/** Returns a row of a file of Toggl, of an hour that begins so many hours after 10:00. */
function row(client: string, project: string, task: string, hour: number): string {
  const at = `2026-03-09,${10 + hour}:00:00,2026-03-09,${11 + hour}:00:00`
  return `${client},${project},${task},Note,${at},\n`
}

/** Returns the note of the first entry. */
function noteOf(text: string): string | null | undefined {
  return planned(text).changes[0]?.after.note
}

describe('What becomes the category', () => {
  const HEAD = 'Client,Project,Task,Description,Start date,Start time,End date,End time,Tags\n'
  const FILE =
    HEAD +
    row('Acme', 'Website', 'Design', 0) +
    row('Acme', 'Website', '', 1) +
    row('Acme', 'App', 'Design', 2) +
    row('Beta', 'Talks', '', 3)

  /** Returns 'Website / Design: Note #Acme' for each session. */
  function names(options: Partial<ImportOptions> = {}, text = FILE): string[] {
    const plan = planned(text, options)
    const known = [...(options.existing?.tasks ?? []), ...plan.tasks]
    return plan.changes.map(({ after }) => {
      const task = known.find(({ id }) => id === after.taskId)
      return `${task?.category} / ${task?.name}: ${after.note}`
    })
  }

  test('is a project that has tasks in the file, and two tasks of one name stay two', () => {
    expect(names()).toEqual([
      'Website / Design: Note #Acme',
      'Website / Website: Note #Acme',
      'App / Design: Note #Acme',
      'Development / Talks: Note #Beta',
    ])
    const plan = planned(FILE)
    expect(plan.categorySources).toEqual(['project', 'client'])
    expect(plan.totals.map(({ category, name, isNew }) => [category, name, isNew])).toContainEqual([
      'App',
      'Design',
      true,
    ])
  })

  test('can be the client, or nothing, with the same total', () => {
    expect(names({ categoryFrom: 'client' })).toEqual([
      'Acme / Website: Design – Note',
      'Acme / Website: Note',
      'Acme / App: Design – Note',
      'Beta / Talks: Note',
    ])
    expect(names({ categoryFrom: 'none' })).toEqual([
      'Development / Website: Design – Note #Acme',
      'Development / Website: Note #Acme',
      'Development / App: Design – Note #Acme',
      'Development / Talks: Note #Beta',
    ])
    for (const categoryFrom of CATEGORY_SOURCES) {
      expect(planned(FILE, { categoryFrom }).totalSeconds).toBe(4 * 3600)
    }
  })

  test('is where the record has the task, in its spelling, and nothing is imported twice', () => {
    const tasks = [
      testTask('Design', 0, { id: 'other' }),
      testTask('DESIGN', 1, { id: 'own', category: 'WEBSITE' }),
    ]
    const existing = { tasks, entries: [] }
    expect(names({ existing })[0]).toBe('WEBSITE / DESIGN: Note #Acme')
    const plan = planned(FILE, { existing })
    const again = planned(FILE, { existing: history(plan, tasks) })
    expect(again).toMatchObject({ changes: [], tasks: [], duplicates: 4 })
  })

  test('gives new tasks its colour, the chosen one if there is one', () => {
    const { tasks } = planned(FILE, { categoryColors: new Map([['website', 'magenta']]) })
    const colors = tasks.map(({ category, name, color }) => `${category} / ${name} ${color}`)
    expect(colors).toContain('Website / Design bg-magenta-500')
    expect(colors).toContain('Development / Talks bg-blue-500')
  })

  test('is a column of its own in any other table', () => {
    const text =
      'Project,Task,Category,Start,End\nSite,Design,Acme,2026-03-09 09:00,2026-03-09 10:00'
    expect(names({}, text)).toEqual(['Acme / Site: Design'])
    expect(names({}, text.replace('Category', 'Client'))).toEqual(['Site / Design: #Acme'])
  })
})

describe('tags of other products', () => {
  test.for([
    ['a list', toggl('', 'Website', 'Header', 'web, draft'), 'Header #web #draft'],
    ['no tags', toggl('', 'Website', 'Header', ''), 'Header'],
    ['empty names in the list', toggl('', 'Website', 'Header', ', a,, '), 'Header #a'],
    ['tags and no description', toggl('', 'Website', '', 'a, b'), '#a #b'],
    ['the missing values of Toggl', toggl('-', 'Website', '-', '-'), null],
    [
      'names with spaces',
      toggl('Acme & Sons', 'Website', '', 'deep work'),
      '#deep-work #Acme-Sons',
    ],
    ['an emoji', toggl('', 'Website', '', '❤️ Health, 1️⃣ first'), '#Health #1-first'],
    ['a tag twice, in two cases', toggl('', 'Website', '', 'a, A'), '#a'],
    ['a tag that the description has', toggl('', 'Website', 'Call #Ann', 'ann, b'), 'Call #Ann #b'],
    ['a tag called as the client', toggl('Acme', 'Website', '', 'acme'), '#acme'],
    ['a client called as the project', toggl('Acme', 'Acme', 'Call', ''), 'Call'],
    ['a client without a project', toggl('Acme', '', 'Call', 'a'), '#a #Acme'],
  ] as const)('An import reads %s', ([, text, note]) => {
    expect(noteOf(text)).toBe(note)
    expect(planned(text).notices).toEqual([])
  })

  test('The column of tags of any other table is guessed and read', () => {
    const text = 'Task,Note,Tags,Start,End\nWrite,Draft,"a, b c",2026-03-09 09:00,2026-03-09 10:00'
    expect(recogniseImport(text).mapping).toMatchObject({ tags: 2 })
    expect(noteOf(text)).toBe('Draft #a #b-c')
  })

  test('Tags that cannot be taken are left out, with a notice', () => {
    const left = '1 session has a tag that is left out: it has no letter, or the note has no room.'
    const number = toggl('', 'Website', 'Header', '2026, a')
    expect(noteOf(number)).toBe('Header #a')
    expect(planned(number).notices).toEqual([left])
    const long = toggl('', 'Website', 'x'.repeat(1995), 'abcd, abc')
    expect(noteOf(long)).toBe(`${'x'.repeat(1995)} #abc`)
    expect(planned(long).notices).toEqual([left])
  })

  test('A tag of a description that is too long is not cut', () => {
    const note = `${'x'.repeat(1995)} #long-tag`
    expect(noteOf(toggl('', 'Website', note, 'a'))).toBe(`${'x'.repeat(1995)} #a`)
  })

  test('A note has no other tags than those of the file, each whole, and no more than it may hold', () => {
    const word = fc.oneof(
      fc.constantFrom('#acme', '#a', '#', 'x', '#long-tag-of-a-note'),
      fc.string(),
    )
    const anyNote = fc
      .tuple(fc.array(word), fc.integer({ min: 0, max: 2010 }))
      .map(([words, before]) => `${'x'.repeat(before)} ${words.join(' ')}`)
    fc.assert(
      fc.property(anyNote, fc.array(word), (note, names) => {
        const { note: tagged, lacksTags } = noteWithTags({ note, tags: names })
        const fromFile = [...tagsOf(note), ...names.flatMap((name) => asTag(name) ?? [])]
        expect((tagged ?? '').length).toBeLessThanOrEqual(NOTE_MAX_LENGTH)
        expect(fromFile.map(tagKey)).toEqual(expect.arrayContaining(tagsOf(tagged).map(tagKey)))
        if (lacksTags || note.length > NOTE_MAX_LENGTH) return
        expect(tagsOf(tagged).map(tagKey)).toEqual([...new Set(fromFile.map(tagKey))])
        expect(tagged?.startsWith(note.trimEnd())).toBe(true)
      }),
    )
  })
})

describe('broken files', () => {
  const headings = 'Date,Start,End,Duration,Task'
  const rows = (...lines: string[]) => [headings, ...lines].join('\n')
  const good = '2026-03-09,09:00,10:00,1:00,Good'

  test.each([
    ['half a row', rows(good, '2026-03-09,09:00'), ['3: Has 2 columns instead of 5.']],
    ['half a word', rows(good, '2026-0'), ['3: Has 1 column instead of 5.']],
    ['no date', rows(good, ',09:00,10:00,1:00,A'), ['3: Has no date.']],
    [
      'a date that is none',
      rows(good, '2026-02-30,9:00,10:00,1:00,A'),
      ['3: Column Date: “2026-02-30” isn’t a date. Write it as 2026-03-09.'],
    ],
    [
      'words for a date',
      rows(good, 'soon,9:00,10:00,1:00,A'),
      ['3: Column Date: “soon” isn’t a date. Write it as 2026-03-09.'],
    ],
    [
      'a time that is none',
      rows(good, '2026-03-09,25:00,26:00,1:00,A'),
      ['3: Column Start: “25:00” isn’t a time. Write it as 09:30.'],
    ],
    [
      'an end that is none',
      rows(good, '2026-03-09,9:00,x,1:00,A'),
      ['3: Column End: “x” isn’t a time. Write it as 09:30.'],
    ],
    [
      'an end before the start',
      rows(good, '2026-03-09,9:00,8:00,1:00,A'),
      ['3: Ends before it starts.'],
    ],
    [
      'the same without a duration, which would be nearly a day',
      rows(good, '2026-03-09,10:00,9:55,,A'),
      ['3: Ends before it starts.'],
    ],
    [
      'no length',
      rows(good, '2026-03-09,9:00,9:00,1:00,A'),
      ['3: Has no time: it starts and ends at once.'],
    ],
    [
      'a duration below zero',
      rows(good, '2026-03-09,,,-2000:00,A'),
      ['3: Its duration is below zero.'],
    ],
    [
      'an absurd duration',
      rows(good, '2026-03-09,,,99999:00,A'),
      ['3: Lasts longer than 31 days.'],
    ],
    [
      'a duration that is none',
      rows(good, '2026-03-09,,,long,A'),
      ['3: Column Duration: “long” isn’t a duration. Write it as 1:30 or 1h 30m.'],
    ],
    [
      'a duration of zero',
      rows(good, '2026-03-09,,,0,A'),
      ['3: Has no time: its duration is zero.'],
    ],
    ['a day alone', rows(good, '2026-03-09,,,,A'), ['3: Has neither times nor a duration.']],
    [
      'a start alone',
      rows(good, '2026-03-09,9:00,,,A'),
      ['3: Has no end: it may still be running.'],
    ],
    ['work to come', rows(good, '2026-03-20,12:00,14:00,,A'), ['3: Lies in the future.']],
    ['a day to come', rows(good, '2027-01-01,,,1:00,A'), ['3: Lies in the future.']],
    [
      'a quote never closed',
      rows(good, '2026-03-09,11:00,12:00,1:00,"A', '2026-03-09,12:00,x,1:00,A'),
      [
        '3: A quotation mark is opened here and never closed.',
        '4: Column End: “x” isn’t a time. Write it as 09:30.',
      ],
    ],
    [
      'rows run together by a quote',
      rows(good, '"2026-03-09,9:00,10:00,1:00,A', '2026-03-09,9:00,10:00,1:00,"A"'),
      ['3: Has 1 column instead of 5. A quotation mark may be missing: it goes on to line 4.'],
    ],
    ['a line of totals', rows(good, 'Total,,,1:00,'), []],
    [
      'commas too many',
      rows(good, 'x,2026-03-09,09:00,10:00,1:00,A,B'),
      ['3: Has 7 columns instead of 5.'],
    ],
    [
      'Latin characters broken',
      rows(good, '2026-03-09,9:00,1\uFFFD:00,1:00,A'),
      ['3: Column End: “1\uFFFD:00” isn’t a time. Write it as 09:30.'],
    ],
  ])('The rest of a broken file is taken: with %s', (_, text, expected) => {
    const plan = planned(text)
    expect(problems(plan)).toEqual(expected)
    expect(taken(plan)[0]).toBe('Good: 2026-03-09 09:00:00 – 2026-03-09 10:00:00')
    expect(plan.problems.every((problem) => problem.text !== '')).toBe(true)
  })

  test.each([
    ['headings alone', `${headings}\n`, []],
    [
      'no columns of use',
      'Colour,Taste\nred,sweet',
      ['1: No columns are chosen for the day and the time.'],
    ],
    [
      'the format of another program',
      GERMAN_CSV,
      ['1: The file has no column “description”, “start date”, “start time”, “end time”.'],
    ],
    ['none of Stint’s columns', GERMAN_CSV, ['1: The file does not have the columns of Stint.']],
    ['nothing', '', ['1: The file has no rows.']],
  ])('Nothing of a broken file is taken: with %s', (name, text, expected) => {
    const formats = {
      'the format of another program': 'toggl',
      'none of Stint’s columns': 'stint-csv',
    } as const
    const format = Object.entries(formats).find(([of]) => of === name)?.[1] ?? 'columns'
    expect(problems(planned(text, { format }))).toEqual(expected)
  })

  test('An import reports letters that cannot be decoded', () => {
    const text = rows('2026-03-09,09:00,10:00,1:00,B\uFFFDro')
    expect(planned(text).notices).toEqual([
      'Some letters cannot be read: the file is not in UTF-8.',
    ])
  })

  test('Any text in any format results in a plan', () => {
    const formats = [
      ...[...TABLE_FORMATS, ...TEXT_FORMATS].map(({ name }) => name),
      'stint-csv',
      'stint-json',
      'columns',
      'unknown',
    ] as const
    const fragments = fc.constantFrom(
      ...'Date Hours Task 2026-03-09 09/03/26 9:00 -1:00 1,5 Start End , ; " ] }'.split(' '),
      '\n',
      '\r\n',
      '\t',
      '{"format":"stint","version":1,"tasks":[',
      '[{"id":1,"start":"20260309T083000Z",',
      '[[1773043200,1773046805,"a",',
      '{"buckets":{"a":{"type":"currentwindow","events":[{}',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260309T083000Z\r\n',
      'RRULE:FREQ=SECONDLY\r\n',
      'CLOCK: [2026-03-09 Mon 09:30]--[2026-03-09',
      'Date,Start,End,Timezone\n2026-03-09,9:00,10:00,+99:00',
      '2026-03-09\n    9:00 - 10:00 #a',
      '\0',
      '🕐',
    )
    const anyText = fc.oneof(
      fc.string(),
      fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(anyText, fc.constantFrom(...formats), fc.nat(), (text, format, pick) => {
        recogniseImport(text)
        const plan = planned(text, { format })
        expect(plan.rows).toBeGreaterThanOrEqual(plan.changes.length + plan.duplicates)
        const files = [
          TOGGL_CSV,
          CLOCKIFY_CSV,
          HARVEST_CSV,
          exportJson(SAMPLE, NOW),
          exportCsv(SAMPLE, dayRuleOf(ZONE)),
          ...FORMAT_FILES.map((file) => file.text),
        ]
        const file = files[pick % files.length] ?? ''
        const torn = file.slice(0, Math.floor((file.length * text.length) / 60))
        expect(planned(torn + text).totalSeconds).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

const SAMPLE = {
  entries: [testEntry({ start: '2026-03-09T08:00Z', end: '2026-03-09T09:00Z' })],
  tasks: [testTask('Write')],
}

test.each([TOGGL_CSV, CLOCKIFY_CSV, HARVEST_CSV, GERMAN_CSV])(
  'What is there already is not added again: %.30s',
  (text) => {
    const first = planned(text)
    const again = planned(text, { existing: history(first) })
    expect(again).toMatchObject({ tasks: [], changes: [], totals: [], duplicates: first.rows })
  },
)

test('What was imported without its tags is not added again', () => {
  const { tasks, entries } = history(planned(TOGGL_CSV))
  const untagged = entries.map((entry) => ({ ...entry, note: null }))
  const again = planned(TOGGL_CSV, { existing: { tasks, entries: untagged } })
  expect(again).toMatchObject({ changes: [], duplicates: 4 })
})

test('An entry that was deleted is imported again', () => {
  const { tasks, entries } = history(planned(GERMAN_CSV))
  const deleted = entries.map((entry) => ({ ...entry, deletedAt: NOW }))
  expect(planned(GERMAN_CSV, { existing: { tasks, entries: deleted } }).changes).toHaveLength(2)
})

test('Imported entries use existing tasks with the same name in any case', () => {
  const website = testTask('WEBSITE')
  const plan = planned(GERMAN_CSV, { existing: { tasks: [website], entries: [] } })
  expect(plan.tasks.map((task) => task.name)).toEqual(['Büro'])
  expect(plan.totals[0]).toMatchObject({ taskId: website.id, name: 'WEBSITE', isNew: false })
})

test('Imported entries use a deleted task too, with a notice', () => {
  const website = testTask('Website', 0, { isActive: false })
  const entries = [testEntry({ taskId: website.id, start: 0, end: 60_000 })]
  const plan = planned(GERMAN_CSV, { existing: { tasks: [website], entries } })
  expect(plan.totals[0]).toMatchObject({ taskId: website.id })
  expect(plan.restored).toEqual([])
  expect(plan.notices).toEqual(['The task “Website” is deleted. Its sessions are added to it.'])
  const active = testTask('Website', 0, { id: 'active' })
  const both = planned(GERMAN_CSV, { existing: { tasks: [website, active], entries: [] } })
  expect(both.totals[0]).toMatchObject({ taskId: 'active' })
})

test('A deleted task without entries is restored, as after an undone import', () => {
  const website = testTask('Website', 0, { isActive: false })
  const entries = [testEntry({ taskId: website.id, start: 0, end: 60_000, deletedAt: NOW })]
  const plan = planned(GERMAN_CSV, { existing: { tasks: [website], entries } })
  expect(plan.totals[0]).toMatchObject({ taskId: website.id, isNew: false })
  expect(plan.restored).toEqual([website.id])
  expect(plan.notices).toEqual(['1 deleted task without sessions is restored.'])

  const own = planned(exportJson({ tasks: [{ ...website, isActive: true }], entries: [] }, NOW), {
    existing: { tasks: [website], entries },
  })
  expect(own.restored).toEqual([website.id])
  const deletedThere = planned(exportJson({ tasks: [website], entries: [] }, NOW), {
    existing: { tasks: [website], entries },
  })
  expect(deletedThere.restored).toEqual([])
})

test('Text that a backend would refuse is imported without the refused characters', () => {
  const note = `${'x'.repeat(1999)}🎂 and more`
  const task = `${'n'.repeat(254)}🎂`
  const csv = `Task,Start,End,Note\n"${task}",2026-03-09 09:00,2026-03-09 10:00,"${note}"\n`
  const { tasks, changes } = planned(csv)
  expect(tasks[0]?.name).toBe('n'.repeat(254))
  expect(changes[0]?.after.note).toBe('x'.repeat(1999))
})
