/**
 * Reads a day as people type it: 'yesterday', '23.11.', 'nov 23', 'last monday'. Without a year it is
 * the last one that has begun; a weekday too, so that it may be today. 'Last Friday' is before today.
 * `date-text.ts` reads ranges with it.
 *
 * Words of all languages are read, but short weekdays only of English and of the build: 'Sam' is a
 * name, too.
 */
import { folded } from '#folded.ts'
import { LANGUAGE, LANGUAGES, t } from '#text.ts'
import type { Language } from '#text.ts'
import { addDays, isCalendarDate, startOfWeek, weekday, yearOf } from './calendar.ts'
import type { CalendarDate, DateRange } from './calendar.ts'
import { DAY_WORDS } from './day-vocabulary.ts'
import type { DayWords } from './day-vocabulary.ts'

export interface DateContext {
  readonly today: CalendarDate
  /** The weekday that weeks begin with. Default: Sunday. */
  readonly weekStart?: number | undefined
  /** Whether '3/11' is in November. Default: true. */
  readonly isDayFirst?: boolean | undefined
  /**
   * Whether days may be ahead: a date without a year is then the nearest one, a weekday the next one
   * from today on. Default: false.
   */
  readonly isAhead?: boolean | undefined
}

/** Days that were read. */
export interface DatesRead {
  readonly kind: 'dates'
  readonly dates: DateRange
}
export interface DatesProblem {
  readonly kind: 'problem'
  /** A sentence for the form. */
  readonly message: string
}

/** What a list of words begins with. */
export interface Beginning<Read> {
  readonly read: Read
  /** How many words it has. */
  readonly taken: number
}

const MAX_LENGTH = 100
/** 'del 3 de noviembre de 2025 al 17 de noviembre de 2026' has eleven. */
const MAX_WORDS = 12

/** Reads a whole text as one day; null if it is anything else. */
export function readDay(text: string, context: DateContext): CalendarDate | null {
  return dayRead(plain(text), dayReader(context, false))
}

/**
 * Returns the day that a list of words begins with, and how many words these are; null without one.
 * A time follows, so 'mon' and '11/3' are days, but '3.11' may be 11 minutes past 3.
 */
export function dayAtStart(
  words: readonly string[],
  context: DateContext,
): Beginning<CalendarDate> | null {
  const reader = { ...dayReader(context, true), isWeekdayShort: true, isBeforeTime: true }
  return longest(words, (text) => dayRead(text, reader))
}

/** Returns what the longest beginning of the words is read as; null if none is. */
export function longest<Read>(
  words: readonly string[],
  readOf: (text: string) => Read | null,
): Beginning<Read> | null {
  for (let taken = Math.min(words.length, MAX_WORDS); taken > 0; taken--) {
    const read = readOf(plain(words.slice(0, taken).join(' ')))
    if (read !== null) return { read, taken }
  }
  return null
}

/** Returns the days from the first to the last, both included, or that they are in the wrong order. */
export function daysFromTo(first: CalendarDate, last: CalendarDate): DatesRead | DatesProblem {
  if (first > last) return WRONG_ORDER
  return { kind: 'dates', dates: { from: first, to: addDays(last, 1) } }
}

export const WRONG_ORDER: DatesProblem = {
  kind: 'problem',
  message: t('The range ends before it begins.'),
}

// What is read, and how

export interface DayReader extends DateContext {
  /** Whether other words may follow, so that only what is a date beyond doubt is read. */
  readonly isAmongWords: boolean
  readonly isWeekdayShort: boolean
  /** Whether a time follows, so that '11/3' is a day. */
  readonly isBeforeTime: boolean
  readonly patterns: DayPatterns
}

let allPatterns: DayPatterns | undefined

export function dayReader(context: DateContext, isAmongWords: boolean): DayReader {
  const patterns = (allPatterns ??= dayPatterns(LANGUAGES))
  return { ...context, isAmongWords, isWeekdayShort: !isAmongWords, isBeforeTime: false, patterns }
}

/** Lower case without accents, ASCII digits, '-' for every dash, single spaces; '' for a text that is too long. */
export function plain(text: string, maxLength = MAX_LENGTH): string {
  if (text.length > maxLength) return ''
  return folded(text.replaceAll(/\p{Cf}/gu, ''))
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll('’', "'")
    .trim()
    .replace(/ ?[,;]$/, '')
}

