/**
 * The language of the session filter: words, `"quoted words"`, `#tag`, `task:`, `category:`, dates,
 * lengths and times of day, each with `-` before it to exclude. A session must meet every part. The
 * words of the language are English and those of the build's language. What is no part of another
 * kind is searched as words. `reports/found-sessions.ts` applies a filter.
 */
import { folded } from '#folded.ts'
import { t } from '#text.ts'
import {
  addDays,
  addMonths,
  clockTime,
  formatFullDates,
  isCalendarDate,
  localDate,
  monthAndYear,
  monthName,
  MONTHS,
  startOfMonth,
  startOfYear,
  yearOf,
} from '#time/calendar.ts'
import type { CalendarDate, DateRange, HourCycle } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'
import { exactDuration, spokenDuration } from '#time/duration.ts'
import { periodContaining, periodDates, stepPeriod } from '#time/period.ts'
import type { PeriodView } from '#time/period.ts'
import { readDuration, readMoment } from '#time/time-span-input.ts'
import { tagsOf } from './tags.ts'

export interface FilterContext {
  /** Epoch milliseconds. */
  readonly now: number
  readonly dayRule: DayRule
  /** The weekday that weeks begin with. Default: Sunday. */
  readonly weekStart?: number
  /** The clock that meanings are written for. Default: 24 hours. */
  readonly hourCycle?: HourCycle
}

export interface SessionFilter {
  readonly dayRule: DayRule
  /** In the order of the text. Without parts, every session is found. */
  readonly parts: readonly FilterPart[]
  /** Why no session is found, as a sentence for the form: the text has too many parts. */
  readonly problem: string | null
}

/** How many parts a filter may have. Each is looked for in the whole history. */
export const MAX_FILTER_PARTS = 20

export interface FilterPart {
  readonly condition: FilterCondition
  /** True for `-…`: sessions that meet the condition are left out. */
  readonly excludes: boolean
  /** The part of the text, as it was typed. */
  readonly typed: string
  /** What it means, to be shown: 'March 2026', 'longer than 2 hours', 'not #acme'. */
  readonly meaning: string
}

/** Ranges include `from`, but not `to`. */
export type FilterCondition =
  /** In the name of the task or in the note; `text` is folded. */
  | { readonly kind: 'words'; readonly text: string }
  /** The note has this tag. */
  | { readonly kind: 'tag'; readonly tag: string }
  /** In the name of the task, or in its category; `text` is folded. */
  | { readonly kind: 'task' | 'category'; readonly text: string }
  /** The session starts on one of the days. */
  | { readonly kind: 'dates'; readonly dates: DateRange }
  /** The seconds of work. */
  | { readonly kind: 'length'; readonly from: number; readonly to: number }
  /** The seconds past 00:00 that the clock shows at the start. */
  | { readonly kind: 'clock'; readonly from: number; readonly to: number }

/** Reads the text of the filter box. Any text of at most `MAX_FILTER_PARTS` parts is a filter. */
export function parseFilter(text: string, context: FilterContext): SessionFilter {
  const words = wordsOf(text)
  const parts: FilterPart[] = []
  for (let at = 0; at < words.length;) {
    if (parts.length > MAX_FILTER_PARTS) break
    const rest = words.slice(at, at + MAX_WORDS)
    const { condition, taken, meaning } = firstPart(rest, context)
    const excludes = rest[0]?.excludes === true
    const typed = rest.slice(0, taken).map((word) => word.typed)
    at += taken
    // Quotes or a '-' that nothing was typed after yet.
    if ('text' in condition && (condition.text === '' || condition.text === '-')) continue
    parts.push({
      condition,
      excludes,
      typed: typed.join(' '),
      meaning: excludes ? t('not {condition}', { condition: meaning }) : meaning,
    })
  }
  const isTooLong = parts.length > MAX_FILTER_PARTS
  const problem = isTooLong ? t('Use at most {max} parts.', { max: MAX_FILTER_PARTS }) : null
  return { dayRule: context.dayRule, parts: isTooLong ? [] : parts, problem }
}

/** A word of the text, or several in quotes. */
interface Word {
  readonly typed: string
  /** Whether a '-' is before it. */
  readonly excludes: boolean
  /** Without the '-', the field and the quotes. */
  readonly text: string
  readonly field: 'task' | 'category' | null
  readonly isQuoted: boolean
}

