/**
 * What an hours account is made of: contracts, days off, public holidays, corrections, caps of
 * overtime, allowances and pay periods, each dated. Each is a preference of the account of its own, so that those
 * of two devices are all kept (docs/decisions/0018-preferences.md). All times are whole seconds.
 */
import { isCalendarDate } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import type { Prefs } from '#settings.ts'

/** For what the seconds of a part of a contract are owed. */
export const SPANS = ['day', 'week', 'month', 'period', 'year'] as const
export type Span = (typeof SPANS)[number]

/** A part of a contract: '38.5h a week Mon–Fri', or '8h a day Mon' in odd weeks. */
export interface Part {
  readonly seconds: number
  readonly span: Span
  /** The weekdays that it is owed on, in the order of a week from Monday: 1 … 6, then 0 for Sunday. */
  readonly days: readonly number[]
  /** Only in weeks with such a number by ISO 8601; null: in every week. */
  readonly weeks: 'odd' | 'even' | null
}

/** What is owed from a day on, until the next contract begins. */
export interface Contract {
  readonly kind: 'contract'
  readonly from: CalendarDate
  readonly parts: readonly Part[]
  /** The balance when it begins, in seconds, may be negative; null: what it was. */
  readonly opening: number | null
}

export const ABSENCES = ['vacation', 'sick', 'other'] as const
export type Absence = (typeof ABSENCES)[number]

/** How much of each of its days is off: all, a half, or so many seconds. */
export type Portion = 'whole' | 'half' | 'am' | 'pm' | number

/** Days on which nothing, or less, is owed. */
export interface DayOff {
  readonly kind: 'dayoff'
  readonly absence: Absence
  readonly from: CalendarDate
  /** The last day. */
  readonly last: CalendarDate
  readonly portion: Portion
}

/** A public holiday. */
export interface Holiday {
  readonly kind: 'holiday'
  readonly from: CalendarDate
  readonly isHalf: boolean
  readonly name: string
}

/** Hours that are paid out, forgotten or given. */
export interface Correction {
  readonly kind: 'correction'
  readonly from: CalendarDate
  readonly note: string
  /** Added to the balance; not 0. */
  readonly seconds: number
}

export const CAP_SPANS = ['week', 'month', 'period', 'year'] as const
export type CapSpan = (typeof CAP_SPANS)[number]

/** What the balance may be at most at the end of each week, month, pay period or year, from a day on. */
export interface Cap {
  readonly kind: 'cap'
  readonly span: CapSpan
  readonly from: CalendarDate
  readonly seconds: number
}

/** How many days of vacation each year has, from a year on. */
export interface Allowance {
  readonly kind: 'allowance'
  /** 1 January. */
  readonly from: CalendarDate
  /** In halves of days. */
  readonly halves: number
  /**
   * The last month and day, 'MM-DD', on which days that are left of the year before can be taken; null:
   * they do not expire.
   */
  readonly carriedUntil: string | null
}

/** When pay periods begin, from a day on. */
export interface PayPeriods {
  readonly kind: 'period'
  readonly from: CalendarDate
  /** The days of each month on which one begins, in order, each of 1 … 28; none if they have `weeks`. */
  readonly starts: readonly number[]
  /** How many weeks each has, from the first day on; null: they begin on days of the month. */
  readonly weeks: PeriodWeeks | null
}

export const PERIOD_WEEKS = [1, 2, 4] as const
export type PeriodWeeks = (typeof PERIOD_WEEKS)[number]

export type Item = Contract | DayOff | Holiday | Correction | Cap | Allowance | PayPeriods
export type ItemKind = Item['kind']

/** How many of each kind an account may have: more than ten years need, in a third of the preferences. */
export const MAX_ITEMS: Readonly<Record<ItemKind, number>> = {
  contract: 40,
  dayoff: 300,
  holiday: 200,
  correction: 100,
  cap: 10,
  allowance: 15,
  period: 10,
}
export const MAX_PARTS = 14
/** Every month has these days. */
export const MAX_PERIOD_START = 28
export const MAX_PERIODS_A_MONTH = 4
export const MAX_NOTE = 40
/** The longest time off in one line, in days. */
export const MAX_OFF_DAYS = 366
/** What is dated before or after is not counted. */
export const FIRST_DATE: CalendarDate = '1970-01-01'
export const LAST_DATE: CalendarDate = '2099-12-31'
const MAX_SECONDS = 366 * 86_400

/** The order of weekdays within a week of ISO 8601. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const

// Preferences

/** Returns the name of the preference that holds the item. Two items with one name exclude each other. */
export function preferenceOf(item: Item): string {
  switch (item.kind) {
    case 'contract':
    case 'holiday':
    case 'period':
      return `${item.kind}:${item.from}`
    case 'dayoff':
      return `dayoff:${item.from}:${item.absence}${item.portion === 'pm' ? ':pm' : ''}`
    case 'correction':
      return `correction:${item.from}:${item.note}`
    case 'cap':
      return `cap:${item.span}:${item.from}`
    case 'allowance':
      return `allowance:${item.from.slice(0, 4)}`
  }
}

/**
 * Returns the preferences that save an item in place of another one, or that remove one. Undefined
 * removes a preference.
 */
export function prefsWithItem(saved: Item | null, instead: Item | null): Prefs {
  return {
    ...(instead && { [preferenceOf(instead)]: undefined }),
    ...(saved && { [preferenceOf(saved)]: valueOf(saved) }),
  }
}

