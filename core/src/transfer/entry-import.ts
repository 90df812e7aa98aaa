/**
 * Imports entries from Stint's own files, those of other time trackers, and any table. Nothing is
 * saved here: the plan lists what would be saved, with totals to compare. A row that cannot be read
 * is reported with its line and the reason; it is never guessed at or dropped silently. If a file
 * is planned again, existing entries are recognised and nothing is added.
 */
import { t } from '#text.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { localDate, zoneClock } from '#time/calendar.ts'
import { exactDuration } from '#time/duration.ts'
import { NO_PAUSES } from '#timer/pauses.ts'
import type { CsvTable } from '#csv.ts'
import { readCsv, readCsvChunked } from '#csv.ts'
import { COLLECTIONS } from '#collections.ts'
import { CLOCKIFY } from './import-clockify.ts'
import type { ColumnMapping } from './import-columns.ts'
import { breakReader, guessMapping, isUsable, mappedRow } from './import-columns.ts'
import { HARVEST, HARVEST_HEADINGS } from './import-harvest.ts'
import type { ImportPlan, PlanBuilder, PlanContext } from './import-plan.ts'
import { excerptOf, ROWS_PER_PAUSE, startPlan } from './import-plan.ts'
import { layOut, whenWorked } from './import-rows.ts'
import type { StintTask } from './import-stint.ts'
import {
  beginsAsStintJson,
  hasStintColumns,
  hasStintDayColumns,
  readStintJson,
  readStintRow,
} from './import-stint.ts'
import type { FieldReader, ImportRow, TableFormat } from './import-table.ts'
import { missingColumns, noteWithTags, plainHeading, UNNAMED_TASK } from './import-table.ts'
import type { DateOrder, DurationUnit } from './import-times.ts'
import { guessDateOrder } from './import-times.ts'
import { TOGGL } from './import-toggl.ts'
import { DEFAULT_TASK_COLOR } from '#record/task.ts'

export type ImportFormat =
  | 'toggl'
  | 'clockify'
  | 'harvest'
  | 'stint-csv'
  | 'stint-json'
  /** Any other table; it needs a mapping of its columns. */
  | 'columns'
  | 'unknown'

export interface RecognisedImport {
  readonly format: ImportFormat
  /** The first rows of a table, headings included, to show beside a mapping. */
  readonly firstRows: readonly (readonly string[])[]
  /** For a table: a guess at its columns. */
  readonly mapping: ColumnMapping | null
  /** For 'unknown': a sentence on what the file is instead. */
  readonly why: string | null
}

export interface ImportOptions extends PlanContext {
  readonly format: ImportFormat
  /** The zone of times without an offset. */
  readonly timeZone: string
  /** For 'columns'. Unset: the guess. */
  readonly mapping?: ColumnMapping
  /** Unset: guessed from all dates. */
  readonly dateOrder?: DateOrder
}

const SAMPLE_LENGTH = 65_536
const SAMPLE_ROWS = 6

