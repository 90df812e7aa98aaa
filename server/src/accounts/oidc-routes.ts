/**
 * The routes of signing in with an OpenID Connect provider: the app asks for the provider's address,
 * and the browser comes back to ours. What a sign-in needs at its end is in a cookie of the browser
 * that began it, so nobody can make another browser end it.
 */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { sign, unsign } from '@fastify/cookie'
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError, apiError, serviceUnavailable } from '#errors.ts'
import { answer, noContent } from '#http/answers.ts'
import { optional } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { requireProject } from '#http/project.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import { isPlainObject, parsedJson } from '#json.ts'
import { refuseKeys } from '#keys/holder.ts'
import type { Services } from '#services.ts'
import { isSecure } from './cookie.ts'
import { externalEntrance } from './external-entrance.ts'
import { createOidc } from './oidc.ts'
import type { PendingSignIn } from './oidc.ts'
import { INVITE } from './proxy-routes.ts'

/** How long a person may take at the provider, in seconds. */
const LIFETIME = 600

/** What the cookie holds. */
interface Pending extends PendingSignIn {
  readonly remember: boolean
  readonly invite: string | null
  /** Epoch milliseconds. */
  readonly expires: number
}

/** Registers `/stint/oidc` and `/stint/oidc/callback` under the prefix of `app`. */
export function registerOidc(app: Routes, services: Services): void {
  const { config, now, throttle } = services
  const oidc =
    config.oidc &&
    createOidc(config.oidc, config, (failure) =>
      app.log.warn({ failure }, 'the sign-in provider fails'),
    )
  const enter = externalEntrance(services)
  // All processes of a server have the secret, and nobody else.
  const cookieKey = hash('sha256', `cookie ${config.oidc?.clientSecret}`)

  app.post(
    '/stint/oidc',
    {
      onRequest: [requireProject, refuseKeys],
      schema: {
        summary: 'Begins a sign-in with the provider; returns its address for the browser',
        body: Type.Object({
          remember: Type.Optional(Type.Boolean({ refusal: 'Must be true or false.' })),
          invite: optional(INVITE),
        }),
        response: { 201: answer({ url: Type.String() }) },
      },
    },
    async (request, reply) => {
      if (oidc === null) throw apiError('user_auth_method_unsupported.oidc')
      const { remember = false, invite = null } = request.body
      throttle.hitPassing(reply, LIMITS.signInsOfAddress, addressKey(request))
      const { url, pending } = await oidc.begin()
      const expires = now() + LIFETIME * 1000
      setPending(request, reply, { ...pending, remember, invite, expires })
      reply.code(201)
      return { url }
    },
  )

  app.get(
    '/stint/oidc/callback',
    {
      config: { access: 'anyone' },
      schema: {
        summary:
          'Where the provider sends the browser back to; leads to the app, or to the sign-in page with a `problem`',
        response: { 303: noContent },
      },
    },
    async (request, reply) => {
      try {
        const { pending, finish } = beginningOf(request)
        await enter(request, reply, {
          find: finish,
          persistent: pending.remember,
          invite: pending.invite,
        })
        reply.header('location', '/dashboard')
      } catch (error) {
        const isExpected = error instanceof ApiError
        if (!isExpected) request.log.error({ err: error }, 'a sign-in failed')
        const { type } = isExpected ? error : serviceUnavailable()
        // The page has a text for each type, so no text of an address is ever shown.
        reply.header('location', `/login?problem=${type}`)
      }
      clearPending(request, reply)
      reply.code(303)
    },
  )

  /**
   * Returns the sign-in that this browser began and that ends with the request. A request without one counts as no try,
   * because a page of another site can send a browser here as often as it likes.
   * @throws ApiError user_auth_method_unsupported, stint_sign_in_expired.
   */
  function beginningOf(request: FastifyRequest) {
    if (oidc === null) throw apiError('user_auth_method_unsupported.oidc')
    const query = new URL(request.url, config.publicUrl).searchParams
    const pending = pendingOf(request)
    if (pending === null || !isSame(pending.state, query.get('state') ?? '')) {
      throw apiError('stint_sign_in_expired')
    }
    return { pending, finish: () => oidc.finish(pending, query) }
  }

  function pendingOf(request: FastifyRequest): Pending | null {
    const { cookie } = request.headers
    const value =
      cookie === undefined ? undefined : request.server.parseCookie(cookie)[nameOf(request)]
    if (value === undefined) return null
    const { valid, value: text } = unsign(value, cookieKey)
    const pending = valid ? parsedJson(Buffer.from(text, 'base64url').toString()) : null
    return isPending(pending) && now() < pending.expires ? pending : null
  }

  function setPending(request: FastifyRequest, reply: FastifyReply, pending: Pending): void {
    const text = Buffer.from(JSON.stringify(pending)).toString('base64url')
    setCookie(request, reply, sign(text, cookieKey), { maxAge: LIFETIME })
  }

  function clearPending(request: FastifyRequest, reply: FastifyReply): void {
    setCookie(request, reply, '', { maxAge: 0, expires: new Date(0) })
  }

  function setCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    value: string,
    lifetime: object,
  ): void {
    const secure = isSecure(request, config)
    reply.setCookie(nameOf(request), value, {
      path: '/',
      httpOnly: true,
      // The provider's page leads back here, and strict cookies would be missing then.
      sameSite: 'lax',
      secure,
      ...lifetime,
    })
  }

  function nameOf(request: FastifyRequest): string {
    return isSecure(request, config) ? '__Host-stint_oidc' : 'stint_oidc'
  }
}

function isPending(value: unknown): value is Pending {
  return isPlainObject(value) && typeof value['expires'] === 'number'
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
