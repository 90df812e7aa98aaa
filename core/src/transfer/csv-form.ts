/** How a CSV file is written, so that the spreadsheet of its reader understands it. */
import { isObject, isOneOf } from '#guards.ts'
import type { Language } from '#text.ts'
import type { Delimiter } from '#csv.ts'

export const CSV_SEPARATORS = ['comma', 'semicolon', 'tab'] as const
export const CSV_DECIMALS = ['point', 'comma'] as const
/** As '1:05:09', as hours with decimals, as whole seconds. */
export const CSV_DURATIONS = ['clock', 'hours', 'seconds'] as const

export interface CsvForm {
  /** What stands between two fields. */
  readonly separator: (typeof CSV_SEPARATORS)[number]
  /** The decimal sign of numbers. */
  readonly decimal: (typeof CSV_DECIMALS)[number]
  /** How the column Duration is written. The column Seconds is always there. */
  readonly duration: (typeof CSV_DURATIONS)[number]
}

/** The form in English, for programs and where nothing is chosen. */
export const CSV_FORM: CsvForm = { separator: 'comma', decimal: 'point', duration: 'clock' }

/** Returns whether a value from outside is a form. */
export const isCsvForm = /* @__PURE__ */ isObject({
  separator: isOneOf(...CSV_SEPARATORS),
  decimal: isOneOf(...CSV_DECIMALS),
  duration: isOneOf(...CSV_DURATIONS),
})

/**
 * Returns the form that spreadsheets in the language open: where a comma begins the decimals, a
 * semicolon separates the fields.
 */
export function csvFormOf(language: Language): CsvForm {
  return language === 'en' ? CSV_FORM : { ...CSV_FORM, separator: 'semicolon', decimal: 'comma' }
}

/** Returns the character between two fields. */
export function delimiterOf({ separator }: Pick<CsvForm, 'separator'>): Delimiter {
  return ({ comma: ',', semicolon: ';', tab: '\t' } as const)[separator]
}

/** Hours with as many decimals differ for any two numbers of seconds. */
const HOUR_DECIMALS = 4

/** Returns '1:05:09', '1.0858' or '3909'; from a day on, '25:00:00'. */
export function csvDuration(
  seconds: number,
  { duration, decimal }: Omit<CsvForm, 'separator'>,
): string {
  if (duration === 'seconds') return String(seconds)
  if (duration === 'hours') {
    const hours = (seconds / 3600).toFixed(HOUR_DECIMALS)
    return decimal === 'comma' ? hours.replace('.', ',') : hours
  }
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ]
  return [hours, String(minutes).padStart(2, '0'), String(rest).padStart(2, '0')].join(':')
}
