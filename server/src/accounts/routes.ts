/** The routes of accounts and sign-ins; those of mailed secrets are in `mail-routes.ts`. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ApiError, apiError } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { customId, emailAddress, existingId, optional, password, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { clearSessionCookie, sessionValue, setSessionCookie } from './cookie.ts'
import { refuseWeakPassword } from './password-policy.ts'
import { prefs } from './prefs.ts'
import * as accounts from './service.ts'
import { signInGuard } from './sign-in-guard.ts'
import * as signIns from './sign-ins.ts'
import type { Caller, Visitor } from './sign-ins.ts'
import { PREFERENCES, SESSION, SESSIONS, USER, wirePrefs, wireSignIn, wireUser } from './wire.ts'

/** The name of an account. */
const NAME = text(1, 128)

/** The credentials of an account. */
const CREDENTIALS = Type.Object({ email: emailAddress, password })

/** The headers of a sign-in. */
export const REMEMBER_HEADERS = Type.Object({
  'X-Stint-Remember': Type.Optional(
    Type.String({ description: '`no`: the session ends with the browser' }),
  ),
})

/** The headers of a sign-in with a password. */
const PASSWORD_HEADERS = Type.Object({
  ...REMEMBER_HEADERS.properties,
  'X-Stint-Code': Type.Optional(
    Type.String({ description: 'a code of the second factor, where the account asks for one' }),
  ),
})

/** A path that names a sign-in. */
const SIGN_IN = Type.Object({
  sessionId: Type.With(existingId, { description: "`current` is the caller's" }),
})