function dayRead(text: string, reader: DayReader): CalendarDate | null {
  const day = dayNamed(text, reader)
  return day && lastDay(day, latestBegin(day.unit, reader))
}

/** Returns the last day on which something that is named without its year, or a weekday, may begin. */
export function latestBegin(unit: string, { today, isAhead = false }: DateContext): CalendarDate {
  return isAhead ? addDays(today, unit === 'weekday' ? 6 : NEAR_DAYS) : today
}

/** Half a year: of a date in two years, the nearer one. */
const NEAR_DAYS = 182

/** What a text names. A year of null is not written. */
export type Day =
  | {
      readonly unit: 'day'
      readonly day: number
      readonly month: number
      readonly year: number | null
    }
  | { readonly unit: 'weekday'; readonly weekday: number }
  | { readonly unit: 'date'; readonly date: CalendarDate }

/** Returns the latest of that name on the day or before it; null if there is none. */
export function lastDay(named: Day, date: CalendarDate): CalendarDate | null {
  if (named.unit === 'date') return named.date
  if (named.unit === 'weekday') return startOfWeek(date, named.weekday)
  const { day, month, year } = named
  return inSomeYear(year, date, -1, (of) => dateOf(of, month, day))
}

/**
 * Returns what is in the year or, if that is null, in the nearest one back or ahead in which it begins
 * no later or no earlier than the day.
 */
export function inSomeYear(
  year: number | null,
  date: CalendarDate,
  step: -1 | 1,
  dateIn: (year: number) => CalendarDate | null,
): CalendarDate | null {
  if (year !== null) return dateIn(year)
  // A week may begin in the year before; 29 February may be eight years away.
  for (let steps = -1; steps < 9; steps++) {
    const found = dateIn(Number(yearOf(date)) + steps * step)
    if (found !== null && (step < 0 ? found <= date : found >= date)) return found
  }
  return null
}

/** Returns the day if there is one. */
export function dateOf(year: number, month: number, day: number): CalendarDate | null {
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
  return isCalendarDate(date) ? date : null
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

// Names in a text

/** A year within another text. */
export const YEAR = '(?:19|20)\\d\\d'
export const OF_YEAR = `(?:,? (?:de |del |of )?(${YEAR}))?`
/** '23.11.2026', '23. 11.', '11/3/26', '23.11' */
const NUMERIC_DAY = /^(\d{1,2}) ?([./]) ?(\d{1,2})(?:([./]) ?(\d{2}|\d{4})?)?$/
/** '3 nov', '3. november 2026', '3 de noviembre de 2026', '1er aout' */
const DAY_AND_MONTH = new RegExp(
  `^(\\d{1,2})(?:\\.|st|nd|rd|th|er)? ?(?:de |of )?([a-z]{3,10})\\.?${OF_YEAR}$`,
)
/** 'nov 3', 'november 3rd, 2026' */
const MONTH_AND_DAY = new RegExp(`^([a-z]{3,10})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (${YEAR}))?$`)

/** Returns the day that a text names; null if it names none. */
export function dayNamed(typed: string, reader: DayReader): Day | null {
  const text = typed.replace(reader.patterns.article, '')
  return dayOfMonth(text, reader) ?? weekdayNamed(text, reader) ?? spokenDay(text, reader)
}

/** Reads a day of a month, with its weekday or without. */
function dayOfMonth(text: string, reader: DayReader): Day | null {
  if (isCalendarDate(text)) return { unit: 'date', date: text }
  const [, name = '', rest = ''] = /^([a-z]+)\.?,? (.+)$/.exec(text) ?? []
  const index = reader.patterns.weekdays.findIndex((names) => names.includes(name))
  if (index < 0) return numericDay(text, reader) ?? spelledDay(text, reader)
  const date = dayRead(rest, { ...reader, isWeekdayShort: false })
  return date !== null && weekday(date) === index ? { unit: 'date', date } : null
}

function numericDay(text: string, reader: DayReader): Day | null {
  const { isAmongWords, isBeforeTime, isDayFirst = true } = reader
  const [, first = '', sign, second = '', end, digits] = NUMERIC_DAY.exec(text) ?? []
  // '3.11' is a version, '1/2' a half, and '3.11/' nothing.
  const isDoubtful = isAmongWords && end === undefined && !(isBeforeTime && sign === '/')
  if (first === '' || isDoubtful) return null
  if (digits === undefined ? end === '/' : end !== sign) return null
  const isMonthFirst = sign === '/' && (isDayFirst ? Number(second) > 12 : Number(first) <= 12)
  const [day, month] = isMonthFirst ? [second, first] : [first, second]
  const year = digits === undefined ? null : Number(digits.padStart(4, '20'))
  return { unit: 'day', day: Number(day), month: Number(month), year }
}

function spelledDay(text: string, reader: DayReader): Day | null {
  const [, firstDay, firstName = '', firstYear] = DAY_AND_MONTH.exec(text) ?? []
  const [, lastName = '', lastDay, lastYear] = MONTH_AND_DAY.exec(text) ?? []
  const month = monthOf(firstName || lastName, reader.patterns)
  const day = Number(firstDay ?? lastDay)
  return month === null ? null : { unit: 'day', day, month, year: yearRead(firstYear ?? lastYear) }
}

/** Returns 1 … 12 for the name of a month, or for three letters and more of it that no other one has. */
export function monthOf(word: string, { months }: DayPatterns): number | null {
  if (word.length < 3) return null
  const found = months.flatMap((names, index) =>
    names.some((name) => name.startsWith(word)) ? [index + 1] : [],
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

export function yearRead(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}

function weekdayNamed(text: string, { patterns, isWeekdayShort }: DayReader): Day | null {
  const names = isWeekdayShort ? patterns.weekdays : patterns.fullWeekdays
  const name = text.replace(/\.$/, '')
  const index = names.findIndex((each) => each.includes(name))
  return index < 0 ? null : { unit: 'weekday', weekday: index }
}

/** Reads 'yesterday', '3 days ago' and 'last Friday'. */
function spokenDay(text: string, { patterns, today }: DayReader): Day | null {
  const before = patterns.lastWeekdays.findIndex((names) => names.test(text))
  if (before >= 0) return { unit: 'date', date: startOfWeek(addDays(today, -1), before) }
  const named = patterns.recent.findIndex((names) => names.test(text))
  if (named < 0 && !patterns.ago.test(text)) return null
  return { unit: 'date', date: addDays(today, named < 0 ? -numberIn(text) : -named) }
}

/** Returns the number that a text has. */
export function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0])
}

