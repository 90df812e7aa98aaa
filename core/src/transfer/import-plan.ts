/** The plan of an import, built row by row. Nothing is changed. */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { newEntry } from '#record/entry-edit.ts'
import type { StintEntry, StintTask } from './import-stint.ts'
import { UNNAMED_TASK } from './import-table.ts'
import type { DateOrder } from './import-times.ts'
import type { Interval } from '#time/instant.ts'
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
  /** The number of rows that are already in the history, or earlier in the file. */
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
  readonly note: string | null
}

/** Builds a plan. */
export interface PlanBuilder {
  readonly add: (entry: PlannedTimes) => void
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
  readonly finish: () => ImportPlan
}

/** Returns the builder of an empty plan. */
export function startPlan({ existing, newId, now }: PlanContext): PlanBuilder {
  const names = new Map(existing.tasks.map((task) => [task.id, task.name]))
  const existingTasks = tasksByName(existing.tasks)
  const inHistory = countedKeys(existing.entries, names)
  const inFile = new Map<string, number>()
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
  let dates: { order: DateOrder; isAmbiguous: boolean } = { order: 'ymd', isAmbiguous: false }

  const taskIdOf = (task: StintTask): string => {
    const name = storedText(task.name.trim(), TASK_NAME_MAX_LENGTH).trim() || UNNAMED_TASK
    const key = task.id === null ? `name ${nameKey(name)}` : `id ${task.id}`
    const known = taskIds.get(key)
    if (known !== undefined) return known
    const own = existing.tasks.find((each) => each.id === task.id)
    const found = own ?? existingTasks.get(nameKey(name))
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

  /** Counts the entry and returns whether it exists already. */
  const isRepeated = (taskId: string, times: Interval, keepsRepeats: boolean): boolean => {
    const key = entryKey(names.get(taskId), times)
    const before = inFile.get(key) ?? 0
    inFile.set(key, before + 1)
    const saved = inHistory.get(key) ?? 0
    return keepsRepeats ? before < saved : before > 0 || saved > 0
  }

  const take = (entry: TimeEntry) => {
    changes.push({ before: null, after: entry })
    const total = totals.get(entry.taskId) ?? { entries: 0, seconds: 0 }
    total.entries++
    total.seconds += entry.durationSeconds
    totals.set(entry.taskId, total)
  }

  const add = ({ task, ...entry }: PlannedTimes | StintEntry, keepsRepeats: boolean) => {
    const taskId = taskIdOf(task)
    if (isRepeated(taskId, { start: entry.startedAt, end: entry.endedAt }, keepsRepeats)) {
      duplicates++
      return
    }
    const id = newId()
    const { after } = newEntry({ entryType: 'import', ...entry, id, taskId }, now)
    const entryType = storedText(after.entryType, COLLECTIONS.time_entries.entryType.size)
    // An entry of Stint's own file keeps its seconds and pauses.
    take('pauses' in entry ? { ...after, ...entry, note: after.note, entryType } : after)
  }

  return {
    add: (entry) => add(entry, false),
    addAsItWas: (entry) => add(entry, true),
    addTask: (task) => {
      taskIdOf(task)
    },
    report: (line, text, why) => {
      problems.push({ line, text: excerpt(text), why })
      refused++
    },
    reportFile: (line, text, why) => {
      problems.push({ line, text: excerpt(text), why })
    },
    say: (sentence) => {
      notices.push(sentence)
    },
    readDatesAs: (order, isAmbiguous) => {
      dates = { order, isAmbiguous }
    },
    finish: () => {
      if (dates.isAmbiguous) {
        notices.unshift(
          dates.order === 'dmy'
            ? t('Dates such as 03/04/2026 are read with the day first.')
            : t('Dates such as 03/04/2026 are read with the month first.'),
        )
      }
      for (const name of deletedTasks) {
        notices.push(t('The task “{name}” is deleted. Its entries are added to it.', { name }))
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

/** Counts how often each entry that is not deleted occurs. */
function countedKeys(
  entries: readonly TimeEntry[],
  names: ReadonlyMap<string, string>,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { taskId, startedAt, endedAt, deletedAt } of entries) {
    if (deletedAt !== null) continue
    const key = entryKey(names.get(taskId), { start: startedAt, end: endedAt })
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
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
