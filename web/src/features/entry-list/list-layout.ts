/**
 * Where the rows of a long list are. All rows have one height and all headings another, so that only
 * the rows near the window are drawn, and the place of any of them is known.
 */
import type { EntryList } from '@stint/core/reports/entry-list.ts'
import { useCallback, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'

/** Heights in rem. */
export interface Heights {
  readonly heading: number
  readonly row: number
}

const WIDE: Heights = { heading: 3, row: 2.75 }
const NARROW: Heights = { heading: 3, row: 4.25 }

/** Returns the heights at the width of the window. */
export function useHeights(): Heights {
  return useSyncExternalStore(onWidth, () => (isWide().matches ? WIDE : NARROW))
}

/** The width from which a row has one line, `lg` in styles.css. */
function isWide(): MediaQueryList {
  return matchMedia('(width >= 1120px)')
}

function onWidth(listener: () => void): () => void {
  const query = isWide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Returns the height of the list in rem. */
export function heightOf({ days, entries }: EntryList, { heading, row }: Heights): number {
  return days.length * heading + entries.length * row
}

/** Returns where a day begins, in rem. */
export function topOfDay({ days }: EntryList, place: number, { heading, row }: Heights): number {
  return place * heading + (days[place]?.first ?? 0) * row
}

/** The drawn rows of a day, by their indexes in the list, in order. */
export interface Slice {
  /** The place of the day among the days. */
  readonly day: number
  readonly rows: readonly number[]
}

/** Returns the rows between two places of the list, in rem, by day. */
export function slicesBetween(
  list: EntryList,
  heights: Heights,
  top: number,
  bottom: number,
): Slice[] {
  const slices: Slice[] = []
  for (let day = dayAt(list, heights, top); day < list.days.length; day++) {
    const { first = 0, count = 0 } = list.days[day] ?? {}
    const start = topOfDay(list, day, heights)
    if (start >= bottom) break
    const rowAt = (place: number) => {
      const row = Math.floor((place - start - heights.heading) / heights.row)
      return first + Math.min(count, Math.max(0, row))
    }
    const from = rowAt(top)
    const length = rowAt(bottom + heights.row) - from
    slices.push({ day, rows: Array.from({ length }, (_, index) => from + index) })
  }
  return slices
}

/** Returns the slices with one more row. */
export function withRow(slices: readonly Slice[], list: EntryList, row: number): readonly Slice[] {
  if (row < 0) return slices
  const day = lastWhere(list.days.length, (place) => (list.days[place]?.first ?? 0) <= row)
  const { rows = [] } = slices.find((slice) => slice.day === day) ?? {}
  if (rows.includes(row)) return slices
  const others = slices.filter((slice) => slice.day !== day)
  const all = [...rows, row].toSorted((a, b) => a - b)
  return [...others, { day, rows: all }].toSorted((a, b) => a.day - b.day)
}

/** Returns the place of the day at a place of the list, in rem. */
function dayAt(list: EntryList, heights: Heights, place: number): number {
  return lastWhere(list.days.length, (day) => topOfDay(list, day, heights) <= place)
}

/** Returns the last number below `count` that holds, 0 if none does. The first ones hold. */
function lastWhere(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

/** The drawn part of a list moves in steps of so many rem, so that not every pixel draws it again. */
const STEP = 16

/**
 * Returns the part of the element that is in the window or near it, in rem from its top. Re-renders
 * when that changes.
 */
export function useShownPart(element: RefObject<HTMLElement | null>): {
  readonly top: number
  readonly bottom: number
} {
  // Always the same function, as React calls it more often after it changed, and it measures.
  const measure = useCallback(() => shownSteps(element.current), [element])
  const steps = useSyncExternalStore(onMove, measure)
  const [first = 0, last = 0] = steps.split(' ').map(Number)
  return { top: first * STEP, bottom: last * STEP }
}

/** Returns the first and the last step that are drawn: half a window before and after the window. */
function shownSteps(element: HTMLElement | null): string {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
  const height = innerHeight / rem
  const top = -(element?.getBoundingClientRect().top ?? 0) / rem
  return `${Math.floor((top - height / 2) / STEP)} ${Math.ceil((top + height * 1.5) / STEP)}`
}

function onMove(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true })
  addEventListener('resize', listener)
  return () => {
    removeEventListener('scroll', listener)
    removeEventListener('resize', listener)
  }
}
