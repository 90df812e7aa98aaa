/** The names of events and channels, which are Appwrite's, and an event as a message. */
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

/** What happened to an account: a part of it changed, or something that belongs to it. */
export type AccountChange =
  | `update.${string}`
  | `${'sessions' | 'verification' | 'recovery'}.${string}.${'create' | 'update' | 'delete'}`

/**
 * Something happened to an account. As with Appwrite, channels with an action, like `account.update`,
 * receive only changes of the account itself, not of its sessions and tokens.
 */
export function accountEvent(
  userId: string,
  what: AccountChange,
  payload: unknown,
  timestamp: string,
): RealtimeEvent {
  const [first = '', second = '', action] = what.split('.')
  const users = either(userId).map((id) => `users.${id}`)
  const channels = ['account', `account.${userId}`]
  const common = { owner: userId, payload: JSON.stringify(payload), timestamp }
  if (action === undefined) {
    const changes = [what, first].flatMap((name) => users.map((user) => `${user}.${name}`))
    return {
      ...common,
      events: [...changes, ...users],
      channels: [...channels, ...channels.map((channel) => `${channel}.${first}`)],
    }
  }
  const things = users.flatMap((user) => either(second).map((id) => `${user}.${first}.${id}`))
  const actions = things.map((thing) => `${thing}.${action}`)
  return { ...common, events: [...actions, ...things, ...users], channels }
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
