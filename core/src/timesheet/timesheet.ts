/**
 * The timesheet: the work of some days that a filter finds, as lines by day and task with their notes,
 * rounded by a rule so that lines, sums and total agree. Work is cut at the edges of the range, and a
 * session over midnight belongs to each day by its seconds, as in the reports.
 */
import { folded } from '#folded.ts'
import { dateOfDay, dayNumber, dayTableCovering, intervalOfDates } from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { billedBy } from '#record/billable.ts'
import { nameInReports } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { FoundSessions } from '#reports/found-sessions.ts'
import { piecesByDay } from '#reports/worked-time.ts'
import { amountOf, sumsOf } from './money.ts'
import type { Money } from './money.ts'
import { rateOn } from './rates.ts'
import type { Rate } from './rates.ts'
import { roundSeconds, shareRounded, sumOf } from './rounding.ts'
import type { Rounding } from './rounding.ts'

/** The work of one session on one day. */
export interface SheetPiece {
  readonly entry: TimeEntry
  /** The number of the day. */
  readonly day: number
  /** Whole seconds, above 0. */
  readonly exactSeconds: number
  /** What the rule makes of it if it rounds sessions, otherwise the same. */
  readonly seconds: number
}

/** The work on one task on one day. */
export interface SheetLine {
  readonly date: CalendarDate
  readonly taskId: string
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly taskName: string
  /** Those of its sessions, each once, in the order of the sessions. */
  readonly notes: readonly string[]
  /** The rounded time, in whole seconds. */
  readonly seconds: number
  /** As it was worked. */
  readonly exactSeconds: number
  /** In the order of their starts. */
  readonly pieces: readonly SheetPiece[]
  readonly isBillable: boolean
  /** What the rounded time costs; null if it is not billable or has no rate. */
  readonly amount: Money | null
}

/** What the work costs. */
export interface Pricing {
  readonly rates: readonly Rate[]
  /** The keys of the categories whose sessions are not billable by default. */
  readonly unbilled: ReadonlySet<string>
}

/** Which work is on the sheet, and how it is counted. */
export interface SheetRule {
  readonly rounding: Rounding
  readonly pricing: Pricing
  /** Leaves out what is not billable. */
  readonly onlyBillable: boolean
}

/** Its lines are by day, then in the order in which the tasks were begun on that day. */
export interface Timesheet extends Sums {
  readonly sessionCount: number
}

/**
 * Returns the timesheet of the days over the sessions that a filter has found.
 * @param tasks all tasks, deleted ones too.
 */
export function timesheet(
  found: FoundSessions,
  dates: DateRange,
  tasks: readonly Task[],
  { rounding, pricing, onlyBillable }: SheetRule,
): Timesheet {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const isBilled = billedBy(tasks, pricing.unbilled)
  const wanted = piecesWithin(found, dates).filter(({ entry }) => !onlyBillable || isBilled(entry))
  const pieces = withRoundedSessions(wanted, rounding)
  const keyOf = ({ day, entry }: SheetPiece) => `${day} ${entry.taskId} ${isBilled(entry)}`
  const exact = [...Map.groupBy(pieces, keyOf).values()].map((ofLine) => {
    return lineOf(ofLine, byId, isBilled)
  })
  const lines = withRoundedTimes(exact, rounding).map((line) => withAmount(line, byId, pricing))
  return { ...summed(lines), sessionCount: new Set(pieces.map(({ entry }) => entry.id)).size }
}

function withAmount(
  line: SheetLine,
  tasks: ReadonlyMap<string, Task>,
  { rates }: Pricing,
): SheetLine {
  if (!line.isBillable || rates.length === 0) return line
  const work = { taskId: line.taskId, category: tasks.get(line.taskId)?.category ?? null }
  const rate = rateOn(rates, work, line.date)
  return { ...line, amount: rate && amountOf(line.seconds, rate) }
}

/** Sums of lines. */
interface Sums {
  readonly lines: readonly SheetLine[]
  readonly seconds: number
  readonly exactSeconds: number
  /** By currency. */
  readonly amounts: readonly Money[]
}

function summed(lines: readonly SheetLine[]): Sums {
  return {
    lines,
    seconds: sumOf(lines.map((line) => line.seconds)),
    exactSeconds: sumOf(lines.map((line) => line.exactSeconds)),
    amounts: sumsOf(lines.flatMap(({ amount }) => amount ?? [])),
  }
}