/** No part of the language has more words: '> 1 hour and 30 minutes'. */
const MAX_WORDS = 6

/** A word that may have quotes after '-' and a field. Quotes that do not close reach to the end. */
const WORD =
  /(-?)((?:[\p{L}\p{M}]+:)?)["“”„«»]([^"“”„«»]*)["“”„«»]?|(-?)((?:[\p{L}\p{M}]+:)?)(\S+)/gu

const FIELDS = {
  task: phrases('task', t('filter|task')),
  category: phrases('category', t('filter|category')),
} as const

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const found of text.matchAll(WORD)) {
    const [typed, minus = '', prefix = '', quoted, otherMinus = '', otherPrefix = '', rest = ''] =
      found
    const isQuoted = quoted !== undefined
    const name = isQuoted ? prefix : otherPrefix
    const value = quoted ?? rest
    const field = value === '' ? null : fieldOf(name)
    words.push({
      typed,
      excludes: (minus || otherMinus) !== '',
      text: field === null ? name + value : value,
      field,
      isQuoted,
    })
  }
  return words
}

function fieldOf(prefix: string): Word['field'] {
  const name = folded(prefix.slice(0, -1))
  const isOf = (field: 'task' | 'category') => FIELDS[field].some(([word]) => word === name)
  return isOf('task') ? 'task' : isOf('category') ? 'category' : null
}

// Parts

interface PartRead {
  readonly condition: FilterCondition
  readonly meaning: string
  /** How many words it has. */
  readonly taken: number
}

function firstPart(words: readonly Word[], context: FilterContext): PartRead {
  const [first] = words
  // A part is within words that follow each other without quotes, a field or a '-'.
  const end = words.findIndex(
    ({ isQuoted, field, excludes }, index) => isQuoted || field !== null || (excludes && index > 0),
  )
  const joined = words.slice(0, end < 0 ? undefined : end).map(({ text }) => text)
  const read =
    tagPart(joined) ??
    lengthPart(joined) ??
    clockPart(joined, context) ??
    datesPart(joined, context)
  if (read) return read
  const { field = null, text = '' } = first ?? {}
  const wanted = folded(text).trim()
  const meaning = text.trim()
  switch (field) {
    case null:
      return { condition: { kind: 'words', text: wanted }, meaning, taken: 1 }
    case 'task':
      return {
        condition: { kind: field, text: wanted },
        meaning: t('Task: {name}', { name: meaning }),
        taken: 1,
      }
    case 'category':
      return {
        condition: { kind: field, text: wanted },
        meaning: t('Category: {name}', { name: meaning }),
        taken: 1,
      }
  }
}

function tagPart([word = '']: readonly string[]): PartRead | null {
  const [tag] = tagsOf(word)
  if (tag === undefined || word !== `#${tag}`) return null
  return { condition: { kind: 'tag', tag }, meaning: word, taken: 1 }
}

const COMPARISON = /^(>=|<=|[<>≤≥])(.*)$/

/** Reads '>2h', '< 15 min', '>=1h 30m'. */
function lengthPart(words: readonly string[]): PartRead | null {
  const [, sign, first = ''] = COMPARISON.exec(words[0] ?? '') ?? []
  if (sign === undefined) return null
  const shortest = first === '' ? 2 : 1
  for (let taken = words.length; taken >= shortest; taken--) {
    const text = [first, ...words.slice(1, taken)].join(' ')
    // In '>2h 14 march', 14 is a day, not minutes.
    const hasUnit = /\p{L}\.?$/u.test(text)
    const read = readDuration(text)
    if (read.kind !== 'duration' || (taken > shortest && !hasUnit)) continue
    return { ...lengthCondition(sign, read.seconds), taken }
  }
  return null
}

function lengthCondition(sign: string, seconds: number): Omit<PartRead, 'taken'> {
  const duration = seconds % 60 === 0 ? spokenDuration(seconds) : exactDuration(seconds)
  const [from, to, meaning] =
    sign === '>'
      ? [seconds + 1, Infinity, t('longer than {duration}', { duration })]
      : sign === '<'
        ? [0, seconds, t('shorter than {duration}', { duration })]
        : sign === '>=' || sign === '≥'
          ? [seconds, Infinity, t('{duration} or longer', { duration })]
          : [0, seconds + 1, t('{duration} or shorter', { duration })]
  return { condition: { kind: 'length', from, to }, meaning }
}

