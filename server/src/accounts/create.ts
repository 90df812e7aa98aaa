/** Signing up (`POST /account`). */
import { UniqueViolation } from '#storage/database.ts'
import type { UserRow } from '#storage/schema.ts'
import { ApiError } from '#errors.ts'
import { GENERATE_ID, newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'

export interface NewAccount {
  readonly userId: string
  /** Lower case. */
  readonly email: string
  readonly password: string
  readonly name: string
}

/**
 * Creates the account; signing in is another call.
 * @throws ApiError user_already_exists for a taken id or e-mail address.
 */
export async function createAccount(services: Services, account: NewAccount): Promise<UserRow> {
  const { db, now, passwords } = services
  const passwordHash = await passwords.hash(account.password)
  const created = wireInstant(now())
  const user: UserRow = {
    id: account.userId === GENERATE_ID ? newId(now()) : account.userId,
    email: account.email,
    name: account.name,
    password_hash: passwordHash,
    password_updated_at: created,
    email_verified: false,
    active: true,
    prefs: '{}',
    created_at: created,
    updated_at: created,
    accessed_at: created,
  }
  try {
    await db.write((tx) => tx.run(tx.build.insertInto('users').values(user)))
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ApiError('user_already_exists')
    throw error
  }
  return user
}
