/** What the work of a report costs: exact times at the rates of their days, by task. */
import type { Task } from '#record/task.ts'
import { findSessions } from '#reports/found-sessions.ts'
import type { FoundSessions } from '#reports/found-sessions.ts'
import type { ReportInput } from '#reports/report-input.ts'
import type { DateRange } from '#time/calendar.ts'
import type { Money } from './money.ts'
import { NO_ROUNDING } from './rounding.ts'
import { groupLines, timesheet } from './timesheet.ts'
import type { Pricing, Timesheet } from './timesheet.ts'

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

/**
 * Returns what the saved work on the days costs, by the names of its tasks, and in all. It is what a timesheet without
 * rounding has.
 */
export function amountsOf(
  { entries, tasks, dayRule }: ReportInput,
  dates: DateRange,
  pricing: Pricing,
): { readonly tasks: readonly TaskAmounts[]; readonly all: Amounts } {
  const found = findSessions({ dayRule, parts: [], problem: null }, entries, tasks)
  const sheetOf = (sessions: FoundSessions) => billableSheet(sessions, dates, tasks, pricing)
  const [all, open] = [sheetOf(found), sheetOf(openOf(found))]
  const openByTask = new Map(groupLines(open.lines, 'task').map((group) => [group.key, group]))
  return {
    tasks: groupLines(all.lines, 'task').map(({ key, lines, seconds, amounts }) => ({
      taskId: key,
      taskName: lines[0]?.taskName ?? '',
      seconds,
      amounts,
      open: openByTask.get(key)?.amounts ?? [],
    })),
    all: { seconds: all.seconds, amounts: all.amounts, open: open.amounts },
  }
}

function billableSheet(
  found: FoundSessions,
  dates: DateRange,
  tasks: readonly Task[],
  pricing: Pricing,
): Timesheet {
  return timesheet(found, dates, tasks, { rounding: NO_ROUNDING, onlyBillable: true, pricing })
}

function openOf({ worked, indexes }: FoundSessions): FoundSessions {
  const isOpen = (index: number) => (worked.entries[index]?.invoiced ?? null) === null
  return { worked, indexes: indexes.filter(isOpen) }
}
