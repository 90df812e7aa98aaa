/** Where a moment is on an axis of time. */

/** A span of time, in milliseconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface TimeScale {
  /** The length of the axis, in the unit of an hour's length. */
  readonly length: number
  /** Returns the distance of a moment from the start of the axis. */
  readonly at: (moment: number) => number
  /** Returns the moment at a distance from the start of the axis. */
  readonly moment: (at: number) => number
}

const HOUR = 3_600_000

/**
 * Returns the scale of an axis on which the hours of all stretches are equally long. The time
 * between two stretches is drawn as long as `fold`, whatever it lasts.
 */
export function timeScale(stretches: readonly Span[], hourLength: number, fold = 0): TimeScale {
  const points: { moment: number; at: number }[] = []
  let length = 0
  for (const { start, end } of stretches) {
    if (points.length > 0) length += fold
    points.push({ moment: start, at: length })
    length += ((end - start) / HOUR) * hourLength
    points.push({ moment: end, at: length })
  }
  const between = (value: number, from: 'moment' | 'at', to: 'moment' | 'at') => {
    const next = points.findIndex((point, index) => index > 0 && value <= point[from])
    const end = points.at(next)
    const start = points.at(next === -1 ? -2 : next - 1)
    if (!start || !end) return 0
    const share = (value - start[from]) / (end[from] - start[from] || 1)
    return start[to] + Math.min(1, Math.max(0, share)) * (end[to] - start[to])
  }
  return {
    length,
    at: (moment) => between(moment, 'moment', 'at'),
    moment: (at) => between(at, 'at', 'moment'),
  }
}

/** Returns the scale of a bar, whose length is 100 percent. */
export function percentScale(whole: Span): TimeScale {
  return timeScale([whole], (100 * HOUR) / Math.max(1, whole.end - whole.start))
}

/** Returns how many hours there are from one label to the next, so that there are at most `most` labels. */
export function labelStep(hours: number, most: number): number {
  return [1, 2, 3, 4, 6].find((step) => hours / step <= most) ?? 12
}

/** Returns a CSS length in percent, to 0.0001. */
export function percent(value: number): string {
  return `${Math.round(value * 1e4) / 1e4}%`
}
