import { expect, test } from 'vitest'

import type { Language } from '#text.ts'
import { dateWords, datesWords, daysAgoWords } from './date-words.ts'
import type { DateForm } from './date-words.ts'

/** Intl separates by thin and no-break spaces; people read a space. */
function plain(text: string): string {
  return text.replaceAll(/\s/gu, ' ')
}

const DATES: readonly [Language, DateForm, string, string][] = [
  ['de', 'day', '2026-07-26', '26. Juli'],
  ['de', 'day', '2026-08-01', '1. Aug.'],
  ['de', 'fullDay', '2026-11-26', '26. Nov. 2026'],
  ['de', 'weekdayAndDay', '2026-11-19', 'Do., 19. Nov.'],
  ['de', 'weekdayAndFullDay', '2025-11-19', 'Mi., 19. Nov. 2025'],
  ['de', 'spoken', '2026-07-26', 'Sonntag, 26. Juli 2026'],
  ['de', 'weekday', '2026-07-26', 'Sonntag'],
  ['de', 'shortWeekday', '2026-07-26', 'So'],
  ['de', 'month', '2026-03-01', 'März'],
  ['de', 'shortMonth', '2026-03-01', 'Mär'],
  ['de', 'monthAndYear', '2026-08-01', 'August 2026'],
  ['fr', 'day', '2026-07-26', '26 juil.'],
  ['fr', 'fullDay', '2026-11-26', '26 nov. 2026'],
  ['fr', 'weekdayAndDay', '2026-11-19', 'jeu. 19 nov.'],
  ['fr', 'weekdayAndFullDay', '2025-11-19', 'mer. 19 nov. 2025'],
  ['fr', 'spoken', '2026-07-26', 'dimanche 26 juillet 2026'],
  ['fr', 'weekday', '2026-07-26', 'dimanche'],
  ['fr', 'shortWeekday', '2026-07-26', 'dim.'],
  ['fr', 'month', '2026-03-01', 'mars'],
  ['fr', 'shortMonth', '2026-07-01', 'juil.'],
  ['fr', 'monthAndYear', '2026-08-01', 'août 2026'],
  ['es', 'day', '2026-07-26', '26 jul'],
  ['es', 'fullDay', '2026-11-26', '26 nov 2026'],
  ['es', 'weekdayAndDay', '2026-11-19', 'jue, 19 nov'],
  ['es', 'weekdayAndFullDay', '2025-11-19', 'mié, 19 nov 2025'],
  ['es', 'spoken', '2026-07-26', 'domingo, 26 de julio de 2026'],
  ['es', 'weekday', '2026-07-26', 'domingo'],
  ['es', 'shortWeekday', '2026-07-26', 'dom'],
  ['es', 'month', '2026-03-01', 'marzo'],
  ['es', 'shortMonth', '2026-08-01', 'ago'],
  ['es', 'monthAndYear', '2026-08-01', 'agosto de 2026'],
]

test.each(DATES)('In %s, the form %s of %s is %s', (language, form, date, text) => {
  expect(plain(dateWords(date, form, language))).toBe(text)
})

const RANGES: readonly [Language, DateForm, string, string, string][] = [
  ['de', 'day', '2026-08-31', '2026-08-31', '31. Aug.'],
  ['de', 'day', '2026-08-30', '2026-08-31', '30.–31. Aug.'],
  ['de', 'day', '2026-07-26', '2026-08-01', '26. Juli – 1. Aug.'],
  ['de', 'fullDay', '2026-11-15', '2026-11-21', '15.–21. Nov. 2026'],
  ['de', 'fullDay', '2026-12-27', '2027-01-02', '27. Dez. 2026 – 2. Jan. 2027'],
  ['fr', 'day', '2026-08-30', '2026-08-31', '30–31 août'],
  ['fr', 'fullDay', '2026-11-15', '2026-11-21', '15–21 nov. 2026'],
  ['fr', 'fullDay', '2026-07-26', '2026-08-01', '26 juil. – 1 août 2026'],
  ['es', 'day', '2026-08-30', '2026-08-31', '30–31 ago'],
  ['es', 'fullDay', '2026-11-15', '2026-11-21', '15–21 nov 2026'],
  ['es', 'fullDay', '2026-12-27', '2027-01-02', '27 dic 2026 – 2 ene 2027'],
]

test.each(RANGES)('In %s, the form %s of %s to %s is %s', (language, form, first, last, text) => {
  expect(plain(datesWords(first, last, form, language))).toBe(text)
})

test.each([
  ['de', 0, 'heute'],
  ['de', 1, 'gestern'],
  ['de', 3, 'vor 3 Tagen'],
  ['fr', 0, 'aujourd’hui'],
  ['fr', 1, 'hier'],
  ['fr', 3, 'il y a 3 jours'],
  ['es', 0, 'hoy'],
  ['es', 1, 'ayer'],
  ['es', 3, 'hace 3 días'],
] as const)('In %s, the day %i days before today is %s', (language, days, text) => {
  expect(daysAgoWords(days, language)).toBe(text)
})
