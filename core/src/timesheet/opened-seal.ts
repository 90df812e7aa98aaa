/** A sealed timesheet as its sessions are now, as the app shows it and programs get it. */
import { parseFilter } from '#record/session-filter.ts'
import type { FilterContext, SessionFilter } from '#record/session-filter.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { findSessions } from '#reports/found-sessions.ts'
import { startOfDate } from '#time/calendar.ts'
import { asBeforeSeal, sealDifferences, sealedSessions } from './seal-sheet.ts'
import type { SealDifference } from './seal-sheet.ts'
import type { SealedSheet } from './sealed-sheets.ts'
import { timesheet } from './timesheet.ts'
import type { Pricing, Timesheet } from './timesheet.ts'

/** What a sealed sheet is opened with. */
export interface SealOpener {
  /** The sessions that are not deleted. The same list for the same sessions is read once. */
  readonly entries: readonly TimeEntry[]
  /** All sessions, deleted ones too. */
  readonly all: readonly TimeEntry[]
  /** All tasks, deleted ones too. */
  readonly tasks: readonly Task[]
  /** How the filter is read; `now` is not used. */
  readonly context: Omit<FilterContext, 'now'>
  readonly pricing: Pricing
}

export interface OpenedSeal {
  readonly filter: SessionFilter
  /** The sheet of its days, filter and rule as it would be now. */
  readonly sheet: Timesheet
  readonly differences: readonly SealDifference[]
}

/** Returns the sheet as it would be now, and what differs from the seal. */
export function openedSeal(
  sealed: SealedSheet,
  { entries, all, tasks, context, pricing }: SealOpener,
): OpenedSeal {
  const { dayRule } = context
  // Words such as 'last month' mean what they meant when it was sealed.
  const filter = parseFilter(sealed.filter, {
    ...context,
    now: startOfDate(sealed.sealedOn, dayRule),
  })
  const { rounding, onlyBillable } = sealed
  const before = asBeforeSeal(entries, sealed, filter)
  const found = sealedSessions(findSessions(filter, before, tasks), sealed, entries)
  const sheet = timesheet(found, sealed.dates, tasks, { rounding, onlyBillable, pricing })
  const { unbilled } = pricing
  const differences = sealDifferences(sealed, {
    entries: all,
    tasks,
    dayRule,
    unbilled,
    current: sheet,
  })
  return { filter, sheet, differences }
}
