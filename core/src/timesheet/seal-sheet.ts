/** Seals a timesheet, and compares a sealed one with its sessions as they are now. */
import { billedBy } from '#record/billable.ts'
import { COLLECTIONS } from '#collections.ts'
import type { EntryChange } from '#record/entry-change.ts'
import type { SessionFilter } from '#record/session-filter.ts'
import { nameInReports } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { FoundSessions } from '#reports/found-sessions.ts'
import { piecesByDay, workedUntil } from '#reports/worked-time.ts'
import { dayNumber, dayTableCovering } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'
import type { SealedSheet } from './sealed-sheets.ts'
import { marksOf, noteHashOf, withMark, withoutMark } from './seals.ts'
import type { SealMark } from './seals.ts'
import { sumOf } from './rounding.ts'
import type { Pricing, SheetPiece, Timesheet } from './timesheet.ts'

/** Returns the changes that mark the sessions of a sheet as invoiced. */
export function sealChanges(
  { lines }: Pick<Timesheet, 'lines'>,
  { id, sealedOn }: Pick<SealedSheet, 'id' | 'sealedOn'>,
  now: number,
): EntryChange[] {
  const pieces = lines.flatMap((line) => line.pieces.map((piece) => ({ ...piece, line })))
  return [...Map.groupBy(pieces, ({ entry }) => entry.id).values()].flatMap((ofSession) => {
    const [first] = ofSession
    if (!first) return []
    const { entry, line } = first
    const mark: SealMark = {
      sheetId: id,
      sealedOn,
      taskId: entry.taskId,
      isBillable: line.isBillable,
      noteHash: noteHashOf(entry.note),
      days: ofSession.map(({ day, exactSeconds }) => ({ day, seconds: exactSeconds })),
    }
    return [{ before: entry, after: { ...entry, invoiced: withMark(entry, mark), updatedAt: now } }]
  })
}

/** Returns whether each session of the sheet has room for its mark. */
export function hasRoomForMarks(sheet: Pick<Timesheet, 'lines'>): boolean {
  const some = { id: '0'.repeat(ID_LENGTH), sealedOn: '2026-01-01' } as const
  return sealChanges(sheet, some, 0).every(({ after }) => {
    return (after.invoiced?.length ?? 0) <= COLLECTIONS.time_entries.invoiced.size
  })
}

/** Of a sheet. */
const ID_LENGTH = 20

/** Returns how many sessions have work on the sheet that a sealed one has too. */
export function sealedBefore({ lines }: Pick<Timesheet, 'lines'>): number {
  const twice = lines
    .flatMap(({ pieces }) => pieces)
    .filter(({ entry, day }) =>
      marksOf(entry).some(({ days }) => days.some((sealed) => sealed.day === day)),
    )
  return new Set(twice.map(({ entry }) => entry.id)).size
}

/** Returns the changes that take the marks of a sheet off its sessions. */
export function unsealChanges(
  entries: readonly TimeEntry[],
  sheetId: string,
  now: number,
): EntryChange[] {
  return entries
    .filter((entry) => marksOf(entry).some((mark) => mark.sheetId === sheetId))
    .map((entry) => ({
      before: entry,
      after: { ...entry, invoiced: withoutMark(entry, sheetId), updatedAt: now },
    }))
}

/**
 * Returns the sessions as the filter of a sheet saw them when it was sealed: with the marks of earlier sheets alone, as
 * '-invoiced' would find none of its own. The same list is returned for filters that do not ask for marks.
 */
export function asBeforeSeal(
  entries: readonly TimeEntry[],
  { id, sealedOn }: Pick<SealedSheet, 'id' | 'sealedOn'>,
  { parts }: Pick<SessionFilter, 'parts'>,
): readonly TimeEntry[] {
  if (!parts.some(({ condition }) => condition.kind === 'invoiced')) return entries
  // Ids begin with the moment at which they were made.
  const isLater = (mark: SealMark) =>
    mark.sealedOn > sealedOn || (mark.sealedOn === sealedOn && mark.sheetId >= id)
  return entries.map((entry) => {
    const later = entry.invoiced === null ? [] : marksOf(entry).filter(isLater)
    if (later.length === 0) return entry
    const invoiced = later.reduce<string | null>(
      (marks, { sheetId }) => withoutMark({ invoiced: marks }, sheetId),
      entry.invoiced,
    )
    return { ...entry, invoiced }
  })
}

/**
 * Returns the sessions that are on a sealed sheet: those that its filter finds, and those that have its mark, which
 * stay on it when the category that the filter names has another name.
 * @param entries the sessions with their marks.
 */
