/** The plan of an import, built row by row. Nothing is changed. */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { newEntry } from '#record/entry-edit.ts'
import type { StintEntry, StintTask } from './import-stint.ts'
import { UNNAMED_TASK } from './import-table.ts'
import type { DateOrder } from './import-times.ts'
import type { Interval } from '#time/instant.ts'
import type { Pauses } from '#timer/pauses.ts'
import { storedText } from '#stored-text.ts'
import type { Task } from '#record/task.ts'
import { nameInReports, storedTask, TASK_NAME_MAX_LENGTH, UNKNOWN_TASK_NAME } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'

/** What a plan is compared with. */
export interface PlanContext {
  /** The whole history, deleted tasks included. */
  readonly existing: { readonly tasks: readonly Task[]; readonly entries: readonly TimeEntry[] }
  readonly newId: () => string
  /** Epoch milliseconds. */
  readonly now: number
}

export interface ImportPlan {
  /** Tasks to create before the entries, in this order. */
  readonly tasks: readonly Task[]
  /** The ids of deleted tasks to restore: they have no entries left, as after an undone import. */
  readonly restored: readonly string[]
  /** New entries, in the order of the file. */
  readonly changes: readonly EntryChange[]
  /** The totals by task, largest first. */
  readonly totals: readonly ImportTotal[]
  readonly totalSeconds: number
  /** The number of rows that are already in the history. */
  readonly duplicates: number
  readonly problems: readonly ImportProblem[]
  /** Sentences on how the file was read, where it is ambiguous. */
  readonly notices: readonly string[]
  /** The number of entries in the file: accepted, duplicate and unreadable. */
  readonly rows: number
  readonly dateOrder: DateOrder
  /** True if no date of the file settles the order, so that the guess should be confirmed. */
  readonly isDateOrderAmbiguous: boolean
}

export interface ImportTotal {
  readonly taskId: string
  readonly name: string
  readonly isNew: boolean
  readonly entries: number
  readonly seconds: number
}

export interface ImportProblem {
  /** Counted from 1; in JSON the number of the entry. */
  readonly line: number
  /** The beginning of the row. */
  readonly text: string
  /** The reason, as a sentence. */
  readonly why: string
}

const EXCERPT_LENGTH = 120

/** An entry of another program: its task and its times. */
export interface PlannedTimes {
  readonly task: StintTask
  readonly startedAt: number
  readonly endedAt: number
  readonly pauses: Pauses
  readonly note: string | null
}

/** The row of an entry of another program. */
export interface PlannedRow {
  readonly line: number
  readonly fields: readonly string[]
  /** The same text for rows that are the same work if their task and times are the same too. */
  readonly content: string
}

/** Builds a plan. */
export interface PlanBuilder {
  /** Adds an entry of another program, unless an earlier row is the same. */
  readonly add: (entry: PlannedTimes, row: PlannedRow) => void
  /**
   * Adds an entry of Stint's own file with its seconds, pauses and type. Repeated entries are kept.
   */
  readonly addAsItWas: (entry: StintEntry) => void
  readonly addTask: (task: StintTask) => void
  /** Reports a row that is not imported. */
  readonly report: (line: number, text: string, why: string) => void
  /** Reports a problem of the file besides its rows. */
  readonly reportFile: (line: number, text: string, why: string) => void
  /** Adds a notice. */
  readonly say: (sentence: string) => void
  readonly readDatesAs: (order: DateOrder, isAmbiguous: boolean) => void
  /** Yields the progress, 0.8 to 1, and returns the plan. */
  readonly finish: () => Generator<number, ImportPlan>
}

/** How many rows are read or planned between two pauses. */
export const ROWS_PER_PAUSE = 2000

interface Added {
  readonly entry: PlannedTimes | StintEntry
  /** Null in Stint's own file. */
  readonly row: PlannedRow | null
}

