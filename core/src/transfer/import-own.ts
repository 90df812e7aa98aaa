/** Plans Stint's own files. */
import { apostropheRemover } from '#csv.ts'
import { t } from '#text.ts'
import { zoneClock } from '#time/calendar.ts'
import type { ZoneClock } from '#time/calendar.ts'
import { CUT_COLUMN } from './entry-columns.ts'
import { excerptOf, ROWS_PER_PAUSE } from './import-plan.ts'
import type { ImportPlan, PlanBuilder } from './import-plan.ts'
import { hasStintColumns, readStintJson, readStintRow } from './import-stint.ts'
import { plainHeading } from './import-headings.ts'
import type { ImportTable } from './import-table.ts'
import { wrongWidth } from './import-table-rows.ts'

/** Plans the rows of the CSV, the headings first. */
export function* planOwnRows(
  { rows, lines, delimiter }: ImportTable,
  headings: readonly string[],
  timeZone: string,
  plan: PlanBuilder,
): Generator<number, ImportPlan> {
  if (!hasStintColumns(headings)) {
    plan.reportFile(1, excerptOf(headings), t('The file does not have the columns of Stint.'))
    return yield* plan.finish()
  }
  const columns = new Map(headings.map((heading, index) => [plainHeading(heading), index]))
  const clock = zoneClock(timeZone)
  const unguarded = apostropheRemover(delimiter)
  let cut = 0
  let guessed = 0
  for (const [index, fields] of rows.entries()) {
    if (index === 0) continue
    if (index % ROWS_PER_PAUSE === 0) yield 0.5 + (0.3 * index) / rows.length
    const field = (name: string) => unguarded(fields[columns.get(name) ?? -1] ?? '')
    let isGuess = false
    const result = readStintRow(field, clock, () => {
      isGuess = true
    })
    if ('read' in result) {
      if (isGuess) guessed++
      if (field(plainHeading(CUT_COLUMN)) !== '') cut++
      plan.addAsItWas(lines[index] ?? 0, result.read, monthAt(result.read.startedAt, clock))
      continue
    }
    const isHalf = fields.length < headings.length
    plan.refuse({
      line: lines[index] ?? 0,
      text: excerptOf(fields),
      why: isHalf ? wrongWidth(fields.length, headings.length) : result.why,
      kind: 'skipped',
      month: null,
      seconds: secondsOf(field('seconds')),
    })
  }
  if (cut > 0) plan.say(cutNotice(cut))
  if (guessed > 0) plan.say(guessNotice(guessed))
  return yield* plan.finish()
}

function cutNotice(count: number): string {
  return t(
    '{count, plural, one {{count} session was cut at the edges of the exported period, and has only the part within it.} other {{count} sessions were cut at the edges of the exported period, and have only the part within it.}}',
    { count },
  )
}

function guessNotice(count: number): string {
  return t(
    '{count, plural, one {# session has a time that the clocks showed twice, and the first is taken. An offset such as +01:00 after the time says which.} other {# sessions have a time that the clocks showed twice, and the first is taken. An offset such as +01:00 after the time says which.}}',
    { count },
  )
}

/** Plans the JSON file. */
export function* planOwnJson(
  text: string,
  timeZone: string,
  plan: PlanBuilder,
): Generator<number, ImportPlan> {
  const clock = zoneClock(timeZone)
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
    if ('read' in result) {
      plan.addAsItWas(index + 1, result.read, monthAt(result.read.startedAt, clock))
      continue
    }
    const stated = new Map(Object.entries(entry ?? {})).get('durationSeconds')
    plan.refuse({
      line: index + 1,
      text: JSON.stringify(entry) ?? '',
      why: result.why,
      kind: 'skipped',
      month: null,
      seconds: secondsOf(stated),
    })
  }
  return yield* plan.finish()
}

/** Returns '2026-03'. */
function monthAt(instant: number, clock: ZoneClock): string {
  return clock.exactTime(instant).slice(0, 7)
}

/** Returns a number of seconds that can be; 0 for anything else. */
function secondsOf(value: unknown): number {
  const seconds = Number(value)
  return seconds >= 0 && seconds < Infinity ? seconds : 0
}
