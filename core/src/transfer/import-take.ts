/** Takes the rows of a plan that are neither in the record nor left out. */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { newEntry } from '#record/entry-edit.ts'
import { storedText } from '#stored-text.ts'
import { localDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { exactDuration } from '#time/duration.ts'
import { dayKey, entryKey, historyOf, noted, timesKey } from './import-history.ts'
import type { History } from './import-history.ts'
import { layOut } from './import-layout.ts'
import { excerpt, excerptOf, ROWS_PER_PAUSE, startAsked } from './import-plan.ts'
import type { Added, AskedRows, ImportProblem, PlanContext, RefusedRow } from './import-plan.ts'
import type { StatementBuilder } from './import-statement.ts'
import { leftOutOf, statedOf, statedSecondsOf } from './import-stated.ts'
import type { ImportTasks } from './import-tasks.ts'
import { pausesOfSum } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { Times } from './import-rows.ts'
import type { Interval } from '#time/instant.ts'

interface TakeContext extends PlanContext {
  readonly tasks: ImportTasks
  readonly statement: StatementBuilder
  readonly refuse: (row: RefusedRow) => void
}

export interface TakenRows {
  readonly changes: readonly EntryChange[]
  readonly totals: ReadonlyMap<string, { entries: number; seconds: number }>
  readonly known: number
  readonly repeats: AskedRows
  readonly likely: AskedRows
  /** How many of the added rows are refused. */
  readonly refused: number
  readonly notices: readonly string[]
}

/** A row on its way through the passes. */
interface Row {
  readonly added: Added
  readonly name: string
  readonly key: string
  /** What it says in whole seconds, to be compared with entries of the record. */
  readonly seconds: number
  state: 'new' | 'known' | 'likely' | 'refused'
}

export function* newRows(
  added: readonly Added[],
  context: TakeContext,
): Generator<number, TakenRows> {
  const rows: Row[] = []
  for (const [index, each] of added.entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.8 + (0.04 * index) / added.length
    rows.push(rowOf(each, context.tasks))
  }
  const repeats = findRepeats(rows, context)
  yield 0.86
  const likely = findKnown(rows, context)
  yield 0.9
  const { places, unfit } = placesOf(rows, context)
  yield 0.92
  const changes: EntryChange[] = []
  const totals = new Map<string, { entries: number; seconds: number }>()
  let known = 0
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.92 + (0.06 * index) / rows.length
    const free = unfit.get(index)
    if (free !== undefined) refuseUnfit(row, free, context)
    if (row.state === 'refused') continue
    // The tasks of Stint's file are made in its order, even if their entries are known.
    const taskId = context.tasks.idOf(row.added.entry.task)
    if (row.state !== 'new') {
      if (row.state === 'known') known++
      context.statement.add(leftOutOf(row.added, row.state))
      continue
    }
    const change = changeOf(row.added, taskId, places.get(index), context)
    changes.push(change)
    context.statement.add(statedOf(row.added, change.after.durationSeconds))
    const total = totals.get(taskId) ?? { entries: 0, seconds: 0 }
    total.entries++
    total.seconds += change.after.durationSeconds
    totals.set(taskId, total)
  }
  return {
    changes,
    totals,
    known,
    repeats,
    likely,
    refused: rows.filter(({ state }) => state === 'refused').length,
    notices: layoutNotices(places.size),
  }
}

function rowOf(added: Added, tasks: ImportTasks): Row {
  const name = tasks.nameOf(added.entry.task)
  const base = { added, name, state: 'new' as const }
  if (added.kind === 'own') {
    const { startedAt, endedAt, durationSeconds } = added.entry
    const key = entryKey(name, { start: startedAt, end: endedAt })
    return { ...base, key, seconds: durationSeconds }
  }
  const { when } = added.entry
  if (when.kind === 'day') {
    const seconds = Math.round(when.seconds)
    return { ...base, key: dayKey(when.date, seconds, name), seconds }
  }
  const { startedAt, endedAt, pausedSeconds } = when
  const seconds = Math.floor((endedAt - startedAt) / 1000) - pausedSeconds
  return { ...base, key: entryKey(name, { start: startedAt, end: endedAt }), seconds }
}

/** Finds the rows that are the same as an earlier one, and refuses them if their owner leaves them out. */
function findRepeats(rows: readonly Row[], { repeats, refuse }: TakeContext): AskedRows {
  const lines = new Map<string, number>()
  const asked = startAsked()
  for (const row of rows) {
    if (row.added.kind === 'own') continue
    const { line, fields, content, month } = row.added.entry
    const whole = `${row.key} ${content}`
    const first = lines.get(whole)
    if (first === undefined) {
      lines.set(whole, line)
      continue
    }
    const why = t('Is the same as line {line}.', { line: first })
    asked.add({ line, text: excerpt(excerptOf(fields)), why }, row.seconds)
    if (repeats !== 'leave') continue
    row.state = 'refused'
    const seconds = statedSecondsOf(row.added)
    refuse({ line, text: excerptOf(fields), why, kind: 'repeats', month, seconds })
  }
  return asked.result()
}

/**
 * Finds the rows that are in the record: by task, times and note; by task and times; then by times
 * and length, whatever the task is called there. A row without times is found by its day and length.
 */
