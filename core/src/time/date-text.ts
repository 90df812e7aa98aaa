/**
 * Reads days and ranges of days as people type them: 'yesterday', 'last 30 days', '3–17 Nov', 'W47',
 * '2026-Q3'. Every field, line, parameter and command reads dates with it and with `day-text.ts`.
 *
 * - Without a year, a day, a month, an ISO week or a quarter is the last one that has begun.
 * - 'Last 30 days' ends today, 'since' too; 'until' and 'before' begin with `FIRST_DAY`. 'Until'
 *   includes the day, 'before' and 'after' do not.
 * - A range may leave out a year, and the month of one side. It passes a new year that is not
 *   written only if it is then half a year at most, so that '17 – 3 Nov' is a problem.
 */
import { LANGUAGES, t } from '#text.ts'
import type { Language } from '#text.ts'
import {
  addDays,
  addMonths,
  daysBetween,
  formatFullDate,
  startOfMonth,
  startOfWeek,
  yearOf,
} from './calendar.ts'
import type { CalendarDate, DateRange } from './calendar.ts'
import {
  anyOf,
  dateOf,
  dayNamed,
  dayPatterns,
  dayReader,
  daysFromTo,
  filled,
  inSomeYear,
  lastDay,
  latestBegin,
  longest,
  monthOf,
  numberIn,
  OF_YEAR,
  OWN_LANGUAGES,
  plain,
  WRONG_ORDER,
  YEAR,
  yearRead,
} from './day-text.ts'
import type {
  Beginning,
  DateContext,
  DatesProblem,
  DatesRead,
  Day,
  DayPatterns,
  DayReader,
} from './day-text.ts'
import { datesLabel } from './period.ts'
import { DAY_WORDS } from './day-vocabulary.ts'
import { OWN_RANGE_WORDS, PERIOD_UNITS, RANGE_WORDS } from './range-vocabulary.ts'
import type { PeriodUnit, RangeWords } from './range-vocabulary.ts'

/** The first day of a range without a beginning. */
export const FIRST_DAY: CalendarDate = '0001-01-01'

const HALF_YEAR_DAYS = 184

export const NOT_UNDERSTOOD: DatesProblem = {
  kind: 'problem',
  message: t('Not understood. Try yesterday, 3 Nov – 17 Nov or last 30 days.'),
}

/**
 * Reads a whole text as a day or as a range of days. Of 'Week 47 · 16–22 Nov 2026', which a report
 * shows, the days count.
 */
export function readDates(text: string, context: DateContext): DatesRead | DatesProblem {
  return datesIn(text, context) ?? NOT_UNDERSTOOD
}

/** As `readDates`; null for a text that is no day and no range of days. */
export function datesIn(text: string, context: DateContext): DatesRead | DatesProblem | null {
  const reader = { ...dayReader(context, false), ranges: allRanges() }
  const days = text.slice(text.lastIndexOf('·') + 1)
  return datesOf(plain(days), reader)
}

/**
 * Returns the dates that a list of words begins with, and how many words these are; null without
 * any. What is also a word is not read: a short month or weekday alone, '3.11', '1/2', '2024-2025',
 * and words of languages other than English and that of the build: 'hier' is here in German.
 */
export function datesAtStart(
  words: readonly string[],
  context: DateContext,
): Beginning<DatesRead | DatesProblem> | null {
  const ranges = ownRanges()
  const reader = { ...dayReader(context, true), patterns: ranges.days, ranges }
  return longest(words, (text) => datesOf(text, reader))
}

/** Returns '14 Mar 2026', '15–21 Nov 2026', 'March 2026', '2026' or 'until 3 Nov 2026', which `readDates` reads back. */
export function datesText(dates: DateRange): string {
  const { from, to } = dates
  if (from === FIRST_DAY) return t('until {date}', { date: formatFullDate(addDays(to, -1)) })
  return datesLabel(dates)
}

// What is read, and how

interface Reader extends DayReader {
  readonly ranges: RangePatterns
}

type Read = DatesRead | DatesProblem | null

function datesOf(text: string, reader: Reader): Read {
  if (text === '') return null
  const dates = rangeNamed(text, reader)
  if (dates) return { kind: 'dates', dates }
  return boundedDates(text, reader) ?? datesBetween(text, reader)
}

