/** The rows of passkeys: every query of `passkeys`. */
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { PasskeyRow } from '#storage/schema.ts'
import type { NewCredential } from './verify.ts'

const MAX_PASSKEYS_PER_USER = 20

/** Returns the user's passkeys, oldest first. */
export function list(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db.read(
    db.build
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
  )
}

/** Returns the ids of the passkeys of a user, who must be locked. */
export async function idsOf(tx: Transaction, userId: string): Promise<string[]> {
  const query = tx.build.selectFrom('passkeys').select('id').where('user_id', '=', userId)
  return (await tx.run(query)).map(({ id }) => id)
}

/** Returns the passkey with this id of its authenticator; undefined: there is none. */
export function findByCredential(db: Database, id: string): Promise<PasskeyRow | undefined> {
  const query = db.build.selectFrom('passkeys').selectAll().where('credential_id', '=', id)
  return first(db.read(query))
}

/**
 * Adds a passkey to a user, who must be locked.
 * @throws ApiError stint_quota_exceeded when the user has twenty, stint_passkey_refused when an account has it already.
 */
export async function insert(
  tx: Transaction,
  userId: string,
  name: string,
  credential: NewCredential,
  now: number,
): Promise<PasskeyRow> {
  await refuseMore(tx, userId)
  const { credential_id } = credential
  const known = tx.build
    .selectFrom('passkeys')
    .select('id')
    .where('credential_id', '=', credential_id)
  if ((await first(tx.run(known))) !== undefined) throw apiError('stint_passkey_refused')
  const passkey: PasskeyRow = {
    id: newId(now),
    user_id: userId,
    ...credential,
    name,
    created_at: wireInstant(now),
    used_at: null,
  }
  await tx.run(tx.build.insertInto('passkeys').values(passkey))
  return passkey
}

/** @throws ApiError stint_quota_exceeded when the user, who must be locked, has as many as an account can have. */
export async function refuseMore(tx: Transaction, userId: string): Promise<void> {
  if ((await idsOf(tx, userId)).length >= MAX_PASSKEYS_PER_USER) {
    throw apiError('stint_quota_exceeded.passkeys', { max: MAX_PASSKEYS_PER_USER })
  }
}

/**
 * Stores that a passkey was used. Its counter must be higher than the stored one, which another use may have changed since
 * it was read. A passkey that does not count sends 0.
 * @throws ApiError stint_passkey_unknown when it is gone, stint_passkey_refused for its counter.
 */
export async function noteUse(
  tx: Transaction,
  id: string,
  counter: number,
  now: number,
): Promise<void> {
  const query = tx.build.selectFrom('passkeys').select('counter').where('id', '=', id)
  const stored = (await first(tx.run(query)))?.counter
  if (stored === undefined) throw apiError('stint_passkey_unknown')
  if (counter <= stored && (counter > 0 || stored > 0)) {
    throw apiError('stint_passkey_refused')
  }
  await tx.run(
    tx.build
      .updateTable('passkeys')
      .set({ counter, used_at: wireInstant(now) })
      .where('id', '=', id),
  )
}

/** Renames a passkey. @throws ApiError stint_passkey_not_found when the user has none with this id. */
export async function rename(
  tx: Transaction,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow> {
  const renamed = await first(
    tx.run(
      tx.build
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returningAll(),
    ),
  )
  if (renamed === undefined) throw apiError('stint_passkey_not_found')
  return renamed
}

/** Removes one passkey of a user. @throws ApiError stint_passkey_not_found when the user has none with this id. */
export async function remove(tx: Transaction, userId: string, id: string): Promise<void> {
  const removed = await tx.run(
    tx.build
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id'),
  )
  if (removed.length === 0) throw apiError('stint_passkey_not_found')
}

/** Removes all passkeys of a user, who must be locked. */
export async function removeAll(tx: Transaction, userId: string): Promise<void> {
  await tx.run(tx.build.deleteFrom('passkeys').where('user_id', '=', userId))
}
