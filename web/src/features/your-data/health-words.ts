/** What a kind of finding is called, and what may be mended all at once. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import type { Finding, FindingKind } from '@stint/core/record/data-health.ts'
import { exactDuration } from '@stint/core/time/duration.ts'

interface KindWords {
  readonly title: string
  readonly about: string
  /** What is wrong with one, and by how much. */
  readonly amount: (seconds: number) => string
}

export const KINDS: Readonly<Record<FindingKind, KindWords>> = {
  duplicate: {
    title: 'Duplicates',
    about: 'The same session more than once.',
    amount: (seconds) => `${exactDuration(seconds)} too much`,
  },
  overlap: {
    title: 'Overlaps',
    about: 'Sessions that overlap. Keep the ones that are right.',
    amount: (seconds) => `${exactDuration(seconds)} counted twice`,
  },
  backwards: {
    title: 'Ends before starts',
    about: 'Sessions that end before they start.',
    amount: (seconds) => `${exactDuration(seconds)} counted`,
  },
  seconds: {
    title: 'Too many seconds',
    about: 'Sessions with more time than fits between start and end.',
    amount: (seconds) => `${exactDuration(seconds)} too much`,
  },
  future: {
    title: 'In the future',
    about: 'Sessions that end in the future.',
    amount: (seconds) => `ends in ${exactDuration(seconds)}`,
  },
  long: {
    title: 'Over 12 hours',
    about: 'Possibly forgotten timers. Keep the ones that are right.',
    amount: (seconds) => `${exactDuration(seconds)} long`,
  },
  'unknown-task': {
    title: 'Unknown tasks',
    about: 'Sessions whose task is missing.',
    amount: (seconds) => `${exactDuration(seconds)} in all`,
  },
}

/**
 * What may be mended all at once: only where each is mended in one way that loses no work, and no two
 * of them are about the same session.
 */
export const FIXED_TOGETHER: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'duplicate',
  'seconds',
])

/** The changes that mend all of these findings. */
export function changesForAll(
  findings: readonly Finding[],
  newId: () => string,
  now: number,
): readonly EntryChange[] {
  return findings.flatMap(({ fixes }) => fixes[0]?.changes(newId, now) ?? [])
}
