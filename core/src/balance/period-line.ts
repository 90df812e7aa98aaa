/** Reads pay periods: 'pay periods 1–15 and 16–end', 'pay period 20–19', 'pay periods of 2 weeks'. */
import { t } from '#text.ts'
import { MAX_PERIOD_START, MAX_PERIODS_A_MONTH, PERIOD_WEEKS } from './items.ts'
import type { PayPeriods } from './items.ts'
import { problem } from './contract-line.ts'
import type { LineProblem } from './contract-line.ts'
import { said } from './line-words.ts'

const NAME = `${said((of) => of.periods)}(?=[ :]|$):?`
const WEEKS = PERIOD_WEEKS.map((weeks) => ({ weeks, words: said((of) => of.periodWeeks[weeks]) }))
const ANY_WEEKS = WEEKS.map(({ words }) => words).join('|')
const NAMED = new RegExp(`^(?:(?:${ANY_WEEKS}) )?${NAME}`)
const WEEKS_NAMED = WEEKS.map(({ weeks, words }) => ({
  weeks,
  pattern: new RegExp(`(?:^|(?<= ))${words}(?= |$)`),
}))
const ORDINAL = '(?:\\.|st|nd|rd|th|er|º|°)?'
const RANGE = new RegExp(
  `(\\d{1,2})${ORDINAL}(?: ?- ?| ${said((of) => of.to)} )(?:(\\d{1,2})${ORDINAL}|${said((of) => of.monthEnd)})`,
  'g',
)
const BETWEEN = new RegExp(
  `^(?:[ ,;+&]|(?:${said((of) => of.between)}|${said((of) => of.from)})(?= |$))*$`,
)
const MONTH_DAYS = 31

/** Whether a line names pay periods. */
export function isPeriodLine(line: string): boolean {
  return NAMED.test(line)
}

/**
 * Returns how long the periods are, or on which days of each month they begin.
 * @param line folded, with '-' for every dash, without the day since when.
 */
export function periodsNamed(line: string): Pick<PayPeriods, 'starts' | 'weeks'> | LineProblem {
  const text = line.replace(new RegExp(`(?:^| )${NAME}`), '')
  const ofWeeks = WEEKS_NAMED.find(({ pattern }) => pattern.test(text.trim()))
  if (!ofWeeks) {
    const starts = periodStarts(text)
    return 'kind' in starts ? starts : { starts, weeks: null }
  }
  const rest = text.trim().replace(ofWeeks.pattern, '')
  return BETWEEN.test(rest) ? { starts: [], weeks: ofWeeks.weeks } : NO_DAYS
}

/** Returns the days of each month on which a period begins, in order. */
function periodStarts(text: string): readonly number[] | LineProblem {
  const ranges = [...text.matchAll(RANGE)].map(([, from, to]) => ({
    from: Number(from),
    to: to === undefined ? MONTH_DAYS : Number(to),
  }))
  if (ranges.length === 0 || !BETWEEN.test(text.replaceAll(RANGE, ''))) return NO_DAYS
  if (ranges.some(({ from, to }) => from < 1 || from > MONTH_DAYS || to < 1 || to > MONTH_DAYS))
    return problem(t('A month has 31 days at most.'))
  const after = ranges.map(({ to }) => nextOf(to))
  const starts = new Set(ranges.map(({ from }) => from))
  const isClosed = after.every((day) => starts.has(day)) && new Set(after).size === starts.size
  // One range says the other: after 1–15, the next is 16–end.
  if (ranges.length === 1) starts.add(after[0] ?? 1)
  else if (!isClosed)
    return problem(t('Pay periods must follow each other, such as 1–15 and 16–end.'))
  const days = [...starts].toSorted((a, b) => a - b)
  if (days.length > MAX_PERIODS_A_MONTH)
    return problem(t('A month has at most {max} pay periods.', { max: MAX_PERIODS_A_MONTH }))
  if (days.some((day) => day > MAX_PERIOD_START))
    return problem(t('A pay period begins on a day from 1 to 28, which every month has.'))
  return days
}

const NO_DAYS = problem(
  t('Say which days, such as pay periods 1–15 and 16–end, or pay periods of 2 weeks.'),
)

/** The day after the last one of any month is the first. */
function nextOf(day: number): number {
  return day >= MAX_PERIOD_START ? 1 : day + 1
}
