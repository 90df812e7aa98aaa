/**
 * What passkeys are asked to sign: 256 random bits, valid once, for five minutes and for one purpose. The database has
 * them, so that every process of the server accepts what another one issued. All queries of `challenges` are in this file.
 */
import { newSecret, secretHash } from '#accounts/token.ts'
import { apiError } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { ChallengeRow } from '#storage/schema.ts'

/** The lifetime of a challenge, in milliseconds. */
export const CHALLENGE_LIFETIME = 300_000

/** How many challenges the database stores; they take 6 MB. Beyond that the oldest end. */
export const MAX_CHALLENGES = 20_000

/** What a challenge is for. */
type Use = Pick<ChallengeRow, 'purpose' | 'user_id' | 'session_id'>

/**
 * Issues a challenge and deletes those that have expired.
 * @returns the challenge in base64url, which is not stored.
 */
export async function issue(tx: Transaction, use: Use, now: number): Promise<string> {
  await clear(tx, wireInstant(now))
  const challenge = newSecret()
  const row: ChallengeRow = {
    challenge_hash: secretHash(challenge),
    ...use,
    expires_at: wireInstant(now + CHALLENGE_LIFETIME),
  }
  await tx.run(tx.build.insertInto('challenges').values(row))
  return challenge
}

/**
 * Uses the challenge up, whatever becomes of what was signed.
 * @param sessionId the sign-in that must have asked for it; null: nobody was signed in.
 * @throws ApiError stint_passkey_expired if it is unknown, used, expired, or for something else.
 */
export async function redeem(
  db: Database,
  challenge: string,
  purpose: ChallengeRow['purpose'],
  sessionId: string | null,
  now: number,
): Promise<ChallengeRow> {
  const [row] = await db.write((tx) =>
    tx.run(
      tx.build
        .deleteFrom('challenges')
        .where('challenge_hash', '=', secretHash(challenge))
        .returningAll(),
    ),
  )
  const isValid =
    row !== undefined &&
    row.purpose === purpose &&
    row.session_id === sessionId &&
    row.expires_at > wireInstant(now)
  if (!isValid) throw apiError('stint_passkey_expired')
  return row
}

/** Ends the challenges of an account, which must be locked. */
export async function endAll(tx: Transaction, userId: string): Promise<void> {
  const sessions = tx.build.selectFrom('sessions').select('id').where('user_id', '=', userId)
  await tx.run(tx.build.deleteFrom('challenges').where('session_id', 'in', sessions))
}

/** Deletes the challenges that have expired, and the oldest beyond the bound. */
async function clear(tx: Transaction, now: string): Promise<void> {
  await tx.run(tx.build.deleteFrom('challenges').where('expires_at', '<=', now))
  const oldest = await first(
    tx.run(
      tx.build
        .selectFrom('challenges')
        .select('expires_at')
        .where('expires_at', '>', now)
        .orderBy('expires_at', 'desc')
        .limit(1)
        .offset(MAX_CHALLENGES - 1),
    ),
  )
  if (oldest === undefined) return
  await tx.run(tx.build.deleteFrom('challenges').where('expires_at', '<=', oldest.expires_at))
}
