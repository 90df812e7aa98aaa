/** The tables as Kysely types. `migrations.ts` creates them. */
import { COLLECTION_IDS, COLLECTIONS } from '@stint/core/collections.ts'
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import type { Generated } from 'kysely'
import type { WebhookEvent } from '#webhooks/events.ts'

/** Instants are wire text, `2026-01-01T00:00:00.000+00:00`: sorting it sorts time. */
type Instant = string

export interface UserRow {
  id: string
  /** Normalized; of accounts of earlier versions, in the lower case of every alphabet. */
  email: string
  name: string
  /** '': none, because the account was made by another way in and nobody has set one yet. */
  password_hash: string
  password_updated_at: Instant
  email_verified: boolean
  /** False: blocked. */
  active: boolean
  /** JSON text of an object. */
  prefs: string
  created_at: Instant
  updated_at: Instant
  accessed_at: Instant
}

export interface SessionRow {
  id: string
  user_id: string
  /** The SHA-256 of the token in hex. The token itself is not stored. */
  token_hash: string
  /**
   * False: 'Remember me' was off, so the session ends with the browser, at the latest after a day.
   */
  persistent: boolean
  ip: string
  user_agent: string
  created_at: Instant
  updated_at: Instant
  seen_at: Instant
  expires_at: Instant
  /** Who checked who the person is: this server by a password ('email') or a passkey, the proxy in front, or the OIDC provider. */
  provider: 'email' | 'passkey' | 'proxy' | 'oidc'
  /**
   * What the provider calls the person: for 'proxy' the e-mail address in its header. For 'passkey' the id of the
   * passkey. Null for 'email'.
   */
  provider_uid: string | null
}

/** A person of the proxy or of an OIDC provider, and their account here. */
interface IdentityRow {
  /** The issuer's URL, or 'proxy'. */
  issuer: string
  subject: string
  user_id: string
  created_at: Instant
}

/** A link with which one person may create an account. */
export interface InviteRow {
  id: string
  /** The SHA-256 of the secret in hex. The secret itself is not stored. */
  secret_hash: string
  /** Normalized; null: for anybody who has the link. */
  email: string | null
  created_at: Instant
  expires_at: Instant
}

/** A secret sent by mail. */
export interface TokenRow {
  id: string
  user_id: string
  purpose: 'recovery' | 'verification'
  secret_hash: string
  created_at: Instant
  expires_at: Instant
}

/** A passkey: the public half of a key pair that a person's device or security key keeps. */
export interface PasskeyRow {
  id: string
  user_id: string
  /** What the authenticator calls it, in base64url. */
  credential_id: string
  /** The COSE key, in base64url. */
  public_key: string
  /** How often the authenticator says that it has signed; 0: it does not count. */
  counter: number
  /** JSON text of a list: how browsers reach the authenticator. */
  transports: string
  name: string
  created_at: Instant
  /** When it last signed in or confirmed something; null: never. */
  used_at: Instant | null
}

/** What a passkey is asked to sign: once, for one purpose. */
export interface ChallengeRow {
  /** The SHA-256 of the challenge in hex. */
  challenge_hash: string
  /** 'proof': to confirm who is signed in; 'addition': to add a passkey to the account. */
  purpose: 'sign-up' | 'sign-in' | 'proof' | 'addition'
  /** The account that it is for: of 'sign-up' the one that will have this id. Null for 'sign-in'. */
  user_id: string | null
  /** The sign-in that asked for it; null for people who are not signed in. */
  session_id: string | null
  expires_at: Instant
}

/** What an account asks for after its password. */
export interface SecondFactorRow {
  user_id: string
  /** What an authenticator app makes codes of, in base32. It is stored as it is, since the server makes them as well. */
  secret: string
  /** False: a code has not confirmed it yet. */
  is_on: boolean
  /** The step of the last code that was used; it and all earlier ones are refused. */
  last_step: number
  created_at: Instant
}

/** A code for who has lost the app. */
interface RecoveryCodeRow {
  user_id: string
  /** The SHA-256 of the code in hex. */
  code_hash: string
}

/** What a program may do with a personal key: 'write' includes 'read'. */
export type KeyAccess = 'read' | 'write'

/** A personal key, with which programs use the API in a person's name. */
export interface KeyRow {
  id: string
  user_id: string
  name: string
  access: KeyAccess
  /** The SHA-256 of the secret in hex. The secret itself is not stored. */
  secret_hash: string
  created_at: Instant
  /** The key is refused before this instant; null: it is valid at once. */
  not_before: Instant | null
  /** When it was last used, to the minute; null: never. */
  used_at: Instant | null
}

/** The answer of a call with an `Idempotency-Key`. */
interface KeyAnswerRow {
  key_id: string
  /** What the client calls the call by. */
  name: string
  /** A hash of what was called with which body. */
  call_hash: string
  status: number
  /** JSON text. */
  body: string
  created_at: Instant
}

/** The calendar address of a person. */
export interface FeedRow {
  user_id: string
  /** The SHA-256 of the secret in hex. The secret itself is not stored. */
  secret_hash: string
  created_at: Instant
}

