/** The segments of a day's hours as whole marks on the line of that day. */
import type { ActivityDay } from '@stint/core/reports/task-report.ts'

/** A stretch of work or of a pause; 0 … 100 percent of the day's width. */
export interface Mark {
  /** No other mark of any day has it, and this one keeps it while its session goes on. */
  readonly id: string
  readonly kind: 'work' | 'pause'
  readonly startPercent: number
  readonly widthPercent: number
}

/**
 * The day's marks, in the order of their start: what goes on over the full hour is one mark. To a
 * hundredth of a percent, nine seconds: no screen shows less.
 */
export function marksOfDay(day: Pick<ActivityDay, 'date' | 'cells'>): Mark[] {
  const marks: Stretch[] = []
  for (const { hour, segments } of day.cells) {
    for (const { entryId, kind, startPercent, durationPercent } of segments) {
      const start = hour + startPercent / 100
      const end = start + durationPercent / 100
      const before = marks.findLast((mark) => mark.entryId === entryId && mark.kind === kind)
      if (before && Math.abs(before.end - start) < SAME_MOMENT) before.end = end
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
interface Stretch {
  readonly id: string
  readonly entryId: string
  readonly kind: 'work' | 'pause'
  readonly start: number
  end: number
}

/** Hours; a hundredth of a second. */
const SAME_MOMENT = 1e-5 / 3.6

function percentOfDay(hours: number): number {
  return Math.round((hours / 24) * 10_000) / 100
}
