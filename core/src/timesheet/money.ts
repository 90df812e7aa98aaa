/** Amounts of money: whole minor units, such as cents, of a currency. */
import { decimalWords } from '#number-words.ts'
import { LANGUAGE } from '#text.ts'

export interface Money {
  readonly minor: number
  /** Three letters by ISO 4217. */
  readonly currency: string
}

/** Returns whether these three letters are a currency. */
export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}

/** Returns how many decimals the currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  let decimals = DECIMALS.get(currency)
  if (decimals === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    decimals = format.resolvedOptions().maximumFractionDigits ?? 2
    DECIMALS.set(currency, decimals)
  }
  return decimals
}

// Kept, as making a format takes longer than hundreds of amounts.
const DECIMALS = new Map<string, number>()

/** Returns '1,234.50 EUR', in the language of the build. */
export function moneyText({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency)
  return `${decimalWords(minor / 10 ** decimals, decimals, LANGUAGE)} ${currency}`
}

/** Returns '1234.50', for files and for the record, in every language. */
export function moneyNumber({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency)
  return (minor / 10 ** decimals).toFixed(decimals)
}

/** Returns what so many seconds cost, at a rate an hour. Half a minor unit is rounded up. */
export function amountOf(seconds: number, { minor, currency }: Money): Money {
  // In whole numbers: the products stay below 2^53, as MAX_RATE says.
  return { minor: Math.floor((seconds * minor + HOUR_SECONDS / 2) / HOUR_SECONDS), currency }
}

const HOUR_SECONDS = 3600

/** Returns the sum of each currency, by its letters. */
export function sumsOf(amounts: readonly Money[]): Money[] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)]
    .map(([currency, all]) => ({ currency, minor: all.reduce((sum, { minor }) => sum + minor, 0) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
