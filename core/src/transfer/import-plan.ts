/** The plan of an import. Nothing is changed. */
import type { EntryChange } from '#record/entry-change.ts'
import type { CategoryColors } from '#record/category.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { DateOrder } from './import-dates.ts'
import type { DurationUnit } from './import-durations.ts'
import type { ImportOverlaps } from './import-overlaps.ts'
import type { DayOnly, Times } from './import-rows.ts'
import type { DifferenceKind, ImportStatement } from './import-statement.ts'
import type { StintEntry, StintTask } from './import-stint.ts'
import type { CategorySource } from './import-table.ts'

/** What a plan is compared with. */
export interface PlanContext {
  /** The whole history, deleted tasks included. */
  readonly existing: { readonly tasks: readonly Task[]; readonly entries: readonly TimeEntry[] }
  readonly newId: () => string
  /** Epoch milliseconds. */
  readonly now: number
  /** Rows that are the same as an earlier row of the file. Unset: they are imported. */
  readonly repeats?: RowChoice
  /** Rows at the times of a session of another task. Unset: they are left out. */
  readonly likely?: RowChoice
  /** The colours that were chosen for categories, which new tasks have. Unset: none. */
  readonly categoryColors?: CategoryColors
}

export type RowChoice = 'take' | 'leave'
export type DoubledHour = 'first' | 'second'

/** Rows that their owner decides about. */
export interface AskedRows {
  readonly rows: number
  readonly seconds: number
  /** The first ones. */
  readonly examples: readonly ImportProblem[]
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
  /** Rows that are the same as an earlier row of the file. */
  readonly repeats: AskedRows
  /** Rows at the times of a session that has another task. */
  readonly likely: AskedRows
  /** Rows with a time that the clocks showed twice, of which nothing says which is meant. */
  readonly doubledHour: AskedRows
  readonly problems: readonly ImportProblem[]
  /** Sentences on how the file was read, where it is ambiguous. */
  readonly notices: readonly string[]
  /** The number of entries in the file: accepted, duplicate and unreadable. */
  readonly rows: number
  /** What of the file can become the category of tasks. */
  readonly categorySources: readonly CategorySource[]
  readonly dateOrder: DateOrder
  /** True if no date of the file settles the order, so that the guess should be confirmed. */
  readonly isDateOrderAmbiguous: boolean
  /** The unit in which plain numbers are read as durations. */
  readonly unit: DurationUnit
  /** True if nothing says the unit, and hours would be more than a day has. */
  readonly isUnitGuessed: boolean
  readonly statement: ImportStatement
  readonly overlaps: ImportOverlaps
}

export interface ImportTotal {
  readonly taskId: string
  readonly name: string
  readonly category: string
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

/** A row of another program that was read. */
export interface TableEntry {
  readonly line: number
  readonly fields: readonly string[]
  readonly task: StintTask
  readonly note: string | null
  readonly when: Times | DayOnly
  /** The same text for rows that are the same work if their task and times are the same too. */
  readonly content: string
  readonly month: string | null
}

/** An entry that is added to a plan. */
export type Added =
  | { readonly kind: 'table'; readonly entry: TableEntry }
  /** Of Stint's own file. */
  | {
      readonly kind: 'own'
      readonly line: number
      readonly entry: StintEntry
      readonly month: string
    }

/** A row that is not imported. */
export interface RefusedRow {
  readonly line: number
  readonly text: string
  readonly why: string
  readonly kind: Extract<DifferenceKind, 'noWork' | 'skipped' | 'repeats'>
  readonly month: string | null
  /** What it says. */
  readonly seconds: number
}

/** Builds a plan. */
export interface PlanBuilder {
  /** Adds an entry of another program. */
  readonly add: (entry: TableEntry) => void
  /** Adds an entry of Stint's own file, of a month, with its seconds, pauses and type. */
  readonly addAsItWas: (line: number, entry: StintEntry, month: string) => void
  readonly addTask: (task: StintTask) => void
  /** Reports a row that is not imported. */
  readonly refuse: (row: RefusedRow) => void
  /** Reports a problem of the file besides its rows. */
  readonly reportFile: (line: number, text: string, why: string) => void
  /** Adds a notice. */
  readonly say: (sentence: string) => void
  readonly readAs: (settled: Partial<Settled>) => void
  /** Yields the progress, 0.8 to 1, and returns the plan. */
  readonly finish: () => Generator<number, ImportPlan>
}

/** How the file was read. */
export interface Settled {
  categorySources: readonly CategorySource[]
  dateOrder: DateOrder
  isDateOrderAmbiguous: boolean
  unit: DurationUnit
  isUnitGuessed: boolean
  doubledHour: AskedRows
  /** The total that the file has at its end. */
  fileTotalSeconds: number | null
}

/** How many rows are read or planned between two pauses. */
export const ROWS_PER_PAUSE = 2000

const EXCERPT_LENGTH = 120
/** How many rows of a question are shown. */
const MAX_EXAMPLES = 50

/** Returns the beginning of a row, to report it. */
export function excerptOf(fields: readonly string[]): string {
  return fields.filter((field) => field.trim() !== '').join(', ')
}

/** Returns the beginning of a text in one line. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH - 1)}…` : line
}

/** Collects rows that their owner decides about. */
export function startAsked() {
  let rows = 0
  let seconds = 0
  const examples: ImportProblem[] = []
  return {
    add: (example: ImportProblem, more: number) => {
      rows++
      seconds += more
      if (examples.length < MAX_EXAMPLES) examples.push(example)
    },
    result: (): AskedRows => ({ rows, seconds, examples }),
  }
}
