/** The session cookie, and the other places a session may come from (contract 3.3, 3.4). */
import type { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { isPlainObject } from '#params.ts'

/**
 * Spelled out: a name put together at run time is no key that V8 takes for the same twice, and what looks
 * cookies up by it would be compiled anew for ever.
 */
const COOKIE: `a_session_${typeof PROJECT_ID}` = 'a_session_stint'
const LEGACY_COOKIE: `${typeof COOKIE}_legacy` = 'a_session_stint_legacy'
/**
 * Beside the session, which no script can read: tells the web app that there is one, so that a page
 * which needs nobody asks for the account only when that makes sense. It holds no secret.
 */
const HINT = 'stint_signed_in'

/** The session value of a request, from the cookie, else the SDK's headers; null for a guest. */
export function sessionValue(request: FastifyRequest): string | null {
  const { cookie } = request.headers
  const cookies = cookie === undefined ? {} : request.server.parseCookie(cookie)
  return (
    cookies[COOKIE] ??
    cookies[LEGACY_COOKIE] ??
    singleHeader(request, 'x-appwrite-session') ??
    fallbackCookie(singleHeader(request, 'x-fallback-cookies'))
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
  reply.setCookie(COOKIE, value, session)
  reply.setCookie(HINT, '1', { ...session, httpOnly: false })
}

/** Takes the session away from the browser. */
export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
): void {
  const gone = { ...attributes(request, config), maxAge: 0, expires: new Date(0) }
  reply.setCookie(COOKIE, '', gone)
  reply.setCookie(HINT, '', { ...gone, httpOnly: false })
}

function attributes(request: FastifyRequest, config: Config) {
  const secure = request.protocol === 'https' || config.publicUrl.startsWith('https:')
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
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