/** Returns the builder of an empty plan. */
export function startPlan({ existing, newId, now }: PlanContext): PlanBuilder {
  const names = new Map(existing.tasks.map((task) => [task.id, task.name]))
  const existingTasks = tasksByName(existing.tasks)
  const tasksById = new Map(existing.tasks.map((task) => [task.id, task]))
  const added: Added[] = []
  const tasks: Task[] = []
  const taskIds = new Map<string, string>()
  const changes: EntryChange[] = []
  const totals = new Map<string, { entries: number; seconds: number }>()
  const problems: ImportProblem[] = []
  const notices: string[] = []
  const deletedTasks = new Set<string>()
  const restored = new Set<string>()
  const workedOn = new Set(
    existing.entries.flatMap((entry) => (entry.deletedAt === null ? entry.taskId : [])),
  )
  let duplicates = 0
  let refused = 0
  let overlapping = 0
  let dates: { order: DateOrder; isAmbiguous: boolean } = { order: 'ymd', isAmbiguous: false }

  const named = (task: StintTask) => {
    const name = storedText(task.name.trim(), TASK_NAME_MAX_LENGTH).trim() || UNNAMED_TASK
    const own = task.id === null ? undefined : tasksById.get(task.id)
    return { name, own, found: own ?? existingTasks.get(nameKey(name)) }
  }

  const taskIdOf = (task: StintTask): string => {
    const { name, own, found } = named(task)
    const key = task.id === null ? `name ${nameKey(name)}` : `id ${task.id}`
    const known = taskIds.get(key)
    if (known !== undefined) return known
    const id = found?.id ?? newId()
    taskIds.set(key, id)
    if (found === undefined) {
      const stored = storedTask({ ...task, name, category: task.category.trim() })
      names.set(id, name)
      tasks.push({
        ...stored,
        id,
        category: stored.category || COLLECTIONS.tasks.category.default,
        // Tasks are created in the order of the file, which determines their colours.
        createdAt: now + tasks.length,
        updatedAt: now,
      })
    }
    if (found && !found.isActive && task.isActive) {
      if (!workedOn.has(id)) restored.add(id)
      else if (own === undefined) deletedTasks.add(found.name)
    }
    return id
  }

  const take = (planned: PlannedTimes | StintEntry, taskId: string) => {
    const { task: _, ...entry } = planned
    const id = newId()
    const { after } = newEntry({ entryType: 'import', ...entry, id, taskId }, now)
    const entryType = storedText(after.entryType, COLLECTIONS.time_entries.entryType.size)
    // An entry of Stint's own file keeps its seconds and pauses.
    const isOwn = 'durationSeconds' in entry
    const taken = isOwn ? { ...after, ...entry, note: after.note, entryType } : after
    changes.push({ before: null, after: taken })
    const total = totals.get(taskId) ?? { entries: 0, seconds: 0 }
    total.entries++
    total.seconds += taken.durationSeconds
    totals.set(taskId, total)
  }

  const refuse = (line: number, text: string, why: string) => {
    problems.push({ line, text: excerpt(text), why })
    refused++
  }

  /** Takes the rows that are neither in the history nor earlier in the file. */
  function* takeNewRows(): Generator<number, void> {
    const history = historyOf(existing.entries, names)
    const lines = new Map<string, number>()
    const rowsAtOnce = new Map<string, { rows: number; taken: number }>()
    const left: (Added & { readonly key: string; readonly isKnown: boolean })[] = []
    for (const [index, { entry, row }] of added.entries()) {
      if (index % ROWS_PER_PAUSE === 0) yield 0.8 + (0.1 * index) / added.length
      const { name, found } = named(entry.task)
      const key = entryKey(found?.name ?? name, { start: entry.startedAt, end: entry.endedAt })
      if (row) {
        const whole = `${key} ${row.content}`
        const first = lines.get(whole)
        if (first !== undefined) {
          refuse(row.line, excerptOf(row.fields), t('Is the same as line {line}.', { line: first }))
          continue
        }
        lines.set(whole, row.line)
        const atOnce = rowsAtOnce.get(key) ?? { rows: 0, taken: 0 }
        atOnce.rows++
        rowsAtOnce.set(key, atOnce)
      }
      // The same notes are found first, so that no other row of these times takes their place.
      left.push({ entry, row, key, isKnown: history.takesNoted(key, entry.note) })
    }
    for (const [index, { entry, key, isKnown }] of left.entries()) {
      if (index % ROWS_PER_PAUSE === 0) yield 0.9 + (0.1 * index) / left.length
      const taskId = taskIdOf(entry.task)
      if (isKnown || history.takes(key)) {
        duplicates++
        continue
      }
      take(entry, taskId)
      const atOnce = rowsAtOnce.get(key)
      if (atOnce) atOnce.taken++
    }
    for (const { rows, taken } of rowsAtOnce.values()) overlapping += Math.min(taken, rows - 1)
  }

  return {
    add: (entry, row) => {
      added.push({ entry, row })
    },
    addAsItWas: (entry) => {
      added.push({ entry, row: null })
    },
    addTask: (task) => {
      taskIdOf(task)
    },
    report: refuse,
    reportFile: (line, text, why) => {
      problems.push({ line, text: excerpt(text), why })
    },
    say: (sentence) => {
      notices.push(sentence)
    },
    readDatesAs: (order, isAmbiguous) => {
      dates = { order, isAmbiguous }
    },
    *finish() {
      yield* takeNewRows()
      if (overlapping > 0) {
        notices.push(
          t(
            'Rows that differ from others only in note, tags or person are kept and overlap: {count}.',
            {
              count: overlapping,
            },
          ),
        )
      }
      if (dates.isAmbiguous) {
        notices.unshift(
          dates.order === 'dmy'
            ? t('Dates such as 03/04/2026 are read with the day first.')
            : t('Dates such as 03/04/2026 are read with the month first.'),
        )
      }
      for (const name of deletedTasks) {
        notices.push(t('The task “{name}” is deleted. Its sessions are added to it.', { name }))
      }
      if (restored.size > 0) {
        notices.push(
          t(
            '{count, plural, one {{count} deleted task without sessions is restored.} other {{count} deleted tasks without sessions are restored.}}',
            { count: restored.size },
          ),
        )
      }
      const newIds = new Set(tasks.map((task) => task.id))
      return {
        tasks,
        restored: [...restored],
        changes,
        totals: [...totals]
          .map(([taskId, total]) => ({
            ...total,
            taskId,
            name: names.get(taskId) ?? nameInReports(undefined),
            isNew: newIds.has(taskId),
          }))
          .sort((a, b) => b.seconds - a.seconds),
        totalSeconds: [...totals.values()].reduce((sum, { seconds }) => sum + seconds, 0),
        duplicates,
        problems: problems.sort((a, b) => a.line - b.line),
        notices,
        rows: changes.length + duplicates + refused,
        dateOrder: dates.order,
        isDateOrderAmbiguous: dates.isAmbiguous,
      }
    },
  }
}

