/** Tables that people keep themselves. */
import { expect, test } from 'vitest'
import { recogniseImport } from './entry-import.ts'
import { planned, problems, taken } from '#test/plans.ts'

const options = { now: Date.parse('2026-11-28T12:00:00Z') }

/** With lines above the headings, days that are written once, a holiday, and sums at the end. */
const TIMESHEET = [
  'Stundenzettel Oktober;;;;;',
  'Name: Alex;;;;;',
  ';;;;;',
  'Tag;Beginn;Ende;Pause;Std.;Was',
  'Fr 23.10.26;8.00;12.30;;4,5;Werkstatt',
  ';13.15;17.00;0:15;3,5;Büro',
  'Sa 24.10.26;22.00;2.30;;4,5;Bereitschaft',
  'So 25.10.26;2.30;3.30;;2;Bereitschaft',
  'Mo 26.10.26;-;–;;8;Urlaub',
  'Di 27.10.26;18.00;24.00;0:30;5,5;Messe',
  'Mi 28.10.26;23.30;00.45;;1,25;Messe',
  ';;;;;',
  'Summe;;;;29,25;',
].join('\r\n')

test('A timesheet of one’s own is read to the second', () => {
  const plan = planned(TIMESHEET, options)
  expect(taken(plan)).toEqual([
    'Werkstatt: 2026-10-23 08:00:00 – 2026-10-23 12:30:00',
    'Büro: 2026-10-23 13:15:00 – 2026-10-23 17:00:00',
    'Bereitschaft: 2026-10-24 22:00:00 – 2026-10-25 02:30:00',
    'Bereitschaft: 2026-10-25 02:30:00 – 2026-10-25 03:30:00',
    'Messe: 2026-10-27 18:00:00 – 2026-10-28 00:00:00',
    'Messe: 2026-10-28 23:30:00 – 2026-10-29 00:45:00',
  ])
  expect(problems(plan)).toEqual(['9: A day off, not imported.'])
  expect(plan.notices).toContain('1 row has no day and is read as on the day above it.')
  expect(plan.doubledHour.rows).toBe(0)
  expect(plan.statement).toMatchObject({
    statedSeconds: 29.25 * 3600,
    countedSeconds: 21.25 * 3600,
    differences: [{ kind: 'noWork', seconds: -8 * 3600, rows: 1 }],
    fileTotalSeconds: 29.25 * 3600,
  })
})

test('A day that is written once is read from the row above, for times', () => {
  const text = [
    'Date,Start,End,Hours,Task',
    ',08:00,09:00,,Before',
    '2026-10-23,09:00,10:00,,A',
    ',10:00,11:00,,B',
    ',,,2,C',
    '32.10.2026,11:00,12:00,,D',
    ',12:00,13:00,,E',
  ].join('\n')
  const plan = planned(text, options)
  expect(taken(plan)).toEqual([
    'A: 2026-10-23 09:00:00 – 2026-10-23 10:00:00',
    'B: 2026-10-23 10:00:00 – 2026-10-23 11:00:00',
  ])
  expect(problems(plan)).toEqual([
    '2: Has no date.',
    '5: Has no date.',
    '6: Column Date: “32.10.2026” isn’t a date. Write it as 2026-03-09.',
    '7: Has no date.',
  ])
})

test('In a table that has each day again, a missing one is a mistake', () => {
  const rows = ['2026-10-23,09:00,10:00', '2026-10-23,10:00,11:00', ',11:00,12:00']
  const later = '2026-10-24,09:00,10:00'
  const plan = planned(['Date,Start,End', ...rows, later].join('\n'), options)
  expect(problems(plan)).toEqual(['4: Has no date.'])
})

test.each([
  ['Date,Start,End,What,Billable', '2026-10-23,09:00,10:00,Plan,Yes', 'Plan: '],
  ['Date,Start,End,Paid,Where', '2026-10-23,09:00,10:00,no,Office', 'Office: '],
  // It is called something.
  ['Date,Start,End,Client,Where', '2026-10-23,09:00,10:00,Acme,Office', 'Imported: '],
])('A table without a known name for the task, %s, has it in %s', (headings, row, name) => {
  expect(taken(planned(`${headings}\n${row}`, options))[0]?.startsWith(name)).toBe(true)
})

test('A sum that stands under the times is no session', () => {
  const text = [
    'Project,Date,Start,End,Duration',
    'A,2026-10-23,09:00,10:00,1:00',
    ',,,Gesamt,1:00',
  ].join('\n')
  const plan = planned(text, options)
  expect(plan.problems).toEqual([])
  expect(plan.statement).toMatchObject({ statedSeconds: 3600, fileTotalSeconds: 3600 })
})

function event(start: string, duration: string): string[] {
  const times = [`DTSTART${start}`, `DURATION:${duration}`]
  return ['BEGIN:VEVENT', ...times, 'SUMMARY:Watch', 'END:VEVENT']
}

test('An event with a duration has it, whatever the clocks do meanwhile', () => {
  const text = [
    'BEGIN:VCALENDAR',
    ...event(';TZID=Europe/Berlin:20261025T013000', 'PT2H'),
    ...event(':20261025T023000', 'PT1H'),
    ...event(':20261023T230000Z', 'PT1H30M'),
    ...event(';TZID=Europe/Berlin:20261012T080000', 'P1D'),
    'END:VCALENDAR',
  ].join('\r\n')
  expect(recogniseImport(text).format).toBe('calendar')
  const plan = planned(text, options)
  const seconds = plan.changes.map(({ after }) => after.durationSeconds)
  expect(seconds).toEqual([7200, 3600, 5400, 86_400])
})
