/** Signing in with e-mail and password (contract 4.2, POST /account/sessions/email). */
import { first } from '#db/database.ts'
import type { SessionRow, UserRow } from '#db/schema.ts'
import { ApiError } from '#errors.ts'
import type { Services } from '#services.ts'
import { startSession } from './sessions.ts'
import type { Visitor } from './sessions.ts'

export interface Credentials {
  /** Lower case. */
  readonly email: string
  readonly password: string
}

/**
 * Checks the password and starts a session. An unknown address takes as long and answers the
 * same as a wrong password.
 * @returns the account, the session, its token, and the ids of the sessions that ended for it.
 * @throws ApiError user_invalid_credentials, user_blocked.
 */
export async function signIn(
  services: Services,
  credentials: Credentials,
  visitor: Visitor,
  persistent: boolean,
): Promise<{ user: UserRow; session: SessionRow; token: string; ended: string[] }> {
  const { db, now, passwords } = services
  const user = await first(
    db.read(db.build.selectFrom('users').selectAll().where('email', '=', credentials.email)),
  )
  const isRight = await passwords.verify(credentials.password, user?.password_hash ?? null)
  if (user === undefined || !isRight) throw new ApiError('user_invalid_credentials')
  if (!user.active) throw new ApiError('user_blocked')

  const stronger = passwords.isOutdated(user.password_hash)
    ? await passwords.hash(credentials.password)
    : null
  return db.write(async (tx) => {
    if (stronger !== null) {
      await tx.run(
        db.build.updateTable('users').set({ password_hash: stronger }).where('id', '=', user.id),
      )
    }
    const started = await startSession(tx, db, user.id, visitor, persistent, now())
    return { user, ...started }
  })
}
