/** How many sessions a figure comes from. The same words on a chart, in its explanation and on paper. */
import { grouped } from '#grouped.ts'

export interface SessionCount {
  /** Saved sessions that start in the period: a session counts once, in the period of its start. */
  readonly begun: number
  /** Saved sessions that started before the period and have time in it. */
  readonly earlier: number
  /** The timer that is on is in the figure; it counts as a session once it is saved. */
  readonly hasLive: boolean
}

/**
 * '5 sessions', or with all that the time comes from: '5 sessions, 1 that started earlier and the
 * running one'.
 */
export function sessionCountText({ begun, earlier, hasLive }: SessionCount): string {
  const saved =
    earlier === 0
      ? [counted(begun)]
      : begun === 0
        ? [`${counted(earlier)} that started earlier`]
        : [counted(begun), `${grouped(earlier)} that started earlier`]
  const parts = hasLive ? [...saved, 'the running one'] : saved
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ')
}

/** The same for a cell of a table: '5', '5 + 1 earlier'. */
export function sessionCountCell({ begun, earlier }: SessionCount): string {
  const text = grouped(begun)
  return earlier === 0 ? text : `${text} + ${grouped(earlier)} earlier`
}

function counted(sessions: number): string {
  return sessions === 1 ? '1 session' : `${grouped(sessions)} sessions`
}
