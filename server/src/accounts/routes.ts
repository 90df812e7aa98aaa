/** The account API. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { first } from '#storage/database.ts'
import type { SessionRow } from '#storage/schema.ts'
import { ApiError } from '#errors.ts'
import {
  customId,
  emailAddress,
  existingId,
  optional,
  password,
  readParams,
  text,
} from '#http/params.ts'
import type { AccountChange } from '#realtime/events.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { changeEmail, changePassword, changeUser } from './change.ts'
import { clearSessionCookie, sessionValue, setSessionCookie } from './cookie.ts'
import { createAccount } from './create.ts'
import { refuseWeakPassword } from './password-policy.ts'
import { prefsText } from './prefs.ts'
import { cookieSeconds, endSessions, extendSession, sessionsOf } from './sessions.ts'
import type { Caller, Visitor } from './sessions.ts'
import { signInGuard } from './sign-in-guard.ts'
import { signIn } from './sign-in.ts'
import { wirePrefs, wireSession, wireUser } from './wire.ts'

const MAX_NAME = 128

/** Registers `/account…` under the prefix of `app`. */
export function registerAccount(
  app: FastifyInstance,
  services: Services,
  { identify, requireUser }: CallerHooks,
): void {
  const { db, config, hub, now, throttle } = services
  const signedIn = { onRequest: requireUser }
  const guarded = signInGuard(db, throttle)

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
    const account = { ...body, name: body.name ?? '' }
    await refuseWeakPassword(account.password, account)
    await throttle.hit(reply, LIMITS.signUp, addressKey(request))
    const user = await createAccount(services, account)
    logSecurityEvent(request, 'account-created', user.id)
    return reply.code(201).send(wireUser(user))
  })

  app.get('/account', signedIn, async (request) => wireUser(callerOf(request).user))

  for (const path of ['/account/sessions/email', '/account/sessions']) {
    app.post(path, { onRequest: identify }, async (request, reply) => {
      if (request.caller) throw new ApiError('user_session_already_exists')
      const credentials = readParams(request.body, { email: emailAddress, password })
      const persistent = request.headers['x-stint-remember'] !== 'no'
      const { user, session, token, ended } = await guarded(request, reply, credentials.email, () =>
        signIn(services, credentials, visitorOf(request), persistent),
      )
      logSecurityEvent(request, 'sign-in', user.id)
      setSessionCookie(request, reply, config, token, cookieSeconds(session, now()))
      const shown = wireSession(session, user, session.id)
      hub.sessionsEnded(user.id, ended)
      hub.accountChanged(user.id, `sessions.${session.id}.create`, shown)
      return reply.code(201).send(shown)
    })
  }

  app.patch('/account/name', signedIn, async (request, reply) => {
    throttle.hitPassing(reply, LIMITS.accountUpdate, callerOf(request).user.id)
    const { name } = readParams(request.body, { name: text(1, MAX_NAME) })
    return changed(request, 'update.name', { name })
  })

  app.patch('/account/email', signedIn, async (request, reply) => {
    const caller = callerOf(request)
    const body = readParams(request.body, { email: emailAddress, password })
    await throttle.hit(reply, LIMITS.credentials, `email ${caller.session.id}`)
    const user = await changeEmail(services, caller, body.email, body.password)
    logSecurityEvent(request, 'email-changed', user.id)
    hub.accountChanged(user.id, 'update.email', wireUser(user))
    return wireUser(user)
  })

  app.patch('/account/password', signedIn, async (request, reply) => {
    const caller = callerOf(request)
    const body = readParams(request.body, { password, oldPassword: optional(text(0, 256)) })
    await throttle.hit(reply, LIMITS.credentials, `password ${caller.session.id}`)
    const { user, ended } = await changePassword(
      services,
      caller,
      body.oldPassword ?? '',
      body.password,
    )
    hub.sessionsEnded(user.id, ended)
    hub.accountChanged(user.id, 'update.password', wireUser(user))
    logSecurityEvent(request, 'password-changed', user.id)
    return wireUser(user)
  })

  app.get('/account/prefs', signedIn, async (request) => wirePrefs(callerOf(request).user))

  app.patch('/account/prefs', signedIn, async (request, reply) => {
    throttle.hitPassing(reply, LIMITS.accountUpdate, callerOf(request).user.id)
    const { prefs } = readParams(request.body, { prefs: prefsText })
    return changed(request, 'update.prefs', { prefs })
  })

  app.patch('/account/status', signedIn, async (request, reply) => {
    const user = await changed(request, 'update.status', { active: false })
    logSecurityEvent(request, 'account-blocked', user.$id)
    const sessions = await sessionsOf(db, user.$id, now())
    hub.sessionsEnded(
      user.$id,
      sessions.map(({ id }) => id),
    )
    clearSessionCookie(request, reply, config)
    return user
  })

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

  app.patch('/account/sessions/:sessionId', signedIn, async (request, reply) => {
    await throttle.hit(reply, LIMITS.extendSession, callerOf(request).user.id)
    const { user, session } = callerOf(request)
    const extended = await extendSession(db, await namedSession(request), now())
    if (extended === undefined) throw new ApiError('user_session_not_found')
    const value = sessionValue(request, services)
    if (extended.id === session.id && value !== null) {
      setSessionCookie(request, reply, config, value, cookieSeconds(extended, now()))
    }
    const shown = wireSession(extended, user, session.id)
    hub.accountChanged(user.id, `sessions.${extended.id}.update`, shown)
    return shown
  })

  app.delete('/account/sessions', signedIn, async (request, reply) => {
    await throttle.hit(reply, LIMITS.endSession, callerOf(request).user.id)
    const { user } = callerOf(request)
    hub.sessionsEnded(user.id, await db.write((tx) => endSessions(tx, user.id)))
    logSecurityEvent(request, 'sessions-ended', user.id)
    clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  })

  app.delete('/account/sessions/:sessionId', signedIn, async (request, reply) => {
    await throttle.hit(reply, LIMITS.endSession, callerOf(request).user.id)
    const { user, session } = callerOf(request)
    const { id } = await namedSession(request)
    hub.sessionsEnded(user.id, await db.write((tx) => endSessions(tx, user.id, { id })))
    logSecurityEvent(request, id === session.id ? 'sign-out' : 'session-ended', user.id)
    if (id === session.id) clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  })

  /** Writes a change of the caller's account and tells their devices. */
  async function changed(
    request: FastifyRequest,
    what: AccountChange,
    changes: Parameters<typeof changeUser>[2],
  ) {
    const { id } = callerOf(request).user
    const user = wireUser(await db.write((tx) => changeUser(tx, id, changes, now())))
    hub.accountChanged(id, what, user)
    return user
  }

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
