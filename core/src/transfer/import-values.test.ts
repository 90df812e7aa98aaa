import { describe, expect, test } from 'vitest'
import { recogniseImport } from './entry-import.ts'
import { readDate } from './import-dates.ts'
import { readImportedDuration } from './import-durations.ts'
import { dateAndTime, readTime } from './import-moments.ts'
import { planned, problems, taken, ZONE } from '#test/plans.ts'

const options = { now: Date.parse('2026-11-28T12:00:00Z') }

test.each([
  ['2026-03-09', '2026-03-09'],
  ['2026/3/9', '2026-03-09'],
  ['20260309', '2026-03-09'],
  ['09.03.2026', '2026-03-09'],
  ['9.3.26', '2026-03-09'],
  ["09.03.'26", '2026-03-09'],
  ['09-03-99', '1999-03-09'],
  ['9 Mar 2026', '2026-03-09'],
  ['9. März 2026', '2026-03-09'],
  ['9. Mrz. 2026', '2026-03-09'],
  ['3. Okt. 2026', '2026-10-03'],
  ['1. Jänner 2026', '2026-01-01'],
  ['12. Dez 2026', '2026-12-12'],
  ['12 févr. 2026', '2026-02-12'],
  ['1er août 2026', '2026-08-01'],
  ['14 juil. 2026', '2026-07-14'],
  ['9 de marzo de 2026', '2026-03-09'],
  ['5 ene. 2026', '2026-01-05'],
  ['30 sept. 2026', '2026-09-30'],
  ['24 dic 2026', '2026-12-24'],
  ['March 9, 2026', '2026-03-09'],
  ['Mar 9th, 2026', '2026-03-09'],
  ['09-Mar-2026', '2026-03-09'],
  ['09/Mar/26', '2026-03-09'],
  ['2026-Mar-09', '2026-03-09'],
  ['Mon, 9 Mar 2026', '2026-03-09'],
  ['Monday 09.03.2026', '2026-03-09'],
  ['Mo. 09.03.2026', '2026-03-09'],
  ['lundi 9 mars 2026', '2026-03-09'],
  ['lun. 09/03/2026', '2026-03-09'],
  ['mié, 11 mar 2026', '2026-03-11'],
  ['Mar 10, 2026', '2026-03-10'],
  ['46090', '2026-03-09'],
  ['2026-02-30', null],
  ['9 jui 2026', null],
  ['1234', null],
  ['99999', null],
  ['soon', null],
])('The date %j is read as %s', (text, date) => {
  expect(readDate(text, 'dmy')).toBe(date)
})

/** Returns '09:30:00', with what the text says of its zone. */
function timeOf(text: string): string | null {
  const time = readTime(text, ZONE)
  if (time === null) return null
  if ('unknownZone' in time) return `? ${time.unknownZone}`
  const clock = new Date(time.secondsOfDay * 1000 + time.milliseconds).toISOString().slice(11, 23)
  const shown = time.secondsOfDay === 86_400 ? '24:00:00.000' : clock
  if (time.zone === null) return shown.replace('.000', '')
  const zone = 'offset' in time.zone ? `${time.zone.offset / 3_600_000}` : time.zone.timeZone
  return `${shown.replace('.000', '')} ${zone}`
}

