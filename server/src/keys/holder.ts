/** Finds the key of a request, and its owner, in the hooks of the routes that take one. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { apiError } from '#errors.ts'
import type { ApiError } from '#errors.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import type { KeyAccess } from '#storage/schema.ts'
import { find, KEY_PREFIX, noteUse } from './service.ts'
import type { KeyHolder } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the hook of a route for keys has found it. */
    keyHolder: KeyHolder | null
  }
}

/**
 * Returns the options of a route with this schema, for callers with a key. A route that changes something asks for
 * 'write'. A session cookie counts for nothing here, so that no page can call in a person's name.
 * @throws (the hook) 401 stint_key_invalid, 403 stint_key_forbidden and user_blocked, 429 general_rate_limit_exceeded.
 */
export type WithKey = <Schema extends FastifySchema>(
  access: KeyAccess,
  schema: Schema,
) => {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  readonly config: { readonly access: KeyAccess }
  readonly schema: Schema
}

/** Makes the hooks, and `request.keyHolder`. */
export function registerKeyHolder(app: FastifyInstance, services: Services): WithKey {
  const { db, now, throttle, metrics } = services
  app.decorateRequest('keyHolder', null)

  return (access, schema) => ({
    onRequest: async (request, reply) => {
      // Of the reply to a refused key, as HTTP asks for.
      reply.header('www-authenticate', 'Bearer')
      const holder = await holderOf(request, reply)
      reply.removeHeader('www-authenticate')
      throttle.hitPassing(reply, LIMITS.keyUse, holder.user.id)
      if (access === 'write' && holder.key.access === 'read') {
        throw refusal(request, holder, apiError('stint_key_forbidden.read_only'))
      }
      request.keyHolder = holder
      metrics.keyUses.with(holder.key.access).add()
      if (holder.key.used_at === null) {
        // Only the first use: a program may call hundreds of times a minute.
        logSecurityEvent(request, 'key-used', holder.user.id, { key: holder.key.id })
      }
      // People can still read while the database cannot be written.
      await noteUse(db, holder.key, now()).catch((error: unknown) =>
        request.log.warn({ err: error, reqId: request.id }, 'could not note the use of a key'),
      )
    },
    config: { access },
    schema,
  })

  async function holderOf(request: FastifyRequest, reply: FastifyReply): Promise<KeyHolder> {
    const secret = bearerOf(request)
    if (secret === null) throw apiError('stint_key_invalid.missing')
    const holder = await find(db, secret)
    if (holder === null) {
      await throttle.hit(reply, LIMITS.wrongKeys, addressKey(request))
      throw refusal(request, null, apiError('stint_key_invalid'))
    }
    const { key, user } = holder
    if (key.not_before !== null && now() < Date.parse(key.not_before)) {
      const instant = new Date(key.not_before).toISOString()
      throw refusal(request, holder, apiError('stint_key_invalid.not_yet', { instant }))
    }
    if (!user.active) throw refusal(request, holder, apiError('user_blocked'))
    return holder
  }
}

/** The holder of the key of a request, on a route that takes one. */
export function holderOf({ keyHolder }: FastifyRequest): KeyHolder {
  if (keyHolder === null) throw apiError('stint_key_invalid.missing')
  return keyHolder
}

/**
 * A hook of the routes that take no key. Another bearer token is ignored, because a proxy in front of the server may
 * add one.
 * @throws ApiError stint_key_forbidden.
 */
export function refuseKeys(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (hasKey(request)) throw apiError('stint_key_forbidden.route')
  done()
}

/** Returns whether a request comes with a key, be it a right one or a wrong one. */
export function hasKey(request: FastifyRequest): boolean {
  return bearerOf(request)?.startsWith(KEY_PREFIX) === true
}

function bearerOf({ headers }: FastifyRequest): string | null {
  const { authorization } = headers
  if (authorization === undefined) return null
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null
}

/** Logs the refusal of a key, and returns it. */
function refusal(request: FastifyRequest, holder: KeyHolder | null, error: ApiError): ApiError {
  const key = holder === null ? {} : { key: holder.key.id }
  logSecurityEvent(request, 'key-refused', holder?.user.id ?? null, { reason: error.type, ...key })
  return error
}