export function sealedSessions(
  { worked, indexes }: FoundSessions,
  { id }: Pick<SealedSheet, 'id'>,
  entries: readonly TimeEntry[],
): FoundSessions {
  const marked = new Set(unsealChanges(entries, id, 0).map(({ after }) => after.id))
  const found = new Set(indexes)
  const all = worked.entries.flatMap((entry, index) =>
    found.has(index) || marked.has(entry.id) ? index : [],
  )
  return all.length === indexes.length
    ? { worked, indexes }
    : { worked, indexes: Int32Array.from(all) }
}

/** What differs of a session from what a sealed sheet has of it. */
export const DIFFERENCES = ['deleted', 'time', 'task', 'billable', 'note', 'added'] as const
export type Difference = (typeof DIFFERENCES)[number]

export interface SealDifference {
  readonly entry: TimeEntry
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly taskName: string
  readonly what: readonly Difference[]
  /** The exact seconds on the sheet, and now. */
  readonly sealedSeconds: number
  readonly seconds: number
}

/** What a sealed sheet is compared with. */
export interface SealedRecord {
  /** All sessions, deleted ones too. */
  readonly entries: readonly TimeEntry[]
  readonly tasks: readonly Task[]
  readonly dayRule: DayRule
  readonly unbilled: Pricing['unbilled']
  /** The sheet of its days, filter and rule as it would be now. */
  readonly current: Pick<Timesheet, 'lines'>
}

/**
 * Returns the sessions that are not as the sheet has them, by their starts: those that were changed or deleted since,
 * and those that would be on it now and are not.
 */
export function sealDifferences(sheet: SealedSheet, record: SealedRecord): SealDifference[] {
  const byId = new Map(record.tasks.map((task) => [task.id, task]))
  const isBilled = billedBy(record.tasks, record.unbilled)
  const found: SealDifference[] = []
  const sealed = new Set<string>()
  for (const entry of record.entries) {
    if (entry.invoiced === null) continue
    const mark = marksOf(entry).find(({ sheetId }) => sheetId === sheet.id)
    if (!mark) continue
    sealed.add(entry.id)
    const task = byId.get(entry.taskId)
    const days = daysOf(entry, sheet, record.dayRule)
    const what = differing(entry, mark, days, isBilled(entry))
    if (what.length === 0) continue
    const sealedSeconds = secondsOf(mark.days)
    found.push({
      entry,
      taskName: nameInReports(task),
      what,
      sealedSeconds,
      seconds: entry.deletedAt === null ? secondsOf(days) : 0,
    })
  }
  for (const [entry, pieces] of newSessions(record.current, sealed)) {
    const seconds = sumOf(pieces.map(({ exactSeconds }) => exactSeconds))
    const taskName = nameInReports(byId.get(entry.taskId))
    found.push({ entry, taskName, what: ['added'], sealedSeconds: 0, seconds })
  }
  return found.sort((a, b) => a.entry.startedAt - b.entry.startedAt)
}

function newSessions(
  { lines }: Pick<Timesheet, 'lines'>,
  sealed: ReadonlySet<string>,
): Map<TimeEntry, SheetPiece[]> {
  const pieces = lines.flatMap((line) => line.pieces).filter(({ entry }) => !sealed.has(entry.id))
  return Map.groupBy(pieces, ({ entry }) => entry)
}

/** Returns the work of a session on the days of a sheet. */
function daysOf(entry: TimeEntry, { dates }: SealedSheet, dayRule: DayRule): SealMark['days'] {
  const table = dayTableCovering(entry.startedAt, workedUntil(entry), dayRule)
  const [from, to] = [dayNumber(dates.from), dayNumber(dates.to)]
  return piecesByDay(entry, table).filter(({ day }) => day >= from && day < to)
}

function differing(
  entry: TimeEntry,
  mark: SealMark,
  days: SealMark['days'],
  isBilled: boolean,
): Difference[] {
  if (entry.deletedAt !== null) return ['deleted']
  const isSameTime =
    days.length === mark.days.length &&
    days.every(({ day, seconds }, index) => {
      return day === mark.days[index]?.day && seconds === mark.days[index].seconds
    })
  return [
    ...(isSameTime ? [] : (['time'] as const)),
    ...(entry.taskId === mark.taskId ? [] : (['task'] as const)),
    ...(isBilled === mark.isBillable ? [] : (['billable'] as const)),
    ...(noteHashOf(entry.note) === mark.noteHash ? [] : (['note'] as const)),
  ]
}

function secondsOf(days: SealMark['days']): number {
  return sumOf(days.map(({ seconds }) => seconds))
}
