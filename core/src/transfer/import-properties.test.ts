import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '#csv.ts'
import { recogniseImport } from './entry-import.ts'
import { planned } from '#test/plans.ts'
import { localDateTime, zoneClock } from '#time/calendar.ts'

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
] as const
const NOW = Date.parse('2026-12-31T12:00:00Z')
/** How many files of each kind are read, by the size of the tests. */
const RUNS = { numRuns: Number(process.env['FILES'] ?? 30) }

/** A session as other programs know it. */
interface Session {
  readonly start: number
  /** Seconds. */
  readonly length: number
  readonly pause: number
  readonly project: string
  readonly note: string
  /** How its program writes the duration: exact, or in hundredths of hours. */
  readonly isRounded: boolean
  /** What is wrong with the row. */
  readonly fault: 'none' | 'no-end' | 'no-date' | 'no-work' | 'repeat'
}

const anySession: fc.Arbitrary<Session> = fc.record({
  start: fc
    .integer({ min: Date.UTC(2026, 0, 3) / 1000, max: Date.UTC(2026, 11, 20) / 1000 })
    .map((seconds) => seconds * 1000),
  length: fc.integer({ min: 1, max: 15 * 3600 }),
  pause: fc.integer({ min: 0, max: 1800 }),
  project: fc.constantFrom('Website', 'Office', 'Book, second'),
  note: fc.constantFrom('', 'Header', 'Call "Ann"'),
  isRounded: fc.boolean(),
  fault: fc.oneof(
    { arbitrary: fc.constant('none' as const), weight: 6 },
    fc.constantFrom('no-end', 'no-date', 'no-work', 'repeat'),
  ),
})

function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

interface Shape {
  readonly headings: readonly string[]
  readonly hasBreaks: boolean
  readonly row: (session: Session, times: Times, duration: string) => readonly string[]
}

interface Times {
  readonly startDate: string
  readonly startTime: string
  readonly endDate: string
  readonly endTime: string
  readonly start: string
  readonly end: string
}