/** Returns the format that the beginning of the file suggests. */
export function recogniseImport(text: string): RecognisedImport {
  const foreign = foreignContent(text)
  if (foreign) return unknown(foreign)
  if (beginsAsStintJson(text)) {
    return { format: 'stint-json', firstRows: [], mapping: null, why: null }
  }
  if (/^\uFEFF?\s*[{[]/.test(text)) return unknown(t('The file isn’t a Stint export.'))
  const sample = text.slice(0, SAMPLE_LENGTH)
  const whole = text.length > SAMPLE_LENGTH ? sample.slice(0, lastLineBreak(sample)) : sample
  const { rows } = readCsv(whole)
  const [headings] = rows
  if (!headings) return unknown(t('The file has no rows.'))
  if (headings.length < 2) return unknown(t('The file isn’t a table: it has one column.'))
  if (hasStintDayColumns(headings)) {
    return unknown(
      t('The file has sessions divided by day. Import the CSV or JSON export instead.'),
    )
  }
  return {
    format: formatOf(headings),
    firstRows: rows.slice(0, SAMPLE_ROWS),
    mapping: guessMapping(headings),
    why: null,
  }
}

/**
 * Plans the import. Yields the progress, 0 to 1, and returns the plan. Throws nothing, whatever the
 * file is.
 *
 * - Rows without times (Harvest) are laid out one after the other from 09:00 of their day, or
 *   earlier if they would not fit.
 * - An end before the start is on the next day only if the duration confirms it.
 * - Times count, not the duration beside them, which may be rounded. Breaks are taken off them.
 * - A row at a time that the clocks skipped is reported.
 * - A duplicate has the same task name, start and end as an entry of the history. Each entry of the
 *   history is the duplicate of one row, of one with the same note if there is one.
 * - In a file that is not Stint's own, a row that is the same as an earlier one is reported: its
 *   task, times, note, tags and person. If only task and times are the same, both are taken.
 * - Entries get the type 'import'; those from Stint's own files keep theirs.
 */
export function* planImport(text: string, options: ImportOptions): Generator<number, ImportPlan> {
  const plan = startPlan(options)
  switch (options.format) {
    case 'stint-json':
      return yield* planStintJson(text, plan)
    case 'unknown':
      plan.reportFile(
        1,
        text,
        recogniseImport(text).why ?? t('The file isn’t a table of sessions.'),
      )
      return yield* plan.finish()
    case 'stint-csv':
    case 'toggl':
    case 'clockify':
    case 'harvest':
    case 'columns':
      return yield* planTable(text, options.format, options, plan)
  }
}

type TableFormatName = Exclude<ImportFormat, 'stint-json' | 'unknown'>

const FORMATS = { toggl: TOGGL, clockify: CLOCKIFY, harvest: HARVEST } as const

function unknown(why: string): RecognisedImport {
  return { format: 'unknown', firstRows: [], mapping: null, why }
}

/** Returns what the file is if it is no text at all, or null. */
function foreignContent(text: string): string | null {
  if (text.trim() === '' || text.trim() === '\uFEFF') return t('The file is empty.')
  if (text.startsWith('PK\u0003\u0004')) {
    return t('The file is a spreadsheet or an archive. Save it as CSV first.')
  }
  if (text.startsWith('%PDF')) return t('The file is a PDF. Export it as CSV instead.')
  if (/^\uFFFD|\0/.test(text.slice(0, 1000))) {
    return t('This file isn’t UTF-8 text. Save it as CSV in UTF-8 first.')
  }
  if (/^\uFEFF?\s*<(?:!doctype|html|\?xml)/i.test(text.slice(0, 1000))) {
    return t('The file is a web page or XML, not a table.')
  }
  if (/^\uFEFF?BEGIN:VCALENDAR/i.test(text)) return t('The file is a calendar, not a table.')
  return null
}

function lastLineBreak(sample: string): number {
  const at = Math.max(sample.lastIndexOf('\n'), sample.lastIndexOf('\r'))
  return at < 0 ? sample.length : at + 1
}

function formatOf(headings: readonly string[]): ImportFormat {
  const present = new Set(headings.map(plainHeading))
  const has = (...names: readonly string[]) => names.some((name) => present.has(name))
  const fits = (format: TableFormat) => missingColumns(format, headings).length === 0
  if (hasStintColumns(headings)) return 'stint-csv'
  if (fits(CLOCKIFY) && has('duration (h)', 'duration (decimal)')) return 'clockify'
  if (fits(TOGGL) && has('email', 'user', 'member', 'billable', 'tags')) return 'toggl'
  if (fits(HARVEST) && has(...HARVEST_HEADINGS)) return 'harvest'
  return 'columns'
}

// Tables

/** A row with its position, to report it. */
interface PlacedRow extends ImportRow {
  readonly line: number
  readonly fields: readonly string[]
}

function* planTable(
  text: string,
  format: TableFormatName,
  options: ImportOptions,
  plan: PlanBuilder,
): Generator<number, ImportPlan> {
  const table = yield* halved(readCsvChunked(text))
  if (text.includes('\uFFFD')) plan.say(t('Some letters cannot be read: the file is not in UTF-8.'))
  for (const { line, text: found, why } of table.problems) plan.reportFile(line, found, why)
  const [headings] = table.rows
  if (!headings) {
    plan.reportFile(1, '', t('The file has no rows.'))
    return yield* plan.finish()
  }
  if (format === 'stint-csv') return yield* planStintRows(table, headings, options, plan)

  const mapping = options.mapping ?? guessMapping(headings)
  const lacks = format === 'columns' ? [] : missingColumns(FORMATS[format], headings)
  if (format === 'columns' && !isUsable(mapping)) {
    plan.reportFile(1, excerptOf(headings), t('No columns are chosen for the day and the time.'))
    return yield* plan.finish()
  }
  if (lacks.length > 0) {
    const columns = lacks.map((name) => t('“{name}”', { name })).join(', ')
    const why = t('The file has no column {columns}.', { columns })
    plan.reportFile(1, excerptOf(headings), why)
    return yield* plan.finish()
  }
  const firstEntry = format === 'columns' && !mapping.hasHeadings ? 0 : 1
  const readRow =
    format === 'columns'
      ? (fields: readonly string[]) => mappedRow(fields, mapping)
      : tableReader(FORMATS[format], headings)
  const readBreaks = breakReader(headings, mapping)
  const rows: PlacedRow[] = []
  for (const [index, fields] of table.rows.entries()) {
    if (index < firstEntry) continue
    if (index % ROWS_PER_PAUSE === 0) yield 0.5 + (0.1 * index) / table.rows.length
    const line = table.lines[index] ?? 0
    rows.push({ ...readRow(fields), breaks: readBreaks(fields), fields, line })
  }
  const unit = format === 'columns' ? mapping.durationUnit : FORMATS[format].durationUnit
  return yield* planRows(rows, { options, plan, unit, width: headings.length })
}

function tableReader(
  format: TableFormat,
  headings: readonly string[],
): (fields: readonly string[]) => Omit<ImportRow, 'breaks'> {
  const read = fieldReader(headings)
  return (fields) => format.readRow((...names) => read(fields, names).trim())
}

/** Returns a reader for the field of the first of the names that the headings contain. */
function fieldReader(
  headings: readonly string[],
): (fields: readonly string[], names: readonly string[]) => string {
  const columns = new Map<string, number>()
  for (const [index, heading] of headings.entries()) {
    const name = plainHeading(heading)
    if (!columns.has(name)) columns.set(name, index)
  }
  return (fields, names) => {
    for (const name of names) {
      const column = columns.get(name)
      if (column !== undefined) return fields[column] ?? ''
    }
    return ''
  }
}

interface RowContext {
  readonly options: ImportOptions
  readonly plan: PlanBuilder
  readonly unit: DurationUnit
  readonly width: number
}

function* planRows(rows: readonly PlacedRow[], context: RowContext): Generator<number, ImportPlan> {
  const { options, plan, unit } = context
  const { now } = options
  const midnights = dayRuleOf(options.timeZone)
  const clock = zoneClock(options.timeZone)
  const guess = guessDateOrder(
    rows.flatMap((row) => [row.startDate, row.endDate]),
    localDate(now, midnights),
  )
  const order = options.dateOrder ?? guess.order
  plan.readDatesAs(order, options.dateOrder === undefined && guess.isAmbiguous)

  const today = localDate(now, midnights)
  const read: ReturnType<typeof whenWorked>[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.6 + (0.1 * index) / rows.length
    read.push(whenWorked(row, { order, unit, clock, now, today }))
  }
  const layout = layOut(read, clock)
  const people = new Set<string>()
  let laidOut = 0
  let disagreeing = 0
  let breakSeconds = 0
  let lackingTags = 0
  for (const [index, row] of rows.entries()) {
    const when = read[index]
    if (index % ROWS_PER_PAUSE === 0) yield 0.7 + (0.1 * index) / rows.length
    if (row.person !== '') people.add(row.person.toLowerCase())
    if (when === undefined) continue
    if (when.kind === 'problem') {
      plan.report(row.line, excerptOf(row.fields), widthProblem(row, context) ?? when.why)
      continue
    }
    const times = when.kind === 'day' ? layout.get(index) : when
    if (!times) continue
    if (when.kind === 'day') laidOut++
    if (when.kind === 'times' && when.disagrees) disagreeing++
    const unplacedSeconds = when.kind === 'times' ? when.pausedSeconds : 0
    breakSeconds += unplacedSeconds
    const { note, lacksTags } = noteWithTags(row)
    if (lacksTags) lackingTags++
    const { startedAt, endedAt } = times
    const pauses = { ...NO_PAUSES, unplacedSeconds }
    const content = JSON.stringify([row.note, row.tags, row.person, unplacedSeconds])
    plan.add({ task: namedTask(row), startedAt, endedAt, pauses, note }, { ...row, content })
  }
  if (breakSeconds > 0) {
    const duration = exactDuration(breakSeconds)
    plan.say(t('Breaks do not count as work: {duration} in all.', { duration }))
  }
  if (laidOut > 0) {
    plan.say(
      t(
        '{count, plural, one {{count} session has no times and is placed at 09:00 of its day.} other {{count} sessions have no times and are placed one after the other from 09:00 of their day.}}',
        { count: laidOut },
      ),
    )
  }
  if (disagreeing > 0) {
    plan.say(
      t(
        '{count, plural, one {{count} session has a duration that doesn’t match its times. Times win.} other {{count} sessions have durations that don’t match their times. Times win.}}',
        { count: disagreeing },
      ),
    )
  }
  if (lackingTags > 0) {
    plan.say(
      t(
        '{count, plural, one {{count} session has a tag that is left out: it has no letter, or the note has no room.} other {{count} sessions have tags that are left out: they have no letter, or the note has no room.}}',
        { count: lackingTags },
      ),
    )
  }
  if (people.size > 1) {
    plan.say(t('Contains time of {count} people. All will be imported.', { count: people.size }))
  }
  return yield* plan.finish()
}

function namedTask(row: ImportRow): StintTask {
  return {
    id: null,
    name: row.task === '' ? UNNAMED_TASK : row.task,
    isActive: true,
    category: row.category,
    goalHours: COLLECTIONS.tasks.goalHours.default,
    color: DEFAULT_TASK_COLOR,
  }
}

/**
 * Finds half a row, and rows that a missing quotation mark has joined: the number of fields
 * explains more than their contents.
 */
function widthProblem(row: PlacedRow, { width }: RowContext): string | null {
  if (row.fields.length === width) return null
  const count = row.fields.length
  const lines = row.fields.join('').split(/\r\n|\r|\n/).length
  if (lines === 1) return wrongWidth(count, width)
  return t(
    '{count, plural, one {Has {count} column instead of {width}. A quotation mark may be missing: it goes on to line {line}.} other {Has {count} columns instead of {width}. A quotation mark may be missing: it goes on to line {line}.}}',
    { count, width, line: row.line + lines - 1 },
  )
}

function wrongWidth(count: number, width: number): string {
  return t(
    '{count, plural, one {Has {count} column instead of {width}.} other {Has {count} columns instead of {width}.}}',
    { count, width },
  )
}

// Stint's own files

function* planStintRows(
  table: CsvTable,
  headings: readonly string[],
  { timeZone }: ImportOptions,
  plan: PlanBuilder,
): Generator<number, ImportPlan> {
  if (!hasStintColumns(headings)) {
    plan.reportFile(1, excerptOf(headings), t('The file does not have the columns of Stint.'))
    return yield* plan.finish()
  }
  const read = fieldReader(headings)
  const clock = zoneClock(timeZone)
  for (const [index, fields] of table.rows.entries()) {
    if (index === 0) continue
    if (index % ROWS_PER_PAUSE === 0) yield 0.5 + (0.3 * index) / table.rows.length
    const field: FieldReader = (...names) => read(fields, names)
    const result = readStintRow(field, clock)
    if ('read' in result) {
      plan.addAsItWas(result.read)
      continue
    }
    const line = table.lines[index] ?? 0
    const isHalf = fields.length < headings.length
    const why = isHalf ? wrongWidth(fields.length, headings.length) : result.why
    plan.report(line, excerptOf(fields), why)
  }
  return yield* plan.finish()
}

function* planStintJson(text: string, plan: PlanBuilder): Generator<number, ImportPlan> {
  const file = readStintJson(text)
  yield 0.5
  if ('why' in file) {
    plan.reportFile(1, text, file.why)
    return yield* plan.finish()
  }
  const { tasks, entries, readEntry } = file.read
  for (const task of tasks) plan.addTask(task)
  for (const [index, entry] of entries.entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.5 + (0.3 * index) / entries.length
    const result = readEntry(entry)
    if ('read' in result) plan.addAsItWas(result.read)
    else plan.report(index + 1, JSON.stringify(entry) ?? '', result.why)
  }
  return yield* plan.finish()
}

function* halved<T>(steps: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    yield step.value / 2
  }
}