/** Returns the day or the period that a text names; null if it names none. */
function rangeNamed(text: string, reader: Reader): DateRange | null {
  const named = namedOf(text, reader)
  return named && nearestOf(named, latestBegin(named.unit, reader))
}

/** Returns the range if it has a day. */
function rangeOf(from: CalendarDate, to: CalendarDate): DatesRead | DatesProblem {
  return daysFromTo(from, addDays(to, -1))
}

/** Reads 'since Monday', 'until 3 Nov', 'before 2026' and 'after 3 Nov'. */
function boundedDates(text: string, reader: Reader): Read {
  const { ranges, today } = reader
  const [word = '', since, until, before] = ranges.bound.exec(text) ?? []
  if (word === '') return null
  const dates = rangeNamed(text.slice(word.length), reader)
  if (!dates) return null
  if (until !== undefined) return rangeOf(FIRST_DAY, dates.to)
  if (before !== undefined) return rangeOf(FIRST_DAY, dates.from)
  return rangeOf(since === undefined ? dates.to : dates.from, addDays(today, 1))
}

/** Reads '3..17 nov', '3 nov - 17 nov', 'from Monday to Friday', '..17 nov', '3 nov..'. */
function datesBetween(text: string, reader: Reader): Read {
  const { ranges, today } = reader
  // '2026-W99' has no two sides, and '2024-2025' is a name.
  if (/^\d{4}-?\w+$/.test(text)) return null
  const rest = text.replace(ranges.from, '')
  // The dashes of '2026-03' and '2026-03-08' part no sides, whatever follows.
  const isoLength = /^\d{4}-\d\d(?:-\d\d)?\b/.exec(rest)?.[0].length ?? 0
  for (const found of rest.matchAll(ranges.to)) {
    if (found.index < isoLength) continue
    const first = rest.slice(0, found.index)
    const last = rest.slice(found.index + found[0].length)
    const isOpen = found[0].trim().startsWith('..')
    if (first === '' || last === '') {
      const dates = isOpen ? rangeNamed(first + last, reader) : null
      if (!dates) continue
      return first === '' ? rangeOf(FIRST_DAY, dates.to) : rangeOf(dates.from, addDays(today, 1))
    }
    const sides = completed(sideOf(first, reader), sideOf(last, reader))
    const read = sides && between(...sides, reader)
    if (read) return read
  }
  return null
}

/** Returns the days from the one to the other. What has no year is in the year that the other side suggests. */
function between(first: Named, last: Named, reader: Reader): Read {
  const end = isDated(last) ? nearestOf(last, reader.today) : null
  const begin = nearestOf(
    first,
    end && !isDated(first) ? end.from : latestBegin(first.unit, reader),
  )
  const ending = begin && (end ?? nearestOf(last, begin.from, 1))
  if (!begin || !ending) return null
  const isWhole = isDated(first) && isDated(last)
  const isLong = daysBetween(begin.from, ending.to) > HALF_YEAR_DAYS
  const isOverNewYear = yearOf(begin.from) !== yearOf(addDays(ending.to, -1))
  // Without its years, such a range is rather one in the wrong order.
  if (!isWhole && isLong && isOverNewYear) return WRONG_ORDER
  return ending.from < begin.from ? WRONG_ORDER : rangeOf(begin.from, ending.to)
}

// Names of days and of periods

type Named =
  | Day
  | {
      readonly unit: 'month' | 'week' | 'quarter'
      readonly number: number
      readonly year: number | null
    }
  | { readonly unit: 'dates'; readonly dates: DateRange }
/** One side of a range: '3' of '3–17 Nov', '17, 2026' of 'Nov 3–17, 2026'. */
type Side = Named | { readonly unit: 'number'; readonly day: number; readonly year: number | null }

function isDated(named: Named): boolean {
  return named.unit !== 'weekday' && (!('year' in named) || named.year !== null)
}

function sideOf(text: string, reader: Reader): Side | null {
  const [, day, year] = /^(\d{1,2})(?:\.|st|nd|rd|th|er)?(?:,? ((?:19|20)\d\d))?$/.exec(text) ?? []
  if (day === undefined) return namedOf(text, { ...reader, isWeekdayShort: true })
  return { unit: 'number', day: Number(day), year: yearRead(year) }
}