const SHAPES: Readonly<Record<string, Shape>> = {
  toggl: {
    headings: 'Email,Project,Description,Start date,Start time,End date,End time,Duration'.split(
      ',',
    ),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      'a@example.org',
      project,
      note,
      at.startDate,
      at.startTime,
      at.endDate,
      at.endTime,
      duration,
    ],
  },
  clockify: {
    headings: 'Project,Description,Start Date,Start Time,End Date,End Time,Duration (h)'.split(','),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      project,
      note,
      at.startDate,
      at.startTime,
      at.endDate,
      at.endTime,
      duration,
    ],
  },
  kimai: {
    headings: 'Customer,Project,Activity,Date,From,End Date,To,Break,Duration'.split(','),
    hasBreaks: true,
    row: ({ project, note, pause }, at, duration) => [
      '',
      project,
      note,
      at.startDate,
      at.startTime,
      at.endDate,
      at.endTime,
      clockText(pause),
      duration,
    ],
  },
  solidtime: {
    headings: 'Project,Description,Client,Start,End,Duration,Duration (decimal)'.split(','),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [project, note, '', at.start, at.end, duration, ''],
  },
  drytrix: {
    headings: 'Project,Notes,Start Time,End Time,Duration (hours),Duration (formatted)'.split(','),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [project, note, at.start, at.end, duration, ''],
  },
  harvest: {
    headings:
      'Date,Client,Project,Project Code,Task,Notes,Hours,Started At,Ended At,First Name,Last Name'.split(
        ',',
      ),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      at.startDate,
      '',
      project,
      '',
      '',
      note,
      duration,
      at.startTime,
      at.endTime,
      'Pat',
      'Poe',
    ],
  },
  'harvest without times': {
    headings: 'Date,Client,Project,Project Code,Task,Notes,Hours,First Name,Last Name'.split(','),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      at.startDate,
      '',
      project,
      '',
      '',
      note,
      duration,
      'Pat',
      'Poe',
    ],
  },
  tempo: {
    headings: 'Issue Key,Issue summary,Hours,Work date,Full name,Work Description'.split(','),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      project,
      '',
      duration,
      `${at.startDate} ${at.startTime}`,
      'Pat Poe',
      note,
    ],
  },
  'tempo without times': {
    headings: 'Issue Key,Issue summary,Hours,Work date,Full name,Work Description'.split(','),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      project,
      '',
      duration,
      at.startDate,
      'Pat Poe',
      note,
    ],
  },
  timescribe: {
    headings:
      'Type,Description,Project,Import source,Start date,Start time,End date,End time,Duration'.split(
        ',',
      ),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      'work',
      note,
      project,
      '',
      at.startDate.split('-').toReversed().join('/'),
      at.startTime,
      at.endDate.split('-').toReversed().join('/'),
      at.endTime,
      duration,
    ],
  },
  'simple-time-tracker': {
    headings:
      'activity name,time started,time ended,comment,categories,record tags,duration,duration minutes'.split(
        ',',
      ),
    hasBreaks: false,
    row: ({ project, note }, at, duration) => [
      project,
      `${at.startDate} ${at.startTime}`,
      `${at.endDate} ${at.endTime}`,
      note,
      '',
      '',
      duration,
      '',
    ],
  },
  watson: {
    headings: 'id,start,stop,project,tags'.split(','),
    hasBreaks: false,
    row: ({ project }, at) => ['a1', at.start, at.end, project, ''],
  },
  columns: {
    headings: 'Projekt,Notiz,Datum,Von,Enddatum,Bis,Pause,Dauer'.split(','),
    hasBreaks: true,
    row: ({ project, note, pause }, at, duration) => [
      project,
      note,
      at.startDate,
      at.startTime,
      at.endDate,
      at.endTime,
      clockText(pause),
      duration,
    ],
  },
  'columns without durations': {
    headings: 'Task,Note,Start,End,Break'.split(','),
    hasBreaks: true,
    row: ({ project, note, pause }, at) => [project, note, at.start, at.end, clockText(pause)],
  },
}

