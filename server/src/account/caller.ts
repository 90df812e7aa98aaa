/** Who is calling (contract 3.3): looked up once a request, and asked for by routes. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '#errors.ts'
import type { Services } from '#services.ts'
import { sessionValue } from './cookie.ts'
import { noteUse, sessionFinder } from './sessions.ts'
import type { Caller } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a guest; undefined until a hook has looked. */
    caller: Caller | null | undefined
  }
}

/** The hooks of routes that care who calls. */
export interface CallerHooks {
  /** Lets guests through. */
  readonly identify: (request: FastifyRequest) => Promise<void>
  /** @throws 401 general_unauthorized_scope for guests, 403 user_blocked for blocked users. */
  readonly requireUser: (request: FastifyRequest) => Promise<void>
}

/** Makes the hooks, and `request.caller`. */
export function registerCaller(app: FastifyInstance, { db, now }: Services): CallerHooks {
  app.decorateRequest('caller', undefined)
  const find = sessionFinder(db, now)

  async function identify(request: FastifyRequest): Promise<void> {
    const value = sessionValue(request)
    request.caller = value === null ? null : await find(value)
    if (request.caller !== null) {
      // A database that cannot be written must not keep people from reading.
      await noteUse(db, request.caller, now()).catch((error: unknown) =>
        request.log.warn({ err: error }, 'could not note the use of a session'),
      )
    }
  }

  async function requireUser(request: FastifyRequest): Promise<void> {
    await identify(request)
    const { user } = callerOf(request)
    if (!user.active) throw new ApiError('user_blocked')
  }

  return { identify, requireUser }
}

/**
 * The signed-in caller of a request.
 * @throws 401 general_unauthorized_scope for a guest.
 */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) {
    throw new ApiError(
      'general_unauthorized_scope',
      'User (role: guests) missing scopes (["account"])',
    )
  }
  return request.caller
}
