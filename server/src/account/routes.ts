/** The account API (contract 4). */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { first } from '#db/database.ts'
import type { SessionRow } from '#db/schema.ts'
import { ApiError } from '#errors.ts'
import {
  customId,
  emailAddress,
  existingId,
  optional,
  password,
  readParams,
  text,
} from '#params.ts'
import type { Services } from '#services.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { clearSessionCookie, setSessionCookie } from './cookie.ts'
import { createAccount } from './create.ts'
import { cookieSeconds, endSessions, sessionsOf } from './sessions.ts'
import type { Caller, Visitor } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { wireSession, wireUser } from './wire.ts'

const MAX_NAME = 128

/** Registers `/account…` under the prefix of `app`. */
export function registerAccount(
  app: FastifyInstance,
  services: Services,
  { identify, requireUser }: CallerHooks,
): void {
  const { db, config, hub, now } = services
  const signedIn = { onRequest: requireUser }

  app.post('/account', async (request, reply) => {
    if (config.signup === 'closed') {
      throw new ApiError('user_auth_method_unsupported', 'Sign-up is closed on this server.')
    }
    const body = readParams(request.body, {
      userId: customId,
      email: emailAddress,
      password,
      name: optional(text(1, MAX_NAME)),
    })
    const user = await createAccount(services, { ...body, name: body.name ?? '' })
    return reply.code(201).send(wireUser(user))
  })

  app.get('/account', signedIn, async (request) => wireUser(callerOf(request).user))

  for (const path of ['/account/sessions/email', '/account/sessions']) {
    app.post(path, { onRequest: identify }, async (request, reply) => {
      if (request.caller) throw new ApiError('user_session_already_exists')
      const credentials = readParams(request.body, { email: emailAddress, password })
      const persistent = request.headers['x-stint-remember'] !== 'no'
      const { user, session, token } = await signIn(
        services,
        credentials,
        visitorOf(request),
        persistent,
      )
      setSessionCookie(request, reply, config, token, cookieSeconds(session, now()))
      return reply.code(201).send(wireSession(session, user, session.id))
    })
  }

  app.get('/account/sessions', signedIn, async (request) => {
    const { user, session } = callerOf(request)
    const sessions = await sessionsOf(db, user.id, now())
    return {
      total: sessions.length,
      sessions: sessions.map((each) => wireSession(each, user, session.id)),
    }
  })

  app.get('/account/sessions/:sessionId', signedIn, async (request) => {
    const { user, session } = callerOf(request)
    return wireSession(await namedSession(request), user, session.id)
  })

  app.delete('/account/sessions', signedIn, async (request, reply) => {
    const { user } = callerOf(request)
    hub.sessionsEnded(user.id, await db.write((tx) => endSessions(tx, db, user.id)))
    clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  })

  app.delete('/account/sessions/:sessionId', signedIn, async (request, reply) => {
    const { user, session } = callerOf(request)
    const { id } = await namedSession(request)
    hub.sessionsEnded(user.id, await db.write((tx) => endSessions(tx, db, user.id, { id })))
    if (id === session.id) clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  })

  /** The caller's session that the path names. @throws 404 user_session_not_found. */
  async function namedSession(request: FastifyRequest): Promise<SessionRow> {
    const caller: Caller = callerOf(request)
    const { sessionId } = readParams(request.params, { sessionId: existingId })
    if (sessionId === 'current') return caller.session
    const found = await first(
      db.read(
        db.build
          .selectFrom('sessions')
          .selectAll()
          .where('id', '=', sessionId)
          .where('user_id', '=', caller.user.id),
      ),
    )
    if (found === undefined) throw new ApiError('user_session_not_found')
    return found
  }
}

function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 512) }
}
