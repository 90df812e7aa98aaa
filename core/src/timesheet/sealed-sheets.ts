/**
 * Timesheets that are sealed. What one says is a preference of the account of its own, so that those of two
 * devices are both kept; what it has of each session is a mark on the session (seals.ts).
 */
import type { Prefs } from '#settings.ts'
import { addDays, isCalendarDate, lastDay } from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { moneyNumber } from './money.ts'
import type { Money } from './money.ts'
import { ROUNDED_UNITS, ROUNDING_DIRECTIONS, ROUNDING_STEPS } from './rounding.ts'
import type { Rounding } from './rounding.ts'
import type { SheetLine, Timesheet } from './timesheet.ts'

export interface SealedSheet {
  readonly id: string
  readonly sealedOn: CalendarDate
  readonly dates: DateRange
  /** The text of the filter box. */
  readonly filter: string
  readonly rounding: Rounding
  readonly onlyBillable: boolean
  /** The total. */
  readonly seconds: number
  /** SHA-256 of `sheetText`, in hex. */
  readonly hash: string
}

/** How many can be kept, and how long their filters may be: a third of the preferences. */
export const MAX_SEALED = 150
export const MAX_SEALED_FILTER = 60

const PREFERENCE = 'sheet:'
const ID = /^[a-z0-9]+$/
const HASH = /^[0-9a-f]{64}$/

/** Reads the sealed sheets, the latest first. Never throws: what is none is ignored. */
export function sealedSheets(prefs: Prefs): SealedSheet[] {
  return Object.entries(prefs)
    .flatMap(([key, text]) => {
      const id = key.startsWith(PREFERENCE) ? key.slice(PREFERENCE.length) : ''
      const sheet = ID.test(id) && typeof text === 'string' ? sheetOf(id, text) : null
      return sheet === null ? [] : [sheet]
    })
    .sort((a, b) => (keyOf(a) > keyOf(b) ? -1 : 1))
}

/** Sheets that were sealed on one day are in the order of their days. */
function keyOf({ sealedOn, dates, id }: SealedSheet): string {
  return `${sealedOn} ${dates.from} ${id}`
}

/** Reads '2026-11-30 2026-11-01 2026-11-30 15/up/line 1 97200 9f…c1 #acme'. */
function sheetOf(id: string, text: string): SealedSheet | null {
  const [sealedOn = '', from = '', last = '', rule = '', billable, seconds, hash = '', ...filter] =
    text.split(' ')
  const [step, direction, per] = rule.split('/')
  const rounding = {
    step: ROUNDING_STEPS.find((each) => String(each) === step),
    direction: ROUNDING_DIRECTIONS.find((each) => each === direction),
    per: ROUNDED_UNITS.find((each) => each === per),
  }
  if (!isCalendarDate(sealedOn) || !isCalendarDate(from) || !isCalendarDate(last)) return null
  if (!isRounding(rounding) || !HASH.test(hash)) return null
  return {
    id,
    sealedOn,
    dates: { from, to: addDays(last, 1) },
    filter: filter.join(' '),
    rounding,
    onlyBillable: billable === '1',
    seconds: Number(seconds),
    hash,
  }
}

function isRounding(read: { [K in keyof Rounding]: Rounding[K] | undefined }): read is Rounding {
  return read.step !== undefined && read.direction !== undefined && read.per !== undefined
}

/** Returns the preferences that keep the sheet. */
export function prefsWithSheet(sheet: SealedSheet): Prefs {
  const { id, sealedOn, dates, filter, rounding, onlyBillable, seconds, hash } = sheet
  const rule = `${rounding.step}/${rounding.direction}/${rounding.per}`
  const words = [
    sealedOn,
    dates.from,
    lastDay(dates),
    rule,
    Number(onlyBillable),
    seconds,
    hash,
    filter,
  ]
  return { [PREFERENCE + id]: words.join(' ') }
}

/** Returns the preferences without the sheet. Undefined removes a preference. */
export function prefsWithoutSheet({ id }: SealedSheet): Prefs {
  return { [PREFERENCE + id]: undefined }
}

/**
 * Returns the lines of a sheet as the text that is hashed: a row of JSON for each, with all that is on paper. It
 * changes when any line changes, and not otherwise.
 */
export function sheetText({ lines }: Pick<Timesheet, 'lines'>): string {
  return lines.map((line) => `${JSON.stringify(hashedFields(line))}\n`).join('')
}

function hashedFields(line: SheetLine): unknown[] {
  const { date, taskName, notes, seconds, exactSeconds, isBillable, amount } = line
  return [date, taskName, notes, seconds, exactSeconds, isBillable, amount && amountText(amount)]
}

function amountText(amount: Money): string {
  return `${moneyNumber(amount)} ${amount.currency}`
}
