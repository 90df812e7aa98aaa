/**
 * Dates in the languages other than English, as Intl writes them: '26. Juli', '15–21 nov. 2026'.
 * English dates have their own fixed forms: see `calendar.ts`.
 */
import { LANGUAGE } from '#text.ts'
import type { Language } from '#text.ts'

const FORMS = {
  /** '26. Juli' */
  day: { day: 'numeric', month: 'short' },
  /** '26. September' */
  longDay: { day: 'numeric', month: 'long' },
  /** '26. Juli 2026' */
  fullDay: { day: 'numeric', month: 'short', year: 'numeric' },
  /** 'Do., 19. Nov.' */
  weekdayAndDay: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 'Mi., 19. Nov. 2025' */
  weekdayAndFullDay: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** 'Sonntag, 26. Juli 2026' */
  spoken: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** 'Sonntag', 'So' */
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  /** 'August', 'Aug' */
  month: { month: 'long' },
  shortMonth: { month: 'short' },
  /** 'August 2026' */
  monthAndYear: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateForm = keyof typeof FORMS

/** Returns the date, 'YYYY-MM-DD', in that form. */
export function dateWords(date: string, form: DateForm, language: Language = LANGUAGE): string {
  return formatOf(form, language).format(midnight(date))
}

/** Returns the days from `first` to `last`, both included. What they share is written once. */
export function datesWords(
  first: string,
  last: string,
  form: DateForm,
  language: Language = LANGUAGE,
): string {
  return formatOf(form, language).formatRange(midnight(first), midnight(last))
}

/** Returns 'heute', 'gestern', 'vorgestern' or 'vor 3 Tagen'. */
export function daysAgoWords(days: number, language: Language = LANGUAGE): string {
  let format = relative.get(language)
  if (!format) {
    format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    relative.set(language, format)
  }
  return format.format(-days, 'day')
}

// Kept, as making one takes longer than hundreds of dates.
const formats = new Map<string, Intl.DateTimeFormat>()
const relative = new Map<Language, Intl.RelativeTimeFormat>()

function formatOf(form: DateForm, language: Language): Intl.DateTimeFormat {
  const key = `${language} ${form}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, { ...FORMS[form], timeZone: 'UTC' })
    formats.set(key, format)
  }
  return format
}

function midnight(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}
