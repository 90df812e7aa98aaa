import { describe, expect, test } from 'vitest'
import { recogniseImport } from './entry-import.ts'
import type { ImportPlan } from './import-plan.ts'
import { history, planned, problems, taken } from '#test/plans.ts'

const options = { now: Date.parse('2026-11-28T12:00:00Z') }
const HOUR = 3600

/** Kimai's export. */
const KIMAI_CSV = [
  'Date,From,To,Break,Duration,Rate,User,Customer,Project,Activity,Description,Billable,Tags',
  '2026-06-16,09:00,17:00,0:45,7:15,0,pat,Northwind,Site,Workshop,Day at the client,1,"travel, onsite"',
  '2026-06-17,09:00,12:00,0:00,3:00,0,pat,Northwind,Site,Writing,,1,',
].join('\n')

const KIMAI_GERMAN_CSV = [
  'Datum;Von;Bis;Pause;Dauer;Benutzer;Kunde;Projekt;Tätigkeit;Beschreibung;Schlagworte',
  '2026-06-16;09:00;17:00;0:45;7:15;pat;Nordwind;Website;Workshop;Tag beim Kunden;reise',
  '2026-06-17;09:00;12:00;0:00;3:00;pat;Nordwind;Website;Schreiben;;',
].join('\n')

const LUNCH_CSV = [
  'Date,In,Out,Lunch,Hours',
  '2026-11-16,9:00 AM,5:30 PM,0:30,8.0',
  '2026-11-17,9:00 AM,5:00 PM,1:00,7.0',
].join('\n')

/** Returns the seconds of work and of breaks at an unknown time of each entry. */
function seconds(plan: ImportPlan): (readonly [number, number])[] {
  return plan.changes.map(({ after }) => [after.durationSeconds, after.pauses.unplacedSeconds])
}

/** Returns the plan of one day from 09:00 to 17:00. */
function day(headings: string, fields: string): ImportPlan {
  return planned(`Date,Start,End,Task,${headings}\n2026-06-16,09:00,17:00,Site,${fields}`, options)
}

test('The break of a row is no work, and a duration that agrees is proof', () => {
  const plan = planned(KIMAI_CSV, options)
  expect(taken(plan)).toEqual([
    'Site: 2026-06-16 09:00:00 – 2026-06-16 17:00:00 (Day at the client #travel #onsite)',
    'Site: 2026-06-17 09:00:00 – 2026-06-17 12:00:00',
  ])
  expect(seconds(plan)).toEqual([
    [7.25 * HOUR, 0.75 * HOUR],
    [3 * HOUR, 0],
  ])
  expect(plan).toMatchObject({ totalSeconds: 10.25 * HOUR, problems: [] })
  expect(plan.notices).toEqual(['Breaks do not count as work: 45m in all.'])
})

test('A German file has its pauses and its tags', () => {
  const plan = planned(KIMAI_GERMAN_CSV, options)
  expect(plan.totalSeconds).toBe(10.25 * HOUR)
  expect(plan.changes[0]?.after.note).toBe('Tag beim Kunden #reise')
})

test('A lunch in hours and minutes beside decimal hours is a break', () => {
  const plan = planned(LUNCH_CSV, options)
  expect(seconds(plan)).toEqual([
    [8 * HOUR, 0.5 * HOUR],
    [7 * HOUR, HOUR],
  ])
  expect(plan).toMatchObject({ totalSeconds: 15 * HOUR, problems: [] })
})

test.each([
  ['Break', '30'],
  ['Break (min)', '30'],
  ['Breaks', '0.5'],
  ['Break (h)', '"0,5"'],
  ['Unpaid break', '30 min'],
  ['Lunch break', '0:30:00'],
  ['Pause', '0:30'],
  ['Pausen', '30'],
  ['Pausenzeit', '0:30'],
  ['Mittagspause (Min.)', '30'],
  ['Pausa', '0:30'],
  ['Descanso', '30'],
  ['Almuerzo', '0:30'],
  ['Pause déjeuner', '0:30'],
  ['Pause de midi', '0:30'],
  ['Break,Lunch', '0:10,0:20'],
  ['Pause 1,Pause 2', '10,20'],
  ['Break minutes', '30'],
  ['Pause en heures', '0.5'],
])('A column “%s” with %s has the breaks', (headings, fields) => {
  expect(seconds(day(headings, fields))).toEqual([[7.5 * HOUR, 0.5 * HOUR]])
})

