/**
 * How many sessions a figure is made of, in the same words on charts, in explanations and on paper.
 */
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
 * Returns the count as text: '5 sessions', or '5 sessions, 1 that started earlier and the running
 * one'.
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

/** Returns the count for a cell of a table: '5', '5 + 1 earlier'. */
export function sessionCountCell({ begun, earlier }: SessionCount): string {
  const text = grouped(begun)
  return earlier === 0 ? text : `${text} + ${grouped(earlier)} earlier`
}

function counted(sessions: number): string {
  return sessions === 1 ? '1 session' : `${grouped(sessions)} sessions`
}
