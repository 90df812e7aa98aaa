/**
 * What becomes of a change that was made here when the backend has another one. A thing (an entry, a
 * task, the preferences) changes by parts: a part changed on one side stays, a part changed on both
 * goes to the later change. Deletion is a part like the others. What the backend does not have is
 * missing, not deleted.
 */

/** How a kind of thing is compared and put together, part by part. */
export interface Parts<T, P extends string = string> {
  /** The parts in which the two differ. */
  differing(one: T, other: T): readonly P[]
  /** `into` with these parts of `from`, and with the time of its change. */
  take(into: T, from: T, parts: readonly P[]): T
  /** When the backend created and changed it, epoch milliseconds; null where it does not say. */
  stamps(thing: T): { readonly createdAt: number; readonly updatedAt: number } | null
  /** True when it need not be sent though the backend does not have it: a deleted entry. */
  mayBeMissing(thing: T): boolean
}

/** What is kept beside a thing that the backend does not have as it is here. */
export interface Unsent<T> {
  /** As the backend last had it; null: it is new here. */
  readonly base: T | null
  /** When each part was changed here, epoch milliseconds of server time. */
  readonly changedAt: Readonly<Record<string, number>>
  /** As it was sent, while the answer is missing: the backend may have it so or not. */
  readonly sent?: T
}

/** What to send: all of a thing that the backend lacks, or some parts; nothing when empty. */
export type ToSend<P extends string = string> = 'new' | readonly P[]

export interface Rebased<T, P extends string = string> {
  /** The thing as it now is here; the very `local` or `remote` when nothing had to be put together. */
  readonly value: T
  /** What to keep beside it; null when the backend has it so. */
  readonly unsent: Unsent<T> | null
  readonly toSend: ToSend<P>
}

/**
 * Notes a change made here at `now`. `before` is null for a thing that is new. A change undone before
 * it was sent leaves nothing to send: the value is then what the backend has, with its times.
 */
export function edited<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  { before, after, now }: { readonly before: T | null; readonly after: T; readonly now: number },
): Rebased<T, P> {
  const known: Unsent<T> = unsent ?? { base: before, changedAt: {} }
  const changed = before === null ? [] : parts.differing(before, after)
  const times = Object.fromEntries(changed.map((part) => [part, now]))
  return result(parts, { ...known, changedAt: { ...known.changedAt, ...times } }, after)
}

/** What of `local` the backend lacks, as far as is known here. */
export function difference<T, P extends string>(
  parts: Parts<T, P>,
  { base, sent }: Unsent<T>,
  local: T,
): ToSend<P> {
  if (base === null) {
    if (!parts.mayBeMissing(local)) return 'new'
    return sent === undefined ? [] : parts.differing(sent, local)
  }
  const differing = parts.differing(base, local)
  if (sent === undefined) return differing
  // What was sent and undone since may still arrive there.
  return [...new Set([...differing, ...parts.differing(sent, local)])]
}

/**
 * Puts what is here and what the backend has together.
 *
 * @param unsent what is kept beside `local`; null when the backend had it as it is here
 * @param remote what a list, a read or an event brought; null: the backend does not have it
 */
export function rebase<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  local: T,
  remote: T | null,
): Rebased<T, P> {
  // A deleted thing that is missing is new if it is had back.
  if (remote === null) return result(parts, { changedAt: {}, ...unsent, base: null }, local)
  const base = unsent ? unsent.base : local
  if (base !== null && isOlder(parts, remote, base)) {
    return unsent ? result(parts, unsent, local) : { value: local, unsent, toSend: [] }
  }
  const differing = parts.differing(local, remote)
  if (!unsent) return { value: differing.length === 0 ? local : remote, unsent, toSend: [] }

  const { sent, changedAt } = unsent
  const sinceBase = base && new Set(parts.differing(base, remote))
  const sinceSent = sent && new Set(parts.differing(sent, remote))
  const remoteAt = parts.stamps(remote)?.updatedAt ?? -Infinity
  // A thing that is new here got there from here: what was never edited here was changed there.
  const stays = differing.filter((part) => {
    const isTheirs = (sinceBase?.has(part) ?? true) && (sinceSent?.has(part) ?? true)
    return !isTheirs || (changedAt[part] ?? -Infinity) > remoteAt
  })
  const lost = differing.filter((part) => !stays.includes(part))
  // What is not there as it was sent may still arrive.
  const pending = sinceSent && sinceSent.size > 0 ? { sent: parts.take(sent, remote, lost) } : {}
  const value = stays.length === 0 ? remote : parts.take(remote, local, stays)
  return result(parts, { base: remote, changedAt, ...pending }, value)
}

/**
 * Puts what is here and the answer to what was sent together. The time of the answer is that of our
 * own change: what was changed here since it was sent stays, all else is as the backend has it.
 */
export function answered<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T>,
  local: T,
  answer: T,
): Rebased<T, P> {
  const { base, sent, changedAt } = unsent
  if (base !== null && isOlder(parts, answer, base))
    return result(parts, { base, changedAt }, local)
  // An event may have shown already that it arrived.
  const changed = parts.differing(sent ?? base ?? answer, local)
  const value = changed.length === 0 ? answer : parts.take(answer, local, changed)
  return result(parts, { base: answer, changedAt }, value)
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