test.each([
  ['9:30', '09:30:00'],
  ['09:30:15.25', '09:30:15.250'],
  ['09:30:15,250', '09:30:15.250'],
  ['21.30', '21:30:00'],
  ['9h00', '09:00:00'],
  ['9 h 05', '09:05:00'],
  ['9h', '09:00:00'],
  ['9 Uhr', '09:00:00'],
  ['9:30 Uhr', '09:30:00'],
  ['9 Uhr 30', '09:30:00'],
  ['0930', '09:30:00'],
  ['093015', '09:30:15'],
  ['24:00', '24:00:00'],
  ['00:00', '00:00:00'],
  ['9 AM', '09:00:00'],
  ['9AM', '09:00:00'],
  ['9pm', '21:00:00'],
  ['12 AM', '00:00:00'],
  ['12:05 a.m.', '00:05:00'],
  ['12:48:22 PM', '12:48:22'],
  ['1:15 p. m.', '13:15:00'],
  ['1:15 p.m.', '13:15:00'],
  ['1:15p', '13:15:00'],
  ['1:15 P.M', '13:15:00'],
  ['PM 1:15', '13:15:00'],
  ['13:15 PM', '13:15:00'],
  ['9:30 p. m.', '21:30:00'],
  ['９：３０', '09:30:00'],
  ['09:30Z', '09:30:00 0'],
  ['09:30 UTC', '09:30:00 0'],
  ['09:30+01', '09:30:00 1'],
  ['09:30+01:00', '09:30:00 1'],
  ['09:30 -0330', '09:30:00 -3.5'],
  ['09:30:00 GMT+0100 (CET)', '09:30:00 1'],
  ['09:30:00+01:00[Europe/Berlin]', '09:30:00 1'],
  ['09:30 UTC+2', '09:30:00 2'],
  ['10:00:00 CET', '10:00:00 1'],
  ['10:00 CEST', '10:00:00 2'],
  ['10:00 BST', '10:00:00 1'],
  ['10:00 AM EST', '10:00:00 -5'],
  ['10:00 EDT', '10:00:00 -4'],
  ['10:00 Europe/Paris', '10:00:00 Europe/Paris'],
  ['10:00 [Asia/Tokyo]', '10:00:00 Asia/Tokyo'],
  ['0.375', '09:00:00'],
  ['0,5', '12:00:00'],
  ['10:00 IST', '? IST'],
  ['10:00 XYZ', '? XYZ'],
  ['25:00', null],
  ['9:75', null],
  ['24:01', null],
  ['9', null],
  ['noon-ish', null],
])('The time %j is read as %s', (text, time) => {
  expect(timeOf(text)).toBe(time)
})

test('An abbreviation with several meanings has the one of the zone of the import', () => {
  for (const [zone, hours] of [
    ['Asia/Kolkata', 5.5],
    ['Europe/Dublin', 1],
    ['Asia/Jerusalem', 2],
  ] as const) {
    expect(readTime('10:00 IST', zone)).toMatchObject({ zone: { offset: hours * 3_600_000 } })
  }
  expect(readTime('10:00 CST', 'America/Chicago')).toMatchObject({ zone: { offset: -21_600_000 } })
  expect(readTime('10:00 CST', 'Asia/Shanghai')).toMatchObject({ zone: { offset: 28_800_000 } })
})

test.each([
  ['2026-03-09T09:30', '2026-03-09', '09:30'],
  ['2026-03-09 09:30:15', '2026-03-09', '09:30:15'],
  ['2026-03-09, 9:30 PM', '2026-03-09', '9:30 PM'],
  ['9.3.2026 14.15', '9.3.2026', '14.15'],
  ['9. März 2026 um 9:30 Uhr', '9. März 2026', '9:30 Uhr'],
  ['9 mars 2026 à 9h30', '9 mars 2026', '9h30'],
  ['March 9, 2026 at 9:30 AM', 'March 9, 2026', '9:30 AM'],
  ['Mon Mar 09 2026 09:30:00 GMT+0100 (CET)', 'Mon Mar 09 2026', '09:30:00 GMT+0100 (CET)'],
  ['20260309T083000Z', '20260309', '083000Z'],
  ['09/Mar/26 9:30 AM', '09/Mar/26', '9:30 AM'],
  ['09:30 09.03.2026', '09.03.2026', '09:30'],
  ['46090.375', '2026-03-09', '09:00:00'],
  ['46090,999999', '2026-03-10', '00:00:00'],
  ['1773043200', '2026-03-09', '08:00:00.000Z'],
  ['1773043200000', '2026-03-09', '08:00:00.000Z'],
  ['2026-03-09', '2026-03-09', ''],
])('The moment %j is read as the day %s and the time %s', (text, date, time) => {
  expect(dateAndTime(text)).toEqual({ date, time })
})

test.each([
  ['1.5', 5400],
  ['1,5', 5400],
  ["1'234.5", 1234.5 * 3600],
  ['1.234,5', 1234.5 * 3600],
  ['01:30:00', 5400],
  ['1:30', 5400],
  ['0:24:5', 1445],
  ['5:14:46', 18_886],
  ['100:00', 360_000],
  ['1h 30m', 5400],
  ['1h30', 5400],
  ['90 min', 5400],
  ['1 Std. 30 Min.', 5400],
  ['1,5 h', 5400],
  ['1 heure 30', 5400],
  ['30m', 1800],
  ['45s', 45],
  ['1d 2h', 36_000],
  ['1w', 144_000],
  ['1w 1d', 172_800],
  ['1d2h30m', 37_800],
  ['2 Tage 1 Std', 61_200],
  ['1 jour', 28_800],
  ['PT1H30M', 5400],
  ['PT0.5H', 1800],
  ['PT5400S', 5400],
  ['P1DT1H', 90_000],
  ['PT45.5S', 45.5],
  ['-1:00', -3600],
  ['−0:30', -1800],
  ['1:75', null],
  ['P', null],
  ['PT', null],
  ['long', null],
])('The duration %j is read as %s seconds', (text, seconds) => {
  expect(readImportedDuration(text, 'hours')).toBe(seconds)
})

