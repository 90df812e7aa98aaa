/**
 * Secrets sent by mail, to recover a password or to prove an address: 256 bits, an hour long, and
 * of each kind only a person's newest.
 */
import type { Transaction } from '#storage/database.ts'
import { first } from '#storage/database.ts'
import type { TokenRow } from '#storage/schema.ts'
import { ApiError } from '#errors.ts'
import { newId } from '#id.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import { newSecret, secretHash } from './token.ts'

/** How long a secret works, in milliseconds. */
export const SECRET_LIFETIME = 3_600_000

type Purpose = TokenRow['purpose']

/**
 * Makes a secret that replaces the user's earlier ones of this purpose. It lasts `lifetime` milliseconds;
 * `id` becomes the token's.
 */
export async function issueSecret(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  now: number,
  { id = newId(now), lifetime = SECRET_LIFETIME }: { id?: string; lifetime?: number } = {},
): Promise<{ token: TokenRow; secret: string }> {
  await dropSecrets(tx, userId, purpose)
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

/**
 * The valid token with this secret, which stays valid; undefined: there is none. An unknown user costs the
 * same as a wrong secret.
 */
export async function findSecret(
  { run, build }: Pick<Transaction, 'run' | 'build'>,
  userId: string,
  purpose: Purpose,
  secret: string,
  now: number,
): Promise<TokenRow | undefined> {
  const token = await first(
    run(
      build
        .selectFrom('tokens')
        .selectAll()
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('secret_hash', '=', secretHash(secret)),
    ),
  )
  return token === undefined || epochMilliseconds(token.expires_at) <= now ? undefined : token
}

/**
 * The valid token with this secret; it is used up by that. The transaction must have locked the user.
 * @throws ApiError user_invalid_token when there is none.
 */
export async function redeemSecret(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  secret: string,
  now: number,
): Promise<TokenRow> {
  const token = await findSecret(tx, userId, purpose, secret, now)
  if (token === undefined) throw new ApiError('user_invalid_token')
  await dropSecrets(tx, userId, purpose)
  return token
}

/** Makes the user's secrets of this purpose useless. */
export async function dropSecrets(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
): Promise<void> {
  await tx.run(
    tx.build.deleteFrom('tokens').where('user_id', '=', userId).where('purpose', '=', purpose),
  )
}

/** The link to mail: the app's page with user, secret and expiry in its query . */
export function secretLink(page: string, { token, secret }: { token: TokenRow; secret: string }) {
  const link = new URL(page)
  link.searchParams.set('userId', token.user_id)
  link.searchParams.set('secret', secret)
  link.searchParams.set('expire', token.expires_at)
  return link.href
}
