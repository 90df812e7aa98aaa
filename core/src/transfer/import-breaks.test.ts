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
    'Site / Workshop: 2026-06-16 09:00:00 – 2026-06-16 17:00:00 (Day at the client #travel #onsite #Northwind)',
    'Site / Writing: 2026-06-17 09:00:00 – 2026-06-17 12:00:00 (#Northwind)',
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
  expect(plan.changes[0]?.after.note).toBe('Tag beim Kunden #reise #Nordwind')
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
    ['later', '2: Column Break: “later” isn’t a duration. Write it as 1:30 or 1h 30m.'],
    ['8:00', '2: Its break leaves no work.'],
    ['-0:30', '2: Column Break: “-0:30” isn’t a duration. Write it as 1:30 or 1h 30m.'],
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

/** Returns the work and the breaks of each session, in minutes, those at a known time first. */
function minutes(text: string): (readonly number[])[] {
  return planned(text, options).changes.map(({ after: { durationSeconds, pauses } }) => [
    durationSeconds / 60,
    pauses.intervals.reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0),
    pauses.unplacedSeconds / 60,
  ])
}

describe('breaks with times', () => {
  test.each([
    ['In,Out,In,Out,Total', '9:00,12:00,13:00,17:00,7:00'],
    ['In,Out,In,Out,Hours', '9:05,12:20,13:20,17:05,7.00'],
    ['Von,Bis,Von,Bis,Dauer', '9:00,12:00,13:00,17:00,7:00'],
    ['Start 1,End 1,Start 2,End 2,Hours', '9:00,12:00,13:00,17:00,7'],
    ['Start,End,Lunch start,Lunch end,Hours', '9:00,17:00,12:00,13:00,7'],
    ['Start,End,Break start,Break end,Break', '9:00,17:00,12:00,13:00,60'],
    ['Beginn,Ende,Pausenbeginn,Pausenende,Dauer', '9:00,17:00,12:00,13:00,7:00'],
    ['Début,Fin,Début pause,Fin pause,Durée', '9h00,17h00,12h00,13h00,7h00'],
    ['Inicio,Fin,Inicio descanso,Fin descanso,Horas', '9:00,17:00,12:00,13:00,7'],
  ])('The break of %s is a pause at its time', (headings, fields) => {
    const text = `Date,${headings}\n2026-06-16,${fields}`
    expect(minutes(text)).toEqual([[420, 60, 0]])
    expect(planned(text, options).statement.differences.map(({ kind }) => kind)).toEqual(
      headings.endsWith(',Break') ? ['breaks'] : [],
    )
  })

  test.each([
    ['Date,Times', '"9:00-12:00, 13:00-17:00"'],
    ['Datum,Zeiten', '9-12 Uhr und 13-17 Uhr'],
    ['Datum,Von,Bis,Pause', '9:00,17:00,12:00-13:00'],
    ['Datum,Von,Bis,Pause,Stunden', '9:00,17:00,12-13 Uhr,7'],
  ])('The break of %s is between the times of a field: %s', (headings, fields) => {
    expect(minutes(`${headings}\n2026-06-16,${fields}`)).toEqual([[420, 60, 0]])
  })

  test.each([
    ['Datum,Von,Bis,Pause', '9:00,17:00,"10:00-10:15, 12:00-12:30"'],
    ['Datum,Von,Bis,Pause,Pause 2', '9:00,17:00,10:00-10:15,12:00-12:30'],
    ['Datum,Von,Bis,Pausenbeginn,Pausenende,Pause', '9:00,17:00,10:00,10:15,12:00-12:30'],
  ])('A second break at a time of %s is listed, not lost', (headings, fields) => {
    const plan = planned(`${headings}\n2026-06-16,${fields}`, options)
    expect(plan.changes).toEqual([])
    expect(problems(plan).join()).toContain('12:00-12:30” isn’t a duration')
  })

  test('Of two pairs of times the second may be empty', () => {
    const text = 'Date,In,Out,In,Out\n2026-06-16,9:00,12:00,13:00,17:00\n2026-06-17,9:00,12:00,,'
    expect(minutes(text)).toEqual([
      [420, 60, 0],
      [180, 0, 0],
    ])
  })

  test('A break outside of the times is listed', () => {
    const text = 'Date,Start,End,Lunch start,Lunch end\n2026-06-16,9:00,12:00,12:30,13:00'
    expect(problems(planned(text, options))).toEqual(['2: Its break isn’t within its times.'])
  })

  test.each([
    ['Date,Time,Task', '09:00-12:30'],
    ['Date,Hours,Task', '9:00 AM – 12:30 PM'],
    ['Datum,Zeit,Aufgabe', '9:00 bis 12:30'],
    ['Date,Heures,Tâche', '9h00 à 12h30'],
    ['Datum,Zeit,Aufgabe', '9-12 Uhr 30'],
  ])('Both times of a field of %s are read: %s', (headings, span) => {
    expect(taken(planned(`${headings}\n2026-06-16,${span},Site`, options))).toEqual([
      'Site: 2026-06-16 09:00:00 – 2026-06-16 12:30:00',
    ])
  })
})
