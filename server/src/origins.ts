/**
 * Which pages may call the API (reliability 4.12): our own, and the origins on the list. This is
 * CORS for those, and the fence against forged requests from all others.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { originOf } from './config.ts'
import { ApiError } from './errors.ts'

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
    'X-Stint-Remember',
  ].join(', '),
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date',
  'access-control-max-age': '600',
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Answers preflights, marks replies for allowed origins, and refuses the others with 403. */
export function registerOrigins(app: FastifyInstance, config: Config): void {
  const isAllowed = originCheck(config)

  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined) {
      reply.header('vary', 'Origin')
      if (!isAllowed(request)) throw unknownOrigin(origin)
      if (!isSameOrigin(request, origin)) {
        reply.header('access-control-allow-origin', origin).headers(CORS_HEADERS)
      }
    }
    if (request.method === 'OPTIONS') return void reply.code(204).send()
    if (!CHANGES_NOTHING.has(request.method)) refuseForgery(request, isAllowed)
    done()
  })
}

/** Makes the check whether a request's Origin (if it has one) is ours or on the list. */
export function originCheck(config: Config): (request: FastifyRequest) => boolean {
  const listed = new Set([...config.allowedOrigins, originOf(config.publicUrl)])
  return (request) => {
    const { origin } = request.headers
    return origin === undefined || listed.has(origin) || isSameOrigin(request, origin)
  }
}

/**
 * A browser says where a request comes from in Sec-Fetch-Site, or in Origin if it is older; the
 * project header cannot be sent across sites without asking first.
 */
function refuseForgery(
  request: FastifyRequest,
  isAllowed: (request: FastifyRequest) => boolean,
): void {
  const site = request.headers['sec-fetch-site']
  const isFromElsewhere = site === 'cross-site' || site === 'same-site'
  if (isFromElsewhere && (request.headers.origin === undefined || !isAllowed(request))) {
    throw unknownOrigin(request.headers.origin ?? '')
  }
}

function isSameOrigin(request: FastifyRequest, origin: string): boolean {
  return originOf(origin) === origin && new URL(origin).host === request.host
}

/** The refusal of an origin, which names its host. */
export function unknownOrigin(origin: string): ApiError {
  const host = originOf(origin) === null ? origin.slice(0, 100) : new URL(origin).hostname
  return new ApiError(
    'general_unknown_origin',
    `Invalid Origin. Register your new client (${host}) as a new Web platform on your project console dashboard`,
  )
}
