/** Plans the rows of a table of another program. */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import { DEFAULT_TASK_COLOR } from '#record/task.ts'
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { exactDuration } from '#time/duration.ts'
import type { ColumnMapping } from './import-headings.ts'
import { guessDateOrder, readDate } from './import-dates.ts'
import type { DateOrder } from './import-dates.ts'
import { areEnglish } from './import-headings.ts'
import { hasWorkdays, WORKDAY_HOURS } from './import-durations.ts'
import { excerpt, excerptOf, ROWS_PER_PAUSE, startAsked } from './import-plan.ts'
import type { DoubledHour, ImportPlan, PlanBuilder } from './import-plan.ts'
import { settledByOrder } from './import-row-order.ts'
import { clocks, whenWorked } from './import-rows.ts'
import type { TimeContext } from './import-ends.ts'
import type { Reading } from './import-rows.ts'
import type { StintTask } from './import-stint.ts'
import { noteWithTags, UNNAMED_TASK } from './import-table.ts'
import type { ImportRow } from './import-table.ts'
import { totalRowSeconds, withoutTotalRows } from './import-total-rows.ts'
import { guessUnit } from './import-unit.ts'

export interface RowsContext {
  readonly plan: PlanBuilder
  readonly now: number
  readonly today: CalendarDate
  readonly timeZone: string
  readonly mapping: ColumnMapping
  readonly headings: readonly string[]
  readonly dateOrder: DateOrder | undefined
  readonly hasExactDurations: boolean
  /** Which of two times of a row is taken that the clocks showed twice. Unset: the first. */
  readonly doubledHour: DoubledHour | undefined
}

/** What is counted while rows are read, to be said of all of them. */
interface Tally {
  readonly people: Set<string>
  breakSeconds: number
  overMidnight: number
  overADay: number
  disagreeing: number
  lackingTags: number
  tooWide: number
  workdays: number
}

const MINUTE_SECONDS = 60
const DAY_MILLISECONDS = 86_400_000

export function* planRows(
  all: readonly ImportRow[],
  context: RowsContext,
): Generator<number, ImportPlan> {
  const { plan } = context
  const order = settleOrder(all, context)
  const rows = withoutTotalRows(all, order)
  const time = timeContext(rows, order, context)
  plan.readAs({ fileTotalSeconds: totalRowSeconds(all, rows, time.unit) })
  const tally: Tally = {
    people: new Set(),
    breakSeconds: 0,
    overMidnight: 0,
    overADay: 0,
    disagreeing: 0,
    lackingTags: 0,
    tooWide: 0,
    workdays: 0,
  }
  const readings: Reading[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.6 + (0.15 * index) / rows.length
    readings.push(whenWorked(row, time))
  }
  const asked = startAsked()
  for (const [index, reading] of settledByOrder(readings).entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.75 + (0.05 * index) / rows.length
    const row = rows[index]
    if (!row) continue
    if (row.person !== '') tally.people.add(row.person.toLowerCase())
    const when = settledHour(row, reading, asked, { ...context, clock: time.clock })
    planRow(row, when, { ...context, order, tally })
  }
  plan.readAs({ doubledHour: asked.result() })
  for (const sentence of sentencesOf(tally)) plan.say(sentence)
  return yield* plan.finish()
}

function settleOrder(
  rows: readonly ImportRow[],
  { plan, today, dateOrder, headings }: RowsContext,
): DateOrder {
  const guess = guessDateOrder(
    rows.flatMap((row) => [row.startDate, row.endDate]),
    today,
    areEnglish(headings),
  )
  const isDateOrderAmbiguous = dateOrder === undefined && guess.isAmbiguous
  const order = dateOrder ?? guess.order
  plan.readAs({ dateOrder: order, isDateOrderAmbiguous })
  if (isDateOrderAmbiguous) {
    plan.say(
      order === 'dmy'
        ? t('Dates such as 03/04/2026 are read with the day first.')
        : t('Dates such as 03/04/2026 are read with the month first.'),
    )
  }
  return order
}

function timeContext(
  rows: readonly ImportRow[],
  order: DateOrder,
  { plan, now, today, timeZone, mapping, hasExactDurations }: RowsContext,
): TimeContext {
  const clockOf = clocks()
  const clock = clockOf(timeZone)
  const said = { order, clock, clockOf, now, today, hasExactDurations }
  const { unit, isGuessed } = guessUnit(rows, mapping.durationUnit, said)
  plan.readAs({ unit, isUnitGuessed: isGuessed })
  if (isGuessed) plan.say(unitSentence(unit))
  return { ...said, unit }
}

function unitSentence(unit: 'hours' | 'minutes' | 'seconds'): string {
  if (unit === 'hours')
    return t(
      'Nothing says in what unit the durations are. They are read as hours, though a day has more than 24.',
    )
  return unit === 'minutes'
    ? t('The durations are read as minutes: as hours, a day would have more than 24.')
    : t('The durations are read as seconds: as hours, a day would have more than 24.')
}

/** Returns a reading with one time; of an hour that the clocks showed twice, the one that is chosen. */
function settledHour(
  { line, fields }: ImportRow,
  reading: Reading,
  asked: ReturnType<typeof startAsked>,
  { doubledHour, clock }: RowsContext & { readonly clock: ZoneClock },
): Reading {
  if (reading.kind !== 'times' || reading.others.length === 0) return reading
  const taken = doubledHour === 'second' ? (reading.others.at(-1) ?? reading) : reading
  const seconds = Math.floor((taken.endedAt - taken.startedAt) / 1000) - taken.pausedSeconds
  const [start = '', end = ''] = [taken.startedAt, taken.endedAt].map((at) => {
    const [, time = '', offset = ''] =
      /(\d\d:\d\d):\d\d(?:\.\d+)?(.+)$/.exec(clock.exactTime(at)) ?? []
    return `${time} (UTC${offset})`
  })
  const duration = exactDuration(seconds)
  const why = t('Read as {start} to {end}: {duration}.', { start, end, duration })
  asked.add({ line, text: excerpt(excerptOf(fields)), why }, seconds)
  return taken
}