/** Gives a side that is only a day the month of the other one. */
function completed(first: Side | null, last: Side | null): readonly [Named, Named] | null {
  if (!first || !last) return null
  if (first.unit === 'number') {
    return last.unit === 'day' ? [{ ...last, day: first.day }, last] : null
  }
  if (last.unit !== 'number') return [first, last]
  if (first.unit !== 'day') return null
  const year = first.year ?? last.year
  return [
    { ...first, year },
    { ...first, day: last.day, year: last.year ?? year },
  ]
}

/**
 * Returns the latest of that name that begins on the day or before it, step -1, or the first that
 * begins on it or after it, step 1; null if there is none.
 */
function nearestOf(named: Named, date: CalendarDate, step: -1 | 1 = -1): DateRange | null {
  switch (named.unit) {
    case 'dates':
      return named.dates
    case 'day':
      return daysFrom(
        inSomeYear(named.year, date, step, (year) => dateOf(year, named.month, named.day)),
        1,
      )
    case 'date':
    case 'weekday':
      return daysFrom(lastDay(named, step < 0 ? date : addDays(date, 6)), 1)
    case 'week':
      return daysFrom(
        inSomeYear(named.year, date, step, (year) => startOfIsoWeek(year, named.number)),
        7,
      )
    case 'month':
    case 'quarter': {
      const months = UNIT_MONTHS[named.unit]
      const month = (named.number - 1) * months + 1
      const from = inSomeYear(named.year, date, step, (year) => dateOf(year, month, 1))
      return from && { from, to: addMonths(from, months) }
    }
  }
}

function daysFrom(from: CalendarDate | null, days: number): DateRange | null {
  return from && { from, to: addDays(from, days) }
}

function startOfIsoWeek(year: number, week: number): CalendarDate | null {
  const fourth = dateOf(year, 1, 4)
  if (!fourth || week < 1) return null
  const from = addDays(startOfWeek(fourth, 1), 7 * (week - 1))
  return Number(yearOf(addDays(from, 3))) === year ? from : null
}

// Names in a text

/** '2026-11', '2026', '2026-W47' and '2026-Q3'. */
const ISO = /^(\d{4})(?:-(\d\d)|[- ]?([wq])(\d{1,2}))?$/
/** 'november', 'nov. 2026' */
const MONTH = new RegExp(`^([a-z]{3,10})\\.?${OF_YEAR}$`)

function namedOf(typed: string, reader: Reader): Named | null {
  const { ranges, patterns } = reader
  const text = typed.replace(patterns.article, '')
  return (
    isoNamed(text) ??
    dayNamed(text, reader) ??
    monthNamed(text, reader) ??
    numbered('week', ranges.week, text) ??
    numbered('quarter', ranges.quarter, text) ??
    spokenDates(text, reader)
  )
}

function isoNamed(text: string): Named | null {
  const [, digits = '', month, unit, number] = ISO.exec(text) ?? []
  const year = Number(digits)
  if (digits === '') return null
  if (month !== undefined) return { unit: 'month', number: Number(month), year }
  if (unit !== undefined) {
    return { unit: unit === 'w' ? 'week' : 'quarter', number: Number(number), year }
  }
  const from = new RegExp(`^${YEAR}$`).test(text) ? dateOf(year, 1, 1) : null
  return from && days(from, addMonths(from, 12))
}

function monthNamed(text: string, { patterns, isAmongWords }: DayReader): Named | null {
  const [, name = '', year] = MONTH.exec(text) ?? []
  const number = monthOf(name, patterns)
  if (number === null) return null
  const isInFull = year !== undefined || patterns.months.some((names) => names.includes(name))
  // 'Mar' and 'dec' are words as well.
  return isAmongWords && !isInFull ? null : { unit: 'month', number, year: yearRead(year) }
}

function numbered(unit: 'week' | 'quarter', pattern: RegExp, text: string): Named | null {
  const [, number, year] = pattern.exec(text) ?? []
  return number === undefined ? null : { unit, number: Number(number), year: yearRead(year) }
}

/** Reads 'this quarter', 'last month' and 'last 30 days'. */
function spokenDates(text: string, { ranges, today, weekStart }: Reader): Named | null {
  const few = unitIn(ranges.lastFew, text)
  const to = addDays(today, 1)
  if (few) return days(stepped(to, few, -numberIn(text)), to)
  const current = unitIn(ranges.current, text)
  const unit = current ?? unitIn(ranges.previous, text)
  if (!unit || unit === 'day') return null
  const from = startOf(unit, today, weekStart)
  return current ? days(from, stepped(from, unit, 1)) : days(stepped(from, unit, -1), from)
}

