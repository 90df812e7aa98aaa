/**
 * The changes of a thing (an entry, a task, the preferences) that the backend does not have: the
 * difference to a base, part by part. Deletion is a part.
 */

/** How a kind of thing is compared and merged, part by part. */
export interface Parts<T, P extends string = string> {
  /** Returns the parts in which the two differ. */
  differing(one: T, other: T): readonly P[]
  /** Returns `into` with these parts of `from`, and with the time of its change. */
  take(into: T, from: T, parts: readonly P[]): T
  /** Returns all parts of a thing. */
  all(thing: T): readonly P[]
  /**
   * Returns when the backend created and changed it, in epoch milliseconds, or null where it does
   * not say.
   */
  stamps(thing: T): { readonly createdAt: number; readonly updatedAt: number } | null
}

/** The state that is stored beside a thing that differs from the backend's. */
export interface Unsent<T> {
  /** The thing as the backend last had it. Null for a new thing. */
  readonly base: T | null
  /** When each part was made or changed here, in epoch milliseconds of server time. */
  readonly changedAt: Readonly<Record<string, number>>
  /**
   * The state of the thing at each send, until an answer is known. The backend may have received
   * any of these states, or may receive it later.
   */
  readonly sent: readonly T[]
}

/** All of a thing that the backend lacks, or some parts. An empty list means nothing. */
export type ToSend<P extends string = string> = 'new' | readonly P[]

export interface Rebased<T, P extends string = string> {
  /** The new local value, or `local` or `remote` itself when no parts had to be merged. */
  readonly value: T
  /** The new state to store beside the value. Null when the backend has the same value. */
  readonly unsent: Unsent<T> | null
  readonly toSend: ToSend<P>
}

/**
 * Records a local change made at `now`. `before` is null for a new thing. A change that is undone
 * before it is sent leaves nothing to send: the value is then the base itself, with its times.
 */
export function edited<T, P extends string>(
  parts: Parts<T, P>,
  unsent: Unsent<T> | null,
  { before, after, now }: { readonly before: T | null; readonly after: T; readonly now: number },
): Rebased<T, P> {
  const known: Unsent<T> = unsent ?? { base: before, changedAt: {}, sent: [] }
  const changed = before === null ? parts.all(after) : parts.differing(before, after)
  const times = Object.fromEntries(changed.map((part) => [part, now]))
  return withUnsent(parts, { ...known, changedAt: { ...known.changedAt, ...times } }, after)
}

/** Returns the parts of `local` that the backend lacks, as far as this device knows. */
export function difference<T, P extends string>(
  parts: Parts<T, P>,
  { base, sent }: Unsent<T>,
  local: T,
): ToSend<P> {
  if (base === null) return 'new'
  // A change that was sent and then undone may still arrive at the backend.
  return [...new Set([base, ...sent].flatMap((each) => parts.differing(each, local)))]
}

/**
 * Returns the value with its unsent state. That state is null when the value equals the base again.
 */
export function withUnsent<T, P extends string>(
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
