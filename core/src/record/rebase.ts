/**
 * Three-way merge of a thing (an entry, a task, the preferences) from its base, the local value and the
 * remote value. A thing changes by parts: a part changed on one side keeps that change, a part changed
 * on both sides takes the later change. Deletion is a part: a thing that is missing at the backend is
 * not deleted, and is sent again (docs/decisions/0116-missing-is-not-deleted.md).
 */

/** How a kind of thing is compared and put together, part by part. */
export interface Parts<T, P extends string = string> {
  /** The parts in which the two differ. */
  differing(one: T, other: T): readonly P[]
  /** `into` with these parts of `from`, and with the time of its change. */
  take(into: T, from: T, parts: readonly P[]): T
  /** All parts of a thing. */
  all(thing: T): readonly P[]
  /** When the backend created and changed it, epoch milliseconds; null where it does not say. */
  stamps(thing: T): { readonly createdAt: number; readonly updatedAt: number } | null
}

/** The state that is kept beside a thing that differs from the backend's. */
export interface Unsent<T> {
  /** The thing as the backend last had it; null for a new thing. */
  readonly base: T | null
  /** When each part was made or changed here, epoch milliseconds of server time. */
  readonly changedAt: Readonly<Record<string, number>>
  /**
   * The thing as it was sent, each time that it was, until an answer is known: the backend may have
   * received any of them, or receive it later.
   */
  readonly sent: readonly T[]
}

/** All of a thing that the backend lacks, or some parts; an empty list for nothing. */
export type ToSend<P extends string = string> = 'new' | readonly P[]

export interface Rebased<T, P extends string = string> {
  /** The new local value; `local` or `remote` itself when no parts had to be merged. */
  readonly value: T
  /** The new state to keep beside it; null when the backend has the same value. */
  readonly unsent: Unsent<T> | null
  readonly toSend: ToSend<P>
}

/**
 * Records a local change made at `now`. `before` is null for a new thing. A change that is undone before
 * it is sent leaves nothing to send: the value is then the base itself, with its times.
 */
export function edited<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  { before, after, now }: { readonly before: T | null; readonly after: T; readonly now: number },
): Rebased<T, P> {
  const known: Unsent<T> = unsent ?? { base: before, changedAt: {}, sent: [] }
  const changed = before === null ? parts.all(after) : parts.differing(before, after)
  const times = Object.fromEntries(changed.map((part) => [part, now]))
  return result(parts, { ...known, changedAt: { ...known.changedAt, ...times } }, after)
}

/** The parts of `local` that the backend lacks, as far as this device knows. */
export function difference<T, P extends string>(
  parts: Parts<T, P>,
  { base, sent }: Unsent<T>,
  local: T,
): ToSend<P> {
  if (base === null) return 'new'
  // A change that was sent and undone since may still arrive there.
  return [...new Set([base, ...sent].flatMap((each) => parts.differing(each, local)))]
}

/**
 * Merges the local and the remote value.
 *
 * @param unsent the state beside `local`; null when the backend had the same value
 * @param remote the value of a list, a read or an event; null when the backend does not have the thing
 */
export function rebase<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  local: T,
  remote: T | null,
): Rebased<T, P> {
  if (remote === null) {
    return result(parts, { changedAt: {}, sent: [], ...unsent, base: null }, local)
  }
  const base = unsent ? unsent.base : local
  if (base !== null && isOlder(parts, remote, base)) {
    return unsent ? result(parts, unsent, local) : { value: local, unsent, toSend: [] }
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
  // A request whose parts are not there yet may still arrive.
  const pending = sent.filter((_, index) => sinceSent[index]?.size !== 0)
  const value = stays.length === 0 ? remote : parts.take(remote, local, stays)
  return result(
    parts,
    { base: remote, changedAt, sent: pending.map((each) => parts.take(each, remote, lost)) },
    value,
  )
}

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
  return result(parts, { base: remote, changedAt, sent: unsent?.sent ?? [] }, local)
}

/**
 * Merges the local value and the answer to what was sent. The time of the answer is that of our own
 * change: parts changed here since they were sent stay, the others are the backend's.
 */
export function answered<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T>,
  local: T,
  answer: T,
): Rebased<T, P> {
  const { base, sent, changedAt } = unsent
  if (base !== null && isOlder(parts, answer, base))
    return result(parts, { base, changedAt, sent: [] }, local)
  // An event may have shown already that it arrived.
  const changed = parts.differing(sent.at(-1) ?? base ?? answer, local)
  const value = changed.length === 0 ? answer : parts.take(answer, local, changed)
  return result(parts, { base: answer, changedAt, sent: [] }, value)
}

/** Notes that the thing is sent as it is now. A retry with the same content is one. */
export function sending<T>(parts: Parts<T>, unsent: Unsent<T>, local: T): Unsent<T> {
  const others = unsent.sent.filter((each) => parts.differing(each, local).length > 0)
  // The answer is compared with what was sent last.
  return { ...unsent, sent: [...others, local] }
}

/** Whether `one` is an earlier state of the thing than `other`: an event may arrive late. */
function isOlder<T>(parts: Parts<T>, one: T, other: T): boolean {
  const [stamp, otherStamp] = [parts.stamps(one), parts.stamps(other)]
  if (!stamp || !otherStamp) return false
  // One that was created again under its id has nothing to do with the other.
  return stamp.createdAt === otherStamp.createdAt && stamp.updatedAt < otherStamp.updatedAt
}

function result<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T>,
  value: T,
): Rebased<T, P> {
  const { base } = unsent
  const toSend = difference(parts, unsent, value)
  if (toSend === 'new') return { value, unsent, toSend }
  if (toSend.length === 0 && base !== null) return { value: base, unsent: null, toSend }
  const waiting = new Set<string>(toSend)
  const times = Object.entries(unsent.changedAt).filter(([part]) => waiting.has(part))
  return { value, unsent: { ...unsent, changedAt: Object.fromEntries(times) }, toSend }
}
