/** Timesheets that programs seal, with core's functions as the app does. */
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import {
  hasRoomForMarks,
  sealChanges,
  sealedBefore,
  unsealChanges,
} from '@stint/core/timesheet/seal-sheet.ts'
import { MAX_SEALED_FILTER } from '@stint/core/timesheet/sealed-sheets.ts'
import type { SealedSheet } from '@stint/core/timesheet/sealed-sheets.ts'
import type { SheetRule, Timesheet } from '@stint/core/timesheet/timesheet.ts'
import { apiError } from '#errors.ts'
import type { RecordReader } from './record.ts'
import { sheetHash } from './timesheet.ts'

/** How many sessions are marked in one call, and their characters: each is read and written (`call-cost.test.ts`). */
export const MAX_MARKED = 500
const MAX_CHARACTERS = 4_000_000

/** A sheet to seal. It is plain data, as another thread may have read it. */
export interface SheetToSeal {
  readonly sealed: SealedSheet
  readonly marked: readonly MarkedSession[]
}

export interface MarkedSession {
  readonly id: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
  /** The attribute, with the mark of the sheet. */
  readonly invoiced: string | null
}

/**
 * Returns the sheet with its seal, and its sessions with their marks.
 * @param filter the text of the filter.
 * @throws ApiError stint_sheet_refused.
 */
export function sheetToSeal(
  sheet: Timesheet,
  about: { readonly dates: DateRange; readonly filter: string; readonly rule: SheetRule },
  { isAgain, id, today }: { isAgain: boolean; id: string; today: CalendarDate },
): SheetToSeal {
  const { dates, filter, rule } = about
  if (sheet.lines.length === 0) throw apiError('stint_sheet_refused.empty')
  if (filter.length > MAX_SEALED_FILTER)
    throw apiError('stint_sheet_refused.filter', { max: MAX_SEALED_FILTER })
  if (sheet.sessionCount > MAX_MARKED) throw apiError('stint_sheet_refused.size')
  const count = isAgain ? 0 : sealedBefore(sheet)
  if (count > 0) throw apiError('stint_sheet_refused.again', { count })
  if (!hasRoomForMarks(sheet)) throw apiError('stint_sheet_refused.room')
  const sealed: SealedSheet = {
    id,
    sealedOn: today,
    dates,
    filter,
    rounding: rule.rounding,
    onlyBillable: rule.onlyBillable,
    seconds: sheet.seconds,
    hash: sheetHash(sheet),
  }
  return { sealed, marked: markedBy(sealChanges(sheet, sealed, 0)) }
}

/**
 * Returns the sessions that have the mark of a sheet, without it.
 * @throws ApiError stint_sheet_refused.
 */
export function sessionsToUnseal(entries: readonly TimeEntry[], id: string): MarkedSession[] {
  const marked = markedBy(unsealChanges(entries, id, 0))
  if (marked.length > MAX_MARKED) throw apiError('stint_sheet_refused.size')
  return marked
}

function markedBy(changes: readonly EntryChange[]): MarkedSession[] {
  return changes.map(({ before, after }) => ({
    id: after.id,
    updatedAt: before?.updatedAt ?? 0,
    invoiced: after.invoiced,
  }))
}

/** @throws ApiError stint_sheet_refused when the sessions are too long to be written in one call. */
export async function refuseLong(
  marked: readonly MarkedSession[],
  record: RecordReader,
): Promise<void> {
  const characters = await record.charactersOf(marked.map(({ id }) => id))
  if (characters > MAX_CHARACTERS) throw apiError('stint_sheet_refused.size')
}
