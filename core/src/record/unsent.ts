/**
 * What the backend does not have of a thing (an entry, a task, the preferences): its difference to a base, part by
 * part. Deletion is a part.
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
  return withUnsent(parts, { ...known, changedAt: { ...known.changedAt, ...times } }, after)
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

/** The value with what is unsent of it: nothing when it is the base again. */
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
