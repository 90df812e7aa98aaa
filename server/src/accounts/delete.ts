/** Deleting one's own account, and with it everything in it. A route of our own, not Appwrite's. */
import type { FastifyInstance } from 'fastify'
import { ApiError } from '#errors.ts'
import { emailAddress, password, readParams } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { LIMITS } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { clearSessionCookie } from './cookie.ts'
import { endSessions } from './sessions.ts'
import type { Caller } from './sessions.ts'
import { userById, writeWithPassword } from './verified-write.ts'

/**
 * Registers `/stint/account/deletion` under the prefix of `app`. It asks for the password, and for
 * the address typed in full, so that nobody does it by mistake at somebody else's open screen.
 */
export function registerDeletion(
  app: FastifyInstance,
  services: Services,
  { requireUser }: CallerHooks,
): void {
  const { config, hub, throttle } = services

  app.post('/stint/account/deletion', { onRequest: requireUser }, async (request, reply) => {
    const caller = callerOf(request)
    const body = readParams(request.body, { email: emailAddress, password })
    await throttle.hit(reply, LIMITS.credentials, `deletion ${caller.session.id}`)
    const ended = await deleteAccount(services, caller, body.email, body.password)
    hub.sessionsEnded(caller.user.id, ended)
    clearSessionCookie(request, reply, config)
    logSecurityEvent(request, 'account-deleted', caller.user.id)
    return reply.code(204).send()
  })
}

/**
 * Deletes the account with its documents, sessions and secrets, in one transaction: the tables
 * follow their user.
 * @returns the ids of the sessions that ended.
 * @throws ApiError general_argument_invalid for another address, user_invalid_credentials.
 */
async function deleteAccount(
  services: Services,
  { user }: Caller,
  email: string,
  password: string,
): Promise<string[]> {
  const { db } = services
  if (email !== user.email) {
    throw new ApiError(
      'general_argument_invalid',
      'Invalid `email` param: It is not the address of this account.',
    )
  }
  const claim = { find: () => userById(db, user.id), password, prepare: () => null }
  return writeWithPassword(services, claim, async (tx, { id }) => {
    const ended = await endSessions(tx, id)
    await tx.run(tx.changeAccounts().deleteFrom('users').where('id', '=', id))
    return ended
  })
}
