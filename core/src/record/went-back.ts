/** The merge of a thing after the backend was restored from an older backup. */
import { rebase } from './rebase.ts'
import { withUnsent } from './unsent.ts'
import type { Parts, Rebased, Unsent } from './unsent.ts'

/**
 * Merges a thing when the backend has gone back in time: the remote state is older than the
 * confirmed one, or missing. The local value stays, as if it had been changed when the backend last
 * confirmed it.
 *
 * @param unsent the state beside `local`, or null when the backend had the same value
 * @param remote the earlier state, or null when the backend no longer has one
 */
export function wentBack<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  local: T,
  remote: T | null,
): Rebased<T, P> {
  if (remote === null) return rebase(parts, unsent, local, remote)
  const known = unsent?.base ?? local
  const knownAt = parts.stamps(known)?.updatedAt ?? -Infinity
  const times = parts.differing(remote, known).map((part) => [part, knownAt] as const)
  const changedAt = { ...Object.fromEntries(times), ...unsent?.changedAt }
  return withUnsent(parts, { base: remote, changedAt, sent: unsent?.sent ?? [] }, local)
}
