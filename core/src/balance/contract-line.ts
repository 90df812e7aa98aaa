/** Reads the hours of a contract: '38.5h Mon–Fri', 'odd weeks 40h Mon–Fri, even weeks 32h Mon–Thu'. */
import { t } from '#text.ts'
import { HOUR, MINUTE, readDuration, SECOND } from '#time/time-span-input.ts'
import { MAX_PARTS, SPANS, WEEK } from './items.ts'
import type { Part, Span } from './items.ts'
import { said, WEEKDAY_NAMES } from './line-words.ts'

/** Hours within a text: '38.5h', '7h 42m', '7h42', '38:30', '45 min'. */
export const HOURS = hoursPattern()

function hoursPattern(): string {
  const [minutes, seconds] = [MINUTE, SECOND].map((names) => ` ?\\d{1,2}${unitPattern(names)}`)
  const rest = `(?:${minutes}(?:${seconds})?|${seconds}|\\d\\d(?!\\d))?`
  const clock = '\\d{1,4}:\\d\\d(?::\\d\\d)?'
  return `(?:\\d+(?:[.,]\\d+)?${unitPattern(HOUR)}${rest}|${clock}|\\d+${unitPattern(MINUTE)}(?:${seconds})?|\\d+${unitPattern(SECOND)})`
}

function unitPattern(names: string): string {
  return ` ?(?:${names})(?![a-z])\\.?`
}

/** The longest hours: of a year. */
export const MAX_HOURS_DAYS = 366
const DAY_SECONDS = 86_400
/** Fewer hours than these are rather those of a day than of a week. */
const MAX_DAILY_SECONDS = 12 * 3600
const WORKDAYS = [1, 2, 3, 4, 5]

export interface LineProblem {
  readonly kind: 'problem'
  /** A sentence for the form. */
  readonly message: string
}

export function problem(message: string): LineProblem {
  return { kind: 'problem', message }
}

/** Returns the seconds of hours that `HOURS` has found. */
export function hoursOf(text: string): number {
  const read = readDuration(text, MAX_HOURS_DAYS)
  return read.kind === 'duration' ? read.seconds : Infinity
}

/**
 * Reads the parts of a contract. Hours without a span are those of each day up to 12, and of the week
 * above; hours without days are owed from Monday to Friday.
 * @param text folded, with '-' for every dash.
 */
export function contractParts(text: string): readonly Part[] | LineProblem {
  const tokens = tokensOf(text)
  if (!Array.isArray(tokens)) return tokens
  const clauses = clausesOf(tokens)
  const parts: Part[] = []
  for (const { seconds, span, days, weeks } of clauses) {
    if (seconds === null) return problem(t('Say how many hours, such as 38.5h Mon–Fri.'))
    const owedFor = span ?? (seconds <= MAX_DAILY_SECONDS ? 'day' : 'week')
    const weekdays = WEEK.filter((day) => (days.length > 0 ? days : WORKDAYS).includes(day))
    parts.push({ seconds, span: owedFor, days: weekdays, weeks })
  }
  return (
    problemOf(parts) ?? parts.toSorted((a, b) => ORDER.indexOf(a.weeks) - ORDER.indexOf(b.weeks))
  )
}

/** In which order parts are shown. */
const ORDER: readonly Part['weeks'][] = [null, 'odd', 'even']

function problemOf(parts: readonly Part[]): LineProblem | null {
  if (parts.length === 0) return problem(t('Say how many hours, such as 38.5h Mon–Fri.'))
  if (parts.length > MAX_PARTS) return problem(t('Use at most {max} parts.', { max: MAX_PARTS }))
  // Of a weekday in the shortest one. Pay periods may be months.
  const shortest = { day: 1, week: 1, month: 4, period: 4, year: 52 }
  const isTooLong = parts.some(
    ({ seconds, span, days }) =>
      seconds > DAY_SECONDS * shortest[span] * (span === 'day' ? 1 : days.length),
  )
  if (isTooLong) return problem(t('A day has 24 hours.'))
  for (const weeks of ['odd', 'even'] as const) {
    const days = parts.flatMap((part) =>
      part.weeks === null || part.weeks === weeks ? part.days : [],
    )
    if (new Set(days).size < days.length) return problem(t('A weekday is there twice.'))
  }
  return null
}

// Words

