/** What a client subscribed to: channels, and conditions on the payload (contract 9.2, 9.4). */
import { isPlainObject } from '#params.ts'
import type { RealtimeEvent } from './events.ts'

export interface Subscription {
  readonly id: string
  readonly channels: readonly string[]
  /** As the client wrote them. */
  readonly queries: readonly string[]
  readonly conditions: readonly Condition[]
}

type Condition = (payload: Record<string, unknown>) => boolean

const MAX_CHANNELS = 100
const MAX_QUERIES = 100
const MAX_TEXT = 4096
const MAX_DEPTH = 3

/** A subscription that cannot be; the message says why. */
export class SubscriptionError extends Error {}

/**
 * Reads one entry of a `subscribe` message.
 * @param userId whose `account` channel is meant; null for a guest.
 * @throws SubscriptionError
 */
export function readSubscription(
  entry: unknown,
  userId: string | null,
  newSubscriptionId: () => string,
): Subscription {
  const { subscriptionId, channels, queries = [] } = isPlainObject(entry) ? entry : {}
  const id = subscriptionId === undefined ? newSubscriptionId() : subscriptionId
  if (typeof id !== 'string' || id === '' || id.length > 64) {
    throw new SubscriptionError('Payload is not valid. Subscription ID must be a string')
  }
  if (!isTextList(channels, MAX_CHANNELS)) {
    throw new SubscriptionError('Payload is not valid. Channels must be a list of strings')
  }
  if (!isTextList(queries, MAX_QUERIES)) {
    throw new SubscriptionError('Payload is not valid. Queries must be a list of strings')
  }
  return {
    id,
    channels: ownChannels(channels, userId),
    queries,
    conditions: queries.map((text) => readCondition(parseJson(text), 1)),
  }
}

/** `account` means one's own; another's is left out without a word. */
export function ownChannels(channels: readonly string[], userId: string | null): string[] {
  const own = channels.filter(
    (channel) => !channel.startsWith('account.') || channel === `account.${userId}`,
  )
  const wantsAccount = userId !== null && own.includes('account')
  return [...new Set(wantsAccount ? [...own, `account.${userId}`] : own)]
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

function readCondition(query: unknown, depth: number): Condition {
  const { method, attribute, values = [] } = isPlainObject(query) ? query : {}
  if (typeof method !== 'string' || !Array.isArray(values) || depth > MAX_DEPTH) {
    throw new SubscriptionError('Invalid query: Syntax error')
  }
  if (method === 'and' || method === 'or') {
    const parts = values.map((value) => readCondition(value, depth + 1))
    return method === 'and'
      ? (payload) => parts.every((part) => part(payload))
      : (payload) => parts.some((part) => part(payload))
  }
  if (method === 'select' && values.length === 1 && values[0] === '*') return () => true
  if (typeof attribute !== 'string') throw new SubscriptionError('Invalid query: Syntax error')
  const valueIn = (payload: Record<string, unknown>): unknown =>
    Object.hasOwn(payload, attribute) ? payload[attribute] : undefined
  switch (method) {
    case 'equal':
      return (payload) => values.includes(valueIn(payload))
    case 'notEqual':
      return (payload) => !values.includes(valueIn(payload))
    case 'lessThan':
      return comparing(valueIn, values, (a, b) => a < b)
    case 'lessThanEqual':
      return comparing(valueIn, values, (a, b) => a <= b)
    case 'greaterThan':
      return comparing(valueIn, values, (a, b) => a > b)
    case 'greaterThanEqual':
      return comparing(valueIn, values, (a, b) => a >= b)
    case 'isNull':
      return (payload) => (valueIn(payload) ?? null) === null
    case 'isNotNull':
      return (payload) => (valueIn(payload) ?? null) !== null
    default:
      throw new SubscriptionError(`Invalid query: Invalid query method: ${method.slice(0, 64)}`)
  }
}

/** Compares numbers with numbers and text with text, and nothing else. */
function comparing(
  valueIn: (payload: Record<string, unknown>) => unknown,
  values: readonly unknown[],
  compare: <Value extends number | string>(a: Value, b: Value) => boolean,
): Condition {
  const [bound] = values
  return (payload) => {
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
