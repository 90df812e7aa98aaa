/**
 * Invitations: links with which one person may create an account while `SIGNUP` is `invite`. They
 * have 256 bits, work once and expire. All queries of `invites` are in this file.
 */
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { InviteRow } from '#storage/schema.ts'
import type { Config } from '#config.ts'
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import { newSecret, secretHash } from './token.ts'

/** What somebody without an account has for getting one. */
export interface Admission {
  /** Normalized. */
  readonly email: string
  /** Whether the address certainly belongs to the person. It then is an invitation's secret. */
  readonly isProven: boolean
  /** The secret of an invitation, null without one. */
  readonly invite: string | null
}

/**
 * Creates an invitation.
 * @param email normalized; null: for anybody who has the link.
 * @param lifetime in milliseconds.
 * @returns the row, and the secret, which is not stored.
 */
export async function create(
  db: Database,
  email: string | null,
  now: number,
  lifetime: number,
): Promise<{ invite: InviteRow; secret: string }> {
  const secret = newSecret()
  const invite: InviteRow = {
    id: newId(now),
    secret_hash: secretHash(secret),
    email,
    created_at: wireInstant(now),
    expires_at: wireInstant(now + lifetime),
  }
  await db.write(async (tx) => {
    await tx.run(tx.build.deleteFrom('invites').where('expires_at', '<=', invite.created_at))
    await tx.run(tx.build.insertInto('invites').values(invite))
  })
  return { invite, secret }
}

/** Returns the invitations that can still be used at `now` (epoch milliseconds), oldest first. */
export function list(db: Database, now: number): Promise<InviteRow[]> {
  return db.read(
    db.build
      .selectFrom('invites')
      .selectAll()
      .where('expires_at', '>', wireInstant(now))
      .orderBy('created_at')
      .orderBy('id'),
  )
}

/** Deletes an invitation. @returns whether there was one with this id. */
export async function revoke(db: Database, id: string): Promise<boolean> {
  const revoked = await db.write((tx) =>
    tx.run(tx.build.deleteFrom('invites').where('id', '=', id).returning('id')),
  )
  return revoked.length > 0
}

/**
 * Lets a new person in, or refuses them, as the operator has set. Uses their invitation up: the row
 * goes with the commit of the new account, so that two people with one link get one account.
 * @throws ApiError user_auth_method_unsupported while sign-up is closed; stint_invite_invalid without
 * an invitation for this person.
 */
export async function admit(
  tx: Transaction,
  signup: Config['signup'],
  { email, isProven, invite }: Admission,
  now: number,
): Promise<void> {
  if (signup === 'open') return
  if (signup === 'closed') throw apiError('user_auth_method_unsupported.sign_up')
  const at = wireInstant(now)
  if (invite !== null && (await redeem(tx, invite, email, at))) return
  if (isProven && (await redeemOwn(tx, email, at))) return
  if (invite === null) throw apiError('stint_invite_invalid.missing')
  throw apiError(
    (await isForAnother(tx, invite, at)) ? 'stint_invite_invalid.email' : 'stint_invite_invalid',
  )
}

async function redeem(
  tx: Transaction,
  secret: string,
  email: string,
  at: string,
): Promise<boolean> {
  const used = await tx.run(
    tx.build
      .deleteFrom('invites')
      .where('secret_hash', '=', secretHash(secret))
      .where('expires_at', '>', at)
      .where((eb) => eb.or([eb('email', 'is', null), eb('email', '=', email)]))
      .returning('id'),
  )
  return used.length > 0
}

/** Uses up the invitations for this address. */
async function redeemOwn(tx: Transaction, email: string, at: string): Promise<boolean> {
  const used = await tx.run(
    tx.build
      .deleteFrom('invites')
      .where('email', '=', email)
      .where('expires_at', '>', at)
      .returning('id'),
  )
  return used.length > 0
}

async function isForAnother(tx: Transaction, secret: string, at: string): Promise<boolean> {
  const query = tx.build
    .selectFrom('invites')
    .select('id')
    .where('secret_hash', '=', secretHash(secret))
    .where('expires_at', '>', at)
  return (await first(tx.run(query))) !== undefined
}
