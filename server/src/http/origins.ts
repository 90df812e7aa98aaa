/**
 * Which pages may call the API: those of this server, those of the configured origins, which get
 * CORS headers, and extensions of a browser that have a key. Requests from all other pages are refused.
 */
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { isLoopbackHost, originOf } from '#config.ts'
import { apiError } from '#errors.ts'
import type { ApiError } from '#errors.ts'
import { hasKey } from '#keys/holder.ts'

const CORS_HEADERS = {
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    'Accept',
    'Content-Type',
    'X-Appwrite-Project',
    'X-Appwrite-Response-Format',
    'X-Appwrite-Locale',
    'X-Appwrite-Session',
    'X-Appwrite-Timestamp',
    'X-Fallback-Cookies',
    'X-SDK-Name',
    'X-SDK-Platform',
    'X-SDK-Language',
    'X-SDK-Version',
    'X-Stint-Code',
    'X-Stint-Invite',
    'X-Stint-Remember',
  ].join(', '),
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Date',
  'access-control-max-age': '600',
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Replies to preflights, sends CORS headers to allowed origins, and refuses the others with 403. */
export function registerOrigins(app: FastifyInstance, config: Config): void {
  const isAllowed = originCheck(config)

  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined && !isExtensionWithKey(request)) {
      reply.header('vary', 'Origin')
      if (!isAllowed(request)) throw unknownOrigin(origin)
      if (origin !== ownOrigin(request)) {
        reply.header('access-control-allow-origin', origin).headers(CORS_HEADERS)
      }
    }
    if (request.method === 'OPTIONS') return void reply.code(204).send()
    if (
      origin === undefined &&
      !CHANGES_NOTHING.has(request.method) &&
      isFromAnotherSite(request)
    ) {
      throw unknownOrigin('')
    }
    done()
  })
}

/**
 * Returns the check whether a request's Origin, if it has one, is the server's own or configured.
 * The server's own is `PUBLIC_URL`. If that names this machine only, as the default does, the Host
 * of the request is the server's own too if it is a loopback name or an IP address. Any other Host
 * is not trusted, because DNS may point any name to this server.
 */
export function originCheck(config: Config): (request: FastifyRequest) => boolean {
  const listed = new Set([...config.allowedOrigins, config.publicUrl])
  const isLocal = isLoopbackHost(new URL(config.publicUrl).hostname)
  return (request) => {
    const { origin } = request.headers
    if (origin === undefined || listed.has(origin)) return true
    return isLocal && origin === ownOrigin(request) && isFixedAddress(new URL(origin).hostname)
  }
}

const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/

/**
 * Returns whether an extension of a browser calls with a key. It is a program like any other: a route for keys
 * ignores cookies, and every other route refuses keys, so that it does nothing in the name of who is signed in. It
 * gets no CORS headers, as the browser asks its owner which servers it may read.
 */
function isExtensionWithKey(request: FastifyRequest): boolean {
  return EXTENSION.test(request.headers.origin ?? '') && hasKey(request)
}

/**
 * Returns whether Sec-Fetch-Site names another site. Browsers without that header cannot send the
 * project's header across sites without a preflight.
 */
function isFromAnotherSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

/** Returns the origin of a page at the address that the request names; null if that is none. */
function ownOrigin(request: FastifyRequest): string | null {
  return originOf(`${request.protocol}://${request.host}`)
}

/** Returns whether the host does not depend on DNS. */
function isFixedAddress(host: string): boolean {
  return isLoopbackHost(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0
}

/** Returns the refusal of an origin, with its host. */
export function unknownOrigin(origin: string): ApiError {
  const host = originOf(origin) === null ? origin.slice(0, 100) : new URL(origin).hostname
  return apiError('general_unknown_origin.host', { host })
}
