/** The routes of accounts; those of sign-ins are in `session-routes.ts`, those of mailed secrets in `mail-routes.ts`. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import { ApiError, apiError } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { customId, emailAddress, optional, password, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { clearSessionCookie } from './cookie.ts'
import { refuseWeakPassword } from './password-policy.ts'
import { prefs } from './prefs.ts'
import * as accounts from './service.ts'
import { CREDENTIALS, inviteIn } from './requests.ts'
import { PREFERENCES, USER, wirePrefs, wireUser } from './wire.ts'

/** The name of an account. */
const NAME = text(1, 128)

/** Registers `/account…`, but for its sessions, and `/stint/account/deletion` under the prefix of `app`. */
export function registerAccount(app: Routes, services: Services, { signedIn }: CallerHooks): void {
  const { config, throttle } = services

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
}
