import { expect, test } from 'vitest'
import { formatLabel, recogniseImport } from './entry-import.ts'
import { FORMAT_FILES } from '#test/format-files.ts'
import { history, planned, problems, taken } from '#test/plans.ts'
import { TABLE_FORMATS, TEXT_FORMATS } from './formats/list.ts'

test.each(FORMAT_FILES.map((file) => [file.format, file] as const))(
  'The file of %s is recognised, and its sessions are imported to the second',
  (format, file) => {
    expect(recogniseImport(file.text)).toMatchObject({ format, why: null })
    const plan = planned(file.text)
    expect(taken(plan)).toEqual(file.sessions)
    expect(plan.totalSeconds).toBe(file.seconds)
    expect(problems(plan)).toEqual(file.problems ?? [])
    const { statedSeconds, countedSeconds, differences } = plan.statement
    expect(countedSeconds).toBe(file.seconds)
    expect(differences.reduce((sum, { seconds }) => sum + seconds, statedSeconds)).toBe(
      file.seconds,
    )
  },
)

test.each(FORMAT_FILES.map((file) => [file.format, file] as const))(
  'The file of %s adds nothing the second time',
  (_, file) => {
    const first = planned(file.text)
    const again = planned(file.text, { existing: history(first) })
    expect(again).toMatchObject({ changes: [], tasks: [], duplicates: first.changes.length })
  },
)

test('Every format has a file here or with the other tests, and a name for people', () => {
  const elsewhere = ['toggl', 'clockify', 'harvest']
  const tested = new Set([...FORMAT_FILES.map(({ format }) => format), ...elsewhere])
  const names = [...TABLE_FORMATS, ...TEXT_FORMATS].map(({ name }) => name)
  expect(names.filter((name) => !tested.has(name))).toEqual([])
  expect(new Set(names.map((name) => formatLabel(name))).size).toBe(names.length)
})

test.each([
  ['Project,Client,Duration\nWebsite,Acme,12:30:00\n'],
  ['"Description","Duration"\n"Header","1:00:00"\n'],
  ['User,Project,Billable,Duration,Amount\nPat,Website,Yes,3:00:00,0\n'],
])('A summary is refused with what to export instead: %j', (text) => {
  expect(recogniseImport(text)).toMatchObject({
    format: 'unknown',
    why: 'The file is a summary without days. Export the detailed report as CSV instead.',
  })
})

test('A table of sums of Org mode is refused with what to import instead', () => {
  const text = '#+BEGIN: clocktable :scope file\n| Headline | Time |\n| Total | 1:30 |\n#+END:\n'
  expect(problems(planned(text))).toEqual([
    '1: The file has sums of Org mode without days. Import the Org file with its clocks instead.',
  ])
})

test('A calendar that Stint made is refused, since it lacks the pauses', () => {
  const text = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Stint//Stint//EN\r\nEND:VCALENDAR\r\n'
  expect(problems(planned(text))).toEqual([
    '1: This calendar is from Stint and lacks the pauses. Import the JSON or CSV export instead.',
  ])
})

test('A calendar that is cut off is refused with the reason', () => {
  const text = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY'
  expect(problems(planned(text))).toEqual(['1: This calendar file is cut off or damaged.'])
})

test('A list in JSON that no known program wrote is a table by its names', () => {
  const text = JSON.stringify([
    { date: '2026-03-09', from: '09:00', to: '10:00', project: { name: 'Website' }, labels: ['a'] },
  ])
  expect(taken(planned(text))).toEqual(['Website: 2026-03-09 09:00:00 – 2026-03-09 10:00:00 (#a)'])
})

