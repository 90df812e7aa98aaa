/**
 * How many sessions a figure is made of, in the same words on charts, in explanations and on paper.
 */
import { t } from '#text.ts'
import { grouped } from '#grouped.ts'

export interface SessionCount {
  /** Saved sessions that start in the period. A session counts once, in the period of its start. */
  readonly begun: number
  /** Saved sessions that started before the period and have time in it. */
  readonly earlier: number
  /** True if the figure includes the running timer, which counts as a session once it is saved. */
  readonly hasLive: boolean
}

/**
 * Returns the count as text: '5 sessions', or '5 sessions + 1 that started earlier + running'.
 */
export function sessionCountText({ begun, earlier, hasLive }: SessionCount): string {
  if (earlier === 0) {
    return hasLive
      ? t('{begun, plural, one {# session} other {# sessions}} + running', { begun })
      : t('{begun, plural, one {# session} other {# sessions}}', { begun })
  }
  if (begun === 0) {
    return hasLive
      ? t('{earlier, plural, one {# session} other {# sessions}} that started earlier + running', {
          earlier,
        })
      : t('{earlier, plural, one {# session} other {# sessions}} that started earlier', { earlier })
  }
  return hasLive
    ? t(
        '{begun, plural, one {# session} other {# sessions}} + {earlier, number} that started earlier + running',
        { begun, earlier },
      )
    : t(
        '{begun, plural, one {# session} other {# sessions}} and {earlier, number} that started earlier',
        { begun, earlier },
      )
}

/** Returns the count for a cell of a table: '5', '5 + 1 earlier'. */
export function sessionCountCell({ begun, earlier }: SessionCount): string {
  return earlier === 0
    ? grouped(begun)
    : t('{begun, number} + {earlier, number} earlier', { begun, earlier })
}
