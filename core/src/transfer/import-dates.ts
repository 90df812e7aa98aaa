/**
 * Reads dates as other programs write them. The order of day and month is found from the whole
 * column: '03/04/2026' is read as most dates of the column must be.
 */
import { folded } from '#folded.ts'
import { dateOfDay, isCalendarDate } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** The months of English, German, French and Spanish, without accents. */
const MONTHS = [
  ['january', 'januar', 'janner', 'janvier', 'enero'],
  ['february', 'februar', 'fevrier', 'febrero'],
  ['march', 'marz', 'maerz', 'mrz', 'mars', 'marzo'],
  ['april', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'juni', 'juin', 'junio'],
  ['july', 'juli', 'juillet', 'julio'],
  ['august', 'aout', 'agosto'],
  ['september', 'septembre', 'septiembre', 'setiembre'],
  ['october', 'oktober', 'octobre', 'octubre'],
  ['november', 'novembre', 'noviembre'],
  ['december', 'dezember', 'decembre', 'diciembre'],
] as const

const WEEKDAYS = [
  'monday tuesday wednesday thursday friday saturday sunday',
  'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunes martes miercoles jueves viernes sabado domingo',
].flatMap((names) => names.split(' '))

/** A day as a spreadsheet counts it: 1 is the first of January 1900, 25,569 that of 1970. */
const SERIAL_OF_1970 = 25_569
/** Serial numbers from 1954 to 2119; other numbers of five digits are no days of anybody's work. */
const [MIN_SERIAL, MAX_SERIAL] = [20_000, 80_000]

/**
 * Reads '2026-03-09', '20260309', '09/03/2026' and '9.3.26' in the given order, '9 Mar 2026',
 * '9. März 2026', '9 de marzo de 2026', 'March 9th, 2026', '09/Mar/26', a weekday before any of
 * these, and the day of a spreadsheet, '46090'. Returns null if the text is no date.
 */
export function readDate(text: string, order: DateOrder): CalendarDate | null {
  if (text.length < 5 || text.length > 40) return null
  const key = `${order} ${text}`
  const known = datesRead.get(key)
  if (known !== undefined) return known
  const plain = text.normalize('NFKC').trim()
  const date = dateIn(plain, order) ?? dateIn(withoutWeekday(plain), order)
  if (datesRead.size >= MAX_KINDS) datesRead.clear()
  datesRead.set(key, date)
  return date
}

/** Most rows of a file have the date of another row. */
const datesRead = new Map<string, CalendarDate | null>()

function dateIn(text: string, order: DateOrder): CalendarDate | null {
  const yearFirst = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})\.?$/.exec(text)
  if (yearFirst) return dateOf(yearFirst[1], yearFirst[2], yearFirst[3])
  const numbers = /^(\d{1,2})[-/. ] ?(\d{1,2})[-/. ] ?(\d{4}|'?\d{2})\.?$/.exec(text)
  if (numbers) {
    const [, first, second, third] = numbers
    if (order === 'ymd') return dateOf(first, second, third)
    return order === 'dmy' ? dateOf(third, second, first) : dateOf(third, first, second)
  }
  if (/^\d{5}$/.test(text)) return dateOfSerial(Number(text))
  const compact = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text)
  if (compact) return dateOf(compact[1], compact[2], compact[3])
  if (!/\p{L}/u.test(text)) return null
  const words = folded(text)
  const dayFirst =
    /^(\d{1,2})(?:\.|st|nd|rd|th|er|o|º)?[-/., ]*(?:de |of )?([a-z]{3,10})\.?,?[-/. ]*(?:de |del )?('?\d{2}|\d{4})$/.exec(
      words,
    )
  if (dayFirst) return dateOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = /^([a-z]{3,10})\.?[-/ ](\d{1,2})(?:st|nd|rd|th)?,?[-/ ] ?(\d{4})$/.exec(words)
  if (monthFirst) return dateOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])
  const yearBefore = /^(\d{4})[-/. ]([a-z]{3,10})\.?[-/. ](\d{1,2})$/.exec(words)
  return yearBefore ? dateOf(yearBefore[1], monthOf(yearBefore[2]), yearBefore[3]) : null
}

/** Returns the day of a spreadsheet's number, null for a number that is none. */
export function dateOfSerial(serial: number): CalendarDate | null {
  if (!(serial >= MIN_SERIAL && serial < MAX_SERIAL)) return null
  return dateOfDay(Math.floor(serial) - SERIAL_OF_1970)
}

/**
 * Guesses the order of day and month in a column. A number above 12 settles it. Otherwise no work
 * may be after today. Otherwise dots, or headings that are not English (`isEnglish`), mean the day
 * first, and slashes the month first. The last rule is a guess (`isAmbiguous`).
 */
export function guessDateOrder(
  texts: Iterable<string>,
  today: CalendarDate,
  isEnglish = true,
): { readonly order: DateOrder; readonly isAmbiguous: boolean } {
  const kinds = new Set<string>()
  let daysFirst = 0
  let monthsFirst = 0
  const later = { dmy: false, mdy: false }
  let isOpen = false
  let hasDots = false
  for (const text of texts) {
    const numbers = numbersOf(text)
    if (!numbers) continue
    const [first, second] = numbers
    if (first > 12) daysFirst++
    if (second > 12) monthsFirst++
    if (kinds.has(text)) continue
    if (kinds.size < MAX_KINDS) kinds.add(text)
    isOpen ||= first !== second
    hasDots ||= text.includes('.')
    later.dmy ||= (readDate(text, 'dmy') ?? '') > today
    later.mdy ||= (readDate(text, 'mdy') ?? '') > today
  }
  if (daysFirst !== monthsFirst) {
    return { order: daysFirst > monthsFirst ? 'dmy' : 'mdy', isAmbiguous: false }
  }
  if (later.dmy !== later.mdy) return { order: later.dmy ? 'mdy' : 'dmy', isAmbiguous: false }
  if (!isOpen) return { order: kinds.size > 0 ? 'mdy' : 'ymd', isAmbiguous: false }
  return { order: hasDots || !isEnglish ? 'dmy' : 'mdy', isAmbiguous: true }
}

/** How many different dates are kept to recognise repeated ones. */
const MAX_KINDS = 10_000

/** Returns the two numbers before the year in '03/04/2026', or null for other dates. */
function numbersOf(text: string): readonly [number, number] | null {
  const parts = /(?:^|[\s,])(\d{1,2})[-/. ] ?(\d{1,2})[-/. ] ?(?:\d{4}|'?\d{2})\.?\s*$/.exec(text)
  return parts ? [Number(parts[1]), Number(parts[2])] : null
}

function withoutWeekday(text: string): string {
  const parts = /^(\p{L}{2,10})\.?,?\s+(.*)$/u.exec(text)
  if (!parts) return ''
  const [, name = '', rest = ''] = parts
  const word = folded(name)
  return WEEKDAYS.some((day) => day.startsWith(word)) ? rest : ''
}

function dateOf(year: string = '', month: string = '', day: string = ''): CalendarDate | null {
  const digits = year.replace("'", '')
  const date = `${digits.length === 2 ? century(digits) : digits}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(date) ? date : null
}

/** Nobody had a time tracker before 1970, and nobody has worked after 2069. */
function century(year: string): string {
  return `${Number(year) >= 70 ? '19' : '20'}${year}`
}

/** Returns the number of the month that a name begins, '0' if it begins none or several. */
function monthOf(name: string = ''): string {
  const found = MONTHS.flatMap((names, index) =>
    names.some((month) => month.startsWith(name)) ? index + 1 : [],
  )
  return String(found.length === 1 ? found[0] : 0)
}
