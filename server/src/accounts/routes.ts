/** The routes of accounts and sign-ins; those of mailed secrets are in `mail-routes.ts`. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiError } from '#errors.ts'
import {
  customId,
  emailAddress,
  existingId,
  optional,
  password,
  readParams,
  text,
} from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { clearSessionCookie, sessionValue, setSessionCookie } from './cookie.ts'
import { refuseWeakPassword } from './password-policy.ts'
import { prefsText } from './prefs.ts'
import * as accounts from './service.ts'
import { signInGuard } from './sign-in-guard.ts'
import * as signIns from './sign-ins.ts'
import type { Visitor } from './sign-ins.ts'
import { wirePrefs, wireSignIn, wireUser } from './wire.ts'

const MAX_NAME = 128

/** Registers `/account…` and `/stint/account/deletion` under the prefix of `app`. */
export function registerAccount(
  app: FastifyInstance,
  services: Services,
  { identify, requireUser }: CallerHooks,
): void {
  const { db, config, now, throttle } = services
  const signedIn = { onRequest: requireUser }
  const guarded = signInGuard(db, throttle)

  app.post('/account', async (request, reply) => {
    if (config.signup === 'closed') {
      throw apiError('user_auth_method_unsupported.sign_up')
    }
    const body = readParams(request.body, {
      userId: customId,
      email: emailAddress,
      password,
      name: optional(text(1, MAX_NAME)),
    })
    const account = { ...body, name: body.name ?? '' }
    // As with any other parameter that does not fit, the try is not counted.
    await refuseWeakPassword(account.password, account)
    await throttle.hit(reply, LIMITS.signUp, addressKey(request))
    const user = await accounts.signUp(services, account)
    logSecurityEvent(request, 'account-created', user.id)
    return reply.code(201).send(wireUser(user))
  })

  app.get('/account', signedIn, async (request) => wireUser(callerOf(request).user))

  for (const path of ['/account/sessions/email', '/account/sessions']) {
    app.post(path, { onRequest: identify }, async (request, reply) => {
      if (request.caller) throw apiError('user_session_already_exists')
      const credentials = readParams(request.body, { email: emailAddress, password })
      const persistent = request.headers['x-stint-remember'] !== 'no'
      const { user, signIn, token } = await guarded(request, reply, credentials.email, () =>
        accounts.signIn(services, credentials, visitorOf(request), persistent),
      )
      logSecurityEvent(request, 'sign-in', user.id)
      setSessionCookie(request, reply, config, token, signIns.cookieSeconds(signIn, now()))
      return reply.code(201).send(wireSignIn(signIn, user, signIn.id))
    })
  }

  app.patch('/account/name', signedIn, async (request, reply) => {
    const { id } = callerOf(request).user
    throttle.hitPassing(reply, LIMITS.accountUpdate, id)
    const { name } = readParams(request.body, { name: text(1, MAX_NAME) })
    return wireUser(await accounts.changeName(services, id, name))
  })

  app.patch('/account/email', signedIn, async (request, reply) => {
    const { user, signIn } = callerOf(request)
    const body = readParams(request.body, { email: emailAddress, password })
    await throttle.hit(reply, LIMITS.credentials, `email ${signIn.id}`)
    const changed = await accounts.changeEmail(services, user.id, body.email, body.password)
    logSecurityEvent(request, 'email-changed', user.id)
    return wireUser(changed)
  })

  app.patch('/account/password', signedIn, async (request, reply) => {
    const caller = callerOf(request)
    const body = readParams(request.body, { password, oldPassword: optional(text(0, 256)) })
    await throttle.hit(reply, LIMITS.credentials, `password ${caller.signIn.id}`)
    const user = await accounts.changePassword(
      services,
      caller,
      body.oldPassword ?? '',
      body.password,
    )
    logSecurityEvent(request, 'password-changed', user.id)
    return wireUser(user)
  })

  app.get('/account/prefs', signedIn, async (request) => wirePrefs(callerOf(request).user))

  app.patch('/account/prefs', signedIn, async (request, reply) => {
    const { id } = callerOf(request).user
    throttle.hitPassing(reply, LIMITS.accountUpdate, id)
    const { prefs } = readParams(request.body, { prefs: prefsText })
    return wireUser(await accounts.changePreferences(services, id, prefs))
  })

  app.patch('/account/status', signedIn, async (request, reply) => {
    const user = await accounts.block(services, callerOf(request).user.id)
    logSecurityEvent(request, 'account-blocked', user.id)
    clearSessionCookie(request, reply, config)
    return wireUser(user)
  })

  // A route of Stint's own: Appwrite lets nobody delete their account.
  app.post('/stint/account/deletion', signedIn, async (request, reply) => {
    const caller = callerOf(request)
    const body = readParams(request.body, { email: emailAddress, password })
    await throttle.hit(reply, LIMITS.credentials, `deletion ${caller.signIn.id}`)
    await accounts.deleteOwnAccount(services, caller, body.email, body.password)
    clearSessionCookie(request, reply, config)
    logSecurityEvent(request, 'account-deleted', caller.user.id)
    return reply.code(204).send()
  })

  app.get('/account/sessions', signedIn, async (request) => {
    const { user, signIn } = callerOf(request)
    const all = await signIns.list(db, user.id, now())
    return {
      total: all.length,
      sessions: all.map((each) => wireSignIn(each, user, signIn.id)),
    }
  })

  app.get('/account/sessions/:sessionId', signedIn, async (request) => {
    const caller = callerOf(request)
    const found = await accounts.findSignIn(services, caller, signInIdOf(request))
    return wireSignIn(found, caller.user, caller.signIn.id)
  })

  app.patch('/account/sessions/:sessionId', signedIn, async (request, reply) => {
    const caller = callerOf(request)
    await throttle.hit(reply, LIMITS.extendSession, caller.user.id)
    const extended = await accounts.extendSignIn(services, caller, signInIdOf(request))
    const value = sessionValue(request, services)
    if (extended.id === caller.signIn.id && value !== null) {
      setSessionCookie(request, reply, config, value, signIns.cookieSeconds(extended, now()))
    }
    return wireSignIn(extended, caller.user, caller.signIn.id)
  })

  app.delete('/account/sessions', signedIn, async (request, reply) => {
    const { id } = callerOf(request).user
    await throttle.hit(reply, LIMITS.endSession, id)
    await accounts.endSignIns(services, id)
    logSecurityEvent(request, 'sessions-ended', id)
    clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  })

  app.delete('/account/sessions/:sessionId', signedIn, async (request, reply) => {
    const caller = callerOf(request)
    await throttle.hit(reply, LIMITS.endSession, caller.user.id)
    const id = signInIdOf(request)
    await accounts.endSignIn(services, caller, id)
    const isCurrent = id === caller.signIn.id
    logSecurityEvent(request, isCurrent ? 'sign-out' : 'session-ended', caller.user.id)
    if (isCurrent) clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  })
}

/** The id of the sign-in that the path names; `current` is the caller's. */
function signInIdOf(request: FastifyRequest): string {
  const { sessionId } = readParams(request.params, { sessionId: existingId })
  return sessionId === 'current' ? callerOf(request).signIn.id : sessionId
}

function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 512) }
}
