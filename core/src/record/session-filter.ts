/**
 * The language of the session filter: words, `"quoted words"`, `#tag`, `@category`, `task:`, `category:`, dates,
 * lengths, times of day, `billable` and `invoiced`, each with `-` before it to exclude. A session must meet every part. The
 * words of the language are English and those of the build's language. What is no part of another
 * kind is searched as words. `reports/found-sessions.ts` applies a filter.
 */
import { folded } from '#folded.ts'
import { t } from '#text.ts'
import { clockTime, localDate } from '#time/calendar.ts'
import type { DateRange, HourCycle } from '#time/calendar.ts'
import { datesAtStart, datesText } from '#time/date-text.ts'
import type { DayRule } from '#time/day-rule.ts'
import { exactDuration, spokenDuration } from '#time/duration.ts'
import { readDuration, readMoment } from '#time/time-span-input.ts'
import { categoryKey, categorySign } from './category.ts'
import { tagsOf } from './tags.ts'

export interface FilterContext {
  /** Epoch milliseconds. */
  readonly now: number
  readonly dayRule: DayRule
  /** The weekday that weeks begin with. Default: Sunday. */
  readonly weekStart?: number
  /** Whether '3/11/2026' is in November. Default: true. */
  readonly isDayFirst?: boolean
  /** The clock that meanings are written for. Default: 24 hours. */
  readonly hourCycle?: HourCycle
  /** The keys of the categories whose sessions are not billable by default (`unbilledCategories`). Default: none. */
  readonly unbilled?: ReadonlySet<string>
}

export interface SessionFilter {
  readonly dayRule: DayRule
  /** In the order of the text. Without parts, every session is found. */
  readonly parts: readonly FilterPart[]
  /** Why no session is found, as a sentence for the form: too many parts, or dates in the wrong order. */
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
  /** In the name of the task, which is folded, or in the key of its category. */
  | { readonly kind: 'task' | 'category'; readonly text: string }
  /** The category of the task is this one. */
  | { readonly kind: 'exactCategory'; readonly key: string }
  /** The session starts on one of the days. */
  | { readonly kind: 'dates'; readonly dates: DateRange }
  /** The seconds of work. */
  | { readonly kind: 'length'; readonly from: number; readonly to: number }
  /** The seconds past 00:00 that the clock shows at the start. */
  | { readonly kind: 'clock'; readonly from: number; readonly to: number }
  /** It is billed: as it says itself, else unless the key of its category is one of these. */
  | { readonly kind: 'billable'; readonly unbilled: readonly string[] }
  /** It is on a sealed timesheet. */
  | { readonly kind: 'invoiced' }

/**
 * Reads the text of the filter box. Any text is a filter, unless it has more parts than
 * `MAX_FILTER_PARTS` or dates in the wrong order.
 */
export function parseFilter(text: string, context: FilterContext): SessionFilter {
  const words = wordsOf(text)
  const parts: FilterPart[] = []
  for (let at = 0; at < words.length;) {
    if (parts.length > MAX_FILTER_PARTS) break
    const rest = words.slice(at, at + MAX_WORDS)
    const part = firstPart(rest, context)
    if ('problem' in part) return { dayRule: context.dayRule, parts: [], problem: part.problem }
    const { condition, taken, meaning } = part
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
  readonly field: 'task' | 'category' | '@' | null
  readonly isQuoted: boolean
}

/** No part of the language has more words: 'del 3 de noviembre de 2025 al 17 de noviembre de 2026'. */
const MAX_WORDS = 12

/** A word that may have quotes after '-' and a field. Quotes that do not close reach to the end. */
const WORD =
  /(-?)((?:[\p{L}\p{M}]+:|@)?)["“”„«»]([^"“”„«»]*)["“”„«»]?|(-?)((?:[\p{L}\p{M}]+:|@)?)(\S+)/gu

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
    const isBegun = name === '@' && value === ''
    const field = value === '' ? null : fieldOf(name)
    words.push({
      typed,
      excludes: (minus || otherMinus) !== '',
      text: field === null && !isBegun ? name + value : value,
      field,
      isQuoted,
    })
  }
  return words
}

