/** For which site passkeys are: the domain that they belong to, and the origin whose pages may use them. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost, originOf } from '#config.ts'
import type { Config } from '#config.ts'
import { apiError } from '#errors.ts'

export interface RelyingParty {
  /** The domain, without a port. */
  readonly id: string
  readonly origin: string
}

/**
 * Returns the site of `PUBLIC_URL`. If that names this machine only, as the default does, the site is the loopback name
 * that the request names. Null where browsers have no passkeys: without https, and at an IP address.
 */
export function relyingParty(
  request: FastifyRequest,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): RelyingParty | null {
  return siteAt(loopbackOrigin(request, publicUrl) ?? publicUrl)
}

/** Returns whether some page of this server can have passkeys. */
export function mayHavePasskeys({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return isLoopbackHost(new URL(publicUrl).hostname) || siteAt(publicUrl) !== null
}

/** Returns the site. @throws ApiError user_auth_method_unsupported where browsers have no passkeys. */
export function requireRelyingParty(
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl'>,
): RelyingParty {
  const site = relyingParty(request, config)
  if (site === null) throw apiError('user_auth_method_unsupported.passkeys')
  return site
}

function siteAt(origin: string): RelyingParty | null {
  const { hostname, protocol } = new URL(origin)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return protocol === 'https:' || isLoopbackHost(hostname) ? { id: hostname, origin } : null
}

function loopbackOrigin(request: FastifyRequest, publicUrl: string): string | null {
  if (!isLoopbackHost(new URL(publicUrl).hostname)) return null
  const named = originOf(`${request.protocol}://${request.host}`)
  return named !== null && isLoopbackHost(new URL(named).hostname) ? named : null
}
