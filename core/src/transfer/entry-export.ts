/**
 * Exports the record: CSV for spreadsheets, iCalendar for calendars. `planImport` reads CSV back
 * with the same figures. `stint-json.ts` writes everything.
 */
import { t } from '#text.ts'
import type { DayRule } from '#time/day-rule.ts'
import { dateOfDay, dayIndexAt, dayTableCovering, localDate, zoneClock } from '#time/calendar.ts'
import { writeCsv } from '#csv.ts'
import { exactDuration } from '#time/duration.ts'
import { instantToWire } from '#time/instant.ts'
import { pausedMilliseconds } from '#timer/pauses.ts'
import type { Task } from '#record/task.ts'
import { nameInReports, UNKNOWN_TASK_NAME } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { piecesByDay, workedUntil } from '#reports/worked-time.ts'
import { exported } from './stint-json.ts'
import type { ExportInput } from './stint-json.ts'
import { ENTRY_COLUMNS, PART_COLUMNS, WHOLE_COLUMNS } from './entry-columns.ts'

/**
 * Returns CSV with one line per entry, oldest first. Start, end and pauses are local times with
 * their offset ('2026-03-09 09:00:00+01:00'), so that each names one instant. Duration is h:mm:ss,
 * and Seconds the same as a number. Pauses read 'start/end; start/end'. Date is the date of the
 * clock at the start. Day is the day that the reports count: if days begin after midnight, it may
 * be the day before.
 */
export function exportCsv(input: ExportInput, dayRule: DayRule): string {
  const { exactTime } = zoneClock(dayRule.timeZone)
  const columns: readonly Column<TimeEntry>[] = [
    ['Date', ({ startedAt }) => exactTime(startedAt).slice(0, 10)],
    ...taskColumns<TimeEntry>(input.tasks, (entry) => entry),
    ...entryColumns<TimeEntry>(ENTRY_COLUMNS, exactTime, (entry) => entry),
    ['Day', ({ startedAt }) => localDate(startedAt, dayRule)],
  ]
  return csvOf(columns, exported(input))
}

/**
 * Returns CSV with one line per entry and day, as the reports count: work over the end of a day is
 * divided, and a range has the work within it, even of entries that began before. By Day, the sum
 * of Seconds is the bar of the reports. The sum of Sessions, 1 where an entry starts and 0 on later
 * days, is their number of sessions. The file cannot be imported: the parts before and after a
 * range are missing.
 */
export function exportDaysCsv({ entries, tasks, range }: ExportInput, dayRule: DayRule): string {
  const { exactTime } = zoneClock(dayRule.timeZone)
  const columns: readonly Column<DayLine>[] = [
    ['Day', ({ day }) => day],
    ...taskColumns<DayLine>(tasks, ({ entry }) => entry),
    ...entryColumns<DayLine>(PART_COLUMNS, exactTime, ({ part }) => part),
    ['Sessions', ({ part, entry }) => (part.startedAt === entry.startedAt ? '1' : '0')],
    ...entryColumns<DayLine>(WHOLE_COLUMNS, exactTime, ({ entry }) => entry),
  ]
  const lines = exported({ entries }).flatMap((entry) =>
    partsByDay(entry, dayRule)
      .filter(({ dayStart }) => !range || (dayStart >= range.start && dayStart < range.end))
      .map(({ day, part }) => ({ day, part, entry })),
  )
  return csvOf(columns, lines)
}

/** A column of a file: its heading, and its text on a line. Both are the same in every language. */
type Column<Line> = readonly [heading: string, write: (line: Line) => string]

/** The part of an entry on one day. */
interface DayLine {
  readonly day: string
  readonly part: TimeEntry
  readonly entry: TimeEntry
}

function taskColumns<Line>(
  tasks: readonly Task[],
  entryOf: (line: Line) => TimeEntry,
): readonly Column<Line>[] {
  const tasksById = new Map(tasks.map((task) => [task.id, task]))
  const taskOf = (line: Line) => tasksById.get(entryOf(line).taskId)
  return [
    ['Task', (line) => taskOf(line)?.name ?? UNKNOWN_TASK_NAME],
    ['Category', (line) => taskOf(line)?.category ?? ''],
  ]
}

