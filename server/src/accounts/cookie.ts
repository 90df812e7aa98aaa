/** The session cookie, and the other places a session may come from. */
import type { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { isPlainObject } from '#http/params.ts'
import type { Services } from '#services.ts'

/**
 * The name by http. Spelled out: a name put together at run time is no key that V8 takes for the same twice, and what looks
 * cookies up by it would be compiled anew for ever.
 */
const COOKIE: `a_session_${typeof PROJECT_ID}` = 'a_session_stint'
const LEGACY_COOKIE: `${typeof COOKIE}_legacy` = 'a_session_stint_legacy'
/**
 * The name by https. Browsers take a cookie of this prefix only from this very host by https, so that
 * neither a sibling domain nor somebody on the network can put a session of theirs in its place.
 */
const SECURE_COOKIE: `__Host-${typeof COOKIE}` = '__Host-a_session_stint'
/**
 * Until then the names without the prefix are read by https as well, epoch milliseconds: the releases
 * before 1 December 2026 set them, a session lasts 90 days, and servers are given as long to be updated.
 */
const OLD_NAMES_END = Date.UTC(2027, 5, 1)
/**
 * Beside the session, which no script can read: tells the web app that there is one, so that a page
 * which needs nobody asks for the account only when that makes sense. It holds no secret.
 */
const HINT = 'stint_signed_in'

/** The session value of a request, from the cookie, else the SDK's headers; null for a guest. */
export function sessionValue(
  request: FastifyRequest,
  services: Pick<Services, 'config' | 'now'>,
): string | null {
  const cookies = cookiesOf(request)
  return (
    cookies[SECURE_COOKIE] ??
    (acceptsOldNames(request, services)
      ? (cookies[COOKIE] ?? cookies[LEGACY_COOKIE])
      : undefined) ??
    singleHeader(request, 'x-appwrite-session') ??
    fallbackCookie(singleHeader(request, 'x-fallback-cookies'))
  )
}

/** Whether the session's value came in the cookie of an earlier release, and should get the new name. */
export function hasOldCookieName(request: FastifyRequest, config: Config, value: string): boolean {
  const cookies = cookiesOf(request)
  return (
    isSecure(request, config) && cookies[SECURE_COOKIE] === undefined && cookies[COOKIE] === value
  )
}

/** Hands the session to the browser; without `maxAgeSeconds` it ends when the browser does. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  value: string,
  maxAgeSeconds: number | null,
): void {
  const lasting = maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }
  const session = { ...attributes(request, config), ...lasting }
  reply.setCookie(session.secure ? SECURE_COOKIE : COOKIE, value, session)
  reply.setCookie(HINT, '1', { ...session, httpOnly: false })
  clearOldCookie(request, reply, session)
}

/** Takes the session away from the browser. */
export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
): void {
  const gone = { ...attributes(request, config), ...GONE }
  reply.setCookie(gone.secure ? SECURE_COOKIE : COOKIE, '', gone)
  reply.setCookie(HINT, '', { ...gone, httpOnly: false })
  clearOldCookie(request, reply, gone)
}

/** By https, the cookie of an earlier release goes when there is something to say of the new one. */
function clearOldCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: ReturnType<typeof attributes>,
): void {
  if (session.secure && cookiesOf(request)[COOKIE] !== undefined) {
    reply.setCookie(COOKIE, '', { ...session, ...GONE })
  }
}

const GONE = { maxAge: 0, expires: new Date(0) }

function attributes(request: FastifyRequest, config: Config) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request, config),
  } as const
}

function isSecure(request: FastifyRequest, config: Config): boolean {
  return request.protocol === 'https' || config.publicUrl.startsWith('https:')
}

function acceptsOldNames(
  request: FastifyRequest,
  { config, now }: Pick<Services, 'config' | 'now'>,
): boolean {
  return !isSecure(request, config) || now() < OLD_NAMES_END
}

function cookiesOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const { cookie } = request.headers
  return cookie === undefined ? {} : request.server.parseCookie(cookie)
}

function singleHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function fallbackCookie(json: string | null): string | null {
  if (json === null || json.length > 4096) return null
  try {
    const cookies: unknown = JSON.parse(json)
    const value = isPlainObject(cookies) ? cookies[COOKIE] : null
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