const BEFORE = phrases('before', t('filter|before'))
const AFTER = phrases('after', t('filter|after'))

const DAY_SECONDS = 86_400
const ANY_DATE = '2026-01-01'

/** Reads 'before 9:00' and 'after 6 pm'. */
function clockPart(words: readonly string[], { now, hourCycle }: FilterContext): PartRead | null {
  const before = phraseOf(words, BEFORE)
  const phrase = before ?? phraseOf(words, AFTER)
  if (!phrase) return null
  const [time = '', half = ''] = words.slice(phrase.taken)
  const hasHalf = /^[ap]\.?m\.?$/i.test(half)
  const text = hasHalf ? `${time} ${half}` : time
  if (!/^(?:\d|noon|midnight)/i.test(text)) return null
  const read = readMoment(text, { date: ANY_DATE, timeZone: 'UTC', now })
  if (read.kind !== 'moment') return null
  const seconds = (read.at - Date.parse(ANY_DATE)) / 1000
  if (seconds >= DAY_SECONDS) return null
  const shown = clockTime(read.at, 'UTC', hourCycle)
  const taken = phrase.taken + (hasHalf ? 2 : 1)
  return before
    ? {
        condition: { kind: 'clock', from: 0, to: seconds },
        meaning: t('started before {time}', { time: shown }),
        taken,
      }
    : {
        condition: { kind: 'clock', from: seconds, to: DAY_SECONDS },
        meaning: t('started at {time} or later', { time: shown }),
        taken,
      }
}

// Dates

const TODAY = phrases('today', t('filter|today'))
const YESTERDAY = phrases('yesterday', t('filter|yesterday'))
const LAST_DAYS = phrases('last # days', t('filter|last # days'))

/** The phrases of whole periods, and how many periods they are back. */
const PERIODS: readonly (readonly [Phrases, PeriodView, number])[] = [
  [phrases('this week', t('filter|this week')), 'weekly', 0],
  [phrases('last week', t('filter|last week')), 'weekly', -1],
  [phrases('this month', t('filter|this month')), 'monthly', 0],
  [phrases('last month', t('filter|last month')), 'monthly', -1],
  [phrases('this year', t('filter|this year')), 'yearly', 0],
  [phrases('last year', t('filter|last year')), 'yearly', -1],
]

function datesPart(words: readonly string[], context: FilterContext): PartRead | null {
  const today = localDate(context.now, context.dayRule)
  const read =
    spokenDates(words, today, context.weekStart) ?? numericDates(words) ?? namedDates(words, today)
  if (!read) return null
  const { dates, taken } = read
  return { condition: { kind: 'dates', dates }, meaning: datesText(dates), taken }
}

interface DatesRead {
  readonly dates: DateRange
  readonly taken: number
}

function spokenDates(
  words: readonly string[],
  today: CalendarDate,
  weekStart: number | undefined,
): DatesRead | null {
  const todays = phraseOf(words, TODAY)
  if (todays) return { dates: oneDay(today), taken: todays.taken }
  const yesterdays = phraseOf(words, YESTERDAY)
  if (yesterdays) return { dates: oneDay(addDays(today, -1)), taken: yesterdays.taken }
  const days = phraseOf(words, LAST_DAYS)
  if (days) {
    const to = addDays(today, 1)
    return { dates: { from: addDays(to, -days.count), to }, taken: days.taken }
  }
  for (const [names, view, steps] of PERIODS) {
    const phrase = phraseOf(words, names)
    if (!phrase) continue
    const period = stepPeriod(periodContaining(view, today, weekStart), steps)
    return { dates: periodDates(period), taken: phrase.taken }
  }
  return null
}

const YEAR = /^(?:19|20)\d{2}$/

/** Reads '2026-03-14', '2026-03' and '2026'. */
function numericDates([word = '']: readonly string[]): DatesRead | null {
  if (isCalendarDate(word)) return { dates: oneDay(word), taken: 1 }
  const month = `${word}-01`
  if (isCalendarDate(month)) return { dates: wholeMonth(month), taken: 1 }
  const year = `${word}-01-01`
  if (!YEAR.test(word) || !isCalendarDate(year)) return null
  return { dates: { from: year, to: addMonths(year, 12) }, taken: 1 }
}

