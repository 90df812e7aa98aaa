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
import type { Interval } from '#time/instant.ts'
import { clipPauses, pausedMilliseconds } from '#timer/pauses.ts'
import type { Task } from '#record/task.ts'
import { nameInReports, UNKNOWN_TASK_NAME } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { piecesByDay, workedUntil } from '#reports/worked-time.ts'
import { exported } from './stint-json.ts'
import type { ExportInput } from './stint-json.ts'
import { CSV_FORM, csvDuration, delimiterOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'
import { CUT_COLUMN, ENTRY_COLUMNS, PART_COLUMNS, WHOLE_COLUMNS } from './entry-columns.ts'
import type { ColumnForm } from './entry-columns.ts'

/**
 * Returns CSV with one line per entry, oldest first. Start, end and pauses are local times with
 * their offset ('2026-03-09 09:00:00+01:00'), so that each names one instant. Duration is in the
 * form that is asked for, and Seconds the same as whole seconds. Pauses read 'start/end; start/end'.
 * Date is the date of the clock at the start. Day is the day that the reports count: if days begin
 * after midnight, it may be the day before.
 */
export function exportCsv(input: ExportInput, dayRule: DayRule, form: CsvForm = CSV_FORM): string {
  const columns = sessionColumns<TimeEntry>(input.tasks, dayRule, form, (entry) => entry)
  return csvOf(columns, exported(input), form)
}

/**
 * Returns the same with the work within the range alone, as the report of these days counts it:
 * sessions are cut at its edges, so that the sum of Seconds is the report's total. Cut says of each
 * session where: 'start', 'end', 'start and end' or nothing.
 */
export function exportPeriodCsv(
  { entries, tasks, range }: ExportInput & { readonly range: Interval },
  dayRule: DayRule,
  form: CsvForm = CSV_FORM,
): string {
  const columns: readonly Column<Cut>[] = [
    ...sessionColumns<Cut>(tasks, dayRule, form, ({ part }) => part),
    [CUT_COLUMN, ({ edges }) => edges.join(' and ')],
  ]
  const lines = exported({ entries }).flatMap((entry) => cutTo(range, entry, dayRule) ?? [])
  return csvOf(columns, lines, form)
}

/**
 * Returns CSV with one line per entry and day, as the reports count: work over the end of a day is
 * divided, and a range has the work within it, even of entries that began before. By Day, the sum
 * of Seconds is the bar of the reports. The sum of Sessions, 1 where an entry starts and 0 on later
 * days, is their number of sessions. The file cannot be imported: the parts before and after a
 * range are missing.
 */
export function exportDaysCsv(
  { entries, tasks, range }: ExportInput,
  dayRule: DayRule,
  form: CsvForm = CSV_FORM,
): string {
  const fields = columnForm(dayRule, form)
  const columns: readonly Column<DayLine>[] = [
    ['Day', ({ day }) => day],
    ...taskColumns<DayLine>(tasks, ({ entry }) => entry),
    ...entryColumns<DayLine>(PART_COLUMNS, fields, ({ part }) => part),
    ['Sessions', ({ part, entry }) => (part.startedAt === entry.startedAt ? '1' : '0')],
    ...entryColumns<DayLine>(WHOLE_COLUMNS, fields, ({ entry }) => entry),
  ]
  const lines = exported({ entries }).flatMap((entry) =>
    partsWithin(range, entry, dayRule).map(({ day, part }) => ({ day, part, entry })),
  )
  return csvOf(columns, lines, form)
}

/** A column of a file: its heading, and its text on a line. Both are the same in every language. */
type Column<Line> = readonly [heading: string, write: (line: Line) => string]

/** The part of an entry on one day. */
interface DayLine {
  readonly day: string
  readonly part: TimeEntry
  readonly entry: TimeEntry
}

/** The part of an entry within a range. */
interface Cut {
  readonly part: TimeEntry
  /** The ends that are not the entry's own. */
  readonly edges: readonly ('start' | 'end')[]
}

/** The columns of a file that has one line per session. */
function sessionColumns<Line>(
  tasks: readonly Task[],
  dayRule: DayRule,
  form: CsvForm,
  entryOf: (line: Line) => TimeEntry,
): readonly Column<Line>[] {
  const fields = columnForm(dayRule, form)
  return [
    ['Date', (line) => fields.moment(entryOf(line).startedAt).slice(0, 10)],
    ...taskColumns(tasks, entryOf),
    ...entryColumns(ENTRY_COLUMNS, fields, entryOf),
    ['Day', (line) => localDate(entryOf(line).startedAt, dayRule)],
  ]
}

function columnForm(dayRule: DayRule, form: CsvForm): ColumnForm {
  const { exactTime } = zoneClock(dayRule.timeZone)
  return { moment: exactTime, duration: (seconds) => csvDuration(seconds, form) }
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
  fields: ColumnForm,
  entryOf: (line: Line) => TimeEntry,
): readonly Column<Line>[] {
  return columns.map(({ heading, write }) => [heading, (line) => write(entryOf(line), fields)])
}

function csvOf<Line>(
  columns: readonly Column<Line>[],
  lines: readonly Line[],
  form: CsvForm,
): string {
  const headings = columns.map(([heading]) => heading)
  const rows = lines.map((line) => columns.map(([, write]) => write(line)))
  return writeCsv([headings, ...rows], delimiterOf(form))
}

/** Returns the part of the entry within a range of days; null if the range does not count it. */
function cutTo(range: Interval, entry: TimeEntry, dayRule: DayRule): Cut | null {
  const parts = partsWithin(range, entry, dayRule)
  if (parts.length === 0) return null
  const startedAt = Math.max(entry.startedAt, range.start)
  const endedAt = Math.max(startedAt, Math.min(entry.endedAt, range.end))
  const durationSeconds = parts.reduce((sum, { part }) => sum + part.durationSeconds, 0)
  const pauses = clipPauses(entry.pauses, startedAt, endedAt)
  return {
    part: { ...entry, startedAt, endedAt, durationSeconds, pauses },
    edges: [
      ...(startedAt > entry.startedAt ? (['start'] as const) : []),
      ...(endedAt < entry.endedAt ? (['end'] as const) : []),
    ],
  }
}

function partsWithin(range: Interval | undefined, entry: TimeEntry, dayRule: DayRule) {
  const parts = partsByDay(entry, dayRule)
  return range
    ? parts.filter(({ dayStart }) => dayStart >= range.start && dayStart < range.end)
    : parts
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
