/**
 * The calendar address of a person. All queries of `feeds` are in this file. The secret is random, so
 * a SHA-256 of it is stored.
 */
import { newSecret, secretHash } from '#accounts/token.ts'
import { lockCaller } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import * as users from '#accounts/users.ts'
import { wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { FeedRow, UserRow } from '#storage/schema.ts'

/** Returns the user's calendar address without its secret; undefined: there is none. */
export function find(db: Database, userId: string): Promise<FeedRow | undefined> {
  return first(db.read(db.build.selectFrom('feeds').selectAll().where('user_id', '=', userId)))
}

/**
 * Creates the user's calendar address, or replaces it: the old one is revoked.
 * @returns the row, and the secret, which is not stored.
 * @throws ApiError what `lockCaller` throws.
 */
export async function replace(
  { db, now }: Pick<Services, 'db' | 'now'>,
  caller: Caller,
): Promise<{ feed: FeedRow; secret: string }> {
  const userId = caller.user.id
  const secret = newSecret()
  const feed = {
    user_id: userId,
    secret_hash: secretHash(secret),
    created_at: wireInstant(now()),
  }
  await db.write(async (tx) => {
    await lockCaller(tx, caller)
    await remove(tx, userId)
    await tx.run(tx.build.insertInto('feeds').values(feed))
  })
  return { feed, secret }
}

/** Revokes the user's calendar address. @returns whether there was one. */
export function revoke(db: Database, userId: string): Promise<boolean> {
  return db.write((tx) => remove(tx, userId))
}

/** Removes the user's calendar address. @returns whether there was one. */
export async function remove(tx: Transaction, userId: string): Promise<boolean> {
  const removed = await tx.run(
    tx.build.deleteFrom('feeds').where('user_id', '=', userId).returning('user_id'),
  )
  return removed.length > 0
}

/** Returns the person whose calendar address has this secret; undefined: nobody's has. */
export async function ownerOf(db: Database, secret: string): Promise<UserRow | undefined> {
  const feed = await first(
    db.read(
      db.build.selectFrom('feeds').select('user_id').where('secret_hash', '=', secretHash(secret)),
    ),
  )
  return feed && users.findById(db, feed.user_id)
}