/**
 * Reads 'march', 'march 2026', '14 march', 'mar 14', '14 de marzo de 2026'. Without a year, it is
 * the last one that has begun. A month alone is written in full, as 'mar' and 'dec' are words too.
 */
function namedDates(words: readonly string[], today: CalendarDate): DatesRead | null {
  const parts = words.map((word) => folded(word).replace(/[.,]$/, ''))
  let taken = 0
  const next = <T>(read: (part: string) => T | null): T | null => {
    const at = taken > 0 && /^(?:de|of)$/.test(parts[taken] ?? '') ? taken + 1 : taken
    const value = read(parts[at] ?? '')
    if (value !== null) taken = at + 1
    return value
  }
  const dayBefore = next(dayOfMonth)
  const isInFull = MONTH_NAMES.some((names) => names.includes(parts[taken] ?? ''))
  const month = next(monthOf)
  if (month === null) return null
  const day = dayBefore ?? next(dayOfMonth)
  const year = next((part) => (YEAR.test(part) ? Number(part) : null))
  if (day === null && year === null && !isInFull) return null

  const dateIn = (of: number) => `${of}-${twoDigits(month)}-${twoDigits(day ?? 1)}`
  const thisYear = Number(yearOf(today))
  // 29 February may be eight years back.
  const years = year === null ? Array.from({ length: 9 }, (_, back) => thisYear - back) : [year]
  const date = years
    .map(dateIn)
    .filter(isCalendarDate)
    .find((each) => year !== null || each <= today)
  if (date === undefined) return null
  return { dates: day === null ? wholeMonth(date) : oneDay(date), taken }
}

/** The names of the months, folded: in English and in the language of the build. */
const MONTH_NAMES = MONTHS.map((name, index) => [
  folded(name),
  folded(monthName(addMonths('2026-01-01', index))),
])

/** Reads the name of a month, or three letters and more of it: 1 … 12. */
function monthOf(word: string): number | null {
  if (word.length < 3) return null
  const index = MONTH_NAMES.findIndex((names) => names.some((name) => name.startsWith(word)))
  return index < 0 ? null : index + 1
}

/** Reads '14', '14th' or '1er'. */
function dayOfMonth(word: string): number | null {
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th|er)?$/.exec(word) ?? []
  return day === undefined ? null : Number(day)
}

function oneDay(date: CalendarDate): DateRange {
  return { from: date, to: addDays(date, 1) }
}

function wholeMonth(from: CalendarDate): DateRange {
  return { from, to: addMonths(from, 1) }
}

/** Returns '14 Mar 2026', '15–21 Nov 2026', 'March 2026' or '2026'. */
function datesText(dates: DateRange): string {
  const { from, to } = dates
  if (from === startOfYear(from) && to === addMonths(from, 12)) return yearOf(from)
  if (from === startOfMonth(from) && to === addMonths(from, 1)) return monthAndYear(from)
  return formatFullDates(dates)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

// Phrases

/** Ways to say the same, each as its words; '#' stands for a number. */
type Phrases = readonly (readonly string[])[]

/**
 * Returns the phrases in English and in the language of the build, whose text has several between
 * slashes: 'letzter monat/letzten monat'.
 */
function phrases(english: string, own: string): Phrases {
  return [english, ...own.split('/')].map((phrase) => comparable(phrase).split(' '))
}

function comparable(text: string): string {
  return folded(text).replaceAll('’', "'").trim()
}

/** Returns the phrase that the words begin with, the longest one; null without one. */
function phraseOf(
  words: readonly string[],
  known: Phrases,
): { readonly taken: number; readonly count: number } | null {
  const found = known
    .filter((phrase) =>
      phrase.every((word, index) => {
        const other = comparable(words[index] ?? '')
        return word === '#' ? /^[1-9]\d{0,3}$/.test(other) : other === word
      }),
    )
    .toSorted((a, b) => b.length - a.length)[0]
  return found ? { taken: found.length, count: Number(words[found.indexOf('#')] ?? 0) } : null
}
