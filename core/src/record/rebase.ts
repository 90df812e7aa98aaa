/**
 * The three-way merge of a thing (an entry, a task, the preferences) from its base, the local value
 * and the remote value. A thing changes by parts. A part changed on one side keeps that change. A
 * part changed on both sides takes the later change. Deletion is a part: a thing that is missing at
 * the backend is not deleted, and is sent again (docs/decisions/0015-missing-is-not-deleted.md).
 */
import { withUnsent } from './unsent.ts'
import type { Parts, Rebased, Unsent } from './unsent.ts'

/**
 * Merges the local and the remote value.
 *
 * @param unsent the state beside `local`, or null when the backend had the same value
 * @param remote the value of a list, a read or an event, or null when the backend does not have the
 * thing
 */
export function rebase<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  local: T,
  remote: T | null,
): Rebased<T, P> {
  if (remote === null) {
    return withUnsent(parts, { changedAt: {}, sent: [], ...unsent, base: null }, local)
  }
  const base = unsent ? unsent.base : local
  if (base !== null && isOlder(parts, remote, base)) {
    return unsent ? withUnsent(parts, unsent, local) : { value: local, unsent, toSend: [] }
  }
  const differing = parts.differing(local, remote)
  if (!unsent) {
    const isSame = differing.length === 0 && !isOlder(parts, local, remote)
    return { value: isSame ? local : remote, unsent, toSend: [] }
  }

  const { sent, changedAt } = unsent
  const sinceBase = base && new Set(parts.differing(base, remote))
  const sinceSent = sent.map((each) => new Set(parts.differing(each, remote)))
  const remoteAt = parts.stamps(remote)?.updatedAt ?? -Infinity
  const stays = differing.filter((part) => {
    const isTheirs = (sinceBase?.has(part) ?? true) && sinceSent.every((since) => since.has(part))
    return !isTheirs || (changedAt[part] ?? -Infinity) > remoteAt
  })
  const lost = differing.filter((part) => !stays.includes(part))
  // A request whose parts are not at the backend yet may still arrive.
  const pending = sent.filter((_, index) => sinceSent[index]?.size !== 0)
  const value = stays.length === 0 ? remote : parts.take(remote, local, stays)
  return withUnsent(
    parts,
    { base: remote, changedAt, sent: pending.map((each) => parts.take(each, remote, lost)) },
    value,
  )
}

/**
 * Merges the local value and the answer to a request. The time of the answer is that of our own
 * change. Parts changed here since the request stay, and the others are taken from the backend.
 */
export function answered<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T>,
  local: T,
  answer: T,
): Rebased<T, P> {
  const { base, sent, changedAt } = unsent
  if (base !== null && isOlder(parts, answer, base)) {
    // The request has arrived, and another device changed the thing after it: only later local
    // edits stay.
    const since = parts.differing(sent.at(-1) ?? base, local)
    const value = since.length === 0 ? base : parts.take(base, local, since)
    return withUnsent(parts, { base, changedAt, sent: [] }, value)
  }
  // An event may have shown already that the request arrived.
  const changed = parts.differing(sent.at(-1) ?? base ?? answer, local)
  const value = changed.length === 0 ? answer : parts.take(answer, local, changed)
  return withUnsent(parts, { base: answer, changedAt, sent: [] }, value)
}

/**
 * Records that the thing is sent in its present state. A retry with the same content counts once.
 */
export function sending<T>(parts: Parts<T>, unsent: Unsent<T>, local: T): Unsent<T> {
  const others = unsent.sent.filter((each) => parts.differing(each, local).length > 0)
  // The answer is compared with the state that was sent last.
  return { ...unsent, sent: [...others, local] }
}

/**
 * Returns whether `one` is an earlier state of the thing than `other`. An event may arrive late.
 */
export function isOlder<T>(parts: Parts<T>, one: T, other: T): boolean {
  const [stamp, otherStamp] = [parts.stamps(one), parts.stamps(other)]
  if (!stamp || !otherStamp) return false
  // A thing that was created again under its id is independent of the earlier one.
  return stamp.createdAt === otherStamp.createdAt && stamp.updatedAt < otherStamp.updatedAt
}
