/**
 * Personal keys: with one, a program uses the API in a person's name. All queries of `keys` are in this file.
 * The secret is random, so a SHA-256 of it is stored and no slow hash is needed: it cannot be guessed.
 */
import { lockCaller } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import * as users from '#accounts/users.ts'
import { newSecret, secretHash } from '#accounts/token.ts'
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { KeyAccess, KeyRow, UserRow } from '#storage/schema.ts'
import { wireKey } from './wire.ts'

/** What every key begins with, so that people and scanners of leaked secrets recognise one. */
export const KEY_PREFIX = 'stint_'

const MAX_KEYS_PER_USER = 20

/** Longer texts are no keys, in characters. Valid ones have 49. */
const MAX_KEY_LENGTH = 128

/** The shortest interval in which the use of a key is stored, in milliseconds, because storing is a write. */
const USED_EVERY = 60_000

/** The person that a key belongs to, and the key. */
export interface KeyHolder {
  readonly user: UserRow
  readonly key: KeyRow
}

interface NewKey {
  readonly name: string
  readonly access: KeyAccess
  /** Epoch milliseconds from which on the key is valid; null: at once. */
  readonly notBefore: number | null
}

type KeyServices = Pick<Services, 'db' | 'hub' | 'now'>

/** Returns the user's keys, oldest first. */
export function list(db: Database, userId: string): Promise<KeyRow[]> {
  return db.read(
    db.build
      .selectFrom('keys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
  )
}

/**
 * Creates a key.
 * @returns the row, and the secret, which is not stored.
 * @throws ApiError stint_quota_exceeded when the user has twenty; what `lockCaller` throws.
 */
export async function create(
  { db, hub, now }: KeyServices,
  caller: Caller,
  { name, access, notBefore }: NewKey,
): Promise<{ key: KeyRow; secret: string }> {
  const userId = caller.user.id
  const secret = KEY_PREFIX + newSecret()
  const key: KeyRow = {
    id: newId(now()),
    user_id: userId,
    name,
    access,
    secret_hash: secretHash(secret),
    created_at: wireInstant(now()),
    not_before: notBefore === null ? null : wireInstant(notBefore),
    used_at: null,
  }
  await db.write(async (tx) => {
    // The lock makes two calls at once count each other's keys.
    await lockCaller(tx, caller)
    const ids = await tx.run(tx.build.selectFrom('keys').select('id').where('user_id', '=', userId))
    if (ids.length >= MAX_KEYS_PER_USER)
      throw apiError('stint_quota_exceeded.keys', { max: MAX_KEYS_PER_USER })
    await tx.run(tx.build.insertInto('keys').values(key))
  })
  hub.accountChanged(userId, `keys.${key.id}.create`, wireKey(key))
  return { key, secret }
}

/** Revokes a key: deletes it. @throws ApiError stint_key_not_found when the user has none with this id. */
export async function revoke({ db, hub }: KeyServices, userId: string, id: string): Promise<void> {
  const key = await first(
    db.write((tx) =>
      tx.run(
        tx.build
          .deleteFrom('keys')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returningAll(),
      ),
    ),
  )
  if (key === undefined) throw apiError('stint_key_not_found')
  hub.accountChanged(userId, `keys.${id}.delete`, wireKey(key))
}

/** Revokes all keys of the user, which must be locked. @returns what they were. */
export function revokeAll(tx: Transaction, userId: string): Promise<KeyRow[]> {
  return tx.run(tx.build.deleteFrom('keys').where('user_id', '=', userId).returningAll())
}

/**
 * Locks the owner of a key for a write that outlives the key.
 * @throws ApiError stint_key_invalid when the key was revoked since the request began.
 */
export async function lockHolder(tx: Transaction, { user, key }: KeyHolder): Promise<void> {
  await users.lock(tx, user.id)
  const query = tx.build.selectFrom('keys').select('id').where('id', '=', key.id)
  if ((await first(tx.run(query))) === undefined) throw apiError('stint_key_invalid')
}

/** Returns the key with this secret, valid yet or not, and its owner; null: there is none. */
export async function find(db: Database, secret: string): Promise<KeyHolder | null> {
  if (!secret.startsWith(KEY_PREFIX) || secret.length > MAX_KEY_LENGTH) return null
  const byHash = db.build
    .selectFrom('keys')
    .selectAll()
    .where('secret_hash', '=', secretHash(secret))
  const key = await first(db.read(byHash))
  if (key === undefined) return null
  const user = await users.findById(db, key.user_id)
  return user === undefined ? null : { user, key }
}

/** Stores that the key was used at `now` (epoch milliseconds), at most once a minute. */
export async function noteUse(db: Database, key: KeyRow, now: number): Promise<void> {
  if (key.used_at !== null && now - epochMilliseconds(key.used_at) < USED_EVERY) return
  await db.write((tx) =>
    tx.run(
      tx.build
        .updateTable('keys')
        .set({ used_at: wireInstant(now) })
        .where('id', '=', key.id),
    ),
  )
}