/** Returns '20260309T083000Z'. */
function compact(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

/** Files whose times have no zone but UTC or their own, or that say all that a clock can. */
const TEXTS: Readonly<Record<string, (sessions: readonly Session[], timeZone: string) => string>> =
  {
    timewarrior: (sessions) =>
      JSON.stringify(
        sessions.map(({ start, length, project, note }, index) => ({
          id: index + 1,
          start: compact(start),
          end: compact(start + length * 1000),
          tags: [project],
          annotation: note,
        })),
      ),
    'watson-frames': (sessions) =>
      JSON.stringify(
        sessions.map(({ start, length, project }, index) => {
          return [start / 1000, start / 1000 + length, project, `id${index}`, [], 0]
        }),
      ),
    'activity-watch': (sessions) => {
      const events = sessions.map(({ start, length, project, note }) => ({
        timestamp: new Date(start).toISOString(),
        duration: length,
        data: { app: project, title: note },
      }))
      return JSON.stringify({ buckets: { window: { type: 'currentwindow', events } } })
    },
    calendar: (sessions) =>
      [
        'BEGIN:VCALENDAR',
        ...sessions.flatMap(({ start, length, project }, index) => [
          'BEGIN:VEVENT',
          `UID:${index}`,
          `DTSTART:${compact(start)}`,
          `DTEND:${compact(start + length * 1000)}`,
          `SUMMARY:${project.replace(',', String.raw`\,`)}`,
          'END:VEVENT',
        ]),
        'END:VCALENDAR',
      ].join('\r\n'),
    hamster: (sessions, timeZone) => {
      const { exactTime } = zoneClock(timeZone)
      return [
        'activity\tstart time\tend time\tduration minutes\tcategory\tdescription\ttags',
        ...sessions.map(({ start, length, project }) => {
          const times = [exactTime(start), exactTime(start + length * 1000)]
          return [project, ...times, String(length / 60), 'Work', '', ''].join('\t')
        }),
      ].join('\n')
    },
    'stint-command': (sessions, timeZone) => {
      const { exactTime } = zoneClock(timeZone)
      return writeCsv([
        ['Task', 'Start', 'End', 'Seconds', 'Note', 'Tags'],
        ...sessions.map(({ start, length, pause, project, note }) => {
          const end = start + (length + pause) * 1000
          return [project, exactTime(start), exactTime(end), String(length), note, '']
        }),
      ])
    },
  }

/** Returns a file of these sessions, and what it says in seconds. */
function fileOf(sessions: readonly Session[], shape: Shape, timeZone: string) {
  const { exactTime } = zoneClock(timeZone)
  let stated = 0
  const rows = sessions.flatMap((session) => {
    const length = session.length + (shape.hasBreaks ? session.pause : 0)
    const end = session.start + length * 1000
    const [startDate = '', startTime = ''] = localDateTime(session.start, timeZone).split(' ')
    const [endDate = '', endTime = ''] = localDateTime(end, timeZone).split(' ')
    const at = {
      startDate,
      startTime,
      endDate,
      endTime,
      start: exactTime(session.start),
      end: exactTime(end),
    }
    const hasDuration = shape.headings.some((heading) => /^(?:Duration|Dauer|Hours)/i.test(heading))
    const hours = (session.length / 3600).toFixed(2)
    const isRounded = session.isRounded && Number(hours) > 0
    const duration = isRounded ? hours : clockText(session.length)
    const says = !hasDuration ? length : isRounded ? Number(hours) * 3600 : session.length
    const { fault } = session
    const project = fault === 'no-work' ? 'Urlaub' : session.project
    const times = {
      ...at,
      ...(fault === 'no-end' && { end: 'x', endTime: 'x' }),
      ...(fault === 'no-date' && { start: 'x', startDate: 'x' }),
    }
    const row = shape.row({ ...session, project }, times, duration)
    // Without a duration and an end, a row says nothing.
    const isSilent = !hasDuration && (fault === 'no-end' || fault === 'no-date')
    const copies = fault === 'repeat' ? 2 : 1
    stated += isSilent ? 0 : copies * says
    return Array.from({ length: copies }, () => row)
  })
  return { text: writeCsv([shape.headings, ...rows]), stated: Math.round(stated) }
}

describe('the statement of an import', () => {
  test.each(Object.entries(SHAPES))(
    'What a file of %s says and every named difference make what is counted, to the second',
    (name, shape) => {
      fc.assert(
        fc.property(
          fc.array(anySession, { minLength: 1, maxLength: 12 }),
          fc.constantFrom(...ZONES),
          fc.constantFrom('take', 'leave'),
          (sessions, timeZone, repeats) => {
            const { text, stated } = fileOf(sessions, shape, timeZone)
            expect(recogniseImport(text).format).toBe(name.split(' ')[0])
            const { statement, changes, totals } = planned(text, { timeZone, repeats, now: NOW })
            const counted = changes.reduce((sum, { after }) => sum + after.durationSeconds, 0)
            expect(statement.countedSeconds).toBe(counted)
            expect(totals.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(counted)
            // A row at a time that the clocks skipped cannot be: these times are all shown.
            expect(statement.statedSeconds).toBe(stated)
            for (const sums of [statement, ...statement.months]) {
              const named = sums.differences.reduce((sum, { seconds }) => sum + seconds, 0)
              expect(sums.countedSeconds).toBe(sums.statedSeconds + named)
            }
            const months = statement.months.reduce((sum, month) => sum + month.countedSeconds, 0)
            expect(months).toBe(counted)
          },
        ),
        RUNS,
      )
    },
  )

  test.each(Object.entries(TEXTS))('All that a file of %s says is counted', (format, write) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anySession, { minLength: 1, maxLength: 12, selector: ({ start }) => start }),
        fc.constantFrom(...ZONES),
        (sessions, timeZone) => {
          const text = write(sessions, timeZone)
          expect(recogniseImport(text).format).toBe(format)
          const { statement, problems } = planned(text, { timeZone, now: NOW })
          const total = sessions.reduce((sum, { length }) => sum + length, 0)
          expect(problems).toEqual([])
          expect(statement).toMatchObject({
            statedSeconds: total,
            countedSeconds: total,
            differences: [],
          })
        },
      ),
      RUNS,
    )
  })

  test('Only what is rounded is rounding: it is less than a minute a row', () => {
    fc.assert(
      fc.property(fc.array(anySession, { minLength: 1 }), (sessions) => {
        const { text } = fileOf(sessions, SHAPES['toggl'] ?? never(), 'Europe/Berlin')
        const rounding = planned(text, { now: NOW }).statement.differences.find(
          ({ kind }) => kind === 'rounding',
        )
        expect(Math.abs(rounding?.seconds ?? 0)).toBeLessThan(60 * 2 * sessions.length)
      }),
      RUNS,
    )
  })
})

