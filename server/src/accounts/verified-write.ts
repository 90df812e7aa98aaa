/**
 * Writes that need a password. While the password is checked, it may be replaced, or the account
 * blocked or deleted. The transaction therefore locks the user and compares the hash again, so that
 * a sign-in by an old password never outlives a new one.
 */
import type { Transaction } from '#storage/database.ts'
import type { UserRow } from '#storage/schema.ts'
import { ApiError, apiError, serviceUnavailable } from '#errors.ts'
import type { Services } from '#services.ts'
import type { HashKind } from './password-hash.ts'
import * as users from './users.ts'

/** How often the check is repeated if the account changes meanwhile. */
const MAX_TRIES = 5

/** The password or the code after it was wrong, or the account is blocked. */
export class PasswordRefused extends ApiError {
  /** The account of the try; null if there is none. */
  readonly accountId: string | null

  constructor(
    type: 'user_invalid_credentials' | 'stint_code_refused' | 'user_blocked',
    accountId: string | null,
  ) {
    super(type)
    this.accountId = accountId
  }
}

export interface PasswordClaim<Prepared> {
  /** Reads the user. Undefined is refused after the same time as a wrong password. */
  readonly find: () => Promise<UserRow | undefined>
  readonly password: string
  readonly kind?: HashKind
  /** Slow work that runs after the password was checked, for example hashing a new one. */
  readonly prepare: (user: UserRow) => Promise<Prepared> | Prepared
}

/**
 * Checks the password and runs `work` in a transaction that has locked the user with the checked
 * hash. If the hash changed in between (a new password, or the same one hashed again by another
 * sign-in), the check is repeated with the new hash.
 * @throws PasswordRefused user_invalid_credentials, user_blocked; ApiError stint_password_missing when
 * the account has none and `kind` is not 'sign-in', 503 when the hash changes during each of five checks; what `prepare` or `work` throws.
 */
export async function writeWithPassword<Prepared, Result>(
  services: Pick<Services, 'db' | 'passwords'>,
  { find, password, kind = 'other', prepare }: PasswordClaim<Prepared>,
  work: (tx: Transaction, user: UserRow, prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const user = await find()
    // Whoever is signed in may know that there is no password; a sign-in is refused as by a wrong one.
    if (user?.password_hash === '' && kind === 'other') throw apiError('stint_password_missing')
    const isRight = await services.passwords.verify(password, user?.password_hash || null, kind)
    if (user === undefined || !isRight) {
      throw new PasswordRefused('user_invalid_credentials', user?.id ?? null)
    }
    if (!user.active) throw new PasswordRefused('user_blocked', user.id)
    const prepared = await prepare(user)
    const done = await services.db.write(async (tx) => {
      const current = await users.lock(tx, user.id)
      if (current?.password_hash !== user.password_hash) return null
      if (!current.active) throw new PasswordRefused('user_blocked', user.id)
      return { result: await work(tx, current, prepared) }
    })
    if (done !== null) return done.result
  }
  throw serviceUnavailable()
}
