/**
 * Reads a line of an hours account as people type it: '38.5h Mon–Fri since 1 March, starting at +12h',
 * 'vacation 3–14 Aug', 'sick today pm', '-8h paid out 31 May', 'at most 40h at the end of each month
 * since 2026'. The screen shows how it is read before it is saved
 * (docs/decisions/0003-typed-lines.md); `itemText` writes what this reads.
 */
import { t } from '#text.ts'
import { addDays, daysBetween, formatDate, formatFullDate, startOfYear } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { datesIn, NOT_UNDERSTOOD as NO_DATES, readDates } from '#time/date-text.ts'
import type { DateContext, DatesProblem, DatesRead } from '#time/day-text.ts'
import { longest, plain } from '#time/day-text.ts'
import { contractParts, HOURS, hoursOf, problem } from './contract-line.ts'
import type { LineProblem } from './contract-line.ts'
import {
  ABSENCES,
  CAP_SPANS,
  FIRST_DATE,
  LAST_DATE,
  MAX_ITEMS,
  MAX_NOTE,
  MAX_OFF_DAYS,
  preferenceOf,
} from './items.ts'
import type {
  Allowance,
  Cap,
  Contract,
  Correction,
  DayOff,
  Holiday,
  Item,
  ItemKind,
  PayPeriods,
  Portion,
} from './items.ts'
import { daysAhead } from './days-ahead.ts'
import { said } from './line-words.ts'
import { isPeriodLine, periodsNamed } from './period-line.ts'

export type LineRead =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'empty' }
  | LineProblem

const MAX_LENGTH = 200

/** Reads a line by itself; `lineProblem` says what is wrong with it beside the other items. */
export function readLine(text: string, context: DateContext): LineRead {
  if (text.trim() === '') return { kind: 'empty' }
  if (text.length > MAX_LENGTH)
    return problem(t('Use at most {max} characters.', { max: MAX_LENGTH }))
  const line = plain(text, MAX_LENGTH)
  const read =
    correctionIn(text, line, context) ??
    allowanceIn(line, context) ??
    capIn(line, context) ??
    periodsIn(line, context) ??
    holidayIn(text, line, context) ??
    dayOffIn(line, context) ??
    contractIn(line, context)
  if (read.kind === 'problem') return read
  if (read.from < FIRST_DATE || read.from > LAST_DATE)
    return problem(t('That day is too far away.'))
  return { kind: 'item', item: read }
}

type Read<Kind> = Kind | LineProblem | null

const NO_DATE = t('Say since when, such as since 1 March.')
const NO_DAY = t('Say on which day, such as 3–14 Aug.')

// Contracts

const OPENING = new RegExp(`,? ?${said((of) => of.opening)} ([+-])? ?(${HOURS})(?= |,|$)`)

function contractIn(line: string, context: DateContext): Contract | LineProblem {
  const opening = OPENING.exec(line)
  const [, sign, hours = ''] = opening ?? []
  const dated = opening ? without(line, opening) : line
  const since = sinceIn(dated, context)
  if (since?.kind === 'problem') return since
  const parts = contractParts(since ? since.rest : dated)
  if ('kind' in parts) return new RegExp(HOURS).test(line) ? parts : NOT_UNDERSTOOD
  if (!since) return problem(NO_DATE)
  const balance = opening ? hoursOf(hours) * (sign === '-' ? -1 : 1) : null
  return { kind: 'contract', from: since.from, parts, opening: balance }
}

const NOT_UNDERSTOOD = problem(
  t('Not understood. Try 38.5h Mon–Fri since 1 March, vacation 3–14 Aug or -8h paid out 31 May.'),
)

interface SinceRead {
  readonly kind: 'since'
  readonly from: CalendarDate
  /** The line without it. */
  readonly rest: string
}

const SINCE = [
  [since(said((of) => of.since)), true],
  [since(said((of) => of.from)), false],
] as const

function since(words: string): RegExp {
  return new RegExp(`(?:^|, ?| )${words} `)
}

/** Returns the day that a line says something is from; null if it says none. 'Since' is one that has begun. */
function sinceIn(line: string, context: DateContext): SinceRead | LineProblem | null {
  // 'From' is a word of 'from Monday to Friday' too.
  for (const [pattern, isSince] of SINCE) {
    const found = pattern.exec(line)
    if (!found) continue
    const words = line.slice(found.index + found[0].length).split(' ')
    const date = longest(words, (text) =>
      isSince ? datesIn(text, context) : daysAhead(text, context),
    )
    if (date?.read.kind === 'problem') return date.read
    if (date) {
      const comma = words[date.taken - 1]?.endsWith(',') === true ? ', ' : ' '
      const rest = line.slice(0, found.index) + comma + words.slice(date.taken).join(' ')
      return { kind: 'since', from: date.read.dates.from, rest: rest.trim() }
    }
    const [text = ''] = words.join(' ').split(',', 1)
    if (isSince) return problem(t('“{text}” is not understood as a day.', { text }))
  }
  return null
}

