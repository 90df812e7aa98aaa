/** The routes of passkeys: signing up and in with one, and those of the account. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { setSessionCookie } from '#accounts/cookie.ts'
import { endFormerSession } from '#accounts/external-entrance.ts'
import { inviteIn, REMEMBER_HEADERS, visitorOf } from '#accounts/requests.ts'
import { cookieSeconds } from '#accounts/sign-ins.ts'
import type { SignIn } from '#accounts/sign-ins.ts'
import { SESSION, USER, wireSignIn, wireUser } from '#accounts/wire.ts'
import { ApiError, apiError } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { emailAddress, existingId, optional, password, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, LIMITS, logLimit } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import type { UserRow } from '#storage/schema.ts'
import { relyingParty, requireRelyingParty } from './relying-party.ts'
import * as passkeys from './service.ts'
import { list } from './store.ts'
import { ASSERTION, OPTIONS, PASSKEY, PASSKEYS, PROOF, REGISTRATION, wirePasskey } from './wire.ts'

const NAME = text(1, 128)

const PERSON = { email: emailAddress, name: optional(NAME) }

const ONE = Type.Object({ passkeyId: existingId })

/** Refusals that may come from somebody who tries to get in. */
const REFUSALS = new Set<ApiError['type']>([
  'stint_passkey_refused',
  'stint_passkey_unknown',
  'user_blocked',
])

/** Registers `/stint/passkeys…` under the prefix of `app`. */
export function registerPasskeys(app: Routes, services: Services, hooks: CallerHooks): void {
  registerSignUp(app, services)
  registerSignIn(app, services)
  registerOwn(app, services, hooks)
  registerProven(app, services, hooks)
}

function registerSignUp(app: Routes, services: Services): void {
  const { config, throttle } = services
  const preValidation = async () => {
    if (config.signup === 'closed') throw apiError('user_auth_method_unsupported.sign_up')
  }

  app.post(
    '/stint/passkeys/sign-up/options',
    {
      preValidation,
      schema: {
        summary: 'Begins to create an account with a passkey in place of a password',
        body: Type.Object(PERSON),
        response: { 201: OPTIONS },
      },
    },
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      // Each account needs one, so the call that ends a sign-up is not counted again.
      await throttle.hit(reply, LIMITS.signUp, addressKey(request))
      reply.code(201)
      return passkeys.beginSignUp(services, site, personIn(request.body))
    },
  )

  app.post(
    '/stint/passkeys/sign-up',
    {
      preValidation,
      schema: {
        summary: 'Creates the account, signs in, and sets the cookie',
        headers: Type.Object({
          'X-Stint-Invite': Type.Optional(
            Type.String({ description: 'the secret of an invitation, where sign-up needs one' }),
          ),
        }),
        body: Type.Object({ ...PERSON, passkeyName: NAME, registration: REGISTRATION }),
        response: { 201: SESSION },
      },
    },
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      const { passkeyName: name, registration } = request.body
      const person = personIn(request.body)
      const made = { registration, name }
      const invite = inviteIn(request)
      const visitor = visitorOf(request)
      const { user, signIn, token } = await passkeys
        .signUp(services, site, person, made, visitor, invite)
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.type === 'stint_invite_invalid') {
            logSecurityEvent(request, 'invite-refused', null)
          }
          throw error
        })
      logSecurityEvent(request, 'account-created', user.id, { provider: 'passkey' })
      return enter(services, request, reply, { user, signIn, token })
    },
  )
}

function registerSignIn(app: Routes, services: Services): void {
  const { config, throttle } = services

  app.post(
    '/stint/passkeys/sign-in/options',
    {
      schema: { summary: 'Begins to sign in with a passkey', response: { 201: OPTIONS } },
    },
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      throttle.hitPassing(reply, LIMITS.passkeyOptions, addressKey(request))
      reply.code(201)
      return passkeys.beginSignIn(services, site)
    },
  )

  app.post(
    '/stint/passkeys/sign-in',
    {
      schema: {
        summary: 'Signs in with a passkey, and sets the cookie',
        headers: REMEMBER_HEADERS,
        body: Type.Object({ assertion: ASSERTION }),
        response: { 201: SESSION },
      },
    },
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      const address = addressKey(request)
      const persistent = request.headers['x-stint-remember'] !== 'no'
      throttle.hitPassing(reply, LIMITS.signInsOfAddress, address)
      await throttle.refuseIfExhausted(LIMITS.failuresOfAddress, address)
      const { assertion } = request.body
      const entered = await throttle
        .limitConcurrency(address, () =>
          passkeys.signIn(services, site, assertion, visitorOf(request), persistent),
        )
        .catch(async (error: unknown) => {
          await noteRefusal(services, request, error)
          throw error
        })
      return enter(services, request, reply, entered)
    },
  )
}

