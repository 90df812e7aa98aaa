/** Items of an hours account as lines, in the language of the build, which `readLine` reads back. */
import { LANGUAGE, t } from '#text.ts'
import { decimalWords } from '#number-words.ts'
import {
  addDays,
  formatFullDate,
  formatLongDate,
  isCalendarDate,
  shortWeekdayName,
  yearOf,
} from '#time/calendar.ts'
import { datesText } from '#time/date-text.ts'
import { hoursText } from './hours-text.ts'
import { WEEK } from './items.ts'
import type {
  Absence,
  Allowance,
  Cap,
  CapSpan,
  Contract,
  DayOff,
  Holiday,
  Item,
  Part,
  PayPeriods,
  Span,
} from './items.ts'

/** Returns '38h 30m a week Mon–Fri since 1 Mar 2026', 'vacation 3–14 Aug 2026', '-8h paid out 31 May 2026'. */
export function itemText(item: Item): string {
  switch (item.kind) {
    case 'contract':
      return contractText(item)
    case 'dayoff':
      return dayOffText(item)
    case 'holiday':
      return holidayText(item).trimEnd()
    case 'correction': {
      const words = [signedHours(item.seconds), item.note, formatFullDate(item.from)]
      return words.filter((text) => text !== '').join(' ')
    }
    case 'cap':
      return capText(item)
    case 'allowance':
      return allowanceText(item)
    case 'period':
      return periodsText(item)
  }
}

/** Returns '+12h' or '-8h', as it is typed. */
export function signedHours(seconds: number): string {
  return (seconds < 0 ? '-' : '+') + hoursText(Math.abs(seconds))
}

function contractText({ from, parts, opening }: Contract): string {
  const hours = partsText(parts)
  const date = formatFullDate(from)
  return opening === null
    ? t('balance|{hours} since {date}', { hours, date })
    : t('balance|{hours} since {date}, starting at {balance}', {
        hours,
        date,
        balance: signedHours(opening),
      })
}

const HOURS_OF: Readonly<Record<Span, (hours: string, days: string) => string>> = {
  day: (hours, days) => t('balance|{hours} a day {days}', { hours, days }),
  week: (hours, days) => t('balance|{hours} a week {days}', { hours, days }),
  month: (hours, days) => t('balance|{hours} a month {days}', { hours, days }),
  period: (hours, days) => t('balance|{hours} a pay period {days}', { hours, days }),
  year: (hours, days) => t('balance|{hours} a year {days}', { hours, days }),
}

/** Returns '38h 30m a week Mon–Fri', or 'odd weeks 40h a week Mon–Fri, even weeks 32h a week Mon–Thu'. */
export function partsText(parts: readonly Part[]): string {
  const ofWeeks = (weeks: Part['weeks']) =>
    parts
      .filter((part) => part.weeks === weeks)
      .map(({ seconds, span, days }) => HOURS_OF[span](hoursText(seconds), weekdaysText(days)))
      .join(', ')
  const [every, odd, even] = [ofWeeks(null), ofWeeks('odd'), ofWeeks('even')]
  return [
    every,
    odd && t('balance|odd weeks {hours}', { hours: odd }),
    even && t('balance|even weeks {hours}', { hours: even }),
  ]
    .filter((text) => text !== '')
    .join(', ')
}

/** Returns 'Mon–Fri' or 'Mon Wed Fri'. */
export function weekdaysText(days: readonly number[]): string {
  const runs: number[][] = []
  for (const place of WEEK.flatMap((day, index) => (days.includes(day) ? [index] : []))) {
    const run = runs.at(-1)
    if (run?.at(-1) === place - 1) run.push(place)
    else runs.push([place])
  }
  return runs
    .map((run) => {
      const names = run.map((place) => shortWeekdayName(addDays(A_MONDAY, place)))
      return names.length < 3 ? names.join(' ') : `${names[0]}–${names.at(-1)}`
    })
    .join(' ')
}

const A_MONDAY = '2026-01-05'

/** Returns 'vacation', as a line begins. */
const ABSENCE: Readonly<Record<Absence, string>> = {
  vacation: t('balance|vacation'),
  sick: t('balance|sick'),
  other: t('balance|off'),
}

function dayOffText({ absence: kind, from, last, portion }: DayOff): string {
  const absence = ABSENCE[kind]
  const dates = datesText({ from, to: addDays(last, 1) })
  switch (portion) {
    case 'whole':
      return t('balance|{absence} {dates}', { absence, dates })
    case 'half':
      return t('balance|half a day {absence} {dates}', { absence, dates })
    case 'am':
      return t('balance|{absence} {dates} in the morning', { absence, dates })
    case 'pm':
      return t('balance|{absence} {dates} in the afternoon', { absence, dates })
    default:
      return t('balance|{absence} {hours} {dates}', { absence, dates, hours: hoursText(portion) })
  }
}

function holidayText({ from, isHalf, name }: Holiday): string {
  const date = formatFullDate(from)
  return isHalf
    ? t('balance|half public holiday {date} {name}', { date, name })
    : t('balance|public holiday {date} {name}', { date, name })
}

const CAPPED: Readonly<Record<CapSpan, (hours: string, date: string) => string>> = {
  week: (hours, date) =>
    t('balance|at most {hours} at the end of each week since {date}', { hours, date }),
  month: (hours, date) =>
    t('balance|at most {hours} at the end of each month since {date}', { hours, date }),
  period: (hours, date) =>
    t('balance|at most {hours} at the end of each pay period since {date}', { hours, date }),
  year: (hours, date) =>
    t('balance|at most {hours} at the end of each year since {date}', { hours, date }),
}

function capText({ span, seconds, from }: Cap): string {
  return CAPPED[span](hoursText(seconds), formatFullDate(from))
}

function allowanceText({ from, halves, carriedUntil }: Allowance): string {
  const days = daysText(halves)
  const year = yearOf(from)
  const until = `2024-${carriedUntil ?? ''}`
  if (!isCalendarDate(until)) {
    return t('balance|{days} days of vacation a year since {year}', { days, year })
  }
  const date = formatLongDate(until)
  return t('balance|{days} days of vacation a year since {year}, carried over until {date}', {
    days,
    year,
    date,
  })
}

function periodsText({ from, starts, weeks }: PayPeriods): string {
  const date = formatFullDate(from)
  if (weeks !== null) {
    return t('balance|pay periods of {weeks, plural, one {# week} other {# weeks}} since {date}', {
      weeks,
      date,
    })
  }
  const [first = 1] = starts
  const days = starts.map((day, index) => {
    const next = starts[index + 1] ?? first
    const last = next === 1 ? t('balance|end') : String(next - 1)
    return `${day}–${last}`
  })
  return t('balance|pay periods {days} since {date}', { days: days.join(', '), date })
}

function daysText(halves: number): string {
  return hundredthsText(halves * 50)
}

/** Returns '12', '12.5' or '12.25' for hundredths of days. */
export function hundredthsText(hundredths: number): string {
  const days = hundredths / 100
  const decimals = hundredths % 100 === 0 ? 0 : hundredths % 10 === 0 ? 1 : 2
  return LANGUAGE === 'en' || decimals === 0 ? days.toFixed(decimals) : decimalWords(days, decimals)
}