function entryColumns<Line>(
  columns: typeof ENTRY_COLUMNS,
  exactTime: (instant: number) => string,
  entryOf: (line: Line) => TimeEntry,
): readonly Column<Line>[] {
  return columns.map(({ heading, write }) => [heading, (line) => write(entryOf(line), exactTime)])
}

function csvOf<Line>(columns: readonly Column<Line>[], lines: readonly Line[]): string {
  const headings = columns.map(([heading]) => heading)
  return writeCsv([headings, ...lines.map((line) => columns.map(([, write]) => write(line)))])
}

/**
 * Returns the parts of the entry by day: the day of its start, even without a whole second, and the
 * other days with work.
 */
function partsByDay(entry: TimeEntry, dayRule: DayRule) {
  const table = dayTableCovering(entry.startedAt, workedUntil(entry), dayRule)
  const pieces = piecesByDay(entry, table)
  const firstDay = table.firstDay + dayIndexAt(table, entry.startedAt)
  if (pieces[0]?.day !== firstDay) pieces.unshift({ day: firstDay, seconds: 0 })
  return pieces.map(({ day, seconds }) => {
    const dayStart = table.starts[day - table.firstDay] ?? 0
    const nextDay = table.starts[day - table.firstDay + 1] ?? entry.endedAt
    return {
      day: dateOfDay(day),
      dayStart,
      part: {
        ...entry,
        startedAt: Math.max(entry.startedAt, dayStart),
        endedAt: Math.min(entry.endedAt, nextDay),
        durationSeconds: seconds,
      },
    }
  })
}

/**
 * Returns an iCalendar file (RFC 5545) with one event per entry, in UTC, named after its task. An
 * entry always has the same UID, so that a calendar that reads a later file updates its events.
 * Events do not block time.
 * @param properties further properties of the calendar, as lines.
 */
export function exportIcs(input: ExportInput, properties: readonly string[] = []): string {
  const tasks = new Map(input.tasks.map((task) => [task.id, task]))
  const events = exported(input).flatMap((entry) => event(entry, tasks.get(entry.taskId)))
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Stint//Stint//EN',
    'CALSCALE:GREGORIAN',
    ...properties,
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

// iCalendar

function event(entry: TimeEntry, task: Task | undefined): string[] {
  const start = icsInstant(entry.startedAt)
  // An event must end after it starts, and instants here have whole seconds.
  const end = icsInstant(Math.max(entry.endedAt, entry.startedAt + 1000))
  const paused = Math.floor(pausedMilliseconds(entry.pauses) / 1000)
  const worked = exactDuration(entry.durationSeconds)
  const times =
    paused > 0
      ? t('Worked {worked}, paused {paused}', { worked, paused: exactDuration(paused) })
      : t('Worked {worked}', { worked })
  const description = entry.note ? `${entry.note}\n\n${times}` : times
  return [
    'BEGIN:VEVENT',
    `UID:${entry.id}@stint`,
    `DTSTAMP:${icsInstant(entry.updatedAt)}`,
    `DTSTART:${start}`,
    `DTEND:${end}`,
    `SUMMARY:${icsText(task?.name ?? nameInReports(undefined))}`,
    `DESCRIPTION:${icsText(description)}`,
    ...(task?.category ? [`CATEGORIES:${icsText(task.category)}`] : []),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** Returns '20260309T090000Z'. */
function icsInstant(instant: number): string {
  return `${instantToWire(instant).slice(0, 19).replace(/[-:]/g, '')}Z`
}

/** Escapes text as a value and drops control characters, which are not allowed. */
function icsText(text: string): string {
  return text
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replace(/\r\n|\r|\n/g, String.raw`\n`)
    .replace(/[\p{Cc}]/gu, ' ')
}

/** Folds a line at 75 octets, with a space before continuations. No character is divided. */
function folded(line: string): string {
  if (line.length <= 75 && /^[ -~]*$/.test(line)) return line
  const parts: string[] = []
  let start = 0
  let octets = 0
  for (let at = 0; at < line.length;) {
    const code = line.codePointAt(at) ?? 0
    const size = octetsOf(code)
    if (octets + size > 75) {
      parts.push(line.slice(start, at))
      start = at
      octets = 1
    }
    octets += size
    at += code < 0x10000 ? 1 : 2
  }
  parts.push(line.slice(start))
  return parts.join('\r\n ')
}

/** Returns how many octets a code point takes in UTF-8. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
