/** Finds the unit of durations that are plain numbers. */
import { readDate } from './import-dates.ts'
import type { DateOrder } from './import-dates.ts'
import type { DurationUnit } from './import-durations.ts'
import { readImportedDuration } from './import-durations.ts'
import { readTime } from './import-moments.ts'
import { whenWorked } from './import-rows.ts'
import type { TimeContext } from './import-ends.ts'
import type { ImportRow } from './import-table.ts'

const UNITS = ['hours', 'minutes', 'seconds'] as const
/** How many rows are looked at. */
const MAX_ROWS = 2000
const DAY_SECONDS = 86_400

/**
 * Returns the unit that is said, or the one in which the durations agree with the times. Without
 * times it is hours, unless a day would then have more than 24 of them: then the guess is the first
 * unit in which none has, and must be confirmed.
 */
export function guessUnit(
  rows: readonly ImportRow[],
  said: DurationUnit | null,
  context: Omit<TimeContext, 'unit'>,
): { readonly unit: DurationUnit; readonly isGuessed: boolean } {
  if (said !== null) return { unit: said, isGuessed: false }
  const plain = rows.filter(({ duration }) => /^[\d.,' ]+$/.test(duration)).slice(0, MAX_ROWS)
  if (plain.length === 0) return { unit: 'hours', isGuessed: false }
  const agreeing = UNITS.map((unit) => ({ unit, rows: rowsThatAgree(plain, unit, context) }))
  const best = agreeing.reduce((one, other) => (other.rows > one.rows ? other : one))
  if (best.rows > 0) return { unit: best.unit, isGuessed: false }
  const ofDay = plain.filter((row) => isReadable(row, context.order))
  const unit = UNITS.find((each) => !exceedsADay(ofDay, each))
  return { unit: unit ?? 'hours', isGuessed: unit !== 'hours' }
}

function rowsThatAgree(
  rows: readonly ImportRow[],
  unit: DurationUnit,
  context: Omit<TimeContext, 'unit'>,
): number {
  return rows.filter((row) => {
    if (row.startTime === '' || row.endTime === '') return false
    const when = whenWorked(row, { ...context, unit })
    if (when.kind !== 'times' || when.statedSeconds === null) return false
    const counted = (when.endedAt - when.startedAt) / 1000 - when.pausedSeconds
    return Math.abs(counted - when.statedSeconds) <= 60
  }).length
}

/** Returns whether the day and the times of a row can be read. Others are left out, whatever they say. */
function isReadable({ startDate, startTime, endTime }: ImportRow, order: DateOrder): boolean {
  const times = [startTime, endTime].filter((text) => text !== '')
  return readDate(startDate, order) !== null && times.every((text) => readTime(text, '') !== null)
}

function exceedsADay(rows: readonly ImportRow[], unit: DurationUnit): boolean {
  const days = new Map<string, number>()
  for (const { startDate, duration } of rows) {
    const sum = (days.get(startDate) ?? 0) + (readImportedDuration(duration, unit) ?? 0)
    if (sum > DAY_SECONDS) return true
    days.set(startDate, sum)
  }
  return false
}
