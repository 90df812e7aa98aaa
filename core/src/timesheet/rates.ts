/**
 * Rates an hour of a task or of a category, each from a day on. Each is a preference of the account of its
 * own, so that rates of two devices are both kept, and clients that know none ignore them
 * (docs/decisions/0018-preferences.md).
 */
import { categoryKey } from '#record/category.ts'
import type { Prefs } from '#settings.ts'
import { isCalendarDate } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { RATE_PREFERENCE } from './has-rates.ts'
import { decimalsOf, isCurrency, moneyNumber } from './money.ts'
import type { Money } from './money.ts'

/** What a rate is for. `name` is the id of a task, or a category as it is written. */
export interface RateTarget {
  readonly kind: 'task' | 'category'
  readonly name: string
}

export interface Rate {
  readonly target: RateTarget
  /** The first day on which it counts. */
  readonly from: CalendarDate
  /** For an hour. */
  readonly money: Money
}

/** In units of the currency. Times the seconds of a year, it is a whole number without loss. */
export const MAX_RATE = 100_000
/** How many can be kept: a tenth of the preferences. */
export const MAX_RATES = 100

const RATE = /^(task|category):(.+):(\d{4}-\d\d-\d\d)$/
const VALUE = /^(\d{1,6})(?:\.(\d{1,3}))? ([A-Z]{3})$/

/** Reads the rates, the newest of each target first. Never throws: what is no rate is ignored. */
export function ratesOf(prefs: Prefs): Rate[] {
  return Object.entries(prefs)
    .flatMap(([key, value]) => rateOf(key, value) ?? [])
    .sort((a, b) => (a.from > b.from ? -1 : Number(a.from < b.from)))
}

function rateOf(key: string, value: unknown): Rate | null {
  if (!key.startsWith(RATE_PREFERENCE)) return null
  const [, kind, name = '', from = ''] = RATE.exec(key.slice(RATE_PREFERENCE.length)) ?? []
  const money = typeof value === 'string' ? moneyOf(value) : null
  if ((kind !== 'task' && kind !== 'category') || !isCalendarDate(from)) return null
  return money && { target: { kind, name }, from, money }
}

function moneyOf(text: string): Money | null {
  const [, whole = '', fraction = '', currency = ''] = VALUE.exec(text) ?? []
  if (!isCurrency(currency) || fraction.length > decimalsOf(currency)) return null
  const minor = Number(whole + fraction.padEnd(decimalsOf(currency), '0'))
  return minor <= MAX_RATE * 10 ** decimalsOf(currency) ? { minor, currency } : null
}

/** Returns the preferences that keep a rate, or that remove it. Undefined removes a preference. */
export function prefsWithRate({ target, from, money }: Rate, isKept: boolean): Prefs {
  const value = `${moneyNumber(money)} ${money.currency}`
  const key = `${RATE_PREFERENCE}${target.kind}:${target.name}:${from}`
  return { [key]: isKept ? value : undefined }
}

/** The task and category of some work. */
export interface RatedWork {
  readonly taskId: string
  /** Null of a task that is unknown. */
  readonly category: string | null
}

/** Returns the rate of a task on a day: its own, else that of its category, the newest that has begun. */
export function rateOn(
  rates: readonly Rate[],
  { taskId, category }: RatedWork,
  date: CalendarDate,
): Money | null {
  const begun = rates.filter(({ from }) => from <= date)
  const own = begun.find(({ target }) => target.kind === 'task' && target.name === taskId)
  const shared = begun.find(({ target }) => isOfCategory(target, category))
  return (own ?? shared)?.money ?? null
}

function isOfCategory({ kind, name }: RateTarget, category: string | null): boolean {
  return kind === 'category' && category !== null && categoryKey(name) === categoryKey(category)
}