describe('columns', () => {
  test.each([
    ['Date;Tâche;Début;Fin', '9 mars 2026;A;9h00;10h30'],
    ['Jour,Activité,Heure de début,Heure de fin', '2026-03-09,A,09:00,10:30'],
    ['Fecha;Tarea;Inicio;Fin', '09/03/2026;A;9:00;10:30'],
    ['Día;Actividad;Desde;Hasta', '9.3.2026;A;9:00;10:30'],
    ['Tag;Aufgabe;Von;Bis', '09.03.2026;A;9:00;10:30'],
    ['Datum;Tätigkeit;Kommen;Gehen', '09.03.2026;A;9:00;10:30'],
    ['Work date,Issue,Clock in,Clock out', '2026-03-09,A,9 AM,10:30 AM'],
    ['startTime,endTime,taskName', '2026-03-09T09:00,2026-03-09T10:30,A'],
    ['start_date,start_time,end_time,task', '2026-03-09,09:00,10:30,A'],
    ['DATE,TASK,START,DURATION (MIN)', '2026-03-09,A,09:00,90'],
    ['Datum,Aufgabe,Beginn,"Dauer (Std.)"', '2026-03-09,A,09:00,"1,5"'],
    ['Fecha;Tarea;Hora de inicio;Duración', '2026-03-09;A;09:00;1:30'],
    ['Date,Task,Time,Hours', '2026-03-09,A,09:00,1.5'],
  ])('The columns %s are found', (headings, row) => {
    const text = `${headings}\n${row}`
    expect(recogniseImport(text).format).toBe('columns')
    expect(taken(planned(text, options))).toEqual(['A: 2026-03-09 09:00:00 – 2026-03-09 10:30:00'])
  })

  test('Project, client, task and note are the category, a tag, the task and the note', () => {
    const text =
      'Kunde;Projekt;Tätigkeit;Notiz;Etikett;Datum;Start;Ende\n' +
      'Nordwind;Website;Entwurf;Kopf;;2026-03-09;09:00;10:00'
    expect(taken(planned(text, options))).toEqual([
      'Website / Entwurf: 2026-03-09 09:00:00 – 2026-03-09 10:00:00 (Kopf #Nordwind)',
    ])
  })

  test.each([
    ['2026-03-09,09:00,10:30,A', 'columns without headings'],
    ['09.03.2026;A;09:00;10:30', 'another order'],
    ['A,2026-03-09 09:00,2026-03-09 10:30', 'moments'],
    ['2026-03-09T09:00,1:30,A', 'a moment and a duration'],
    ['Wann,Von wann,Bis wann,Was\n2026-03-09,09:00,10:30,A', 'headings that say nothing'],
    ['2026-03-09,1:30,A', 'a day and a duration'],
    ['2026-03-09,1.5,A', 'a day and hours'],
  ])('The columns of %j are found by what they have: %s', (text) => {
    expect(taken(planned(text, options))).toEqual(['A: 2026-03-09 09:00:00 – 2026-03-09 10:30:00'])
  })

  test('Lines above the headings are passed over and said', () => {
    const text = [
      'Timesheet of Pat Poe',
      'From 1 March 2026 to 31 March 2026;;',
      '',
      'Date;Task;Start;End',
      '2026-03-09;A;09:00;10:00',
      'x;A;09:00;10:00',
    ].join('\n')
    const plan = planned(text, options)
    expect(taken(plan)).toEqual(['A: 2026-03-09 09:00:00 – 2026-03-09 10:00:00'])
    expect(plan.notices).toEqual(['2 lines above the column names are not read.'])
    expect(problems(plan)).toEqual(['6: Column Date: “x” isn’t a date. Write it as 2026-03-09.'])
  })

  test('A zone that is not known is quoted with what to do', () => {
    const text = 'Task,Date,Start,End,Timezone\nA,2026-03-09,09:00,10:00,Atlantis'
    const by = planned(text, {
      ...options,
      mapping: { ...mappingOf(text), zone: 4 },
    })
    expect(problems(by)).toEqual([
      '2: Column Timezone: “Atlantis” isn’t a known time zone, or means several. Write an offset such as +01:00, or remove it.',
    ])
  })

  test('A column of zones has names, offsets or abbreviations', () => {
    const zones = ['America/New_York', '-04:00', 'EDT', 'UTC-4']
    const rows = zones.map((zone) => `A,2026-07-06,10:00,11:00,${zone}`)
    const text = ['Task,Date,Start,End,Time zone', ...rows].join('\n')
    expect(new Set(taken(planned(text, options)))).toEqual(
      new Set(['A: 2026-07-06 16:00:00 – 2026-07-06 17:00:00']),
    )
  })
})

