/** What a client subscribed to: channels, and conditions on the payload. */
import { isPlainObject } from '#http/params.ts'
import type { RealtimeEvent } from './events.ts'

/** What is kept of a subscription while it lasts. */
export interface Subscription {
  readonly id: string
  /** As the client wrote them, each once. */
  readonly channels: readonly string[]
  readonly conditions: readonly Condition[]
  /** What it costs in memory, in bytes: an upper estimate. */
  readonly bytes: number
}

type Condition = (payload: Record<string, unknown>) => boolean

const MAX_CHANNELS = 100
const MAX_QUERIES = 100
/** Characters of a channel or a query. */
const MAX_TEXT = 4096
/** Of one query with its parts. */
const MAX_VALUES = 100
const MAX_DEPTH = 3
/** Of one subscription. */
const MAX_BYTES = 16_384

/** A subscription that cannot be; the message says why. */
export class SubscriptionError extends Error {}

/**
 * Reads one entry of a `subscribe` message.
 * @param userId who is signed in; null is a guest, who hears of nothing and may not use queries.
 * @returns what to keep, and what to answer: the channels that are the caller's, and the queries.
 * @throws SubscriptionError
 */
export function readSubscription(
  entry: unknown,
  userId: string | null,
  newSubscriptionId: () => string,
): { subscription: Subscription; channels: string[]; queries: readonly string[] } {
  if (!isPlainObject(entry)) {
    throw new SubscriptionError('Each subscribe payload must be an object.')
  }
  const { subscriptionId, channels, queries = [] } = entry
  const id = subscriptionId === undefined ? newSubscriptionId() : subscriptionId
  if (typeof id !== 'string' || id === '' || id.length > 64) {
    throw new SubscriptionError('subscriptionId is not a valid id.')
  }
  if (channels === undefined) throw new SubscriptionError('channels is not present in payload.')
  if (!isTextList(channels, MAX_CHANNELS)) {
    throw new SubscriptionError('channels is not a valid array.')
  }
  if (!isTextList(queries, MAX_QUERIES)) {
    throw new SubscriptionError('queries is not a valid array.')
  }
  if (userId === null && queries.length > 0) {
    throw new SubscriptionError('Invalid query: Guests cannot use queries. Sign in first.')
  }
  const bytes = bytesOf([id, ...channels, ...queries])
  if (bytes > MAX_BYTES) {
    throw new SubscriptionError('A subscription has too many or too long channels and queries.')
  }
  const conditions = queries.map(readQuery)
  return {
    subscription: { id, channels: [...new Set(channels)], conditions, bytes },
    channels: ownChannels(channels, userId),
    queries,
  }
}

/** Two bytes a character, and as much for each text as a compiled query adds to it. */
function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 64 + 2 * text.length, 256)
}

/** `account` means the caller's own, and so with `.update`; another's is left out without a word. */
function ownChannels(channels: readonly string[], userId: string | null): string[] {
  const general = ['account', 'account.create', 'account.update', 'account.delete']
  const personal = general.map((channel) => channel.replace('account', `account.${userId}`))
  const own = channels.filter(
    (channel) =>
      !channel.startsWith('account.') ||
      general.includes(channel) ||
      (userId !== null && personal.includes(channel)),
  )
  const implied = personal.filter((_, index) => own.includes(general[index] ?? ''))
  return [...new Set(userId === null ? own : [...own, ...implied])]
}

/** Whether the event is one the subscription asked for. `payload` is the parsed one. */
export function matches(
  subscription: Subscription,
  event: RealtimeEvent,
  payload: Record<string, unknown>,
): boolean {
  return (
    subscription.channels.some((channel) => event.channels.includes(channel)) &&
    subscription.conditions.every((condition) => condition(payload))
  )
}

/**
 * Compiles a query. Of its text only what it compares with is kept.
 * @throws SubscriptionError
 */
function readQuery(text: string): Condition {
  let count = 0
  return readCondition(parseJson(text), 1)

  function readCondition(query: unknown, depth: number): Condition {
    const { method, attribute, values = [] } = isPlainObject(query) ? query : {}
    if (typeof method !== 'string' || !Array.isArray(values) || depth > MAX_DEPTH) {
      throw new SubscriptionError('Invalid query: Syntax error')
    }
    count += values.length
    if (count > MAX_VALUES) {
      throw new SubscriptionError(`Invalid query: More than ${MAX_VALUES} values`)
    }
    if (method === 'and' || method === 'or') {
      const parts = values.map((value) => readCondition(value, depth + 1))
      return method === 'and'
        ? (payload) => parts.every((part) => part(payload))
        : (payload) => parts.some((part) => part(payload))
    }
    return readComparison(method, attribute, values)
  }
}

/** @throws SubscriptionError */
function readComparison(method: string, attribute: unknown, values: readonly unknown[]): Condition {
  if (method === 'select') {
    if (values.length === 1 && values[0] === '*') return () => true
    throw new SubscriptionError(
      'Invalid query: Only select("*") is allowed in Realtime queries. select("*") means "listen to all events".',
    )
  }
  const compile = COMPARISONS.get(method)
  if (compile === undefined) {
    throw new SubscriptionError(
      `Invalid query: Query method '${method.slice(0, 64)}' is not supported in Realtime queries. Allowed query methods are: ${METHODS}`,
    )
  }
  // A list or an object equals no attribute, and would only take memory.
  const isComparable = values.every((value) => value === null || typeof value !== 'object')
  if (typeof attribute !== 'string' || !isComparable) {
    throw new SubscriptionError('Invalid query: Syntax error')
  }
  return compile(
    (payload) => (Object.hasOwn(payload, attribute) ? payload[attribute] : undefined),
    values,
  )
}

type ValueIn = (payload: Record<string, unknown>) => unknown

const COMPARISONS: ReadonlyMap<
  string,
  (valueIn: ValueIn, values: readonly unknown[]) => Condition
> = new Map([
  ['equal', (valueIn, values) => (payload) => values.includes(valueIn(payload))],
  ['notEqual', (valueIn, values) => (payload) => !values.includes(valueIn(payload))],
  ['lessThan', comparing((a, b) => a < b)],
  ['lessThanEqual', comparing((a, b) => a <= b)],
  ['greaterThan', comparing((a, b) => a > b)],
  ['greaterThanEqual', comparing((a, b) => a >= b)],
  ['isNull', (valueIn) => (payload) => (valueIn(payload) ?? null) === null],
  ['isNotNull', (valueIn) => (payload) => (valueIn(payload) ?? null) !== null],
])

const METHODS = [...COMPARISONS.keys(), 'and', 'or', 'select'].join(', ')

/** Compares numbers with numbers and text with text, and nothing else. */
function comparing(compare: <Value extends number | string>(a: Value, b: Value) => boolean) {
  return (valueIn: ValueIn, [bound]: readonly unknown[]): Condition =>
    (payload) => {
      const value = valueIn(payload)
      if (typeof value === 'number' && typeof bound === 'number') return compare(value, bound)
      if (typeof value === 'string' && typeof bound === 'string') return compare(value, bound)
      return false
    }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SubscriptionError('Invalid query: Syntax error')
  }
}

function isTextList(value: unknown, longest: number): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= longest &&
    value.every((each) => typeof each === 'string' && each.length <= MAX_TEXT)
  )
}