// Patterns

export interface DayPatterns {
  /** Today, yesterday and the day before. */
  readonly recent: readonly RegExp[]
  readonly ago: RegExp
  readonly lastWeekdays: readonly RegExp[]
  /** The names of each weekday, from Sunday. */
  readonly weekdays: readonly (readonly string[])[]
  readonly fullWeekdays: readonly (readonly string[])[]
  /** The names of each month, in full. */
  readonly months: readonly (readonly string[])[]
  readonly article: RegExp
}

/** English and the language of the build. */
export const OWN_LANGUAGES: readonly Language[] = LANGUAGE === 'en' ? ['en'] : ['en', LANGUAGE]

export function dayPatterns(languages: readonly Language[]): DayPatterns {
  const words = languages.map((language) => DAY_WORDS[language])
  const whole = (partOf: (of: DayWords) => string) => new RegExp(`^${anyOf(words.map(partOf))}$`)
  const fullWeekdays = namesOf(words.map((of) => of.weekdays))
  const shortWeekdays = namesOf(OWN_LANGUAGES.map((language) => DAY_WORDS[language].shortWeekdays))
  const weekdays = fullWeekdays.map((names, index) => [...names, ...(shortWeekdays[index] ?? [])])
  return {
    recent: [
      whole((of) => of.today),
      whole((of) => of.yesterday),
      whole((of) => of.dayBeforeYesterday),
    ],
    ago: whole((of) => filled(of.ago, of.days)),
    lastWeekdays: weekdays.map((names) => whole((of) => filled(of.previous, names.join('|')))),
    weekdays,
    fullWeekdays,
    months: namesOf(words.map((of) => of.months)),
    article: new RegExp(`^${anyOf(words.map((of) => of.article))} `),
  }
}
export function anyOf(parts: readonly string[]): string {
  return `(?:${parts.join('|')})`
}

/** Returns the part of a pattern for a unit or a weekday of that name. */
export function filled(template: string, name: string): string {
  return template.replaceAll('%', `(?:${name})`).replaceAll('#', '[1-9]\\d{0,3}')
}

/** Returns all names of each weekday or month, of lists in their order. */
function namesOf(lists: readonly string[]): string[][] {
  const [first = ''] = lists
  return first
    .split(' ')
    .map((_, index) => lists.flatMap((list) => (list.split(' ')[index] ?? '').split('|')))
}
