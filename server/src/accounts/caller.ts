/** Finds the caller of a request once, in hooks that routes name. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { apiError, notSignedIn } from '#errors.ts'
import { mayUse } from '#http/auth-proxy.ts'
import type { ProxyPerson } from '#http/auth-proxy.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import type { PassingLimit } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import { hasOldCookieName, sessionValue, setSessionCookie } from './cookie.ts'
import { cookieSeconds, noteUse } from './sign-ins.ts'
import type { Caller } from './sign-ins.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a guest; undefined until a hook has found it. */
    caller: Caller | null | undefined
  }
}

/** The hooks of routes that use the caller. */
export interface CallerHooks {
  /** Lets guests through. */
  readonly identify: Hook
  /**
   * Returns the options of a route with this schema, for signed-in users alone. With a limit, calls are counted by
   * user before their parameters are checked.
   * @throws (the hooks) 401 general_unauthorized_scope for guests, 403 user_blocked for blocked users, 429
   * general_rate_limit_exceeded.
   */
  readonly signedIn: <Schema extends FastifySchema>(
    schema: Schema,
    limit?: PassingLimit,
  ) => SignedInOptions<Schema>
}

interface SignedInOptions<Schema> {
  readonly onRequest: Hook
  readonly preValidation: Count[]
  readonly config: { readonly access: 'users' }
  readonly schema: Schema
}

type Count = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/** Calls `done`, or returns a promise instead: a cached caller costs no promise. */
type Hook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
) => Promise<void> | undefined

/** Makes the hooks, and `request.caller`. */
export function registerCaller(app: FastifyInstance, services: Services): CallerHooks {
  const { db, config, now, proxyPersonOf, signIns, throttle } = services
  app.decorateRequest('caller', undefined)

  const requireUser = hook(refuseUnlessActive)

  return {
    identify: hook(() => {}),
    signedIn: (schema, limit) => ({
      onRequest: requireUser,
      preValidation:
        limit === undefined
          ? []
          : [
              (request, reply, done) => {
                throttle.hitPassing(reply, limit, callerOf(request).user.id)
                done()
              },
            ],
      config: { access: 'users' },
      schema,
    }),
  }

  function hook(check: (request: FastifyRequest) => void): Hook {
    return (request, reply, done) => {
      const lookup = identify(request, reply)
      if (lookup !== undefined) return lookup.then(() => check(request))
      check(request)
      done()
      return undefined
    }
  }

  /** Sets the caller. Returns undefined when the caller is cached or a guest. */
  function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const person = proxyPersonOf(request)
    if (person.kind === 'refused') return refuseHeader(request, person.reason)
    const value = sessionValue(request, services)
    const cached = value === null ? null : signIns.cached(value)
    if (value === null || cached !== undefined) {
      request.caller = cached && mayUse(person, cached) ? cached : null
      renameCookie(request, reply, value)
      return undefined
    }
    return lookUp(request, reply, value, person)
  }

  /**
   * Sets the cookie of an earlier release under the new name. Each answer does so until the browser
   * has it, because an answer can be lost and a socket sets no cookies.
   */
  function renameCookie(request: FastifyRequest, reply: FastifyReply, value: string | null): void {
    if (!request.caller || value === null || !hasOldCookieName(request, config, value)) return
    setSessionCookie(request, reply, config, value, cookieSeconds(request.caller.signIn, now()))
  }

  /** A request whose header cannot be trusted is a guest's. Logs the first of each minute. */
  async function refuseHeader(request: FastifyRequest, reason: string): Promise<void> {
    request.caller = null
    if (await throttle.count(LIMITS.refusedHeader, addressKey(request))) {
      logSecurityEvent(request, 'proxy-header-refused', null, { reason })
    }
  }

  async function lookUp(
    request: FastifyRequest,
    reply: FastifyReply,
    value: string,
    person: ProxyPerson,
  ): Promise<void> {
    const found = await signIns.find(value)
    request.caller = found !== null && mayUse(person, found) ? found : null
    if (request.caller === null) return
    renameCookie(request, reply, value)
    // People can still read while the database cannot be written.
    await noteUse(db, request.caller, now()).catch((error: unknown) =>
      request.log.warn({ err: error, reqId: request.id }, 'could not note the use of a session'),
    )
  }
}

/**
 * The signed-in caller of a request.
 * @throws 401 general_unauthorized_scope for a guest.
 */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw notSignedIn()
  return request.caller
}

function refuseUnlessActive(request: FastifyRequest): void {
  if (!callerOf(request).user.active) throw apiError('user_blocked')
}
