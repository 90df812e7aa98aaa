/** The texts of the kinds of findings, and which kinds can be fixed all at once. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import type { Finding, FindingKind } from '@stint/core/record/data-health.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'

interface KindWords {
  readonly title: string
  readonly about: string
  /** What is wrong with one finding, and by how much. */
  readonly amount: (seconds: number) => string
}

export const KINDS: Readonly<Record<FindingKind, KindWords>> = {
  duplicate: {
    title: t('Duplicates'),
    about: t('The same session more than once.'),
    amount: (seconds) => t('{duration} too much', { duration: exactDuration(seconds) }),
  },
  overlap: {
    title: t('Overlaps'),
    about: t('Sessions that overlap. Keep the ones that are right.'),
    amount: (seconds) => t('{duration} counted twice', { duration: exactDuration(seconds) }),
  },
  backwards: {
    title: t('Ends before starts'),
    about: t('Sessions that end before they start.'),
    amount: (seconds) => t('{duration} counted', { duration: exactDuration(seconds) }),
  },
  seconds: {
    title: t('Too many seconds'),
    about: t('Sessions with more time than fits between start and end.'),
    amount: (seconds) => t('{duration} too much', { duration: exactDuration(seconds) }),
  },
  future: {
    title: t('In the future'),
    about: t('Sessions that end in the future.'),
    amount: (seconds) => t('ends in {duration}', { duration: exactDuration(seconds) }),
  },
  long: {
    title: t('Over 12 hours'),
    about: t('Possibly forgotten timers. Keep the ones that are right.'),
    amount: (seconds) => t('{duration} long', { duration: exactDuration(seconds) }),
  },
  'unknown-task': {
    title: t('Unknown tasks'),
    about: t('Sessions whose task is missing.'),
    amount: (seconds) => t('{duration} in total', { duration: exactDuration(seconds) }),
  },
}

/**
 * The kinds that can be fixed all at once: each finding has one fix that loses no work, and no session
 * is in two findings.
 */
export const FIXED_TOGETHER: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'duplicate',
  'seconds',
])

/** Returns the changes that fix all of these findings. */
export function changesForAll(
  findings: readonly Finding[],
  newId: () => string,
  now: number,
): readonly EntryChange[] {
  return findings.flatMap(({ fixes }) => fixes[0]?.changes(newId, now) ?? [])
}