function valueOf(item: Item): string | number {
  switch (item.kind) {
    case 'contract': {
      const parts = item.parts.map(({ weeks, seconds, span, days }) =>
        [...(weeks ? [weeks] : []), `${seconds}/${span}`, days.join('')].join(' '),
      )
      return parts.join(', ') + (item.opening === null ? '' : `; ${item.opening}`)
    }
    case 'dayoff':
      return item.portion === 'whole' ? item.last : `${item.last} ${item.portion}`
    case 'holiday':
      return `${item.isHalf ? 'half' : 'whole'} ${item.name}`
    case 'correction':
    case 'cap':
      return item.seconds
    case 'allowance':
      return item.halves / 2 + (item.carriedUntil === null ? '' : ` ${item.carriedUntil}`)
    case 'period':
      return item.weeks === null ? item.starts.join(' ') : `${item.weeks}w`
  }
}

/**
 * Reads the item of a preference; null if it is none. Never throws: what a newer version has written
 * is not counted, and not changed.
 */
export function itemOf(name: string, value: unknown): Item | null {
  const [kind = '', ...rest] = name.split(':')
  const read = READERS.get(kind)?.(rest, value) ?? null
  return read && read.from >= FIRST_DATE && read.from <= LAST_DATE ? read : null
}

type Reader = (name: readonly string[], value: unknown) => Item | null

const READERS: ReadonlyMap<string, Reader> = new Map<ItemKind, Reader>([
  ['contract', contractOf],
  ['dayoff', dayOffOf],
  ['holiday', holidayOf],
  ['correction', correctionOf],
  ['cap', capOf],
  ['allowance', allowanceOf],
  ['period', periodsOf],
])

const PART = /^(?:(odd|even) )?(\d{1,8})\/(day|week|month|period|year) ([0-6]{1,7})$/

function contractOf([from = '', ...more]: readonly string[], value: unknown): Contract | null {
  if (!isCalendarDate(from) || more.length > 0 || typeof value !== 'string') return null
  const [, written = '', opening] = /^([^;]*)(?:; (-?\d{1,8}))?$/.exec(value) ?? []
  const parts = written.split(', ').map(partOf)
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length || parts.length > MAX_PARTS) return null
  return {
    kind: 'contract',
    from,
    parts: known,
    opening: opening === undefined ? null : Number(opening),
  }
}

function partOf(text: string): Part | null {
  const [, weeks, digits = '', span = '', weekdays = ''] = PART.exec(text) ?? []
  const days = WEEK.filter((day) => weekdays.includes(String(day)))
  const known = SPANS.find((each) => each === span)
  const seconds = Number(digits)
  if (!known || days.join('') !== weekdays || seconds > MAX_SECONDS) return null
  return { seconds, span: known, days, weeks: weeks === 'odd' || weeks === 'even' ? weeks : null }
}

function dayOffOf([from = '', absence, half]: readonly string[], value: unknown): DayOff | null {
  const known = ABSENCES.find((each) => each === absence)
  if (!known || !isCalendarDate(from) || typeof value !== 'string') return null
  const [last = '', portion = 'whole'] = value.split(' ')
  const read = portionOf(portion)
  if (!isCalendarDate(last) || last < from || last > LAST_DATE || read === null) return null
  if ((read === 'pm' ? 'pm' : undefined) !== half) return null
  return { kind: 'dayoff', absence: known, from, last, portion: read }
}

function portionOf(text: string): Portion | null {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  return (['whole', 'half', 'am', 'pm'] as const).find((each) => each === text) ?? null
}

function holidayOf([from = '']: readonly string[], value: unknown): Holiday | null {
  if (!isCalendarDate(from) || typeof value !== 'string') return null
  const [, portion, name = ''] = /^(whole|half) (.*)$/.exec(value) ?? []
  if (portion === undefined) return null
  return { kind: 'holiday', from, isHalf: portion === 'half', name }
}

function correctionOf([from = '', ...note]: readonly string[], value: unknown): Correction | null {
  if (!isCalendarDate(from) || !isSeconds(value) || value === 0) return null
  return { kind: 'correction', from, note: note.join(':'), seconds: value }
}

function capOf([span, from = '']: readonly string[], value: unknown): Cap | null {
  const known = CAP_SPANS.find((each) => each === span)
  if (!known || !isCalendarDate(from) || !isSeconds(value) || value < 0) return null
  return { kind: 'cap', span: known, from, seconds: value }
}

function allowanceOf([year = '']: readonly string[], value: unknown): Allowance | null {
  const from = `${year}-01-01`
  if (!isCalendarDate(from) || (typeof value !== 'string' && typeof value !== 'number')) return null
  const [, days, until] = /^(\d{1,3}(?:\.5)?)(?: (\d\d-\d\d))?$/.exec(String(value)) ?? []
  if (days === undefined || (until !== undefined && !isCalendarDate(`2024-${until}`))) return null
  return { kind: 'allowance', from, halves: Number(days) * 2, carriedUntil: until ?? null }
}

function periodsOf([from = '', ...more]: readonly string[], value: unknown): PayPeriods | null {
  if (!isCalendarDate(from) || more.length > 0 || typeof value !== 'string') return null
  const weeks = PERIOD_WEEKS.find((each) => value === `${each}w`)
  if (weeks !== undefined) return { kind: 'period', from, starts: [], weeks }
  const starts = value.split(' ').map(Number)
  const isKnown = starts.every((day, index) => {
    return Number.isInteger(day) && day > (starts[index - 1] ?? 0) && day <= MAX_PERIOD_START
  })
  if (!isKnown || starts.length > MAX_PERIODS_A_MONTH) return null
  return { kind: 'period', from, starts, weeks: null }
}

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= MAX_SECONDS
}
