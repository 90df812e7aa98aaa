/** The rows of accounts: every query of `users`, except the one that finds the caller of a request. */
import { formerEmail } from '@stint/core/email-address.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { UserRow } from '#storage/schema.ts'
import { notSignedIn } from '#errors.ts'
import { wireInstant } from '#instant.ts'

/** The columns that an operation changes. */
export type UserChanges = Partial<
  Pick<UserRow, 'name' | 'email' | 'email_verified' | 'password_hash' | 'prefs' | 'active'>
>

/** Returns the committed user with exactly this address (normalized); undefined: there is none. */
export function findByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return first(db.read(db.build.selectFrom('users').selectAll().where('email', '=', email)))
}

/**
 * Returns the committed user whom somebody means who types this address (normalized): the one with exactly this address,
 * else the one under whose former spelling an earlier version stored it. Undefined: there is none. It proves nothing, so
 * the caller must ask for a password, or send mail to the stored address alone.
 */
export async function findByTypedEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const spellings = [email, formerEmail(email)]
  const found = await db.read(
    db.build.selectFrom('users').selectAll().where('email', 'in', spellings),
  )
  return found.find((user) => user.email === email) ?? found[0]
}

/**
 * Returns whether another account has the former spelling of an address (normalized). No account gets such an address, since
 * its owner may be the person of the older account.
 */
export async function isFormerSpellingTaken(
  tx: Transaction,
  email: string,
  userId: string | null = null,
): Promise<boolean> {
  const former = formerEmail(email)
  if (former === email) return false
  const query = tx.build.selectFrom('users').select('id').where('email', '=', former)
  const found = await first(tx.run(query))
  return found !== undefined && found.id !== userId
}

/** Returns the committed user with this id; undefined: there is none. */
export function findById(db: Database, id: string): Promise<UserRow | undefined> {
  return first(db.read(db.build.selectFrom('users').selectAll().where('id', '=', id)))
}

/** Returns all users, oldest first. */
export function list(db: Database): Promise<UserRow[]> {
  return db.read(db.build.selectFrom('users').selectAll().orderBy('created_at'))
}

/**
 * Reads the user and locks the row until the transaction ends. Every transaction locks the user
 * before rows that belong to the user, because two of them could otherwise deadlock.
 * @returns undefined when the user is gone.
 */
export function lock(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const query = tx.build.selectFrom('users').selectAll().where('id', '=', id)
  // A weaker lock: the foreign keys of documents read the user and must not wait.
  return first(tx.run(query.modifyEnd(tx.dialect.lockUser)))
}

/** Reads the user with exactly this address (normalized) and locks the row; undefined: there is none. */
export function lockByEmail(tx: Transaction, email: string): Promise<UserRow | undefined> {
  const query = tx.build.selectFrom('users').selectAll().where('email', '=', email)
  return first(tx.run(query.modifyEnd(tx.dialect.lockUser)))
}

/** Creates an account at `now` (epoch milliseconds). @throws UniqueViolation for a taken id or address. */
export async function insert(
  tx: Transaction,
  account: Pick<UserRow, 'id' | 'email' | 'name' | 'password_hash' | 'email_verified'>,
  now: number,
): Promise<UserRow> {
  const created = wireInstant(now)
  const user: UserRow = {
    ...account,
    password_updated_at: created,
    active: true,
    prefs: '{}',
    created_at: created,
    updated_at: created,
    accessed_at: created,
  }
  await tx.run(tx.build.insertInto('users').values(user))
  return user
}

/**
 * Changes columns, and the time of the change (epoch milliseconds).
 * @returns the user after the change.
 * @throws ApiError general_unauthorized_scope when the account is gone; UniqueViolation for a taken
 * address.
 */
export async function change(
  tx: Transaction,
  id: string,
  changes: UserChanges,
  now: number,
): Promise<UserRow> {
  const at = wireInstant(now)
  const [user] = await tx.run(
    tx
      .changeAccounts()
      .updateTable('users')
      .set({
        ...changes,
        updated_at: at,
        ...(changes.password_hash === undefined ? {} : { password_updated_at: at }),
      })
      .where('id', '=', id)
      .returningAll(),
  )
  if (user === undefined) throw notSignedIn()
  return user
}

/** Stores another hash of the same password; `updated_at` stays. */
export async function replaceHash(
  tx: Transaction,
  id: string,
  password_hash: string,
): Promise<void> {
  await tx.run(tx.changeAccounts().updateTable('users').set({ password_hash }).where('id', '=', id))
}

/** Deletes the account. Foreign keys delete its documents, sign-ins, keys and secrets. */
export async function remove(tx: Transaction, id: string): Promise<void> {
  await tx.run(tx.changeAccounts().deleteFrom('users').where('id', '=', id))
}

/** Stores that the account was used at `now` (epoch milliseconds). Cached callers stay valid. */
export async function noteAccess(tx: Transaction, id: string, now: number): Promise<void> {
  await tx.run(
    tx.build
      .updateTable('users')
      .set({ accessed_at: wireInstant(now) })
      .where('id', '=', id),
  )
}
