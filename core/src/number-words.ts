/** Numbers with a sign or a unit, in the language of the build. */
import { LANGUAGE } from '#text.ts'
import type { Language } from '#text.ts'

/** Returns '34%' in English, '34 %' in others; with one decimal '33.4%', '33,4 %'. */
export function percentText(percent: number, decimals = 0): string {
  return LANGUAGE === 'en' ? `${percent.toFixed(decimals)}%` : percentWords(percent, decimals)
}

/** As `percentText`, in a language other than English. */
export function percentWords(percent: number, decimals = 0, language: Language = LANGUAGE): string {
  return formatOf(language, { style: 'percent', ...fixed(decimals) }).format(percent / 100)
}

export type TimeUnit = 'hour' | 'minute' | 'second'

/** Returns an amount of time in a language other than English: '5 Minuten'. */
export function unitWords(amount: number, unit: TimeUnit, language: Language = LANGUAGE): string {
  return formatOf(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount)
}

/** Returns a number in a language other than English: '1,25'. */
export function decimalWords(
  number: number,
  decimals: number,
  language: Language = LANGUAGE,
): string {
  return formatOf(language, fixed(decimals)).format(number)
}

function fixed(decimals: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}

// Kept, as making one takes longer than hundreds of numbers.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(language, options)
    formats.set(key, format)
  }
  return format
}
