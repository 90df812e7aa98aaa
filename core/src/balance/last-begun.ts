import { dayNumber } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'

/** Returns a function that returns the last of the items, which are in order, that has begun on a day. */
export function lastBegun<Dated extends { readonly from: CalendarDate }>(
  items: readonly Dated[],
): (day: number) => Dated | null {
  const begun = items.map((item) => [dayNumber(item.from), item] as const)
  return (day) => begun.findLast(([from]) => from <= day)?.[1] ?? null
}
