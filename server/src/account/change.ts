/** Changing an account (contract 4.2): name, address, password, preferences, status. */
import { first, UniqueViolation } from '#db/database.ts'
import type { Database, Transaction } from '#db/database.ts'
import type { UserRow } from '#db/schema.ts'
import { ApiError } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import { dropSecrets, redeemSecret } from './secrets.ts'
import { endSessions } from './sessions.ts'
import type { Caller } from './sessions.ts'

/** The columns a person changes of their own account. */
type Changes = Partial<
  Pick<UserRow, 'name' | 'email' | 'email_verified' | 'password_hash' | 'prefs' | 'active'>
>

/**
 * Writes the changes.
 * @throws ApiError user_not_found when the account is gone.
 */
export async function changeUser(
  tx: Transaction,
  db: Database,
  userId: string,
  changes: Changes,
  now: number,
): Promise<UserRow> {
  const at = wireInstant(now)
  const user = await first(
    tx.run(
      db.build
        .updateTable('users')
        .set({
          ...changes,
          updated_at: at,
          ...(changes.password_hash === undefined ? {} : { password_updated_at: at }),
        })
        .where('id', '=', userId)
        .returningAll(),
    ),
  )
  if (user === undefined) throw new ApiError('user_not_found')
  return user
}

/**
 * Changes the address; it is not verified any more.
 * @throws ApiError user_invalid_credentials, user_target_already_exists.
 */
export async function changeEmail(
  services: Services,
  { user }: Caller,
  email: string,
  password: string,
): Promise<UserRow> {
  const { db, now } = services
  await checkPassword(services, user, password)
  if (email === user.email) throw new ApiError('user_target_already_exists')
  try {
    return await db.write(async (tx) => {
      // A link sent to the old address must not reach into the account any more.
      await dropSecrets(tx, db, user.id, 'recovery')
      await dropSecrets(tx, db, user.id, 'verification')
      return changeUser(tx, db, user.id, { email, email_verified: false }, now())
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ApiError('user_target_already_exists')
    throw error
  }
}

/**
 * Changes the password and ends every other session.
 * @returns the account, and the ids of the sessions that ended.
 * @throws ApiError user_invalid_credentials.
 */
export async function changePassword(
  services: Services,
  { user, session }: Caller,
  oldPassword: string,
  password: string,
): Promise<{ user: UserRow; ended: string[] }> {
  const { db, now, passwords } = services
  await checkPassword(services, user, oldPassword)
  const password_hash = await passwords.hash(password)
  return db.write(async (tx) => {
    await dropSecrets(tx, db, user.id, 'recovery')
    const ended = await endSessions(tx, db, user.id, { except: session.id })
    return { user: await changeUser(tx, db, user.id, { password_hash }, now()), ended }
  })
}

/**
 * Sets a new password with a secret from a mail: it proves the address too, and ends every
 * session, since somebody else may have had the old password.
 * @throws ApiError user_not_found, user_invalid_token.
 */
export async function recoverPassword(
  services: Services,
  userId: string,
  secret: string,
  password: string,
) {
  const { db, now, passwords } = services
  const password_hash = await passwords.hash(password)
  return db.write(async (tx) => {
    await requireUserRow(tx, db, userId)
    const token = await redeemSecret(tx, db, userId, 'recovery', secret, now())
    if (token === undefined) throw new ApiError('user_invalid_token')
    const ended = await endSessions(tx, db, userId)
    const changes = { password_hash, email_verified: true }
    return { token, ended, user: await changeUser(tx, db, userId, changes, now()) }
  })
}

/**
 * Takes a secret from a mail as proof of the address.
 * @throws ApiError user_not_found, user_invalid_token.
 */
export async function verifyEmail(services: Services, userId: string, secret: string) {
  const { db, now } = services
  return db.write(async (tx) => {
    await requireUserRow(tx, db, userId)
    const token = await redeemSecret(tx, db, userId, 'verification', secret, now())
    if (token === undefined) throw new ApiError('user_invalid_token')
    return { token, user: await changeUser(tx, db, userId, { email_verified: true }, now()) }
  })
}

/** @throws ApiError user_invalid_credentials when it is not the user's. */
export async function checkPassword(
  services: Services,
  user: UserRow,
  password: string,
): Promise<void> {
  if (!(await services.passwords.verify(password, user.password_hash))) {
    throw new ApiError('user_invalid_credentials')
  }
}

async function requireUserRow(tx: Transaction, db: Database, userId: string): Promise<void> {
  const rows = await tx.run(db.build.selectFrom('users').select('id').where('id', '=', userId))
  if (rows.length === 0) throw new ApiError('user_not_found')
}
