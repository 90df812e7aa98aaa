/** The names of events and channels (contract 9.4), and an event as a message. */
import { DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'

export type DocumentAction = 'create' | 'update' | 'upsert' | 'delete'

/** Something that happened to what one user owns. */
export interface RealtimeEvent {
  readonly owner: string
  readonly events: readonly string[]
  readonly channels: readonly string[]
  /** JSON text. */
  readonly payload: string
  /** Wire text. */
  readonly timestamp: string
}

/** A document was created, changed or deleted; `json` is the document (as it was). */
export function documentEvent(
  owner: string,
  collection: CollectionId,
  documentId: string,
  action: DocumentAction,
  json: string,
  timestamp: string,
): RealtimeEvent {
  const base = `databases.${DATABASE_ID}.collections.${collection}.documents`
  const channels = ['documents', base, `${base}.${documentId}`]
  const names = either(DATABASE_ID).flatMap((database) =>
    either(collection).flatMap((each) =>
      either(documentId).map((id) => `databases.${database}.collections.${each}.documents.${id}`),
    ),
  )
  return {
    owner,
    events: [
      ...names.map((name) => `${name}.${action}`),
      ...names,
      ...either(DATABASE_ID).flatMap((database) =>
        either(collection).map((each) => `databases.${database}.collections.${each}`),
      ),
      ...either(DATABASE_ID).map((database) => `databases.${database}`),
    ],
    channels: [...channels, ...channels.map((channel) => `${channel}.${action}`)],
    payload: json,
    timestamp,
  }
}

/** Something about an account changed: `what` is like `update.name` or `sessions.ID.create`. */
export function accountEvent(
  userId: string,
  what: string,
  payload: unknown,
  timestamp: string,
): RealtimeEvent {
  return {
    owner: userId,
    events: [`users.${userId}.${what}`, `users.*.${what}`, `users.${userId}`, 'users.*'],
    channels: ['account', `account.${userId}`],
    payload: JSON.stringify(payload),
    timestamp,
  }
}

/** The message for a connection whose subscriptions `ids` match. */
export function eventMessage(event: RealtimeEvent, ids: readonly string[]): string {
  const { events, channels, timestamp, payload } = event
  const rest = JSON.stringify({ events, channels, timestamp, subscriptions: ids })
  return `{"type":"event","data":{"payload":${payload},${rest.slice(1)}}`
}

function either(name: string): string[] {
  return [name, '*']
}