/** The routes about passkeys of the caller that need no proof, and the one that asks for a proof. */
function registerOwn(app: Routes, services: Services, { signedIn }: CallerHooks): void {
  const { db, config } = services

  app.get(
    '/stint/passkeys',
    signedIn(
      { summary: 'The passkeys of the account', response: { 200: PASSKEYS } },
      LIMITS.accountUpdate,
    ),
    async (request) => {
      const { user } = callerOf(request)
      const all = await list(db, user.id)
      return { passkeys: all.map(wirePasskey), hasPassword: user.password_hash !== '' }
    },
  )

  app.patch(
    '/stint/passkeys/:passkeyId',
    signedIn(
      {
        summary: 'Renames a passkey',
        params: ONE,
        body: Type.Object({ name: NAME }),
        response: { 200: PASSKEY },
      },
      LIMITS.passkeyChange,
    ),
    async (request) => {
      const caller = callerOf(request)
      const { passkeyId } = request.params
      const renamed = await passkeys.rename(services, caller, passkeyId, request.body.name)
      logSecurityEvent(request, 'passkey-renamed', caller.user.id, { passkey: passkeyId })
      return wirePasskey(renamed)
    },
  )

  app.post(
    '/stint/passkeys/proof/options',
    signedIn(
      {
        summary: 'Begins to confirm with a passkey who is signed in',
        response: { 201: OPTIONS },
      },
      LIMITS.passkeyChange,
    ),
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      reply.code(201)
      return passkeys.beginProof(services, site, callerOf(request))
    },
  )
}

/** The routes that need a proof. */
function registerProven(app: Routes, services: Services, { signedIn }: CallerHooks): void {
  const { config, throttle } = services

  app.post(
    '/stint/passkeys/options',
    signedIn(
      {
        summary: 'Begins to add a passkey; needs the password or a passkey if the account has one',
        body: Type.Object(PROOF),
        response: { 201: OPTIONS },
      },
      LIMITS.passkeyChange,
    ),
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      const caller = callerOf(request)
      await hitProof(request, reply)
      const proven = passkeys.beginAddition(services, site, caller, request.body)
      const options = await logged(request, proven)
      reply.code(201)
      return options
    },
  )

  app.post(
    '/stint/passkeys',
    signedIn(
      {
        summary: 'Adds the passkey',
        body: Type.Object({ name: NAME, registration: REGISTRATION }),
        response: { 201: PASSKEY },
      },
      LIMITS.passkeyChange,
    ),
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      const caller = callerOf(request)
      const { name, registration } = request.body
      const added = await passkeys.add(services, site, caller, name, registration)
      logSecurityEvent(request, 'passkey-added', caller.user.id, { passkey: added.id })
      reply.code(201)
      return wirePasskey(added)
    },
  )

  app.post(
    '/stint/passkeys/:passkeyId/removal',
    signedIn(
      {
        summary:
          'Removes a passkey and ends the sessions that began with it; needs the password or a passkey',
        params: ONE,
        body: Type.Object(PROOF),
        response: { 204: noContent },
      },
      LIMITS.passkeyChange,
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const { passkeyId } = request.params
      await hitProof(request, reply)
      const site = relyingParty(request, config)
      await logged(request, passkeys.remove(services, site, caller, passkeyId, request.body))
      logSecurityEvent(request, 'passkey-removed', caller.user.id, { passkey: passkeyId })
      reply.code(204)
    },
  )

  app.put(
    '/stint/passkeys/password',
    signedIn({
      summary: 'Sets a password, confirmed by a passkey; every other session ends',
      body: Type.Object({ password, assertion: ASSERTION }),
      response: { 200: USER },
    }),
    async (request, reply) => {
      const site = requireRelyingParty(request, config)
      const caller = callerOf(request)
      await hitProof(request, reply)
      const { password: chosen, assertion } = request.body
      const proven = passkeys.setPassword(services, site, caller, chosen, assertion)
      const user = await logged(request, proven)
      logSecurityEvent(request, 'password-changed', user.id)
      return wireUser(user)
    },
  )

  function hitProof(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return throttle.hit(reply, LIMITS.credentials, `passkeys ${callerOf(request).signIn.id}`)
  }
}

/** Sets the cookie of a sign-in that has begun. A session that the browser had ends. */
async function enter(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, signIn, token }: { user: UserRow; signIn: SignIn; token: string },
) {
  logSecurityEvent(request, 'sign-in', user.id, { provider: 'passkey' })
  await endFormerSession(services, request)
  const seconds = cookieSeconds(signIn, services.now())
  setSessionCookie(request, reply, services.config, token, seconds)
  reply.code(201)
  return wireSignIn(signIn, user, signIn.id)
}

/** Logs a refused sign-in, and counts it by address as a wrong password is. */
async function noteRefusal(
  { throttle }: Services,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ApiError) || !REFUSALS.has(error.type)) return
  logSecurityEvent(request, 'sign-in-refused', null, { reason: error.type })
  const limit = LIMITS.failuresOfAddress
  if (await throttle.count(limit, addressKey(request))) logLimit(request, limit)
}

/** Logs it if a proof of who is signed in is refused. */
async function logged<Result>(request: FastifyRequest, proven: Promise<Result>): Promise<Result> {
  try {
    return await proven
  } catch (error) {
    const isRefused =
      error instanceof ApiError &&
      (REFUSALS.has(error.type) || error.type === 'user_invalid_credentials')
    if (isRefused) {
      const { id } = callerOf(request).user
      logSecurityEvent(request, 'proof-refused', id, { reason: error.type })
    }
    throw error
  }
}

function personIn({ email, name }: { email: string; name?: string | null }) {
  return { email, name: name ?? '' }
}
