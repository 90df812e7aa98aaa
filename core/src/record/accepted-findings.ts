/**
 * Findings of data health that their owner has looked at and found right: two sessions that do share
 * time, a night that was worked through. Kept with the account as one of its preferences, as decided
 * gaps are (docs/decisions/0073-findings-that-are-right.md).
 */
import type { Finding, FindingKind } from './data-health.ts'
import type { Prefs } from '#settings.ts'

/** Only these can be right: the others count something wrongly. */
export const MAY_BE_RIGHT: ReadonlySet<FindingKind> = new Set<FindingKind>(['overlap', 'long'])

/** How many are kept; the oldest are forgotten first. */
export const MAX_ACCEPTED_FINDINGS = 200

const PREFERENCE = 'acceptedFindings'

/** What names a finding as it is now: once it is about other times, it is looked at anew. */
export function acceptance({ kind, entries, seconds }: Finding): string {
  return [kind, ...entries.map(({ id }) => id), seconds].join(':')
}

/** Reads the accepted findings, the oldest first. Never throws: unreadable text is an empty list. */
export function acceptedFromPrefs(prefs: Prefs): string[] {
  const text = prefs[PREFERENCE]
  return typeof text === 'string' ? text.split(' ').filter((each) => each !== '') : []
}

/** What was accepted, as a preference: 'long:<entry id>:46800', the oldest first. */
export function prefsFromAccepted(accepted: readonly string[]): Prefs {
  return { [PREFERENCE]: [...new Set(accepted)].slice(-MAX_ACCEPTED_FINDINGS).join(' ') }
}
