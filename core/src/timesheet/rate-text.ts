/** Reads a rate as people type it: '95 EUR/h since 1 March', '€ 1,250.50 per hour'. */
import { t } from '#text.ts'
import { FIRST_DAY, readDates } from '#time/date-text.ts'
import { readDay } from '#time/day-text.ts'
import type { DateContext } from '#time/day-text.ts'
import { formatFullDate } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { decimalsOf, isCurrency, moneyText } from './money.ts'
import type { Money } from './money.ts'
import { MAX_RATE } from './rates.ts'

export type RateRead =
  | { readonly kind: 'rate'; readonly money: Money; readonly from: CalendarDate }
  /** Why it is no rate, as a sentence for the form. */
  | { readonly kind: 'problem'; readonly message: string }

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
])

const AMOUNT = /[-−]?\d[\d.,'’]*/
const CURRENCY = /^[a-z]{3}(?![a-z])|^[€$£¥₹]/i
const UNIT = /^(?:\/|per\b|an\b|pro\b|par\b|por\b|a la\b|de l[’'])\s*(\p{L}+)\.?/iu
/** Hours in the languages of Stint. */
const HOUR = /^(?:h|hr|hour|std|stunde|heure|hora)$/i
const SINCE = /^(?:since|from|seit|ab|depuis|dès|à partir du|desde)\s+/i

/** Reads the text. Without a day, the rate counts from the first day on. */
export function readRate(text: string, context: DateContext): RateRead {
  const typed = text.trim()
  const amount = AMOUNT.exec(typed)
  if (!amount) return problem(t('Enter a rate, as 95 EUR/h since 1 March.'))
  const before = typed.slice(0, amount.index).trim()
  const after = typed.slice(amount.index + amount[0].length).trim()
  const behind = UNIT.test(after) ? '' : (CURRENCY.exec(after)?.[0] ?? '')
  const code = behind || (CURRENCY.exec(before)?.[0] ?? '')
  if (code === '') return problem(t('Add the currency, as in 95 EUR/h.'))
  const rest = after.slice(behind.length).trim()
  const currency = SYMBOLS.get(code) ?? code.toUpperCase()
  if (!isCurrency(currency)) return problem(t('There is no currency {code}.', { code: currency }))
  const money = readMoney(amount[0], currency)
  if ('message' in money) return money
  const unit = UNIT.exec(rest)
  if (unit && !HOUR.test(unit[1] ?? '')) return problem(t('A rate is for an hour.'))
  const day = rest.slice(unit?.[0].length ?? 0).trim()
  if (day === '') return { kind: 'rate', money, from: FIRST_DAY }
  const from = readFirstDay(day, context)
  return 'message' in from ? from : { kind: 'rate', money, from: from.day }
}

/** Returns '95.00 EUR an hour since 1 Mar 2026'. */
export function rateMeaning({ money, from }: { money: Money; from: CalendarDate }): string {
  const amount = moneyText(money)
  return from === FIRST_DAY
    ? t('{amount} an hour', { amount })
    : t('{amount} an hour since {date}', { amount, date: formatFullDate(from) })
}

type Problem = Extract<RateRead, { kind: 'problem' }>

function readMoney(typed: string, currency: string): Money | Problem {
  if (/^[-−]/.test(typed)) return problem(t('A rate can’t be negative.'))
  const decimals = decimalsOf(currency)
  const { whole, fraction } = dividedNumber(typed, decimals)
  if (fraction.length > decimals) {
    return problem(
      t('{currency} has {count, plural, =0 {no decimals} one {# decimal} other {# decimals}}.', {
        currency,
        count: decimals,
      }),
    )
  }
  const minor = Number(whole + fraction.padEnd(decimals, '0'))
  const max = { minor: MAX_RATE * 10 ** decimals, currency }
  if (minor > max.minor)
    return problem(t('A rate is at most {amount}.', { amount: moneyText(max) }))
  return { minor, currency }
}

/**
 * Divides '1,250.50', '1.250,50' and "1'250" into digits before and after the decimal sign: the last sign,
 * unless it stands several times or before three digits, which are then thousands.
 */
function dividedNumber(typed: string, decimals: number): { whole: string; fraction: string } {
  const number = typed.replaceAll(/['’]/g, '').replace(/[.,]$/, '')
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  const fraction = at < 0 ? '' : number.slice(at + 1)
  const sign = number[at]
  const isRepeated = sign !== undefined && number.indexOf(sign) < at
  const isThousands = at >= 0 && (isRepeated || (fraction.length === 3 && decimals < 3))
  const whole = isThousands || at < 0 ? number : number.slice(0, at)
  return { whole: whole.replaceAll(/[.,]/g, ''), fraction: isThousands ? '' : fraction }
}

function readFirstDay(text: string, context: DateContext): { day: CalendarDate } | Problem {
  const day = readDay(text.replace(SINCE, ''), context)
  if (day !== null) return { day }
  const read = readDates(text, context)
  return read.kind === 'problem' ? problem(read.message) : { day: read.dates.from }
}

function problem(message: string): Problem {
  return { kind: 'problem', message }
}
