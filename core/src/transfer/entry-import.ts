/**
 * Imports entries from Stint's own files, those of other time trackers, and any table. Nothing is
 * saved here: the plan lists what would be saved, with totals to compare. A row that cannot be read
 * is reported with its line and the reason; it is never guessed at or dropped silently. If a file
 * is planned again, existing entries are recognised and nothing is added.
 */
import { t } from '#text.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { localDate } from '#time/calendar.ts'
import { apostropheRemover, readCsvChunked } from '#csv.ts'
import { formatNamed } from './formats/list.ts'
import { guessMapping, headingRow, isUsable, mappingOf } from './import-columns.ts'
import type { ColumnMapping } from './import-headings.ts'
import type { DateOrder } from './import-dates.ts'
import { isJsonList, jsonTable } from './import-json.ts'
import { startPlan } from './import-builder.ts'
import { excerptOf, ROWS_PER_PAUSE } from './import-plan.ts'
import type { DoubledHour, ImportPlan, PlanBuilder, PlanContext } from './import-plan.ts'
import { planOwnJson, planOwnRows } from './import-own.ts'
import { recogniseImport } from './import-recognise.ts'
import { projectsWithTasks, rowReader, withDaysFromAbove } from './import-row-reader.ts'
import type { ImportFormat } from './import-recognise.ts'
import { planRows } from './import-table-rows.ts'
import { missingColumns } from './import-table.ts'
import type { CategorySource, ImportRow, ImportTable } from './import-table.ts'

export { formatLabel, recogniseImport } from './import-recognise.ts'
export type { ImportFormat, RecognisedImport } from './import-recognise.ts'

export interface ImportOptions extends PlanContext {
  readonly format: ImportFormat
  /** The zone of times without an offset. */
  readonly timeZone: string
  /** For 'columns'. Unset: the guess. */
  readonly mapping?: ColumnMapping
  /** Unset: guessed from all dates. */
  readonly dateOrder?: DateOrder
  /** Which is taken of two times that the clocks show, if nothing says it. Unset: the first. */
  readonly doubledHour?: DoubledHour
  /** What becomes the category of tasks. Unset: a project that has tasks in the file. */
  readonly categoryFrom?: CategorySource
  /** Reads calendar files: `readCalendar` of `formats/read-calendar.ts`, which is large. */
  readonly readCalendar?: (text: string, now: number) => ImportTable
}

/**
 * Plans the import. Yields the progress, 0 to 1, and returns the plan. Throws nothing, whatever the
 * file is.
 *
 * - Rows without times are laid into the free time of their day, from 09:00 or earlier.
 * - An end before the start is on the next day if the duration confirms it or nothing speaks
 *   against it.
 * - Times count, not the duration beside them, which may be rounded. Breaks are taken off them.
 * - A row at a time that the clocks skipped is reported. Of a time that they showed twice, the
 *   duration, the end or the order of the rows says which is meant; else its owner.
 * - A duplicate has the same task name, start and end as an entry of the history. Each entry of the
 *   history is the duplicate of one row, of one with the same note if there is one.
 * - In a file that is not Stint's own, a row that is the same as an earlier one in all is counted,
 *   and its owner decides; so with a row at the times of an entry of another task.
 * - A project that has tasks in the file is their category, unless its owner says otherwise.
 * - Entries get the type 'import'; those from Stint's own files keep theirs.
 */
export function* planImport(text: string, options: ImportOptions): Generator<number, ImportPlan> {
  const plan = startPlan(options)
  if (options.format === 'stint-json') {
    return yield* planOwnJson(text, options.timeZone, plan)
  }
  if (options.format === 'unknown') {
    const why = recogniseImport(text).why ?? t('The file isn’t a table of sessions.')
    plan.reportFile(1, text, why)
    return yield* plan.finish()
  }
  const table = yield* halved(tableIn(text, options))
  if (text.includes('\uFFFD')) plan.say(t('Some letters cannot be read: the file is not in UTF-8.'))
  for (const { line, text: found, why } of table.problems) plan.reportFile(line, found, why)
  return yield* planTable(table, options, plan)
}

