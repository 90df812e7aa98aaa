/** Changing an account: name, address, password, preferences, status. */
import { first, UniqueViolation } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import type { TokenRow, UserRow } from '#storage/schema.ts'
import { ApiError, notSignedIn } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import { refuseWeakPassword } from './password-policy.ts'
import { dropSecrets, findSecret, redeemSecret } from './secrets.ts'
import { endSessions } from './sessions.ts'
import type { Caller } from './sessions.ts'
import { lockUser, userById, writeWithPassword } from './verified-write.ts'

/** The columns a person changes of their own account. */
type Changes = Partial<
  Pick<UserRow, 'name' | 'email' | 'email_verified' | 'password_hash' | 'prefs' | 'active'>
>

/**
 * Writes the changes.
 * @throws ApiError general_unauthorized_scope when the account is gone.
 */
export async function changeUser(
  tx: Transaction,
  userId: string,
  changes: Changes,
  now: number,
): Promise<UserRow> {
  const at = wireInstant(now)
  const user = await first(
    tx.run(
      tx
        .changeAccounts()
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
  if (user === undefined) throw notSignedIn()
  return user
}

/**
 * Changes the address; it is not verified any more.
 * @throws ApiError user_invalid_credentials, user_target_already_exists.
 */
export async function changeEmail(
  services: Services,
  caller: Caller,
  email: string,
  password: string,
): Promise<UserRow> {
  const { db, now } = services
  const prepare = (user: UserRow) => {
    if (email === user.email) throw new ApiError('user_target_already_exists')
  }
  const claim = { find: () => userById(db, caller.user.id), password, prepare }
  try {
    return await writeWithPassword(services, claim, async (tx, { id }) => {
      // A link sent to the old address must not reach into the account any more.
      await dropSecrets(tx, id, 'recovery')
      await dropSecrets(tx, id, 'verification')
      return changeUser(tx, id, { email, email_verified: false }, now())
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ApiError('user_target_already_exists')
    throw error
  }
}

/**
 * Changes the password and ends every other session.
 * @returns the account, and the ids of the sessions that ended.
 * @throws ApiError user_invalid_credentials, or why the new password is refused.
 */
export async function changePassword(
  services: Services,
  { user: { id }, session }: Caller,
  oldPassword: string,
  password: string,
): Promise<{ user: UserRow; ended: string[] }> {
  const { db, now, passwords } = services
  const claim = {
    find: () => userById(db, id),
    password: oldPassword,
    async prepare(user: UserRow) {
      await refuseWeakPassword(password, user)
      return passwords.hash(password)
    },
  }
  return writeWithPassword(services, claim, async (tx, _, password_hash) => {
    await dropSecrets(tx, id, 'recovery')
    const ended = await endSessions(tx, id, { except: session.id })
    return { user: await changeUser(tx, id, { password_hash }, now()), ended }
  })
}

/**
 * Sets a new password with a secret from a mail: it proves the address too, and ends every
 * session, since somebody else may have had the old password. The secret is looked at first: what costs
 * (the hash) is done for nobody without one.
 * @throws ApiError user_invalid_token, for an unknown user too; or why the new password is refused.
 */
export async function recoverPassword(
  services: Services,
  userId: string,
  secret: string,
  password: string,
): Promise<{ token: TokenRow; user: UserRow; ended: string[] }> {
  const { db, now, passwords } = services
  const found = await findSecret(
    { build: db.build, run: (query) => db.read(query) },
    userId,
    'recovery',
    secret,
    now(),
  )
  const owner = found && (await userById(db, userId))
  if (owner === undefined) throw new ApiError('user_invalid_token')
  await refuseWeakPassword(password, owner)
  const password_hash = await passwords.hash(password)
  return db.write(async (tx) => {
    await lockUser(tx, userId)
    const token = await redeemSecret(tx, userId, 'recovery', secret, now())
    const ended = await endSessions(tx, userId)
    const changes = { password_hash, email_verified: true }
    return { token, ended, user: await changeUser(tx, userId, changes, now()) }
  })
}

/**
 * Takes a secret from a mail as proof of the address.
 * @throws ApiError user_invalid_token, for an unknown user too.
 */
export async function verifyEmail(
  { db, now }: Services,
  userId: string,
  secret: string,
): Promise<{ token: TokenRow; user: UserRow }> {
  const found = await findSecret(
    { build: db.build, run: (query) => db.read(query) },
    userId,
    'verification',
    secret,
    now(),
  )
  if (found === undefined) throw new ApiError('user_invalid_token')
  return db.write(async (tx) => {
    await lockUser(tx, userId)
    const token = await redeemSecret(tx, userId, 'verification', secret, now())
    return { token, user: await changeUser(tx, userId, { email_verified: true }, now()) }
  })
}