/** Returns the unit that a text names; null if it does not match. */
function unitIn(pattern: RegExp, text: string): Unit | null {
  const groups = pattern.exec(text)?.slice(1) ?? []
  const index = groups.findIndex((each) => each !== undefined)
  return index < 0 ? null : (UNITS[index % UNITS.length] ?? null)
}

function days(from: CalendarDate, to: CalendarDate): Named {
  return { unit: 'dates', dates: { from, to } }
}

function startOf(
  unit: PeriodUnit,
  date: CalendarDate,
  weekStart: number | undefined,
): CalendarDate {
  if (unit === 'week') return startOfWeek(date, weekStart)
  const months = Number(date.slice(5, 7)) - 1
  return addMonths(startOfMonth(date), -(months % UNIT_MONTHS[unit]))
}

const UNITS = ['day', ...PERIOD_UNITS] as const
type Unit = (typeof UNITS)[number]
const UNIT_DAYS = { day: 1, week: 7 } as const
const UNIT_MONTHS = { month: 1, quarter: 3, year: 12 } as const

/** Returns the day so many units later; `FIRST_DAY` if that is before it. */
function stepped(date: CalendarDate, unit: Unit, steps: number): CalendarDate {
  if (unit === 'day' || unit === 'week') return addDays(date, UNIT_DAYS[unit] * steps)
  const months = UNIT_MONTHS[unit] * steps
  return Number(yearOf(date)) * 12 + months > 12 ? addMonths(date, months) : FIRST_DAY
}

// Patterns

interface RangePatterns {
  readonly days: DayPatterns
  /** The groups of these are the units, in their order, once or more. */
  readonly current: RegExp
  readonly previous: RegExp
  readonly lastFew: RegExp
  readonly week: RegExp
  readonly quarter: RegExp
  /** What bounds a range on one side. Its groups are since, until, before and after. */
  readonly bound: RegExp
  readonly from: RegExp
  readonly to: RegExp
}

let ownPatterns: RangePatterns | undefined
let allPatterns: RangePatterns | undefined

function ownRanges(): RangePatterns {
  return (ownPatterns ??= rangePatterns(OWN_LANGUAGES, OWN_RANGE_WORDS))
}

/** A build of the app does not call it, and so has the words of its own language alone. */
function allRanges(): RangePatterns {
  const words = LANGUAGES.map((language) => RANGE_WORDS[language])
  return (allPatterns ??= rangePatterns(LANGUAGES, words))
}

function rangePatterns(
  languages: readonly Language[],
  rangeWords: readonly RangeWords[],
): RangePatterns {
  const dayWords = languages.map((language) => DAY_WORDS[language])
  const words = rangeWords.map((of, index) => ({ ...of, ...(dayWords[index] ?? DAY_WORDS.en) }))
  const any = (partOf: (of: (typeof words)[number]) => string) => anyOf(words.map(partOf))
  const spoken = (key: 'current' | 'previous' | 'lastFew') => {
    const patterns = any((of) => {
      const units = [of.days, ...PERIOD_UNITS.map((unit) => of.units[unit])]
      return filled(of[key], `(${units.join(')|(')})`)
    })
    return new RegExp(`^${patterns}$`)
  }
  const bounds = (['since', 'until', 'before', 'after'] as const).map(
    (key) => `(${any((of) => of[key])})`,
  )
  return {
    days: dayPatterns(languages),
    current: spoken('current'),
    previous: spoken('previous'),
    lastFew: spoken('lastFew'),
    week: numberPattern(any((of) => of.week)),
    quarter: numberPattern(any((of) => of.quarter)),
    bound: new RegExp(`^(?:${bounds.join('|')}) `),
    from: new RegExp(`^${any((of) => of.from)} `),
    to: new RegExp(` ?(?:\\.{2,3}|-) ?| ${any((of) => of.to)} `, 'g'),
  }
}

/** Returns the pattern of a week or quarter that is named so. */
function numberPattern(name: string): RegExp {
  return new RegExp(`^${name}(\\d{1,2})(?:[ /-](?:de |of )?(${YEAR}))?$`)
}
