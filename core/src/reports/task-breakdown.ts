/** The work of a period divided among its tasks, as a hundred squares. */
import { percentText } from '#number-words.ts'
import type { TaskColor } from '#record/task.ts'
import { distinctColors, nameInReports } from '#record/task.ts'
import type { Period } from '#time/period.ts'
import { periodDates } from '#time/period.ts'
import type { ReportInput } from './report-input.ts'
import { secondsByTaskWithin, trackedTime } from './report-input.ts'

/** The number of tasks that the breakdown names, and of its squares. */
export const BREAKDOWN_TASKS = 10
export const BREAKDOWN_SQUARES = 100

export interface TaskBreakdown {
  readonly totalSeconds: number
  /** The ten tasks with the most time, in that order. */
  readonly rows: readonly BreakdownRow[]
  /** The other tasks together; null if there are none. Their squares stay empty. */
  readonly rest: {
    readonly taskIds: readonly string[]
    readonly seconds: number
    readonly percent: number
    readonly percentLabel: string
  } | null
  /** 100 squares: the index of the row that fills each, or null for an empty one. */
  readonly squares: readonly (number | null)[]
}
export interface BreakdownRow {
  readonly taskId: string
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly name: string
  readonly isDeleted: boolean
  readonly seconds: number
  /** The exact share of all time in the period, 0 … 100. */
  readonly percent: number
  /**
   * The number of its squares as a percentage, '34%'; '<1%' without a square. With that of `rest`
   * they sum to 100.
   */
  readonly percentLabel: string
  readonly color: TaskColor
  readonly squares: number
}

/** Divides the work of a period among its tasks. */
export function taskBreakdown(input: ReportInput, period: Period): TaskBreakdown {
  const seconds = secondsByTaskWithin(trackedTime(input), periodDates(period))
  const { top, others } = ranked(seconds)
  const { rows, rest, ...sums } = divided(top, totalOf(others), others.length > 0)
  const tasksById = new Map(input.tasks.map((task) => [task.id, task]))
  const colors = distinctColors(
    input.tasks,
    top.map(([taskId]) => taskId),
  )
  return {
    ...sums,
    rows: rows.map(({ key: taskId, ...row }): BreakdownRow => {
      const task = tasksById.get(taskId)
      return {
        ...row,
        taskId,
        name: nameInReports(task),
        isDeleted: task !== undefined && !task.isActive,
        color: colors.get(taskId) ?? 'slate',
      }
    }),
    rest: rest && { ...rest, taskIds: others.map(([taskId]) => taskId) },
  }
}

/** A part of a whole and its seconds. */
export type Amount = readonly [key: string, seconds: number]

/** Returns the ten largest amounts, largest first, and the others above 0. */
export function ranked(seconds: Iterable<Amount>): { top: Amount[]; others: Amount[] } {
  const amounts = [...seconds]
    .filter(([, each]) => each > 0)
    .toSorted(([keyA, a], [keyB, b]) => b - a || (keyA < keyB ? -1 : 1))
  return { top: amounts.slice(0, BREAKDOWN_TASKS), others: amounts.slice(BREAKDOWN_TASKS) }
}

/** The rows of a breakdown without their names, the rest and the squares. */
interface Divided extends Pick<TaskBreakdown, 'totalSeconds' | 'squares'> {
  readonly rows: readonly (Omit<BreakdownRow, 'taskId' | 'name' | 'isDeleted' | 'color'> & {
    readonly key: string
  })[]
  readonly rest: Omit<NonNullable<TaskBreakdown['rest']>, 'taskIds'> | null
}

/** Divides the hundred squares among the amounts and the rest. */
export function divided(top: readonly Amount[], restSeconds: number, hasRest: boolean): Divided {
  const totalSeconds = totalOf(top) + restSeconds
  const squares = squaresOf([...top.map(([, seconds]) => seconds), restSeconds])
  const share = (seconds: number, filled: number) => ({
    seconds,
    percent: (100 * seconds) / totalSeconds,
    percentLabel: percentLabel(filled),
  })
  const rows = top.map(([key, seconds], index) => {
    const filled = squares[index] ?? 0
    return { key, ...share(seconds, filled), squares: filled }
  })
  const rest = hasRest ? share(restSeconds, squares.at(-1) ?? 0) : null
  return { totalSeconds, rows, rest, squares: grid(rows) }
}

function totalOf(amounts: readonly Amount[]): number {
  return amounts.reduce((sum, [, seconds]) => sum + seconds, 0)
}

/**
 * Returns how many of the 100 squares each amount gets, by largest remainder. They sum to 100;
 * without any amount they are 0. An amount under half a percent leaves its square to larger ones.
 * It gets one only if each of those has an extra square already.
 */
export function squaresOf(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return sharesOf(amounts, BREAKDOWN_SQUARES, (amount) => 2 * BREAKDOWN_SQUARES * amount >= total)
}

/**
 * Divides `units` among the amounts. Each amount gets its whole units. The remaining units go one
 * by one to the largest remainders, earlier amounts first. The shares sum to `units`; without any
 * amount they are 0. Amounts that are not `first` come after all that are. No amount gets more than
 * one extra unit.
 */
export function sharesOf(
  amounts: readonly number[],
  units: number,
  first: (amount: number) => boolean = () => true,
): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  if (total <= 0) return amounts.map(() => 0)
  const shares = amounts.map((amount) => Math.floor((units * amount) / total))
  const missing = units - shares.reduce((sum, share) => sum + share, 0)
  const inTurn = amounts
    .map((amount, index) => ({
      index,
      turn: first(amount) ? 0 : 1,
      remainder: (units * amount) % total,
    }))
    .toSorted((a, b) => a.turn - b.turn || b.remainder - a.remainder || a.index - b.index)
  for (const { index } of inTurn.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

/** Returns '34%' for a number of squares, '<1%' for none. */
export function percentLabel(squares: number): string {
  return squares > 0 ? percentText(squares) : `<${percentText(1)}`
}

function grid(rows: readonly Pick<BreakdownRow, 'squares'>[]): (number | null)[] {
  const filled = rows.flatMap((row, index) => Array.from({ length: row.squares }, () => index))
  return Array.from({ length: BREAKDOWN_SQUARES }, (_, square) => filled[square] ?? null)
}