test.each([
  ['Break,Hours', '1,7.0', 7],
  ['Pause,Dauer', '1.5,6:30', 6.5],
  ['Break,Hours', '"0,75",7.25', 7.25],
])('The duration shows whether a number in “%s” is hours: %s', (headings, fields, hours) => {
  const plan = day(headings, fields)
  expect(plan.totalSeconds).toBe(hours * HOUR)
  expect(plan.notices.join()).not.toContain('another duration')
})

test.each([
  ['Break notes', 'late'],
  ['Break start', '12:00'],
  ['Lunch', ''],
  ['Break', '0'],
  ['Break', '-'],
])('A column “%s” with %j takes nothing off', (headings, fields) => {
  const plan = day(headings, fields)
  expect(seconds(plan)).toEqual([[8 * HOUR, 0]])
  expect(plan.notices).toEqual([])
})

test('A column of breaks is matched by hand, and its matching can be removed', () => {
  const text = 'Date,Start,End,Task,Off\n2026-06-16,09:00,17:00,Site,0:45'
  const { mapping } = recogniseImport(text)
  if (!mapping) throw new Error('The file is no table.')
  expect(mapping.pause).toBeNull()
  expect(planned(text, { ...options, mapping: { ...mapping, pause: 4 } }).totalSeconds).toBe(
    7.25 * HOUR,
  )
  const own = { ...mapping, pause: null }
  expect(planned(text, { ...options, mapping: own }).totalSeconds).toBe(8 * HOUR)
})

test('Columns of breaks count in the files of other programs too', () => {
  const text =
    'User,Email,Project,Description,Start date,Start time,End date,End time,Break,Duration\n' +
    'Pat,pat@example.org,Site,,2026-06-16,09:00:00,2026-06-16,17:00:00,00:45:00,07:15:00'
  expect(recogniseImport(text).format).toBe('toggl')
  expect(planned(text, options).totalSeconds).toBe(7.25 * HOUR)
})

test('A duration that agrees neither with nor without the break is said, and times and break count', () => {
  const plan = day('Break,Duration', '0:45,5:00')
  expect(plan.totalSeconds).toBe(7.25 * HOUR)
  expect(plan.notices).toContain(
    '1 session has a duration that doesn’t match its times. Times win.',
  )
})

test('Without a break the times count, and another duration is said', () => {
  const plan = day('Duration', '7:15')
  expect(plan.totalSeconds).toBe(8 * HOUR)
  expect(plan.notices).toEqual([
    '1 session has a duration that doesn’t match its times. Times win.',
  ])
})

test('A row over midnight is confirmed by its duration and its break together', () => {
  const text = 'Date,Start,End,Task,Break,Hours\n2026-06-16,22:00,06:00,Site,0:45,7.25'
  const plan = planned(text, options)
  expect(taken(plan)).toEqual(['Site: 2026-06-16 22:00:00 – 2026-06-17 06:00:00'])
  expect(plan.totalSeconds).toBe(7.25 * HOUR)
})

test('A row without an end ends after its work and its break', () => {
  const text = 'Date,Start,Task,Break,Hours\n2026-06-16,09:00,Site,0:45,7.25'
  const plan = planned(text, options)
  expect(taken(plan)).toEqual(['Site: 2026-06-16 09:00:00 – 2026-06-16 17:00:00'])
  expect(plan.totalSeconds).toBe(7.25 * HOUR)
})

describe('a break that cannot be', () => {
  test.each([
    ['later', '2: “later” isn’t a duration.'],
    ['8:00', '2: Its break leaves no work.'],
    ['-0:30', '2: “-0:30” isn’t a duration.'],
  ])('A row with the break %s is skipped with the reason', (fields, problem) => {
    expect(problems(day('Break', fields))).toEqual([problem])
  })
})

test('A file with breaks adds nothing the second time', () => {
  const first = planned(KIMAI_CSV, options)
  expect(planned(KIMAI_CSV, { ...options, existing: history(first) })).toMatchObject({
    changes: [],
    duplicates: 2,
  })
})