function without(line: string, found: RegExpExecArray): string {
  return (line.slice(0, found.index) + line.slice(found.index + found[0].length)).trim()
}

// Days off

const HALF = wordIn(said((of) => of.half))
const PM = wordIn(said((of) => of.pm))
/** At the end, as 'am' is also before a German date. */
const AM = new RegExp(`(?:^| )${said((of) => of.am)}$`)
const HOURS_OFF = new RegExp(`(?:^| )(${HOURS})(?= |$)`)
const ABSENCE = ABSENCES.map(
  (absence) => [absence, wordIn(said((of) => of.absences[absence]))] as const,
)

function wordIn(pattern: string): RegExp {
  return new RegExp(`(?:^| )${pattern}(?=[ ,]|$)`)
}

function dayOffIn(line: string, context: DateContext): Read<DayOff> {
  const [absence] = ABSENCE.find(([, pattern]) => pattern.test(line)) ?? []
  const half = HALF.exec(line)
  if (absence === undefined && !half) return null
  let rest = line
  const take = (pattern: RegExp) => {
    const found = pattern.exec(rest)
    if (found) rest = without(rest, found)
    return found
  }
  const isHalf = take(HALF) !== null
  for (const [each, pattern] of ABSENCE) if (each === absence) take(pattern)
  const isAfternoon = take(PM) !== null
  const isMorning = take(AM) !== null
  const [, hours] = take(HOURS_OFF) ?? []
  const portion: Portion =
    hours === undefined
      ? isAfternoon
        ? 'pm'
        : isMorning
          ? 'am'
          : isHalf
            ? 'half'
            : 'whole'
      : hoursOf(hours)
  if (typeof portion === 'number' && portion > 86_400) return problem(t('A day has 24 hours.'))
  if (portion === 0) return problem(t('0 hours off change nothing.'))
  const dates = daysOf(rest, context)
  if (dates.kind === 'problem') return dates
  const { from, to } = dates.dates
  if (daysBetween(from, to) > MAX_OFF_DAYS)
    return problem(t('One line is for at most {days} days.', { days: MAX_OFF_DAYS }))
  return { kind: 'dayoff', absence: absence ?? 'other', from, last: addDays(to, -1), portion }
}

const FILLERS = new RegExp(`^(?:${said((of) => of.between)} )+`)

/** Reads days that may be ahead. */
function daysOf(text: string, context: DateContext): DatesRead | DatesProblem {
  const dates = text.replaceAll(/^[ ,:]+|[ ,:]+$/g, '').replace(FILLERS, '')
  return dates === '' ? problem(NO_DAY) : (daysAhead(dates, context) ?? NO_DATES)
}

// Public holidays

const HOLIDAY = wordIn(said((of) => of.holiday))

function holidayIn(text: string, line: string, context: DateContext): Read<Holiday> {
  if (!HOLIDAY.test(line)) return null
  const words = text.trim().split(/\s+/)
  const found = dayAmong(words, context, 0, daysAhead)
  if (!found) return problem(NO_DAY)
  const name = words.slice(found.end).join(' ')
  if (name.length > MAX_NOTE) return problem(t('Use at most {max} characters.', { max: MAX_NOTE }))
  return { kind: 'holiday', from: found.date, isHalf: HALF.test(line), name }
}

/** Returns the first day among the words from an index on, the longest that begins there. */
function dayAmong(
  words: readonly string[],
  context: DateContext,
  from: number,
  readDays: typeof datesIn,
): { readonly date: CalendarDate; readonly start: number; readonly end: number } | null {
  for (let start = from; start < words.length; start++) {
    for (let end = words.length; end > start; end--) {
      const read = readDays(words.slice(start, end).join(' '), context)
      if (read?.kind !== 'dates') continue
      const { dates } = read
      if (daysBetween(dates.from, dates.to) === 1) return { date: dates.from, start, end }
    }
  }
  return null
}

// Corrections

const SIGNED = new RegExp(`^([+-]) ?(${HOURS})(?= |$)`)

function correctionIn(text: string, line: string, context: DateContext): Read<Correction> {
  const [, sign, hours] = SIGNED.exec(line) ?? []
  if (hours === undefined) return null
  const seconds = hoursOf(hours) * (sign === '-' ? -1 : 1)
  if (seconds === 0) return problem(t('A correction of 0 hours changes nothing.'))
  const words = text.replaceAll(':', ' ').trim().split(/\s+/)
  const first = wordsOf(words, `${sign}${hours.replace(':', '')}`)
  const found = dayAmong(words, context, first, datesIn)
  if (!found) return problem(t('Say on which day, such as -8h paid out 31 May.'))
  const note = [...words.slice(first, found.start), ...words.slice(found.end)].join(' ')
  if (note.length > MAX_NOTE) return problem(t('Use at most {max} characters.', { max: MAX_NOTE }))
  return { kind: 'correction', from: found.date, note, seconds }
}

