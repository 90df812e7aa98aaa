/** The routes of sign-ins, which Appwrite calls the sessions of an account. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { apiError } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { existingId } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { LIMITS } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { clearSessionCookie, sessionValue, setSessionCookie } from './cookie.ts'
import { CREDENTIALS, headerText, REMEMBER_HEADERS, visitorOf } from './requests.ts'
import * as accounts from './service.ts'
import { signInGuard } from './sign-in-guard.ts'
import * as signIns from './sign-ins.ts'
import type { Caller } from './sign-ins.ts'
import { SESSION, SESSIONS, wireSignIn } from './wire.ts'

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

/** Registers `/account/sessions…` under the prefix of `app`. */
export function registerAccountSessions(
  app: Routes,
  services: Services,
  { identify, signedIn }: CallerHooks,
): void {
  const { db, config, now, throttle } = services
  const guarded = signInGuard(db, throttle)

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