function mappingOf(text: string) {
  const { mapping } = recogniseImport(text)
  if (!mapping) throw new Error('The file is no table.')
  return mapping
}

describe('units', () => {
  test('Numbers that would make a day of more than 24 hours are asked about', () => {
    const minutes = planned('Date,Task,Duration\n2026-03-09,A,90\n2026-03-10,A,45', options)
    expect(minutes).toMatchObject({ totalSeconds: 8100, unit: 'minutes', isUnitGuessed: true })
    const seconds = planned('Date,Task,Duration\n2026-03-09,A,5400\n2026-03-10,A,45', options)
    expect(seconds).toMatchObject({ totalSeconds: 5445, unit: 'seconds', isUnitGuessed: true })
    expect(seconds.notices).toContain(
      'The durations are read as seconds: as hours, a day would have more than 24.',
    )
    const hours = planned('Date,Task,Duration\n2026-03-09,A,7.5', options)
    expect(hours).toMatchObject({ totalSeconds: 27_000, unit: 'hours', isUnitGuessed: false })
  })

  test('Times beside the numbers say their unit', () => {
    const text = 'Date,Task,Start,End,Duration\n2026-03-09,A,09:00,09:05,300'
    expect(planned(text, options)).toMatchObject({
      totalSeconds: 300,
      unit: 'seconds',
      isUnitGuessed: false,
      notices: [],
    })
  })

  test('A heading says the unit', () => {
    const text = 'Date,Task,Duration (seconds)\n2026-03-09,A,90'
    expect(planned(text, options)).toMatchObject({ totalSeconds: 90, isUnitGuessed: false })
  })
})

/** Returns the plan of a row of the night in which the clocks go back. */
function row(start: string, end: string, duration: string) {
  return planned(`Date,Task,Start,End,Duration\n2026-10-25,A,${start},${end},${duration}`, options)
}

describe('times over midnight and clock changes', () => {
  test('A row without an end date and a duration ends on the next day, and it is said', () => {
    const plan = planned('Date,Task,Start,End\n2026-03-09,A,22:00,06:00', options)
    expect(taken(plan)).toEqual(['A: 2026-03-09 22:00:00 – 2026-03-10 06:00:00'])
    expect(plan.notices).toEqual([
      '1 session ends before it starts and is read as ending on the next day.',
    ])
  })

  test('An end at 24:00 or 00:00 is the end of the day', () => {
    const text = 'Date,Task,Start,End\n2026-03-09,A,22:00,24:00\n2026-03-10,A,22:00,00:00'
    expect(taken(planned(text, options))).toEqual([
      'A: 2026-03-09 22:00:00 – 2026-03-10 00:00:00',
      'A: 2026-03-10 22:00:00 – 2026-03-11 00:00:00',
    ])
  })

  test('An end in the second of two hours is no day later', () => {
    const plan = planned('Date,Task,Start,End\n2026-10-25,A,02:30,02:15', options)
    expect(plan.totalSeconds).toBe(45 * 60)
  })

  test('A duration says which of two hours is meant, on both ends', () => {
    expect(row('02:30', '03:30', '1:00').totalSeconds).toBe(3600)
    expect(row('02:30', '03:30', '2:00').totalSeconds).toBe(7200)
    expect(row('02:15', '02:45', '0:30').changes[0]?.after.startedAt).toBe(
      Date.parse('2026-10-25T00:15:00Z'),
    )
    expect(row('01:30', '02:30', '2:00').totalSeconds).toBe(7200)
    expect(row('02:30', '03:30', '1:00').notices).toEqual([])
  })

  test('Without a duration the first of two times is taken, and it is said', () => {
    const plan = planned('Date,Task,Start,End\n2026-10-25,A,02:30,04:00', options)
    expect(plan.totalSeconds).toBe(2.5 * 3600)
    expect(plan.doubledHour).toMatchObject({ rows: 1, seconds: 2.5 * 3600 })
  })

  test.each([
    [
      'Europe/Berlin',
      '2026-03-29',
      '02:30',
      '03:30',
      'There is no 02:30 on 29 March: clocks went forward at 02:00.',
    ],
    [
      'Europe/London',
      '2026-03-29',
      '01:00',
      '02:00',
      'There is no 01:00 on 29 March: clocks went forward at 01:00.',
    ],
    [
      'America/New_York',
      '2026-03-08',
      '02:30',
      '03:30',
      'There is no 02:30 on 8 March: clocks went forward at 02:00.',
    ],
  ])(
    'In %s a row in the missing hour is listed, never moved',
    (timeZone, date, start, end, why) => {
      const plan = planned(`Date,Task,Start,End\n${date},A,${start},${end}`, {
        ...options,
        timeZone,
      })
      expect(plan.changes).toEqual([])
      expect(problems(plan)).toEqual([`2: ${why}`])
    },
  )
})

