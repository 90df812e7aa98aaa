/** Events: their names and channels, which are Appwrite's, and their messages. */
import { DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'

export type DocumentAction = 'create' | 'update' | 'upsert' | 'delete'

/** A change of something that a user owns. */
export interface RealtimeEvent {
  readonly owner: string
  readonly events: readonly string[]
  readonly channels: readonly string[]
  /** JSON text. */
  readonly payload: string
  /** Wire text. */
  readonly timestamp: string
}

/**
 * Returns the event of a document that was created, changed or deleted. `json` is the document; if
 * it was deleted, as it was before.
 */
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

/** A change of an account: a part of it, or something that belongs to it. */
export type AccountChange =
  | `update.${string}`
  | `${'sessions' | 'verification' | 'recovery' | 'keys'}.${string}.${'create' | 'update' | 'delete'}`

/**
 * Returns the event of a change of an account. As in Appwrite, channels with an action, like
 * `account.update`, receive only changes of the account itself, not of its sessions and tokens.
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

/** Returns the message for a connection whose subscriptions `ids` match. */
export function eventMessage(event: RealtimeEvent, ids: readonly string[]): string {
  const { events, channels, timestamp, payload } = event
  const rest = JSON.stringify({ events, channels, timestamp, subscriptions: ids })
  return `{"type":"event","data":{"payload":${payload},${rest.slice(1)}}`
}

function either(name: string): string[] {
  return [name, '*']
}
