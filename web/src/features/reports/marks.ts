/** Merges the segments of a day's hours into marks on the day's axis. */
import type { ActivityDay } from '@stint/core/reports/task-report.ts'

/** A span of work or of a pause, in percent of the day's width. */
export interface PatternMark {
  /** Unique among all days, and stable while the session continues. */
  readonly id: string
  readonly kind: 'work' | 'pause'
  readonly startPercent: number
  readonly widthPercent: number
}

/**
 * Returns the day's marks, ordered by start. Segments that meet at the full hour become one mark.
 * Values are rounded to 0.01 percent (nine seconds), which is less than a pixel.
 */
export function marksOfDay(day: Pick<ActivityDay, 'date' | 'cells'>): PatternMark[] {
  const marks: Span[] = []
  for (const { hour, segments } of day.cells) {
    for (const { entryId, kind, startPercent, durationPercent } of segments) {
      const start = hour + startPercent / 100
      const end = start + durationPercent / 100
      const before = marks.findLast((mark) => mark.entryId === entryId && mark.kind === kind)
      if (before && Math.abs(before.end - start) < MAX_DISTANCE) before.end = end
      else {
        const part = marks.filter((mark) => mark.entryId === entryId).length
        marks.push({ id: `${day.date} ${entryId} ${part}`, entryId, kind, start, end })
      }
    }
  }
  return marks
    .toSorted((a, b) => a.start - b.start)
    .map(({ id, kind, start, end }) => ({
      id,
      kind,
      startPercent: percentOfDay(start),
      widthPercent: percentOfDay(end - start),
    }))
}

/** In hours of the wall clock. */
interface Span {
  readonly id: string
  readonly entryId: string
  readonly kind: 'work' | 'pause'
  readonly start: number
  end: number
}

/** In hours; a hundredth of a second. */
const MAX_DISTANCE = 1e-5 / 3.6

function percentOfDay(hours: number): number {
  return Math.round((hours / 24) * 10_000) / 100
}
