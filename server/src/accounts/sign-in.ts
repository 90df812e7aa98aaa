/** Signing in with e-mail and password (`POST /account/sessions/email`). */
import { first } from '#storage/database.ts'
import type { SessionRow, UserRow } from '#storage/schema.ts'
import type { Services } from '#services.ts'
import { startSession } from './sessions.ts'
import type { Visitor } from './sessions.ts'
import { writeWithPassword } from './verified-write.ts'

export interface Credentials {
  /** Lower case. */
  readonly email: string
  readonly password: string
}

/**
 * Checks the password and starts a session. An unknown address takes as long and answers the
 * same as a wrong password. A hash of an older cost is replaced by the way.
 * @returns the account, the session, its token, and the ids of the sessions that ended for it.
 * @throws PasswordRefused user_invalid_credentials, user_blocked.
 */
export async function signIn(
  services: Services,
  { email, password }: Credentials,
  visitor: Visitor,
  persistent: boolean,
): Promise<{ user: UserRow; session: SessionRow; token: string; ended: string[] }> {
  const { db, now, passwords } = services
  const claim = {
    find: () => first(db.read(db.build.selectFrom('users').selectAll().where('email', '=', email))),
    password,
    kind: 'sign-in',
    prepare: async (user: UserRow) =>
      passwords.isOutdated(user.password_hash) ? passwords.hash(password, 'sign-in') : null,
  } as const
  return writeWithPassword(services, claim, async (tx, user, stronger) => {
    if (stronger !== null) {
      await tx.run(
        tx
          .changeAccounts()
          .updateTable('users')
          .set({ password_hash: stronger })
          .where('id', '=', user.id),
      )
    }
    return { user, ...(await startSession(tx, user.id, visitor, persistent, now())) }
  })
}
