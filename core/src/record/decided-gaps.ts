/**
 * Untracked time that its owner has looked at: it was a break, or it is to be ignored. Kept with the
 * account as one of its preferences, a short text of the latest decisions, so that it follows its
 * owner as the settings do (docs/decisions/0065-decided-gaps.md).
 */
import { clipIntervals, intervalsBetween } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import type { Prefs } from '#settings.ts'

export type GapDecision = 'break' | 'ignored'

/** Whole seconds, as epoch milliseconds. */
export interface DecidedGap extends Interval {
  readonly decision: GapDecision
}

/** How many decisions are kept; those of the oldest gaps are forgotten first. */
export const MAX_DECIDED_GAPS = 500

const PREFERENCE = 'decidedGaps'
const LETTERS = { break: 'b', ignored: 'i' } as const satisfies Record<GapDecision, string>
/** Less than this is no gap (`untrackedGaps`). */
const SHORTEST = 5 * 60_000

/** Reads the decisions, by their start. Never throws: an unreadable decision is left out. */
export function decidedGapsFromPrefs(prefs: Prefs): DecidedGap[] {
  const text = prefs[PREFERENCE]
  if (typeof text !== 'string') return []
  return text.split(' ').flatMap((each) => {
    const [, start, seconds, letter] = /^(\d{1,11})\+(\d{1,6})([bi])$/.exec(each) ?? []
    if (start === undefined || seconds === undefined) return []
    const decision = letter === LETTERS.break ? 'break' : 'ignored'
    const from = Number(start) * 1000
    return [{ start: from, end: from + Number(seconds) * 1000, decision }]
  })
}

/** The decisions as a preference: '1795017600+2700b', start and length in seconds, by their start. */
export function prefsFromDecidedGaps(decided: readonly DecidedGap[]): Prefs {
  const texts = decided
    .toSorted((a, b) => a.start - b.start)
    .slice(-MAX_DECIDED_GAPS)
    .map(({ start, end, decision }) => {
      return `${start / 1000}+${(end - start) / 1000}${LETTERS[decision]}`
    })
  return { [PREFERENCE]: texts.join(' ') }
}

/** A decision about a gap, to the full seconds that hold all of it. */
export function decidedGap({ start, end }: Interval, decision: GapDecision): DecidedGap {
  return {
    start: Math.floor(start / 1000) * 1000,
    end: Math.ceil(end / 1000) * 1000,
    decision,
  }
}

/** The gaps of a day, in their order: what nobody decided, and what was decided about the rest. */
export interface GapRow {
  readonly interval: Interval
  /** Null: untracked. */
  readonly decided: DecidedGap | null
}

/**
 * The gaps with the decisions about them. A decision is about its time, whatever becomes of the
 * sessions around it: what a gap grows by is untracked again, and what was tracked after all is gone.
 */
export function gapRows(gaps: readonly Interval[], decided: readonly DecidedGap[]): GapRow[] {
  const known = mergeIntervals(decided)
  return gaps
    .flatMap((gap): GapRow[] => [
      ...intervalsBetween(known, gap)
        .filter(({ start, end }) => end - start >= SHORTEST)
        .map((interval) => ({ interval, decided: null })),
      ...decided.flatMap((each) =>
        clipIntervals([each], gap.start, gap.end).map((interval) => ({ interval, decided: each })),
      ),
    ])
    .toSorted((a, b) => a.interval.start - b.interval.start)
}