function findKnown(rows: readonly Row[], { existing, tasks, likely, now }: TakeContext): AskedRows {
  if (existing.entries.length === 0) return startAsked().result()
  const byDay = rows.flatMap(({ added }) =>
    added.kind === 'table' && added.entry.when.kind === 'day' ? added.entry.when.clock : [],
  )
  const dayRule = byDay[0] ? dayRuleOf(byDay[0].timeZone) : null
  const history = historyOf(existing.entries, (entry) => {
    const { taskId, startedAt, endedAt, durationSeconds, note, entryType } = entry
    const times = { start: startedAt, end: endedAt }
    const name = tasks.nameOfId(taskId)
    const keys = [entryKey(name, times), timesKey(times, durationSeconds)]
    if (dayRule && entryType === 'import' && startedAt <= now) {
      const date = localDate(startedAt, dayRule)
      keys.push(dayKey(date, durationSeconds, name ?? ''), dayKey(date, durationSeconds, ''))
    }
    return [...keys, noted(keys[0] ?? '', note), ...(keys[2] ? [noted(keys[2], note)] : [])]
  })
  const left = (pass: (row: Row, history: History) => boolean) => {
    for (const row of rows) {
      if (row.state === 'new' && pass(row, history)) row.state = 'known'
    }
  }
  left((row) => history.take(noted(row.key, row.added.entry.note)) !== null)
  left((row) => history.take(row.key) !== null)
  const asked = startAsked()
  for (const row of rows) {
    if (row.state !== 'new') continue
    const found = history.take(anyTaskKey(row))
    if (!found) continue
    const name = tasks.nameOfId(found.taskId) ?? ''
    const why = t('Has the times of a session of “{name}”.', { name })
    asked.add({ ...placeOf(row), why }, row.seconds)
    if (likely !== 'take') row.state = 'likely'
  }
  return asked.result()
}

/** Returns the key of entries with the times and the length of the row, whatever their task. */
function anyTaskKey({ added, seconds }: Row): string {
  if (added.kind === 'own') {
    const { startedAt, endedAt } = added.entry
    return timesKey({ start: startedAt, end: endedAt }, seconds)
  }
  const { when } = added.entry
  if (when.kind === 'day') return dayKey(when.date, seconds, '')
  return timesKey({ start: when.startedAt, end: when.endedAt }, seconds)
}

function placeOf({ added, name }: Row): Omit<ImportProblem, 'why'> {
  if (added.kind === 'own') return { line: added.line, text: name }
  const { line, fields } = added.entry
  return { line, text: excerpt(excerptOf(fields)) }
}

/** Lays the rows without times out around the other rows and the record. */
function placesOf(rows: readonly Row[], { existing, now }: TakeContext) {
  const unplaced = rows.flatMap(({ added, state, seconds }, index) => {
    if (added.kind !== 'table' || added.entry.when.kind !== 'day' || state !== 'new') return []
    const { date, clock } = added.entry.when
    return { index, date, clock, seconds }
  })
  if (unplaced.length === 0) return layOut([], [], now)
  const taken = existing.entries.flatMap(({ startedAt, endedAt, deletedAt }) =>
    deletedAt === null ? { start: startedAt, end: endedAt } : [],
  )
  for (const { added, state } of rows) {
    if (added.kind !== 'table' || added.entry.when.kind !== 'times' || state !== 'new') continue
    const { startedAt, endedAt } = added.entry.when
    taken.push({ start: startedAt, end: endedAt })
  }
  return layOut(
    unplaced,
    taken.sort((a, b) => a.start - b.start),
    now,
  )
}

function refuseUnfit(row: Row, freeSeconds: number, { refuse }: TakeContext): void {
  if (row.added.kind !== 'table') return
  const { line, fields, month } = row.added.entry
  const why = t('{duration} do not fit into the free time of the day: {free} are left.', {
    duration: exactDuration(row.seconds),
    free: exactDuration(freeSeconds),
  })
  const seconds = statedSecondsOf(row.added)
  refuse({ line, text: excerptOf(fields), why, kind: 'skipped', month, seconds })
  row.state = 'refused'
}

function pausesOf({ pause, pausedSeconds }: Times): Pauses {
  return pausesOfSum(pause ? [pause] : [], pausedSeconds)
}

function changeOf(
  added: Added,
  taskId: string,
  place: Interval | undefined,
  { newId, now }: TakeContext,
): EntryChange {
  const id = newId()
  if (added.kind === 'table') {
    const { when, note } = added.entry
    const times =
      when.kind === 'times'
        ? { startedAt: when.startedAt, endedAt: when.endedAt, pauses: pausesOf(when) }
        : { startedAt: place?.start ?? 0, endedAt: place?.end ?? 0 }
    const { after } = newEntry({ ...times, note, entryType: 'import', id, taskId }, now)
    return { before: null, after }
  }
  // An entry of Stint's own file keeps its seconds and pauses.
  const { task: _, ...entry } = added.entry
  const { after } = newEntry({ ...entry, id, taskId }, now)
  const entryType = storedText(after.entryType, COLLECTIONS.time_entries.entryType.size)
  return { before: null, after: { ...after, ...entry, note: after.note, entryType } }
}

function layoutNotices(laidOut: number): string[] {
  if (laidOut === 0) return []
  return [
    t(
      '{count, plural, one {{count} session has no times and is placed in the free time of its day, from 09:00.} other {{count} sessions have no times and are placed in the free time of their day, from 09:00.}}',
      { count: laidOut },
    ),
  ]
}
