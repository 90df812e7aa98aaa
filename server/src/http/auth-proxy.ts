/**
 * The person whom the proxy in front has signed in, in a header of each request (`AUTH_PROXY_HEADER`).
 * Anybody can send such a header, so it counts only on connections that come directly from an address
 * of `TRUST_PROXY`. `X-Forwarded-For` plays no part.
 */
import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { normalizedEmail } from '@stint/core/email-address.ts'
import { addressCheck } from '#config.ts'
import type { Config } from '#config.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import { isEmailAddress, isStorable } from './params.ts'

/** What the header of a request says. */
export type ProxyPerson =
  /** No proxy signs people in, or it has signed nobody in. */
  | { readonly kind: 'nobody' }
  /** `email` is normalized; `name` is '' if unknown. */
  | { readonly kind: 'person'; readonly email: string; readonly name: string }
  /** The header cannot be trusted, so the request is nobody's. */
  | { readonly kind: 'refused'; readonly reason: 'untrusted' | 'several' | 'email' }

const NOBODY: ProxyPerson = { kind: 'nobody' }

const MAX_NAME = 128

/** Returns the function that reads the person of a request. */
export function proxyPersonReader({
  authProxy,
  trustProxy,
}: Pick<Config, 'authProxy' | 'trustProxy'>): (request: FastifyRequest) => ProxyPerson {
  if (authProxy === null) return () => NOBODY
  const { emailHeader, nameHeader } = authProxy
  // Without a list no address is trusted. The configuration refuses that.
  const isTrusted = typeof trustProxy === 'string' ? addressCheck(trustProxy) : () => false
  return (request) => {
    const [sent, ...more] = valuesOf(request, emailHeader)
    if (sent === undefined) return NOBODY
    if (!isTrusted(request.socket.remoteAddress)) return { kind: 'refused', reason: 'untrusted' }
    if (more.length > 0) return { kind: 'refused', reason: 'several' }
    // Some proxies send an empty header for paths that need no sign-in.
    if (sent.trim() === '') return NOBODY
    const email = normalizedEmail(utf8Of(sent) ?? '')
    if (!isEmailAddress(email)) return { kind: 'refused', reason: 'email' }
    const [name = ''] = nameHeader === null ? [] : valuesOf(request, nameHeader)
    return { kind: 'person', email, name: nameOf(utf8Of(name) ?? '') }
  }
}

/**
 * Returns whether a session may be used in requests of this person of the proxy: it is one that the
 * proxy began for them, or one of the account with their address.
 */
export function mayUse(person: ProxyPerson, { user, signIn }: Caller): boolean {
  if (person.kind === 'nobody') return true
  if (person.kind === 'refused') return false
  return signIn.provider === 'proxy'
    ? signIn.provider_uid === person.email
    : user.email === person.email
}

/** Returns a name that an account may have; '' for none. */
export function nameOf(text: string): string {
  const name = text.trim().slice(0, MAX_NAME).toWellFormed()
  return isStorable(name) ? name : ''
}

/** Returns every value of a header: `headers` would join them. */
function valuesOf({ headers, raw: { rawHeaders } }: FastifyRequest, name: string): string[] {
  if (headers[name] === undefined) return []
  return rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1,
  )
}

/**
 * Node reads headers as Latin-1, and proxies write them in UTF-8. Null: this one did not. All bytes that are not
 * UTF-8 would become the same character, and different people one.
 */
function utf8Of(header: string): string | null {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}
