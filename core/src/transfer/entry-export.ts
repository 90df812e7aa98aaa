/**
 * Exports the record: CSV for spreadsheets, iCalendar for calendars, JSON with everything.
 * `planImport` reads CSV and JSON back with the same figures.
 */
import { t } from '#text.ts'
import type { DayRule } from '#time/day-rule.ts'
import { dateOfDay, dayIndexAt, dayTableCovering, localDate, zoneClock } from '#time/calendar.ts'
import { writeCsv } from '#csv.ts'
import { exactDuration } from '#time/duration.ts'
import type { Interval } from '#time/instant.ts'
import { instantToWire } from '#time/instant.ts'
import { pausedMilliseconds } from '#timer/pauses.ts'
import type { Task } from '#record/task.ts'
import { nameInReports, taskAttributes, UNKNOWN_TASK_NAME } from '#record/task.ts'
import { entryAttributes } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { piecesByDay, workedUntil } from '#reports/worked-time.ts'
import { ENTRY_COLUMNS, PART_COLUMNS, WHOLE_COLUMNS } from './entry-columns.ts'

export interface ExportInput {
  /** In any order. Deleted ones are left out. */
  readonly entries: readonly TimeEntry[]
  /** All tasks, deleted ones too: entries of deleted tasks are exported with their names. */
  readonly tasks: readonly Task[]
  /** Export only entries that began within it. Unset: all. */
  readonly range?: Interval
}

export const STINT_FORMAT = 'stint'
export const STINT_VERSION = 1

/**
 * Returns CSV with one line per entry, oldest first. Start, end and pauses are local times with
 * their offset ('2026-03-09 09:00:00+01:00'), so that each names one instant. Duration is h:mm:ss,
 * and Seconds the same as a number. Pauses read 'start/end; start/end'. Date is the date of the
 * clock at the start. Day is the day that the reports count: if days begin after midnight, it may
 * be the day before.
 */
export function exportCsv(input: ExportInput, dayRule: DayRule): string {
  const { exactTime } = zoneClock(dayRule.timeZone)
  const tasks = new Map(input.tasks.map((task) => [task.id, task]))
  const lines = exported(input).map((entry) => {
    const task = tasks.get(entry.taskId)
    return [
      exactTime(entry.startedAt).slice(0, 10),
      task?.name ?? UNKNOWN_TASK_NAME,
      task?.category ?? '',
      ...ENTRY_COLUMNS.map(({ write }) => write(entry, exactTime)),
      localDate(entry.startedAt, dayRule),
    ]
  })
  const headings = ['Date', 'Task', 'Category', ...headingsOf(ENTRY_COLUMNS), 'Day']
  return writeCsv([headings, ...lines])
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
  const tasksById = new Map(tasks.map((task) => [task.id, task]))
  const lines = exported({ entries, tasks }).flatMap((entry) => {
    const task = tasksById.get(entry.taskId)
    return partsByDay(entry, dayRule)
      .filter(({ dayStart }) => !range || (dayStart >= range.start && dayStart < range.end))
      .map(({ day, part }) => [
        day,
        task?.name ?? UNKNOWN_TASK_NAME,
        task?.category ?? '',
        ...PART_COLUMNS.map(({ write }) => write(part, exactTime)),
        part.startedAt === entry.startedAt ? '1' : '0',
        ...WHOLE_COLUMNS.map(({ write }) => write(entry, exactTime)),
      ])
  })
  const headings = [...headingsOf(PART_COLUMNS), 'Sessions', ...headingsOf(WHOLE_COLUMNS)]
  return writeCsv([['Day', 'Task', 'Category', ...headings], ...lines])
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

/**
 * Returns tasks and entries as JSON with all their attributes, under their names on the wire, with
 * one entry per line. Of a range, it has all tasks and the range's entries.
 */
export function exportJson(input: ExportInput, now: number): string {
  const head = { format: STINT_FORMAT, version: STINT_VERSION, exportedAt: instantToWire(now) }
  const tasks = input.tasks.map((task) => JSON.stringify(taskRecord(task)))
  const entries = exported(input).map((entry) => JSON.stringify(entryRecord(entry)))
  return [
    `${JSON.stringify(head).slice(0, -1)},`,
    `"tasks":[${listed(tasks)}],`,
    `"entries":[${listed(entries)}]}`,
    '',
  ].join('\n')
}

function exported({ entries, range }: ExportInput): TimeEntry[] {
  return entries
    .filter(
      ({ deletedAt, startedAt }) =>
        deletedAt === null && (!range || (startedAt >= range.start && startedAt < range.end)),
    )
    .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
}

function listed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`
}

/** Returns a task of the JSON file. */
function taskRecord(task: Task): object {
  const { userId: _, ...attributes } = taskAttributes(task, '')
  return { id: task.id, ...attributes, ...stamps(task) }
}

function headingsOf(columns: readonly { readonly heading: string }[]): string[] {
  return columns.map(({ heading }) => heading)
}

/** Returns an entry of the JSON file; instants are UTC text. */
function entryRecord(entry: TimeEntry): object {
  const { userId: _userId, date: _date, deletedAt: _, ...attributes } = entryAttributes(entry, '')
  // The file has all pauses; a document on the wire may have room for fewer.
  const pauses = entry.pauses.intervals.map(({ start, end }) => [start, end].map(instantToWire))
  return { id: entry.id, ...attributes, pauses, ...stamps(entry) }
}

function stamps({ createdAt, updatedAt }: Task | TimeEntry): object {
  return { createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) }
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
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, String.raw`\n`)
    .replace(/[\p{Cc}]/gu, ' ')
}

/** Folds a line at 75 octets, with a space before continuations. No character is divided. */
function folded(line: string): string {
  if (line.length <= 75 && /^[ -~]*$/.test(line)) return line
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > 75) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}

/** Returns how many octets the character takes in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