function never(): never {
  throw new Error('There is no such shape.')
}

/** Files of outlines, whose times are those of a clock on the wall, in minutes. */
describe('the statement of an outline', () => {
  test('What a file of klog says and every named difference make what is counted', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), fc.constantFrom(...ZONES), (all, zone) => {
        const lines = all.filter((line) => isPlain(line, zone))
        const { statement, changes } = planned(`${HEAD_OF_KLOG}${klogOf(lines, zone)}`, {
          timeZone: zone,
          now: NOW,
        })
        expect(recogniseImport(`${HEAD_OF_KLOG}${klogOf(lines, zone)}`).format).toBe('klog')
        const counted = changes.reduce((sum, { after }) => sum + after.durationSeconds, 0)
        const stated = lines
          .filter(({ kind }) => kind !== 'open')
          .map(({ minutes }) => minutes * 60)
        expect(statement.statedSeconds).toBe(60 + sum(stated))
        expect(statement.countedSeconds).toBe(counted)
        expect(counted - statement.statedSeconds).toBe(
          sum(statement.differences.map(({ seconds }) => seconds)),
        )
        const paused = lines.filter(({ kind }) => kind === 'paused').map(pausedSeconds)
        const breaks = statement.differences.find(({ kind }) => kind === 'breaks')
        expect(breaks?.seconds ?? 0).toBe(sum(paused) === 0 ? 0 : -sum(paused))
      }),
      RUNS,
    )
  })

  test('All that the clocks of an Org file say is counted, and a wrong sum beside them is named', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), fc.constantFrom(...ZONES), (all, zone) => {
        const lines = all.filter((line) => isPlain(line, zone))
        const text = `* Book\nCLOCK: [2026-02-02 Mon 09:00]--[2026-02-02 Mon 09:01] =>  0:01\n${orgOf(lines, zone)}`
        expect(recogniseImport(text).format).toBe('org')
        const { statement, changes } = planned(text, { timeZone: zone, now: NOW })
        const counted = sum(changes.map(({ after }) => after.durationSeconds))
        const worked = lines.filter(({ kind }) => kind !== 'open')
        expect(counted).toBe(60 + sum(worked.map(({ minutes }) => minutes * 60)))
        const wrong = worked.filter(({ kind }) => kind === 'paused').map(({ pause }) => pause * 60)
        expect(statement.statedSeconds).toBe(counted + sum(wrong))
        expect(counted - statement.statedSeconds).toBe(
          sum(statement.differences.map(({ seconds }) => seconds)),
        )
      }),
      RUNS,
    )
  })

  test('All that the clocks of org-clock-csv say is counted', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), fc.constantFrom(...ZONES), (all, zone) => {
        const lines = all.filter((line) => isPlain(line, zone))
        const text = writeCsv([
          'task,parents,category,start,end,effort,ishabit,tags'.split(','),
          ['Draft', 'Book', '', '2026-02-02 09:00', '2026-02-02 09:01', '8:00', '', ''],
          ...lines.map(({ start, minutes, project }) => {
            const times = [start, start + minutes * MINUTE].map((at) => wallOf(at, zone))
            return [project, 'Book', '', ...times, '8:00', '', '']
          }),
        ])
        expect(recogniseImport(text).format).toBe('org-clock-csv')
        const { statement, problems } = planned(text, { timeZone: zone, now: NOW })
        const total = 60 + sum(lines.map(({ minutes }) => minutes * 60))
        expect(problems).toEqual([])
        expect(statement).toMatchObject({
          statedSeconds: total,
          countedSeconds: total,
          differences: [],
        })
      }),
      RUNS,
    )
  })
})

