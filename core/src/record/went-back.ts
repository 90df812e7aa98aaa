/** What becomes of a thing when the backend was put back to an older backup. */
import { rebase } from './rebase.ts'
import { withUnsent } from './unsent.ts'
import type { Parts, Rebased, Unsent } from './unsent.ts'

/**
 * The backend has gone back in time: what it has of a thing is older than what it had confirmed, or
 * gone. What is known here stays, as if it had been changed when the backend last said so.
 *
 * @param unsent the state beside `local`; null when the backend had the same value
 * @param remote the earlier state; null when the backend has none any more
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