type Token =
  | { readonly kind: 'hours'; readonly seconds: number }
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'days'; readonly days: readonly number[] }
  | { readonly kind: 'weeks'; readonly weeks: 'odd' | 'even' }
  | { readonly kind: 'comma' }

const WEEKDAY = `(?:${WEEKDAY_NAMES.map((names) => `(${names})`).join('|')})(?![a-z])\\.?`
const GROUPS = 7

const PATTERNS: readonly (readonly [RegExp, (found: RegExpExecArray) => Token | null])[] = [
  [
    / ?[,;:] ?| |\/|\+/y,
    ([sign]) => (sign.includes(',') || sign.includes(';') ? { kind: 'comma' } : null),
  ],
  [word(said((of) => of.odd)), () => ({ kind: 'weeks', weeks: 'odd' })],
  [word(said((of) => of.even)), () => ({ kind: 'weeks', weeks: 'even' })],
  ...SPANS.map((span) => {
    return [word(said((of) => of.spans[span])), (): Token => ({ kind: 'span', span })] as const
  }),
  [new RegExp(HOURS, 'y'), ([hours]) => ({ kind: 'hours', seconds: hoursOf(hours) })],
  [
    new RegExp(`${WEEKDAY}(?: ?- ?| ${said((of) => of.to)} )${WEEKDAY}`, 'y'),
    (found) => ({
      kind: 'days',
      days: daysBetween(weekdayIn(found, 1), weekdayIn(found, 1 + GROUPS)),
    }),
  ],
  [new RegExp(WEEKDAY, 'y'), (found) => ({ kind: 'days', days: [weekdayIn(found, 1)] })],
  [word(said((of) => of.between)), () => null],
]

function word(pattern: string): RegExp {
  return new RegExp(`${pattern}(?![a-z])`, 'y')
}

function weekdayIn(found: RegExpExecArray, first: number): number {
  return found.slice(first, first + GROUPS).findIndex((name) => name !== undefined)
}

/** Returns the weekdays from the one to the other: Friday to Monday are four. */
function daysBetween(first: number, last: number): number[] {
  const count = ((last - first + 7) % 7) + 1
  return Array.from({ length: count }, (_, index) => (first + index) % 7)
}

function tokensOf(text: string): Token[] | LineProblem {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const read = tokenAt(text, at)
    if (!read) {
      const [unknown = ''] = text.slice(at).split(/[ ,]/, 1)
      return problem(
        t('“{word}” is not understood. Try 38.5h Mon–Fri since 1 March.', { word: unknown }),
      )
    }
    if (read.token) tokens.push(read.token)
    at = read.end
  }
  return tokens
}

function tokenAt(text: string, at: number): { token: Token | null; end: number } | null {
  for (const [pattern, tokenOf] of PATTERNS) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found && found[0] !== '') return { token: tokenOf(found), end: pattern.lastIndex }
  }
  return null
}

// Clauses

interface Clause {
  seconds: number | null
  span: Span | null
  days: number[]
  weeks: 'odd' | 'even' | null
}

/**
 * Hours have the days that follow them, as in '8h Mon, 6h Tue', unless the line begins with days. Odd
 * weeks are for what follows at the beginning and after a comma, else for what is before.
 */
function clausesOf(tokens: readonly Token[]): Clause[] {
  const isDaysFirst =
    tokens.find(({ kind }) => kind === 'hours' || kind === 'days')?.kind === 'days'
  const clauses: Clause[] = []
  let weeks: Clause['weeks'] = null
  let firstWithoutWeeks = 0
  let isOpen = false
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'comma') continue
    if (token.kind === 'weeks') {
      const isBefore = (tokens[index - 1]?.kind ?? 'comma') === 'comma'
      weeks = isBefore ? token.weeks : null
      if (!isBefore) {
        for (const each of clauses.slice(firstWithoutWeeks)) each.weeks = token.weeks
      }
      firstWithoutWeeks = clauses.length
      isOpen = false
      continue
    }
    const last = isOpen ? clauses.at(-1) : undefined
    const isNext =
      (token.kind === 'hours' || (token.kind === 'days' && isDaysFirst)) && last?.seconds !== null
    const clause: Clause = last && !isNext ? last : { seconds: null, span: null, days: [], weeks }
    if (clause !== last) clauses.push(clause)
    isOpen = true
    if (token.kind === 'hours') clause.seconds = token.seconds
    else if (token.kind === 'span') clause.span = token.span
    else clause.days.push(...token.days)
  }
  return clauses
}