/** Returns how many of the words the text is, which they begin with. */
function wordsOf(words: readonly string[], text: string): number {
  const length = text.replaceAll(' ', '').length
  let seen = 0
  const index = words.findIndex((word) => (seen += word.length) >= length)
  return index + 1
}

// Caps and allowances

const CAP = new RegExp(`^${said((of) => of.cap)} (${HOURS}|0)`)
const CAP_SPAN = CAP_SPANS.map((span) => [span, wordIn(said((of) => of.capSpans[span]))] as const)

function capIn(line: string, context: DateContext): Read<Cap> {
  const [, hours] = CAP.exec(line) ?? []
  if (hours === undefined) return null
  const [span] = CAP_SPAN.find(([, pattern]) => pattern.test(line)) ?? []
  if (!span) return problem(t('Say when, such as at the end of each month.'))
  const since = sinceIn(line, context)
  if (since?.kind === 'problem') return since
  if (!since) return problem(NO_DATE)
  return { kind: 'cap', span, from: since.from, seconds: hours === '0' ? 0 : hoursOf(hours) }
}

const ALLOWANCE = new RegExp(`^(\\d{1,3})([.,]5)? ${said((of) => of.allowance)}(?=[ ,]|$)`)
const CARRIED = new RegExp(`,? ?${said((of) => of.carried)} (.+)$`)
const MAX_ALLOWANCE = 366

function allowanceIn(line: string, context: DateContext): Read<Allowance> {
  const [, days, half] = ALLOWANCE.exec(line) ?? []
  if (days === undefined) return null
  const halves = Number(days) * 2 + (half === undefined ? 0 : 1)
  if (halves > 2 * MAX_ALLOWANCE) return problem(t('A year has at most 366 days.'))
  const carried = CARRIED.exec(line)
  const until = carried ? readDates(carried[1] ?? '', context) : null
  if (until?.kind === 'problem') return until
  const since = sinceIn(carried ? line.slice(0, carried.index) : line, context)
  if (since?.kind === 'problem') return since
  if (!since) return problem(t('Say since which year, such as since 2026.'))
  const carriedUntil = until && addDays(until.dates.to, -1).slice(5)
  return { kind: 'allowance', from: startOfYear(since.from), halves, carriedUntil }
}

// Pay periods

function periodsIn(line: string, context: DateContext): Read<PayPeriods> {
  if (!isPeriodLine(line)) return null
  const since = sinceIn(line, context)
  if (since?.kind === 'problem') return since
  const periods = periodsNamed(since ? since.rest : line)
  if ('kind' in periods) return periods
  if (!since) return problem(NO_DATE)
  return { kind: 'period', from: since.from, ...periods }
}

// Beside the other items

/** Returns why an item cannot be saved beside the others, as a sentence; null if it can. */
export function lineProblem(item: Item, others: readonly Item[]): string | null {
  const same = others.filter(({ kind }) => kind === item.kind)
  const most = MAX_ITEMS[item.kind]
  if (same.length >= most)
    return t('You can have {max} such lines. Remove one first.', { max: most })
  const overlap = item.kind === 'dayoff' ? overlapOf(item, same) : null
  if (overlap !== null) return t('{date} is already off.', { date: formatDate(overlap) })
  const isThere = same.some((each) => preferenceOf(each) === preferenceOf(item))
  return isThere ? SAME[item.kind](formatFullDate(item.from)) : null
}

const SAME: Readonly<Record<ItemKind, (date: string) => string>> = {
  contract: (date) => t('There already is a contract from {date} on.', { date }),
  dayoff: (date) => t('{date} is already off.', { date }),
  holiday: (date) => t('There already is a public holiday on {date}.', { date }),
  correction: (date) => t('There already is this correction on {date}.', { date }),
  cap: (date) => t('There already is such a limit from {date} on.', { date }),
  allowance: (date) => t('There already is an allowance from {date} on.', { date }),
  period: (date) => t('There already are pay periods from {date} on.', { date }),
}

/** Returns the first day that would be off for more than a day. Two halves fit, and hours beside a half. */
function overlapOf(item: DayOff, others: readonly Item[]): CalendarDate | null {
  const touching = others.filter(
    (each) => each.kind === 'dayoff' && each.from <= item.last && each.last >= item.from,
  )
  const halves = [item, ...touching].reduce((sum, each) => sum + halvesOff(each), 0)
  const [first] = touching
  if (!first || halves <= 2) return null
  return first.from > item.from ? first.from : item.from
}

function halvesOff(item: Item): number {
  if (item.kind !== 'dayoff') return 0
  return item.portion === 'whole' ? 2 : typeof item.portion === 'number' ? 0.5 : 1
}