test('A row that sums up a range is listed, and one of more than a day is said', () => {
  const sum = 'from,to,project,tag,time\n2026-03-02 00:00:00,2026-03-08 23:59:59,Site,,5400'
  expect(problems(planned(sum, options))).toEqual([
    '2: Its times are 167h 59m 59s apart, but its duration is 1h 30m. It may be a sum.',
  ])
  const long = 'Task,Start,End\nSite,2026-03-02 09:00,2026-03-03 10:00'
  expect(planned(long, options)).toMatchObject({
    totalSeconds: 25 * 3600,
    notices: ['1 session lasts longer than 24 hours.'],
  })
})

describe('rows that are no work', () => {
  test.each([
    ['Pause', 'A break, not imported.'],
    ['Lunch', 'A break, not imported.'],
    ['Mittagspause', 'A break, not imported.'],
    ['Descanso', 'A break, not imported.'],
    ['Urlaub', 'A day off, not imported.'],
    ['Public holiday', 'A day off, not imported.'],
    ['Congés', 'A day off, not imported.'],
    ['Vacaciones', 'A day off, not imported.'],
    ['Krank', 'A sick day, not imported.'],
    ['Sick leave', 'A sick day, not imported.'],
    ['Arrêt maladie', 'A sick day, not imported.'],
    ['Baja médica', 'A sick day, not imported.'],
  ])('A row of %s is listed and not imported', (task, why) => {
    const text = `Date,Task,Start,End\n2026-03-09,${task},12:00,12:30\n2026-03-09,A,13:00,14:00`
    const plan = planned(text, options)
    expect(problems(plan)).toEqual([`2: ${why}`])
    expect(plan.totalSeconds).toBe(3600)
    expect(plan.statement).toMatchObject({
      statedSeconds: 5400,
      differences: [{ kind: 'noWork', seconds: -1800, rows: 1 }],
    })
  })

  test.each(['Break the build', 'Holiday shop', 'Pausenraum'])('%s is work', (task) => {
    const text = `Date,Task,Start,End\n2026-03-09,${task},12:00,12:30`
    expect(planned(text, options).totalSeconds).toBe(1800)
  })
})

describe('rows without times', () => {
  test('They are laid around the file and the record, and before 09:00 if the rest is taken', () => {
    const first = planned('Date,Task,Start,End\n2026-03-09,R,09:30,23:30', options)
    const existing = { tasks: first.tasks, entries: first.changes.map(({ after }) => after) }
    const plan = planned('Date,Task,Hours\n2026-03-09,A,0.5\n2026-03-09,B,2', {
      ...options,
      existing,
    })
    expect(taken(plan)).toEqual([
      'A: 2026-03-09 07:00:00 – 2026-03-09 07:30:00',
      'B: 2026-03-09 07:30:00 – 2026-03-09 09:30:00',
    ])
    expect(plan.overlaps.record).toEqual({ sessions: 0, seconds: 0 })
  })

  test('Those of today end before now', () => {
    const plan = planned('Date,Task,Hours\n2026-11-28,A,5', options)
    expect(taken(plan)).toEqual(['A: 2026-11-28 08:00:00 – 2026-11-28 13:00:00'])
  })

  test('A file that is exported again with more rows of a day adds these alone', () => {
    const rows = ['Date,Task,Hours', '2026-03-09,A,1', '2026-03-09,B,2']
    const first = planned(rows.join('\n'), options)
    const existing = { tasks: first.tasks, entries: first.changes.map(({ after }) => after) }
    const again = planned([rows[0], '2026-03-09,C,0.5', rows[2], rows[1]].join('\n'), {
      ...options,
      existing,
    })
    expect(taken(again)).toEqual(['C: 2026-03-09 12:00:00 – 2026-03-09 12:30:00'])
    expect(again.duplicates).toBe(2)
  })
})

