/** Subscriptions: channels, and conditions on the payload. */
import { isPlainObject, parsedJson } from '#json.ts'
import { realtimeError } from './errors.ts'
import type { RealtimeEvent } from './events.ts'

/** A subscription in memory. */
export interface Subscription {
  readonly id: string
  /** As the client sent them, without duplicates. */
  readonly channels: readonly string[]
  readonly conditions: readonly Condition[]
  /** The memory it takes in bytes: an upper estimate. */
  readonly bytes: number
}

type Condition = (payload: Record<string, unknown>) => boolean

const MAX_CHANNELS = 100
const MAX_QUERIES = 100
/** The longest channel or query, in characters. */
const MAX_TEXT = 4096
/** The largest number of values of one query with its parts. */
const MAX_VALUES = 100
const MAX_DEPTH = 3
/** The largest subscription, in bytes. */
const MAX_BYTES = 16_384

/**
 * Reads one entry of a `subscribe` message.
 * @param userId the signed-in user; null is a guest, who receives no events and may not use
 * queries.
 * @returns the subscription, and what the reply lists: the caller's own channels, and the queries.
 * @throws RealtimeError
 */
export function readSubscription(
  entry: unknown,
  userId: string | null,
  newSubscriptionId: () => string,
): { subscription: Subscription; channels: string[]; queries: readonly string[] } {
  if (!isPlainObject(entry)) {
    throw realtimeError('subscribe_payload')
  }
  const { subscriptionId, channels, queries = [] } = entry
  const id = subscriptionId === undefined ? newSubscriptionId() : subscriptionId
  if (typeof id !== 'string' || id === '' || id.length > 64) {
    throw realtimeError('subscription_id')
  }
  if (channels === undefined) throw realtimeError('channels_missing')
  if (!isTextList(channels, MAX_CHANNELS)) {
    throw realtimeError('list', { name: 'channels' })
  }
  if (!isTextList(queries, MAX_QUERIES)) {
    throw realtimeError('list', { name: 'queries' })
  }
  if (userId === null && queries.length > 0) {
    throw realtimeError('guest_query')
  }
  const bytes = bytesOf([id, ...channels, ...queries])
  if (bytes > MAX_BYTES) {
    throw realtimeError('subscription_size')
  }
  const conditions = queries.map(readQuery)
  return {
    subscription: { id, channels: [...new Set(channels)], conditions, bytes },
    channels: ownChannels(channels, userId),
    queries,
  }
}

/** Counts two bytes per character, and per text the overhead of a compiled query. */
function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 64 + 2 * text.length, 256)
}

/**
 * Returns the caller's own channels. `account` (also with `.update`) stands for the caller's;
 * channels of other users are left out silently.
 */
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

/** Returns whether the subscription matches the event. `payload` is the parsed payload. */
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
 * Compiles a query. Only the values of its text are kept.
 * @throws RealtimeError
 */
function readQuery(text: string): Condition {
  let count = 0
  return readCondition(parsedJson(text), 1)

  function readCondition(query: unknown, depth: number): Condition {
    const { method, attribute, values = [] } = isPlainObject(query) ? query : {}
    if (typeof method !== 'string' || !Array.isArray(values) || depth > MAX_DEPTH) {
      throw realtimeError('query_syntax')
    }
    count += values.length
    if (count > MAX_VALUES) {
      throw realtimeError('query_values', { max: MAX_VALUES })
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

/** @throws RealtimeError */
function readComparison(method: string, attribute: unknown, values: readonly unknown[]): Condition {
  if (method === 'select') {
    if (values.length === 1 && values[0] === '*') return () => true
    throw realtimeError('query_select')
  }
  const compile = COMPARISONS.get(method)
  if (compile === undefined) {
    throw realtimeError('query_method', { method: method.slice(0, 64), allowed: METHODS })
  }
  // A list or an object equals no attribute and would only take memory.
  const isComparable = values.every((value) => value === null || typeof value !== 'object')
  if (typeof attribute !== 'string' || !isComparable) {
    throw realtimeError('query_syntax')
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

/** Compares numbers with numbers and texts with texts; other pairs never match. */
function comparing(compare: <Value extends number | string>(a: Value, b: Value) => boolean) {
  return (valueIn: ValueIn, [bound]: readonly unknown[]): Condition =>
    (payload) => {
      const value = valueIn(payload)
      if (typeof value === 'number' && typeof bound === 'number') return compare(value, bound)
      if (typeof value === 'string' && typeof bound === 'string') return compare(value, bound)
      return false
    }
}

function isTextList(value: unknown, maxLength: number): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= maxLength &&
    value.every((each) => typeof each === 'string' && each.length <= MAX_TEXT)
  )
}
