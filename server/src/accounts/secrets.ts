/**
 * Secrets sent by mail to recover a password or to verify an address. They have 256 bits and are
 * valid for an hour. Only a user's newest secret of each kind is valid. All queries of `tokens` are
 * in this file.
 */
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { TokenRow } from '#storage/schema.ts'
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import { newSecret, secretHash } from './token.ts'

/** The lifetime of a mailed secret, in milliseconds. */
export const SECRET_LIFETIME = 3_600_000

type Purpose = TokenRow['purpose']

/** A new secret, and the row that is stored. */
export interface IssuedSecret {
  readonly token: TokenRow
  /** Not stored: only the mail has it. */
  readonly secret: string
}

/**
 * Makes a secret that replaces the user's earlier ones of this purpose. The transaction must have locked the user.
 * @param options the id of the token, and its lifetime in milliseconds.
 */
export async function issue(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  now: number,
  {
    id = newId(now),
    lifetime = SECRET_LIFETIME,
  }: { readonly id?: string; readonly lifetime?: number } = {},
): Promise<IssuedSecret> {
  await drop(tx, userId, purpose)
  const secret = newSecret()
  const token: TokenRow = {
    id,
    user_id: userId,
    purpose,
    secret_hash: secretHash(secret),
    created_at: wireInstant(now),
    expires_at: wireInstant(now + lifetime),
  }
  await tx.run(tx.build.insertInto('tokens').values(token))
  return { token, secret }
}

/** Returns whether the secret is valid at `now`. */
export async function isValid(
  db: Database,
  userId: string,
  purpose: Purpose,
  secret: string,
  now: number,
): Promise<boolean> {
  const found = await db.read(
    db.build
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', userId)
      .where('purpose', '=', purpose)
      .where('secret_hash', '=', secretHash(secret))
      .where('expires_at', '>', wireInstant(now)),
  )
  return found.length > 0
}

/**
 * Uses the secret up. The transaction must have locked the user.
 * @throws ApiError user_invalid_token if the secret is wrong, used or expired.
 */
export async function redeem(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  secret: string,
  now: number,
): Promise<TokenRow> {
  const token = await first(
    tx.run(
      tx.build
        .deleteFrom('tokens')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('secret_hash', '=', secretHash(secret))
        .where('expires_at', '>', wireInstant(now))
        .returningAll(),
    ),
  )
  if (token === undefined) throw apiError('user_invalid_token')
  return token
}

/** Deletes the user's secrets of this purpose. */
export async function drop(tx: Transaction, userId: string, purpose: Purpose): Promise<void> {
  await tx.run(
    tx.build.deleteFrom('tokens').where('user_id', '=', userId).where('purpose', '=', purpose),
  )
}