/** Returns the found work on the days, by day and start. */
function piecesWithin({ worked, indexes }: FoundSessions, dates: DateRange): SheetPiece[] {
  const { start, end } = intervalOfDates(dates, worked.dayRule)
  const [from, to] = [dayNumber(dates.from), dayNumber(dates.to)]
  const pieces: SheetPiece[] = []
  for (const index of indexes) {
    const entry = worked.entries[index]
    const workedTo = worked.workedTo[index] ?? -Infinity
    if (!entry || entry.startedAt >= end || workedTo < start) continue
    const table = dayTableCovering(entry.startedAt, workedTo, worked.dayRule)
    for (const { day, seconds } of piecesByDay(entry, table)) {
      if (day >= from && day < to) pieces.push({ entry, day, exactSeconds: seconds, seconds })
    }
  }
  return pieces.sort(
    (a, b) =>
      a.day - b.day ||
      a.entry.startedAt - b.entry.startedAt ||
      (a.entry.id < b.entry.id ? -1 : Number(a.entry.id > b.entry.id)),
  )
}

/** Rounds each session, if the rule is about sessions: the days of one share what is rounded. */
function withRoundedSessions(pieces: readonly SheetPiece[], rounding: Rounding): SheetPiece[] {
  if (rounding.per !== 'session') return [...pieces]
  const rounded = new Map<SheetPiece, number>()
  for (const ofSession of Map.groupBy(pieces, ({ entry }) => entry.id).values()) {
    const shares = shareRounded(
      ofSession.map((piece) => piece.exactSeconds),
      rounding,
    )
    for (const [index, piece] of ofSession.entries()) rounded.set(piece, shares[index] ?? 0)
  }
  return pieces.map((piece) => ({ ...piece, seconds: rounded.get(piece) ?? piece.seconds }))
}

/** Returns the line of the pieces, whose time is their sum. */
function lineOf(
  pieces: readonly SheetPiece[],
  tasks: ReadonlyMap<string, Task>,
  isBilled: (entry: TimeEntry) => boolean,
): SheetLine {
  const [first] = pieces
  const taskId = first?.entry.taskId ?? ''
  const notes = pieces.map(({ entry }) => entry.note?.trim() ?? '').filter((note) => note !== '')
  return {
    date: dateOfDay(first?.day ?? 0),
    taskId,
    taskName: nameInReports(tasks.get(taskId)),
    notes: [...new Set(notes)],
    seconds: sumOf(pieces.map((piece) => piece.seconds)),
    exactSeconds: sumOf(pieces.map((piece) => piece.exactSeconds)),
    pieces,
    isBillable: first !== undefined && isBilled(first.entry),
    amount: null,
  }
}

/** Rounds the lines, or their total, if the rule is about them. */
function withRoundedTimes(lines: readonly SheetLine[], rounding: Rounding): SheetLine[] {
  const exact = lines.map((line) => line.exactSeconds)
  switch (rounding.per) {
    case 'session':
      return [...lines]
    case 'line':
      return lines.map((line) => ({ ...line, seconds: roundSeconds(line.exactSeconds, rounding) }))
    case 'total': {
      const shares = shareRounded(exact, rounding)
      return lines.map((line, index) => ({ ...line, seconds: shares[index] ?? 0 }))
    }
  }
}

export const SHEET_GROUPS = ['day', 'task'] as const
export type SheetGrouping = (typeof SHEET_GROUPS)[number]

/** The lines under one heading of the sheet. */
export interface SheetGroup extends Sums {
  readonly key: string
}

/** Returns the lines under their day, in order, or under their task, by name. */
export function groupLines(lines: readonly SheetLine[], by: SheetGrouping): SheetGroup[] {
  const groups = Map.groupBy(lines, by === 'day' ? ({ date }) => date : ({ taskId }) => taskId)
  const sums = [...groups].map(([key, ofGroup]) => ({ key, ...summed(ofGroup) }))
  if (by === 'day') return sums
  const order = (group: SheetGroup) => `${folded(group.lines[0]?.taskName ?? '')} ${group.key}`
  return sums.sort((a, b) => (order(a) < order(b) ? -1 : 1))
}