function fieldOf(prefix: string): Word['field'] {
  if (prefix === '@') return '@'
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

/** A part that means nothing. */
interface PartProblem {
  /** A sentence for the form. */
  readonly problem: string
}

function firstPart(words: readonly Word[], context: FilterContext): PartRead | PartProblem {
  const [first] = words
  // A part is within words that follow each other without quotes, a field or a '-'.
  const end = words.findIndex(
    ({ isQuoted, field, excludes }, index) => isQuoted || field !== null || (excludes && index > 0),
  )
  const joined = words.slice(0, end < 0 ? undefined : end).map(({ text }) => text)
  const read =
    tagPart(joined) ??
    lengthPart(joined) ??
    billingPart(joined, context) ??
    datesPart(joined, context) ??
    clockPart(joined, context)
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
        condition: { kind: field, text: categoryKey(text) },
        meaning: t('Category: {name}', { name: meaning }),
        taken: 1,
      }
    case '@':
      return {
        condition: { kind: 'exactCategory', key: categoryKey(text) },
        meaning: t('Category is {name}', { name: meaning }),
        taken: 1,
      }
  }
}

/**
 * Returns the text of a filter in which every part that names one category wholly, '@Acme' or 'category:acme', names
 * another one. All else stays as it was typed.
 */
export function filterWithCategory(text: string, from: string, to: string): string {
  const key = categoryKey(from)
  return text.replaceAll(WORD, (typed: string) => {
    const [word] = wordsOf(typed)
    const isNamed = word?.field === '@' || word?.field === 'category'
    if (!isNamed || categoryKey(word.text) !== key) return typed
    const sign = categorySign(to)
    const prefix = /^-?[\p{L}\p{M}]+:/u.exec(typed)?.[0]
    return prefix === undefined ? `${word.excludes ? '-' : ''}${sign}` : `${prefix}${sign.slice(1)}`
  })
}

function tagPart([word = '']: readonly string[]): PartRead | null {
  const [tag] = tagsOf(word)
  if (tag === undefined || word !== `#${tag}`) return null
  return { condition: { kind: 'tag', tag }, meaning: word, taken: 1 }
}

const BILLABLE = phrases('billable', t('filter|billable'))
const INVOICED = phrases('invoiced', t('filter|invoiced'))

function billingPart(words: readonly string[], { unbilled }: FilterContext): PartRead | null {
  const billable = phraseOf(words, BILLABLE)
  if (billable > 0) {
    const condition = { kind: 'billable', unbilled: [...(unbilled ?? [])].toSorted() } as const
    return { condition, meaning: t('billable'), taken: billable }
  }
  const invoiced = phraseOf(words, INVOICED)
  if (invoiced === 0) return null
  return { condition: { kind: 'invoiced' }, meaning: t('invoiced'), taken: invoiced }
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
  const phrase = before || phraseOf(words, AFTER)
  if (phrase === 0) return null
  const [time = '', half = ''] = words.slice(phrase)
  const hasHalf = /^[ap]\.?m\.?$/i.test(half)
  const text = hasHalf ? `${time} ${half}` : time
  if (!/^(?:\d|noon|midnight)/i.test(text)) return null
  const read = readMoment(text, { date: ANY_DATE, timeZone: 'UTC', now })
  if (read.kind !== 'moment') return null
  const seconds = (read.at - Date.parse(ANY_DATE)) / 1000
  if (seconds >= DAY_SECONDS) return null
  const shown = clockTime(read.at, 'UTC', hourCycle)
  const taken = phrase + (hasHalf ? 2 : 1)
  return before > 0
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

function datesPart(
  words: readonly string[],
  context: FilterContext,
): PartRead | PartProblem | null {
  const { now, dayRule, weekStart, isDayFirst } = context
  const today = localDate(now, dayRule)
  const found = datesAtStart(words, { today, weekStart, isDayFirst })
  if (!found) return null
  const { read, taken } = found
  if (read.kind === 'problem') return { problem: read.message }
  const { dates } = read
  return { condition: { kind: 'dates', dates }, meaning: datesText(dates), taken }
}

// Phrases

/** Ways to say the same, each as its words. */
type Phrases = readonly (readonly string[])[]

/**
 * Returns the phrases in English and in the language of the build, whose text has several between
 * slashes: 'antes de las/antes de la'.
 */
function phrases(english: string, own: string): Phrases {
  return [english, ...own.split('/')].map((phrase) => folded(phrase).split(' '))
}

/** Returns how many words the phrase has that the words begin with, the longest one; 0 without one. */
function phraseOf(words: readonly string[], known: Phrases): number {
  const found = known.filter((phrase) =>
    phrase.every((word, index) => folded(words[index] ?? '') === word),
  )
  return Math.max(0, ...found.map(({ length }) => length))
}
