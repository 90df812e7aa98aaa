/** What the work of a report costs: exact times at the rates of their days, by task. */
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { findSessions } from '#reports/found-sessions.ts'
import type { FoundSessions } from '#reports/found-sessions.ts'
import { trackedTime } from '#reports/report-input.ts'
import type { ReportInput } from '#reports/report-input.ts'
import { localDate } from '#time/calendar.ts'
import type { DateRange } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'
import { sumsOf } from './money.ts'
import type { Money } from './money.ts'
import { NO_ROUNDING } from './rounding.ts'
import { groupLines, timesheet } from './timesheet.ts'
import type { Pricing, SheetLine } from './timesheet.ts'

/** The billable work on a task, or on all. */
export interface Amounts {
  /** Exact, in whole seconds. */
  readonly seconds: number
  /** By currency; none without a rate. */
  readonly amounts: readonly Money[]
  /** Of work that is on no sealed timesheet. */
  readonly open: readonly Money[]
}

export interface TaskAmounts extends Amounts {
  readonly taskId: string
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly taskName: string
}

/** The billable lines of saved work, which stay while a timer runs. */
export interface SavedAmounts {
  readonly all: readonly SheetLine[]
  /** Of work that is on no sealed timesheet. */
  readonly open: readonly SheetLine[]
}

/** What of the input the saved work depends on. */
type SavedInput = Pick<ReportInput, 'entries' | 'tasks' | 'dayRule'>

/** Returns the billable lines of the saved work on the days. It is what a timesheet without rounding has. */
export function savedAmounts(
  { entries, tasks, dayRule }: SavedInput,
  dates: DateRange,
  pricing: Pricing,
): SavedAmounts {
  const found = sessionsOf(entries, tasks, dayRule)
  return {
    all: billableLines(found, dates, tasks, pricing),
    open: billableLines(openOf(found), dates, tasks, pricing),
  }
}

/**
 * Returns what the work on the days costs, by the names of its tasks, and in all, the running timer included: as if
 * it were saved now.
 * @param saved the lines of the saved work of the same input and days.
 */
export function amountsOf(
  input: ReportInput,
  dates: DateRange,
  pricing: Pricing,
  saved: SavedAmounts = savedAmounts(input, dates, pricing),
): { readonly tasks: readonly TaskAmounts[]; readonly all: Amounts } {
  const all = groupLines(withTimer(saved.all, input, dates, pricing), 'task')
  const open = groupLines(withTimer(saved.open, input, dates, pricing), 'task')
  const openByTask = new Map(open.map((group) => [group.key, group]))
  const tasks = all.map(({ key, lines, seconds, amounts }) => ({
    taskId: key,
    taskName: lines[0]?.taskName ?? '',
    seconds,
    amounts,
    open: openByTask.get(key)?.amounts ?? [],
  }))
  return {
    tasks,
    all: {
      seconds: tasks.reduce((sum, { seconds }) => sum + seconds, 0),
      amounts: sumsOf(tasks.flatMap(({ amounts }) => amounts)),
      open: sumsOf(tasks.flatMap(({ open }) => open)),
    },
  }
}

/**
 * Returns the lines with the work of the timer. Those of its task from its first day on are made anew, as an amount is
 * that of a whole line.
 */
function withTimer(
  lines: readonly SheetLine[],
  input: ReportInput,
  dates: DateRange,
  pricing: Pricing,
): readonly SheetLine[] {
  const { live } = trackedTime(input)
  if (live === null) return lines
  const { tasks, dayRule } = input
  const begun = localDate(live.startedAt, dayRule)
  const timed = { from: begun > dates.from ? begun : dates.from, to: dates.to }
  const isShared = ({ taskId, date }: SheetLine) => taskId === live.taskId && date >= timed.from
  const shared = lines.filter(isShared).flatMap(({ pieces }) => pieces.map(({ entry }) => entry))
  const found = sessionsOf([...new Set(shared), live], tasks, dayRule)
  return [
    ...lines.filter((line) => !isShared(line)),
    ...billableLines(found, timed, tasks, pricing),
  ]
}

function sessionsOf(
  entries: readonly TimeEntry[],
  tasks: readonly Task[],
  dayRule: DayRule,
): FoundSessions {
  return findSessions({ dayRule, parts: [], problem: null }, entries, tasks)
}

function billableLines(
  found: FoundSessions,
  dates: DateRange,
  tasks: readonly Task[],
  pricing: Pricing,
): readonly SheetLine[] {
  return timesheet(found, dates, tasks, { rounding: NO_ROUNDING, onlyBillable: true, pricing })
    .lines
}

function openOf({ worked, indexes }: FoundSessions): FoundSessions {
  const isOpen = (index: number) => (worked.entries[index]?.invoiced ?? null) === null
  return { worked, indexes: indexes.filter(isOpen) }
}
