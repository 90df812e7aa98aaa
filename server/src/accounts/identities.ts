/**
 * Which person of the proxy or of an OIDC provider has which account. All queries of `identities` are
 * in this file.
 */
import { first } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import { wireInstant } from '#instant.ts'

/** A person as the other system names them. */
export interface Identity {
  /** The issuer's URL, or 'proxy'. */
  readonly issuer: string
  readonly subject: string
}

/** Returns the id of the account that is linked to this person; undefined: none is. */
export async function ownerOf(
  tx: Transaction,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const query = tx.build
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
  return (await first(tx.run(query)))?.user_id
}

/** Returns whether the account is linked to any person of this issuer. */
export async function isLinked(tx: Transaction, userId: string, issuer: string): Promise<boolean> {
  const query = tx.build
    .selectFrom('identities')
    .select('subject')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
  return (await first(tx.run(query))) !== undefined
}

/** Links the account, which must be locked. @throws UniqueViolation when the person has another. */
export async function link(
  tx: Transaction,
  userId: string,
  { issuer, subject }: Identity,
  now: number,
): Promise<void> {
  const created_at = wireInstant(now)
  await tx.run(
    tx.build.insertInto('identities').values({ issuer, subject, user_id: userId, created_at }),
  )
}

/** Removes all links of the account, which must be locked. @returns how many there were. */
export async function unlinkAll(tx: Transaction, userId: string): Promise<number> {
  const removed = await tx.run(
    tx.build.deleteFrom('identities').where('user_id', '=', userId).returning('subject'),
  )
  return removed.length
}
