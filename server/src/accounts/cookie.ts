/** The session cookie, and the other places where a request may have its session. */
import type { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { isPlainObject, parsedJson } from '#json.ts'
import type { Services } from '#services.ts'

/**
 * The name by http. It is a literal: V8 does not intern a name built at run time, and would compile the lookups by it
 * again and again.
 */
const COOKIE: `a_session_${typeof PROJECT_ID}` = 'a_session_stint'
const LEGACY_COOKIE: `${typeof COOKIE}_legacy` = 'a_session_stint_legacy'
/**
 * The name by https. Browsers take a cookie with this prefix only from this very host by https, so neither
 * a sibling domain nor an attacker on the network can replace it by another session.
 */
const SECURE_COOKIE: `__Host-${typeof COOKIE}` = '__Host-a_session_stint'
/**
 * Until when the names without the prefix are read by https as well, in epoch milliseconds.
 * Releases before 1 December 2026 set them. A session lasts 90 days, and operators have as long to
 * update.
 */
const OLD_NAMES_END = Date.UTC(2027, 5, 1)
/**
 * A second cookie, which scripts can read and which holds no secret. A public page of the web app fetches the account
 * only when it is set.
 */
const HINT = 'stint_signed_in'

/**
 * Returns the session value of a request, from the cookie or else from the SDK's headers; null for
 * a guest.
 */
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

/**
 * Returns whether the value came in the cookie of an earlier release and must be set under the new
 * name.
 */
export function hasOldCookieName(request: FastifyRequest, config: Config, value: string): boolean {
  if (!isSecure(request, config)) return false
  const cookies = cookiesOf(request)
  return cookies[SECURE_COOKIE] === undefined && cookies[COOKIE] === value
}

/** Sets the session cookie. If `maxAgeSeconds` is null, it ends when the browser closes. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  value: string,
  maxAgeSeconds: number | null,
): void {
  const lifetime = maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }
  setCookies(request, reply, config, { value, hint: '1', lifetime })
}

/** Clears the session cookie. */
export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
): void {
  setCookies(request, reply, config, { value: '', hint: '', lifetime: EXPIRED })
}

const EXPIRED = { maxAge: 0, expires: new Date(0) }

function setCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  { value, hint, lifetime }: { value: string; hint: string; lifetime: object },
): void {
  const secure = isSecure(request, config)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure, ...lifetime } as const
  reply.setCookie(secure ? SECURE_COOKIE : COOKIE, value, attributes)
  reply.setCookie(HINT, hint, { ...attributes, httpOnly: false })
  // Also clears the cookie of an earlier release.
  if (secure && cookiesOf(request)[COOKIE] !== undefined) {
    reply.setCookie(COOKIE, '', { ...attributes, ...EXPIRED })
  }
}

/** Returns whether the browser reaches this server by https, so that cookies can be bound to it. */
export function isSecure(request: FastifyRequest, config: Config): boolean {
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
  const cookies = parsedJson(json)
  const value = isPlainObject(cookies) ? cookies[COOKIE] : null
  return typeof value === 'string' ? value : null
}
