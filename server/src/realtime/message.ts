/** The messages of clients: JSON text with a type and data. */
import { isPlainObject, parsedJson } from '#json.ts'
import { realtimeError } from './errors.ts'

/** A message as the `ws` package hands it over. */
export type RawMessage = Buffer | ArrayBuffer | Buffer[]

export interface ClientMessage {
  readonly type: unknown
  readonly data: unknown
}

/** @throws RealtimeError when it is no JSON object with a type or data. */
export function parseMessage(raw: RawMessage, isBinary: boolean): ClientMessage {
  const message = isBinary ? null : parsedJson(textOf(raw))
  if (!isPlainObject(message) || !('type' in message || 'data' in message)) {
    throw realtimeError('format')
  }
  return { type: message['type'], data: message['data'] }
}

/** Returns the session of an `authentication` message. @throws RealtimeError when there is none. */
export function parseAuthentication(data: unknown): string {
  const session = isPlainObject(data) ? data['session'] : undefined
  if (typeof session !== 'string') throw realtimeError('session_missing')
  return session
}

/** Returns the unchecked entries of a `subscribe` message. @throws RealtimeError */
export function parseSubscribe(data: unknown): readonly unknown[] {
  if (!Array.isArray(data)) throw realtimeError('payload')
  return data
}

/**
 * Returns the subscription ids of an `unsubscribe` message. @throws RealtimeError when one is
 * invalid.
 */
export function parseUnsubscribe(data: unknown): readonly string[] {
  const ids = parseSubscribe(data).map((each) =>
    isPlainObject(each) ? each['subscriptionId'] : undefined,
  )
  if (!ids.every((id): id is string => typeof id === 'string' && id !== '')) {
    throw realtimeError('unsubscribe_id')
  }
  return ids
}

function textOf(raw: RawMessage): string {
  if (Array.isArray(raw)) return Buffer.concat(raw).toString()
  return Buffer.isBuffer(raw) ? raw.toString() : Buffer.from(raw).toString()
}