/**
 * Returns the tasks by name. Of several tasks with one name, the newest that is not deleted counts.
 */
export function tasksByName(tasks: readonly Task[]): Map<string, Task> {
  const byName = new Map<string, Task>()
  for (const task of tasks) {
    const other = byName.get(nameKey(task.name))
    const isBetter =
      !other ||
      (task.isActive && !other.isActive) ||
      (task.isActive === other.isActive && task.createdAt > other.createdAt)
    if (isBetter) byName.set(nameKey(task.name), task)
  }
  return byName
}

/** Returns the same text for entries with that key and that note. */
function noted(key: string, note: string | null): string {
  return `${key}\n${note ?? ''}`
}

/** The entries of the history that no row of the file has been found to be. */
interface History {
  /** Returns whether one with this key and this note is left, and takes it away. */
  readonly takesNoted: (key: string, note: string | null) => boolean
  /** Returns whether one with this key is left, and takes it away. */
  readonly takes: (key: string) => boolean
}

/** Returns the entries that are not deleted. */
function historyOf(entries: readonly TimeEntry[], names: ReadonlyMap<string, string>): History {
  const left = new Map<string, number>()
  const add = (key: string, count: number) => left.set(key, (left.get(key) ?? 0) + count)
  const takes = (key: string) => {
    const isLeft = (left.get(key) ?? 0) > 0
    if (isLeft) add(key, -1)
    return isLeft
  }
  for (const { taskId, startedAt, endedAt, note, deletedAt } of entries) {
    if (deletedAt !== null) continue
    const key = entryKey(names.get(taskId), { start: startedAt, end: endedAt })
    add(key, 1)
    add(noted(key, note), 1)
  }
  return { takes, takesNoted: (key, note) => takes(noted(key, note)) && takes(key) }
}

/** Returns the same text for entries that an import takes for one: by task name, start and end. */
export function entryKey(name: string = UNKNOWN_TASK_NAME, { start, end }: Interval): string {
  return `${Math.floor(start / 1000)} ${Math.floor(end / 1000)} ${nameKey(name)}`
}

/** Returns the same text for names that an import takes for one. */
export function nameKey(name: string): string {
  return storedText(name.trim(), TASK_NAME_MAX_LENGTH).trim().normalize('NFC').toLowerCase()
}

/** Returns the beginning of a row, to report it. */
export function excerptOf(fields: readonly string[]): string {
  return fields.filter((field) => field.trim() !== '').join(', ')
}

function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH - 1)}…` : line
}