/** The address that hears of its owner's changes; a key has at most one. */
export interface WebhookRow {
  key_id: string
  user_id: string
  url: string
  /** With which messages are signed, so it is stored as it is. */
  secret: string
  /** The timer that the webhook was told of: id and status; null: none. */
  timer: string | null
  created_at: Instant
}

/** A message to a webhook. */
export interface DeliveryRow {
  /** In the order of the messages. */
  id: string
  key_id: string
  event: WebhookEvent
  /** JSON text. */
  body: string
  status: 'waiting' | 'delivered' | 'failed'
  tries: number
  /** What the last try resulted in; null: there was none. */
  answer: string | null
  created_at: Instant
  /** Null: it is delivered or failed. */
  next_try_at: Instant | null
}

/** The key with which the server signs what it sends to devices, in one row. */
interface PushKeyRow {
  id: 1
  /** In base64url, as the push services read it. */
  private_key: string
}

/** A device that shows the running timer as a notification. */
export interface PushSubscriptionRow {
  /** The sign-in of the device. */
  session_id: string
  user_id: string
  /** The address of its push service. */
  endpoint: string
  /** With these what is sent is encrypted for the device, so they are stored as they are. */
  p256dh: string
  auth: string
  /** Whether it is told the name of the task. */
  with_names: boolean
  /** Where it is, if it is also asked and reminded while the app is closed; null: it is not. */
  time_zone: string | null
  /** What it has said within a day, as JSON of `Said` (core/src/focus/while-closed.ts); null: nothing. */
  said: string | null
  /** The timer that it was told of, as `toldOf` of `push/shown-timer.ts` writes it; null: none. */
  told: string | null
  created_at: Instant
  /** When it is told or looked at next. Null: with the next change. */
  due_at: Instant | null
  tries: number
}

/** Changes that an assistant proposes. */
export interface ProposalRow {
  id: string
  user_id: string
  /** The name of the key, which may be revoked since. */
  key_name: string
  reason: string
  /** JSON text. */
  changes: string
  created_at: Instant
}

/** The counter of a rate limit in one window. */
interface ThrottleRow {
  /** The limit's name and a hash of its key. */
  bucket: string
  /** Epoch seconds at which the window ends. */
  resets_at: number
  hits: number
}

/**
 * The columns of every collection's table, without those of its attributes, which `columnOf` names.
 */
interface DocumentRow {
  sequence: Generated<number>
  owner: string
  id: string
  created_at: Instant
  updated_at: Instant
  /**
   * The JSON text without its beginning `{"$sequence":"…"`, so that lists can be joined from stored
   * strings.
   */
  body: string
}

/** How much an owner has; in PostgreSQL the sum of several rows. */
interface UsageRow {
  owner: string
  documents: number
  /** Bytes of their JSON text, in UTF-8. */
  bytes: number
}

/** The quota of every owner, in one row; null: no bound. */
interface QuotaRow {
  id: 1
  documents: number | null
  bytes: number | null
}

export interface Schema {
  users: UserRow
  sessions: SessionRow
  tokens: TokenRow
  identities: IdentityRow
  invites: InviteRow
  passkeys: PasskeyRow
  challenges: ChallengeRow
  second_factors: SecondFactorRow
  recovery_codes: RecoveryCodeRow
  keys: KeyRow
  key_answers: KeyAnswerRow
  feeds: FeedRow
  webhooks: WebhookRow
  deliveries: DeliveryRow
  push_keys: PushKeyRow
  push_subscriptions: PushSubscriptionRow
  proposals: ProposalRow
  throttles: ThrottleRow
  tasks: DocumentRow
  timer_sessions: DocumentRow
  time_entries: DocumentRow
  document_usage: UsageRow
  document_quota: QuotaRow
}

export const SYSTEM_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['$id', 'id'],
  ['$sequence', 'sequence'],
  ['$createdAt', 'created_at'],
  ['$updatedAt', 'updated_at'],
])

/** Attribute -> column, per collection. `userId` is the owner, so it has no column of its own. */
export const ATTRIBUTE_COLUMNS: ReadonlyMap<CollectionId, ReadonlyMap<string, string>> = new Map(
  COLLECTION_IDS.map((collection) => [
    collection,
    new Map(Object.keys(COLLECTIONS[collection]).map((name) => [name, columnName(name)])),
  ]),
)

/** The types as which PostgreSQL reads attributes. */
export const POSTGRES_TYPES = {
  string: 'text',
  datetime: 'text',
  integer: 'bigint',
  double: 'double precision',
  boolean: 'boolean',
} as const satisfies Record<Attribute['type'], string>

/** Returns the attributes of a collection by name. */
export function attributesOf(collection: CollectionId): ReadonlyMap<string, Attribute> {
  const found = ATTRIBUTES.get(collection)
  if (found === undefined) throw new Error(`No collection ${collection}`)
  return found
}

const ATTRIBUTES: ReadonlyMap<CollectionId, ReadonlyMap<string, Attribute>> = new Map(
  COLLECTION_IDS.map((collection) => [
    collection,
    new Map<string, Attribute>(Object.entries(COLLECTIONS[collection])),
  ]),
)

function columnName(attribute: string): string {
  if (attribute === 'userId') return 'owner'
  return attribute.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
