/**
 * Untracked time about which its owner has decided: it was a break, or it is ignored. The latest
 * decisions are stored as one preference of the account, a short text, so that they follow their
 * owner to every device like the settings (docs/decisions/0018-preferences.md).
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

/** How many decisions are kept. Those of the oldest gaps are dropped first. */
export const MAX_DECIDED_GAPS = 500

const PREFERENCE = 'decidedGaps'
const LETTERS = { break: 'b', ignored: 'i' } as const satisfies Record<GapDecision, string>
/** Shorter untracked time is no gap: nobody is asked about it. In milliseconds. */
export const MIN_GAP = 15 * 60_000

/** Reads the decisions, sorted by their start. Never throws: an unreadable decision is ignored. */
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

/**
 * Returns the decisions as a preference: '1795017600+2700b', start and length in seconds, sorted by
 * start.
 */
export function prefsFromDecidedGaps(decided: readonly DecidedGap[]): Prefs {
  const texts = decided
    .toSorted((a, b) => a.start - b.start)
    .slice(-MAX_DECIDED_GAPS)
    .map(({ start, end, decision }) => {
      return `${start / 1000}+${(end - start) / 1000}${LETTERS[decision]}`
    })
  return { [PREFERENCE]: texts.join(' ') }
}

/** Returns a decision about a gap, extended to the full seconds that contain the gap. */
export function decidedGap({ start, end }: Interval, decision: GapDecision): DecidedGap {
  return {
    start: Math.floor(start / 1000) * 1000,
    end: Math.ceil(end / 1000) * 1000,
    decision,
  }
}

/** One row of the gaps of a day: an undecided gap, or a decided one. */
export interface GapRow {
  readonly interval: Interval
  /** Null means untracked. */
  readonly decided: DecidedGap | null
}

/**
 * Returns the gaps with the decisions about them. A decision belongs to its time, even when the
 * entries around it change. A part by which a gap grows is untracked again, and a part that is
 * tracked later disappears.
 */
export function gapRows(gaps: readonly Interval[], decided: readonly DecidedGap[]): GapRow[] {
  const known = mergeIntervals(decided)
  return gaps
    .flatMap((gap): GapRow[] => [
      ...intervalsBetween(known, gap)
        .filter(({ start, end }) => end - start >= MIN_GAP)
        .map((interval) => ({ interval, decided: null })),
      ...decided.flatMap((each) =>
        clipIntervals([each], gap.start, gap.end).map((interval) => ({ interval, decided: each })),
      ),
    ])
    .toSorted((a, b) => a.interval.start - b.interval.start)
}
