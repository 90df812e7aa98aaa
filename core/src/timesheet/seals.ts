/**
 * What sealed timesheets have of a session. A session carries a mark for each: the sheet, the day it was
 * sealed, and what of the session was on it, so that a later change is seen as a difference to the seal
 * (docs/decisions/0048-sealed-timesheets.md). A mark is a word of six parts:
 * 'k3f9x2/20787/write/1/1b2c/20760:3600,20761:900'.
 */
import { idFrom } from '#record/split-id.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { dateOfDay, dayNumber } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'

/** What a sealed timesheet has of a session. */
export interface SealMark {
  readonly sheetId: string
  readonly sealedOn: CalendarDate
  readonly taskId: string
  readonly isBillable: boolean
  /** Of the note, to see that it changed. */
  readonly noteHash: string
  /** The days on the sheet, by their numbers, with the exact seconds. */
  readonly days: readonly { readonly day: number; readonly seconds: number }[]
}

const MARK = /^([a-z0-9]+)\/(\d+)\/([^/ ]*)\/([01])\/([0-9a-z]*)\/((?:\d+:\d+,?)*)$/

/** Returns the marks of a session. What cannot be read is ignored. */
export function marksOf({ invoiced }: Pick<TimeEntry, 'invoiced'>): SealMark[] {
  return (invoiced ?? '').split(' ').flatMap((word) => {
    const [, sheetId, sealedDay, taskId = '', billable, noteHash = '', days = ''] =
      MARK.exec(word) ?? []
    if (sheetId === undefined) return []
    const sealedOn = dateOfDay(Number(sealedDay))
    return [
      { sheetId, sealedOn, taskId, isBillable: billable === '1', noteHash, days: daysOf(days) },
    ]
  })
}

function daysOf(text: string): SealMark['days'] {
  return text.split(',').flatMap((part) => {
    const [day = '', seconds] = part.split(':')
    return seconds === undefined ? [] : [{ day: Number(day), seconds: Number(seconds) }]
  })
}

/** Returns the attribute `invoiced` with the mark of one more sheet. */
export function withMark(
  { invoiced }: Pick<TimeEntry, 'invoiced'>,
  { sheetId, sealedOn, taskId, isBillable, noteHash, days }: SealMark,
): string {
  const worked = days.map(({ day, seconds }) => `${day}:${seconds}`).join(',')
  const word = [sheetId, dayNumber(sealedOn), taskId, Number(isBillable), noteHash, worked].join(
    '/',
  )
  return invoiced === null ? word : `${invoiced} ${word}`
}

/** Returns the attribute without the marks of a sheet. */
export function withoutMark(
  { invoiced }: Pick<TimeEntry, 'invoiced'>,
  sheetId: string,
): string | null {
  const words = (invoiced ?? '').split(' ').filter((word) => !word.startsWith(`${sheetId}/`))
  return words.join(' ') || null
}

/** Returns a text that tells one note from another; '' for none, which an edit stores as null. */
export function noteHashOf(note: string | null): string {
  const text = note?.trim() ?? ''
  return text === '' ? '' : idFrom(text)
}