/** Registers `/account…` and `/stint/account/deletion` under the prefix of `app`. */
export function registerAccount(
  app: Routes,
  services: Services,
  { identify, signedIn }: CallerHooks,
): void {
  const { db, config, now, throttle } = services
  const guarded = signInGuard(db, throttle)

  app.post(
    '/account',
    {
      preValidation: async () => {
        if (config.signup === 'closed') throw apiError('user_auth_method_unsupported.sign_up')
      },
      schema: {
        summary: 'Creates an account; does not sign in',
        headers: Type.Object({
          'X-Stint-Invite': Type.Optional(
            Type.String({ description: 'the secret of an invitation, where sign-up needs one' }),
          ),
        }),
        body: Type.Object({
          userId: customId,
          email: emailAddress,
          password: Type.With(password, { description: '8 to 256 bytes' }),
          name: optional(NAME),
        }),
        response: { 201: USER },
      },
    },
    async (request, reply) => {
      const account = { ...request.body, name: request.body.name ?? '' }
      // A refused password is not counted as a try, like any other invalid parameter.
      await refuseWeakPassword(account.password, account)
      await throttle.hit(reply, LIMITS.signUp, addressKey(request))
      const user = await accounts
        .signUp(services, account, inviteIn(request))
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.type === 'stint_invite_invalid') {
            logSecurityEvent(request, 'invite-refused', null)
          }
          throw error
        })
      logSecurityEvent(request, 'account-created', user.id)
      reply.code(201)
      return wireUser(user)
    },
  )

  app.get(
    '/account',
    signedIn({ summary: 'The account', response: { 200: USER } }),
    async (request) => wireUser(callerOf(request).user),
  )

  for (const path of ['/account/sessions/email', '/account/sessions']) {
    app.post(
      path,
      {
        onRequest: identify,
        preValidation: async (request) => {
          if (request.caller) throw apiError('user_session_already_exists')
        },
        schema: {
          summary: 'Signs in, and sets the cookie',
          deprecated: path === '/account/sessions',
          headers: PASSWORD_HEADERS,
          body: CREDENTIALS,
          response: { 201: SESSION },
        },
      },
      async (request, reply) => {
        const code = headerText(request, 'x-stint-code')
        const credentials = { ...request.body, code }
        const persistent = request.headers['x-stint-remember'] !== 'no'
        const { user, signIn, token } = await guarded(
          request,
          reply,
          credentials.email,
          code !== null,
          () => accounts.signIn(services, credentials, visitorOf(request), persistent),
        )
        logSecurityEvent(request, 'sign-in', user.id)
        setSessionCookie(request, reply, config, token, signIns.cookieSeconds(signIn, now()))
        reply.code(201)
        return wireSignIn(signIn, user, signIn.id)
      },
    )
  }

  app.patch(
    '/account/name',
    signedIn(
      {
        summary: 'Changes the name',
        body: Type.Object({ name: NAME }),
        response: { 200: USER },
      },
      LIMITS.accountUpdate,
    ),
    async (request) => {
      const { id } = callerOf(request).user
      const { name } = request.body
      const user = await accounts.change(services, id, 'update.name', { name })
      logSecurityEvent(request, 'name-changed', id)
      return wireUser(user)
    },
  )

  app.patch(
    '/account/email',
    signedIn({
      summary:
        'Changes the e-mail address, which is unverified then; keys, links and the calendar address end',
      body: Type.Object({
        email: emailAddress,
        password: Type.With(password, { description: 'the current one' }),
      }),
      response: { 200: USER },
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { email, password } = request.body
      await throttle.hit(reply, LIMITS.credentials, `email ${caller.signIn.id}`)
      const changed = await accounts.changeEmail(services, caller, email, password)
      logSecurityEvent(request, 'email-changed', changed.id)
      return wireUser(changed)
    },
  )

  app.patch(
    '/account/password',
    signedIn({
      summary: 'Changes the password; every other session ends',
      body: Type.Object({ password, oldPassword: optional(text(0, 256)) }),
      response: { 200: USER },
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { password, oldPassword } = request.body
      await throttle.hit(reply, LIMITS.credentials, `password ${caller.signIn.id}`)
      const user = await accounts.changePassword(services, caller, oldPassword ?? '', password)
      logSecurityEvent(request, 'password-changed', user.id)
      return wireUser(user)
    },
  )

  app.get(
    '/account/prefs',
    signedIn({ summary: 'The preferences', response: { 200: PREFERENCES } }),
    async (request) => wirePrefs(callerOf(request).user),
  )

  app.patch(
    '/account/prefs',
    signedIn(
      {
        summary: 'Replaces the whole of the preferences',
        body: Type.Object({ prefs }),
        response: { 200: USER },
      },
      LIMITS.accountUpdate,
    ),
    async (request) => {
      const { id } = callerOf(request).user
      const prefs = JSON.stringify(request.body.prefs)
      return wireUser(await accounts.change(services, id, 'update.prefs', { prefs }))
    },
  )

  app.patch(
    '/account/status',
    signedIn({ summary: "Blocks the caller's own account", response: { 200: USER } }),
    async (request, reply) => {
      const user = await accounts.block(services, callerOf(request).user.id)
      logSecurityEvent(request, 'account-blocked', user.id)
      clearSessionCookie(request, reply, config)
      return wireUser(user)
    },
  )

  app.post(
    '/stint/account/deletion',
    signedIn({
      summary: "Deletes the account and everything in it; not Appwrite's",
      body: CREDENTIALS,
      response: { 204: noContent },
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { email, password } = request.body
      await throttle.hit(reply, LIMITS.credentials, `deletion ${caller.signIn.id}`)
      await accounts.deleteOwnAccount(services, caller, email, password)
      clearSessionCookie(request, reply, config)
      logSecurityEvent(request, 'account-deleted', caller.user.id)
      reply.code(204)
    },
  )

  app.get(
    '/account/sessions',
    signedIn({ summary: 'The sessions of the account', response: { 200: SESSIONS } }),
    async (request) => {
      const { user, signIn } = callerOf(request)
      const all = await signIns.list(db, user.id, now())
      return {
        total: all.length,
        sessions: all.map((each) => wireSignIn(each, user, signIn.id)),
      }
    },
  )

  app.get(
    '/account/sessions/:sessionId',
    signedIn({ summary: 'A session', params: SIGN_IN, response: { 200: SESSION } }),
    async (request) => {
      const caller = callerOf(request)
      const id = signInId(caller, request.params)
      return wireSignIn(
        await accounts.findSignIn(services, caller, id),
        caller.user,
        caller.signIn.id,
      )
    },
  )

  app.patch(
    '/account/sessions/:sessionId',
    signedIn(
      { summary: 'Extends a session', params: SIGN_IN, response: { 200: SESSION } },
      LIMITS.extendSession,
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const id = signInId(caller, request.params)
      const extended = await accounts.extendSignIn(services, caller, id)
      const value = sessionValue(request, services)
      if (extended.id === caller.signIn.id && value !== null) {
        setSessionCookie(request, reply, config, value, signIns.cookieSeconds(extended, now()))
      }
      return wireSignIn(extended, caller.user, caller.signIn.id)
    },
  )

  app.delete(
    '/account/sessions',
    signedIn(
      { summary: 'Ends every session of the account', response: { 204: noContent } },
      LIMITS.endSession,
    ),
    async (request, reply) => {
      const { id } = callerOf(request).user
      await accounts.endSignIns(services, id)
      logSecurityEvent(request, 'sessions-ended', id)
      clearSessionCookie(request, reply, config)
      reply.code(204)
    },
  )

  app.delete(
    '/account/sessions/:sessionId',
    signedIn(
      { summary: 'Ends a session', params: SIGN_IN, response: { 204: noContent } },
      LIMITS.endSession,
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const id = signInId(caller, request.params)
      await accounts.endSignIn(services, caller, id)
      const isCurrent = id === caller.signIn.id
      logSecurityEvent(request, isCurrent ? 'sign-out' : 'session-ended', caller.user.id)
      if (isCurrent) clearSessionCookie(request, reply, config)
      reply.code(204)
    },
  )
}

/** Returns the id of the sign-in that the path names; `current` is the caller's. */
function signInId({ signIn }: Caller, { sessionId }: Static<typeof SIGN_IN>): string {
  return sessionId === 'current' ? signIn.id : sessionId
}

/** Returns the secret of an invitation that a request has; null: none. */
export function inviteIn(request: FastifyRequest): string | null {
  return headerText(request, 'x-stint-invite')
}

/** Returns what a header of ours says, at most 256 characters; null: nothing. */
function headerText(request: FastifyRequest, name: string): string | null {
  const sent = request.headers[name]
  return typeof sent === 'string' && sent !== '' ? sent.slice(0, 256) : null
}

/** Returns the network address and the device of a request. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 512) }
}
