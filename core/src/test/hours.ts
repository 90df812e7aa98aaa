/** Hours accounts for tests, made of the lines that people type. */
import { hoursAccount } from '#balance/account.ts'
import type { HoursAccount } from '#balance/account.ts'
import { prefsWithItem } from '#balance/items.ts'
import type { Item } from '#balance/items.ts'
import { readLine } from '#balance/line.ts'
import type { CalendarDate } from '#time/calendar.ts'

/** Returns the item of a line, as it is read on Monday 30 November 2026. Throws if it is a problem. */
export function testItem(line: string, today: CalendarDate = '2026-11-30'): Item {
  const read = readLine(line, { today, weekStart: 1 })
  if (read.kind !== 'item')
    throw new Error(`${line}: ${read.kind === 'problem' ? read.message : ''}`)
  return read.item
}

/** Returns the account of these lines. */
export function testAccount(lines: readonly string[], filter = ''): HoursAccount {
  const prefs = lines.map((line) => prefsWithItem(testItem(line), null))
  return hoursAccount({
    balanceFilter: filter,
    ...Object.fromEntries(prefs.flatMap(Object.entries)),
  })
}

/** Returns '+1:30:00' or '-0:00:01' for seconds, and '0:00:00' for none. */
export function signed(seconds: number): string {
  const whole = Math.abs(seconds)
  const sign = seconds < 0 ? '-' : seconds > 0 ? '+' : ''
  return `${sign}${Math.floor(whole / 3600)}:${twoDigits((whole % 3600) / 60)}:${twoDigits(whole % 60)}`
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0')
}