test('A total at the end of the file is compared, not imported', () => {
  const text = 'Date,Task,Hours\n2026-03-09,A,1.5\n2026-03-10,A,2\nTotal,,3.5\n'
  const plan = planned(text, options)
  expect(plan.statement).toMatchObject({
    statedSeconds: 12_600,
    countedSeconds: 12_600,
    fileTotalSeconds: 12_600,
    differences: [],
  })
  expect(plan).toMatchObject({ rows: 2, problems: [] })
})

test('A row that only begins like a total, and has a day, is listed', () => {
  const text = 'Task,Date,Hours\nTotal redesign,2026-02-30,2\nOther,2026-03-10,3\n'
  const plan = planned(text, options)
  expect(plan.statement.fileTotalSeconds).toBeNull()
  expect(problems(plan)).toEqual([
    '2: Column Date: “2026-02-30” isn’t a date. Write it as 2026-03-09.',
  ])
})

test('A row whose zone or duration cannot be is listed, and stops no other', () => {
  const text = `Date,Start,End,Timezone,Duration,Task
2026-03-09,09:00,10:00,+99:00,,A
2026-03-09,09:00,10:00,+01:60,,A
2026-03-10,09:00+99:00,10:00+99:00,,,A
2026-03-10,,,,${'9'.repeat(400)},A
2026-03-11,09:00,10:00,+01:00,,A
`
  const plan = planned(text, options)
  expect(plan.totalSeconds).toBe(3600)
  expect(plan.statement.statedSeconds).toBe(3600)
  expect(plan.problems.map(({ line }) => line)).toEqual([2, 3, 4, 5])
})

test('A damaged character stops no file, and UTF-16 without its mark is refused', () => {
  const text = 'Date,Start,End,Task\n2026-03-09,09:00,10:00,A\0B\n'
  expect(taken(planned(text, options))).toEqual(['AB: 2026-03-09 09:00:00 – 2026-03-09 10:00:00'])
  const utf16 = text.replace(/[^]/g, '$&\0')
  expect(problems(planned(utf16))).toEqual([
    '1: This file isn’t UTF-8 text. Save it as CSV in UTF-8 first.',
  ])
})

test.each([
  ['have no day', 'x,09:00,20:00,10.59,A\nx,09:00,23:00,13.42,A\n'],
  ['have no end', '2026-03-09,09:00,x,10.59,A\n2026-03-09,09:00,x,13.42,A\n'],
])('Rows that cannot be read and %s say nothing about the unit of durations', (_, rows) => {
  const plan = planned(`Date,Start,End,Duration,Task\n${rows}`, options)
  expect(plan).toMatchObject({ unit: 'hours', isUnitGuessed: false })
  expect(plan.statement.statedSeconds).toBe(86_436)
})

test('What a row has beyond the names of the columns is not left out silently', () => {
  const text =
    'Date,Start,End,Task,Note\n2026-03-09,09:00,10:00,A,Draft, sent\n2026-03-10,09:00,10:00,A,B,,\n'
  expect(planned(text, options)).toMatchObject({
    totalSeconds: 7200,
    notices: ['1 session has more columns than there are names. What they have is left out.'],
  })
})

test.each([
  ['+05:30', '2026-03-09 04:30:00'],
  ['North', '2026-03-09 09:00:00'],
])('A column called Zone counts if it has zones: %s', (zone, start) => {
  const text = `Date,Start,End,Zone,Task\n2026-03-09,09:00,10:00,${zone},A\n`
  expect(taken(planned(text, options))[0]).toContain(`A: ${start}`)
})