/** Reads the text as the table that its format makes of it. */
function* tableIn(text: string, options: ImportOptions): Generator<number, ImportTable> {
  const format = formatNamed(options.format)
  if (format && 'isText' in format) {
    if ('read' in format) return format.read(text)
    return options.readCalendar?.(text, options.now) ?? { rows: [], lines: [], problems: [] }
  }
  if (isJsonList(text)) return jsonTable(text)
  return yield* readCsvChunked(text)
}

function* planTable(
  table: ImportTable,
  options: ImportOptions,
  plan: PlanBuilder,
): Generator<number, ImportPlan> {
  const above = headingRow(table.rows)
  const rows = table.rows.slice(above)
  const lines = table.lines.slice(above)
  const [headings] = rows
  if (!headings) {
    if (table.problems.length === 0) plan.reportFile(1, '', t('The file has no rows.'))
    return yield* plan.finish()
  }
  if (above > 0) {
    plan.say(
      t(
        '{count, plural, one {{count} line above the column names is not read.} other {{count} lines above the column names are not read.}}',
        { count: above },
      ),
    )
  }
  if (options.format === 'stint-csv') {
    return yield* planOwnRows({ ...table, rows, lines }, headings, options.timeZone, plan)
  }
  const format = formatNamed(options.format)
  const mapping = format
    ? mappingOf(format, headings, rows.slice(1))
    : (options.mapping ?? guessMapping(headings, rows.slice(1)))
  const lacks = format ? missingColumns(format, headings) : []
  if (lacks.length > 0) {
    const columns = lacks.map((name) => t('“{name}”', { name })).join(', ')
    plan.reportFile(1, excerptOf(headings), t('The file has no column {columns}.', { columns }))
    return yield* plan.finish()
  }
  if (!format && !isUsable(mapping)) {
    plan.reportFile(1, excerptOf(headings), t('No columns are chosen for the day and the time.'))
    return yield* plan.finish()
  }
  const projects =
    format?.isProjectTask === true
      ? new Set<string>()
      : projectsWithTasks(mapping.hasHeadings ? rows.slice(1) : rows, mapping, format?.nothing)
  const { categoryFrom: source = 'project' } = options
  const read = rowReader(headings, mapping, format?.nothing, { source, projects })
  plan.readAs({
    categorySources: [
      ...(projects.size > 0 ? ['project' as const] : []),
      ...(hasValue(rows.slice(1), mapping.client, format?.nothing) ? ['client' as const] : []),
    ],
  })
  const isGuarded = format?.isGuarded === true && table.delimiter !== undefined
  const unguarded = apostropheRemover(table.delimiter)
  const entries: ImportRow[] = []
  for (const [index, fields] of rows.entries()) {
    if (index === 0 && mapping.hasHeadings) continue
    if (index % ROWS_PER_PAUSE === 0) yield 0.5 + (0.1 * index) / rows.length
    if (fields.every((field) => field.trim() === '')) continue
    entries.push(read(isGuarded ? fields.map(unguarded) : fields, lines[index] ?? 0))
  }
  const { rows: complete, filled } = format
    ? { rows: entries, filled: 0 }
    : withDaysFromAbove(entries)
  if (filled > 0) {
    plan.say(
      t(
        '{count, plural, one {# row has no day and is read as on the day above it.} other {# rows have no day and are read as on the day above them.}}',
        { count: filled },
      ),
    )
  }
  const { now, timeZone } = options
  return yield* planRows(complete, {
    plan,
    now,
    today: localDate(now, dayRuleOf(timeZone)),
    timeZone,
    mapping,
    headings,
    dateOrder: options.dateOrder ?? format?.dateOrder,
    hasExactDurations: format?.hasExactDurations === true,
    doubledHour: options.doubledHour,
  })
}

/** Returns whether a row has something in a column. */
function hasValue(
  rows: readonly (readonly string[])[],
  column: number | null,
  nothing = '',
): boolean {
  return (
    column !== null && rows.some((fields) => !['', nothing].includes(fields[column]?.trim() ?? ''))
  )
}

function* halved<T>(steps: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    yield step.value / 2
  }
}