function planRow(
  row: ImportRow,
  when: Reading,
  {
    plan,
    order,
    tally,
    headings,
  }: RowsContext & { readonly order: DateOrder; readonly tally: Tally },
): void {
  const { line, fields } = row
  const month = readDate(row.startDate, order)?.slice(0, 7) ?? null
  if (when.kind === 'problem') {
    const { why, isNoWork, statedSeconds } = when
    plan.refuse({
      line,
      text: excerptOf(fields),
      why: isNoWork ? why : (widthProblem(row, headings.length) ?? inColumn(why, row, headings)),
      kind: isNoWork ? 'noWork' : 'skipped',
      month,
      seconds: statedSeconds,
    })
    return
  }
  if (row.duration !== '' && hasWorkdays(row.duration)) tally.workdays++
  let unplacedSeconds = 0
  if (when.kind === 'times') {
    const { statedSeconds, startedAt, endedAt, pausedSeconds } = when
    unplacedSeconds = pausedSeconds
    const counted = (endedAt - startedAt) / 1000 - pausedSeconds
    if (statedSeconds !== null && Math.abs(counted - statedSeconds) > MINUTE_SECONDS)
      tally.disagreeing++
    if (when.isOverMidnight) tally.overMidnight++
    if (endedAt - startedAt > DAY_MILLISECONDS) tally.overADay++
    tally.breakSeconds += pausedSeconds
  }
  const { note, lacksTags } = noteWithTags(row)
  if (lacksTags) tally.lackingTags++
  if (fields.slice(headings.length).some((field) => field.trim() !== '')) tally.tooWide++
  const content = JSON.stringify([row.note, row.tags, row.person, unplacedSeconds])
  plan.add({ line, fields, task: namedTask(row), note, when, content, month })
}

function namedTask(row: ImportRow): StintTask {
  return {
    id: null,
    name: row.task === '' ? UNNAMED_TASK : row.task,
    isActive: true,
    category: row.category,
    isInCategory: row.isInCategory,
    goalHours: COLLECTIONS.tasks.goalHours.default,
    color: DEFAULT_TASK_COLOR,
  }
}

/** Returns the reason with the column of the value that it quotes. */
function inColumn(why: string, { fields }: ImportRow, headings: readonly string[]): string {
  const quoted = /“([^”]+)”/.exec(why)?.[1]
  if (quoted === undefined) return why
  const exact = fields.findIndex((field) => field.trim() === quoted)
  const index = exact < 0 ? fields.findIndex((field) => field.includes(quoted)) : exact
  const column = headings[index]?.trim()
  return column ? t('Column {column}: {why}', { column, why }) : why
}

function sentencesOf(tally: Tally): string[] {
  const {
    people,
    breakSeconds,
    overMidnight,
    overADay,
    disagreeing,
    lackingTags,
    tooWide,
    workdays,
  } = tally
  return [
    breakSeconds > 0 &&
      t('Breaks do not count as work: {duration} in all.', {
        duration: exactDuration(breakSeconds),
      }),
    overMidnight > 0 &&
      t(
        '{count, plural, one {{count} session ends before it starts and is read as ending on the next day.} other {{count} sessions end before they start and are read as ending on the next day.}}',
        { count: overMidnight },
      ),
    overADay > 0 &&
      t(
        '{count, plural, one {{count} session lasts longer than 24 hours.} other {{count} sessions last longer than 24 hours.}}',
        { count: overADay },
      ),
    workdays > 0 &&
      t('A day (d) counts {hours} hours and a week (w) 5 days, as in Jira.', {
        hours: WORKDAY_HOURS,
      }),
    disagreeing > 0 &&
      t(
        '{count, plural, one {{count} session has a duration that doesn’t match its times. Times win.} other {{count} sessions have durations that don’t match their times. Times win.}}',
        { count: disagreeing },
      ),
    lackingTags > 0 &&
      t(
        '{count, plural, one {{count} session has a tag that is left out: it has no letter, or the note has no room.} other {{count} sessions have tags that are left out: they have no letter, or the note has no room.}}',
        { count: lackingTags },
      ),
    tooWide > 0 &&
      t(
        '{count, plural, one {{count} session has more columns than there are names. What they have is left out.} other {{count} sessions have more columns than there are names. What they have is left out.}}',
        { count: tooWide },
      ),
    people.size > 1 &&
      t('Contains time of {count} people. All will be imported.', { count: people.size }),
  ].filter((sentence) => sentence !== false)
}

/**
 * Finds half a row, and rows that a missing quotation mark has joined: the number of fields
 * explains more than their contents.
 */
function widthProblem({ fields, line }: ImportRow, width: number): string | null {
  if (fields.length === width) return null
  const count = fields.length
  const lines = fields.join('').split(/\r\n|\r|\n/).length
  if (lines === 1) return wrongWidth(count, width)
  return t(
    '{count, plural, one {Has {count} column instead of {width}. A quotation mark may be missing: it goes on to line {line}.} other {Has {count} columns instead of {width}. A quotation mark may be missing: it goes on to line {line}.}}',
    { count, width, line: line + lines - 1 },
  )
}

/** Returns that a row has another number of columns than the headings. */
export function wrongWidth(count: number, width: number): string {
  return t(
    '{count, plural, one {Has {count} column instead of {width}.} other {Has {count} columns instead of {width}.}}',
    { count, width },
  )
}