/** Returns a calendar of events, each of its lines. */
function calendar(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT'])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

const READABLE = ['UID:a', 'SUMMARY:Review', 'DTSTART:20260309T080000Z', 'DTEND:20260309T090000Z']
const REVIEW = 'Review: 2026-03-09 09:00:00 – 2026-03-09 10:00:00'

test.each([
  ['a line of it', ['SUMMARY:Broken', 'no line', 'DTSTART:20260310T080000Z']],
  ['its title', ['SUMMARY;Broken', 'DTSTART:20260310T080000Z']],
  ['how it recurs', ['SUMMARY:Broken', 'DTSTART:20260310T080000Z', 'RRULE:FREQ=SOMETIMES']],
])('An event that cannot be read stops no other: %s', (_, broken) => {
  const plan = planned(calendar(broken, READABLE))
  expect(taken(plan)).toEqual([REVIEW])
  expect(problems(plan)).toEqual(['1: This event cannot be read.'])
})

test('The whole events of a calendar that is cut off are read', () => {
  const plan = planned(calendar(READABLE, READABLE).slice(0, -40))
  expect(taken(plan)).toEqual([REVIEW])
  expect(problems(plan)).toEqual([
    '1: This calendar file is cut off or damaged.',
    '2: This event cannot be read.',
  ])
})

test('A recurrence that an event of its own moves counts once, however its instant is written', () => {
  const series = ['UID:b', 'SUMMARY:Call', 'RRULE:FREQ=DAILY;COUNT=2']
  const plan = planned(
    calendar(
      [...series, 'DTSTART:20260309T080000Z', 'DTEND:20260309T090000Z'],
      [
        'UID:b',
        'SUMMARY:Moved',
        'RECURRENCE-ID:20260310T080000Z',
        'DTSTART:20260310T100000Z',
      ].concat('DTEND:20260310T110000Z'),
    ),
  )
  expect(taken(plan)).toHaveLength(2)
  const zoned = `BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Here
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0100
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:b
SUMMARY:Call
DTSTART;TZID=Here:20260309T090000
DTEND;TZID=Here:20260309T100000
RRULE:FREQ=DAILY;COUNT=2
END:VEVENT
BEGIN:VEVENT
UID:b
SUMMARY:Moved
RECURRENCE-ID:20260310T080000Z
DTSTART;TZID=Here:20260310T110000
DTEND;TZID=Here:20260310T120000
END:VEVENT
END:VCALENDAR
`
  expect(taken(planned(zoned))).toEqual([
    'Call: 2026-03-09 09:00:00 – 2026-03-09 10:00:00',
    'Moved: 2026-03-10 11:00:00 – 2026-03-10 12:00:00',
  ])
})

test.each([
  ['America/New_York', '2026-03-09 14:00:00'],
  ['Eastern Standard Time', '2026-03-09 14:00:00'],
  ['/example.org/20260101_1/America/New_York', '2026-03-09 14:00:00'],
  ['GMT-0500', '2026-03-09 15:00:00'],
])('A zone that a calendar names and does not describe is known: %s', (zone, start) => {
  const event = ['UID:z', 'SUMMARY:Call', `DTSTART;TZID="${zone}":20260309T090000`]
  expect(taken(planned(calendar([...event, 'DURATION:PT1H'])))).toEqual([
    `Call: ${start} – ${start.replace(/1[45]:/, (hour) => `${Number(hour.slice(0, 2)) + 1}:`)}`,
  ])
})

test('A zone of a calendar that nobody knows is listed', () => {
  const event = ['UID:z', 'SUMMARY:Call', 'DTSTART;TZID=Moon:20260309T090000', 'DURATION:PT1H']
  expect(problems(planned(calendar(event)))).toEqual([
    '1: Column zone: “Moon” isn’t a known time zone, or means several. Write an offset such as +01:00, or remove it.',
  ])
})

test('A date that is added to an event counts beside the first one', () => {
  const event = ['UID:r', 'SUMMARY:Call', 'DTSTART:20260309T080000Z', 'DURATION:PT1H']
  expect(taken(planned(calendar([...event, 'RDATE:20260310T080000Z'])))).toHaveLength(2)
})

test('What an endless event has after its first ten thousand times is listed', () => {
  const hourly = ['UID:c', 'SUMMARY:Backup', 'RRULE:FREQ=HOURLY', 'DTSTART:20240101T080000Z']
  const plan = planned(calendar([...hourly, 'DTEND:20240101T081000Z']))
  expect(plan.changes).toHaveLength(10_000)
  expect(problems(plan)).toEqual(['1: Recurs more than 10,000 times. Later ones are not imported.'])
})

test('Lines of klog that cannot be read are listed, and what goes on is part of its entry', () => {
  const text = [
    '2026-03-09',
    '    9:00 - 10:00 Write #report',
    '        2h are planned',
    '        - with a list',
    '    10;00 - 11:00 Typo',
    '    -15m',
    '',
    '9 of March',
    '    9:00 - 10:00 Nowhere',
    '',
    '2026-03-10',
    '    lost',
    '    1h Read',
  ].join('\n')
  const plan = planned(text)
  expect(taken(plan)).toEqual([
    'report: 2026-03-09 09:00:00 – 2026-03-09 10:00:00 (Write #report 2h are planned - with a list)',
    'Read: 2026-03-10 09:00:00 – 2026-03-10 10:00:00',
  ])
  expect(plan.totalSeconds).toBe(105 * 60)
  expect(problems(plan)).toEqual([
    '5: No line of klog.',
    '9: Column date: “9 of March” isn’t a date. Write it as 2026-03-09.',
    '12: No line of klog.',
  ])
})

test('Clocks of Org mode that cannot be read are listed', () => {
  const text = [
    '* Work',
    'CLOCK: [2026-03-09 Mon 09:00]--[2026-03-09 Mon 10:00] =>  1:00',
    'CLOCK: =>  1:30',
    '  CLOCK: [2026-03-10 Mon 0900]--[2026-03-10 Mon 10:00] =>  1:00',
  ].join('\n')
  expect(problems(planned(text))).toEqual(['3: Has no date.', '4: Has no date.'])
})

/** Returns an entry of a list in JSON, of a minute. */
function entry(minute: number) {
  const start = Date.UTC(2026, 2, 9, 8, minute)
  return {
    task: 'A',
    start: new Date(start).toISOString(),
    end: new Date(start + 60_000).toISOString(),
  }
}

test('A name that the entries of a list in JSON have late is read', () => {
  const entries = Array.from({ length: 300 }, (_, minute) => entry(minute))
  const plan = planned(JSON.stringify([...entries, { ...entry(300), note: 'Late' }]))
  expect(plan.changes.at(-1)?.after.note).toBe('Late')
})
