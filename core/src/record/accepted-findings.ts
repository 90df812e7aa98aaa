/**
 * Findings of data health that their owner has checked and accepted, such as two entries that do
 * share time or a night that was worked through. They are stored as a preference of the account,
 * like decided gaps (docs/decisions/0018-preferences.md).
 */
import type { Finding, FindingKind } from './data-health.ts'
import type { Prefs } from '#settings.ts'

/** The kinds that can be accepted. Findings of the other kinds always count something wrongly. */
export const MAY_BE_RIGHT: ReadonlySet<FindingKind> = new Set<FindingKind>(['overlap', 'long'])

/** How many are kept. The oldest are dropped first. */
export const MAX_ACCEPTED_FINDINGS = 200

const PREFERENCE = 'acceptedFindings'

/**
 * Returns the key of a finding in its present state. The key changes with the times, so that the
 * changed finding is shown again.
 */
export function acceptance({ kind, entries, seconds }: Finding): string {
  return [kind, ...entries.map(({ id }) => id), seconds].join(':')
}

/**
 * Reads the accepted findings, the oldest first. Never throws: unreadable text gives an empty list.
 */
export function acceptedFromPrefs(prefs: Prefs): string[] {
  const text = prefs[PREFERENCE]
  return typeof text === 'string' ? text.split(' ').filter((each) => each !== '') : []
}

/** Returns the accepted findings as a preference: 'long:<entry id>:46800', the oldest first. */
export function prefsFromAccepted(accepted: readonly string[]): Prefs {
  return { [PREFERENCE]: [...new Set(accepted)].slice(-MAX_ACCEPTED_FINDINGS).join(' ') }
}