const MINUTE = 60_000
const HEAD_OF_KLOG = '2026-02-02\n    9:00 - 9:01 First\n\n'

/** A clock of an outline. */
interface Line {
  /** Epoch milliseconds, at a full minute. */
  readonly start: number
  readonly minutes: number
  readonly pause: number
  readonly project: string
  /** In klog with a break, in Org with a wrong sum; as a length alone; without an end. */
  readonly kind: 'plain' | 'paused' | 'length' | 'open'
}

const anyLine: fc.Arbitrary<Line> = fc.record({
  start: fc
    .integer({ min: Date.UTC(2026, 1, 3) / MINUTE, max: Date.UTC(2026, 11, 20) / MINUTE })
    .map((minutes) => minutes * MINUTE),
  minutes: fc.integer({ min: 2, max: 15 * 60 }),
  pause: fc.integer({ min: 1, max: 90 }),
  project: fc.constantFrom('Website', 'Office', 'Book #second'),
  kind: fc.constantFrom('plain', 'paused', 'length', 'open'),
})

/**
 * Returns whether clocks on the wall say the length of the work: no change lies within it, and each
 * of its times is shown once.
 */
function isPlain({ start, minutes }: Line, zone: string): boolean {
  const end = start + minutes * MINUTE
  const offset = offsetAt(start, zone)
  return [start - 70 * MINUTE, end, end + 70 * MINUTE].every((at) => offsetAt(at, zone) === offset)
}

function offsetAt(instant: number, zone: string): number {
  return Date.parse(`${localDateTime(instant, zone).replace(' ', 'T')}Z`) - instant
}

/** Returns '2026-03-09 09:30'. */
function wallOf(instant: number, zone: string): string {
  return localDateTime(instant, zone).slice(0, 16)
}

function klogOf(lines: readonly Line[], zone: string): string {
  return lines
    .map((line) => {
      const { start, minutes, project, kind } = line
      const [date = '', time = ''] = wallOf(start, zone).split(' ')
      const [endDate, endTime] = wallOf(start + minutes * MINUTE, zone).split(' ')
      const end = kind === 'open' ? '?' : `${endTime}${endDate === date ? '' : '>'}`
      const worked =
        kind === 'length' ? `${Math.floor(minutes / 60)}h${minutes % 60}m` : `${time} - ${end}`
      const pause = kind === 'paused' ? `\n    -${pausedSeconds(line) / 60}m Coffee` : ''
      return `${date}\n    ${worked} ${project}${pause}\n`
    })
    .join('\n')
}

function orgOf(lines: readonly Line[], zone: string): string {
  return lines
    .map(({ start, minutes, pause, project, kind }) => {
      const from = `** ${project}\nCLOCK: [${wallOf(start, zone)}]`
      if (kind === 'open') return from
      const said = minutes + (kind === 'paused' ? pause : 0)
      const sums = ` =>  ${Math.floor(said / 60)}:${String(said % 60).padStart(2, '0')}`
      return `${from}--[${wallOf(start + minutes * MINUTE, zone)}]${kind === 'length' ? '' : sums}`
    })
    .join('\n')
}

/** A break is shorter than the work. */
function pausedSeconds({ minutes, pause }: Line): number {
  return Math.min(minutes - 1, pause) * 60
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
