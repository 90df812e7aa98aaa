/** Who is the operator: a program on this machine, or one with METRICS_TOKEN. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '#config.ts'
import type { Config } from '#config.ts'

/** Headers that say that a proxy passes a request on. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
]

/**
 * Returns the check whether a request is the operator's. A request of this machine counts if it
 * came directly: without the headers of a proxy, and to a name of this machine, which a page of
 * another site cannot send. Behind a public address without TRUST_PROXY even that is not believed,
 * because a proxy that sets no headers looks the same (docs/decisions/0034-who-may-ask.md).
 */
export function operatorCheck(config: Config): (request: FastifyRequest) => boolean {
  const token = config.metricsToken === null ? null : digest(config.metricsToken)
  const believesAddress =
    config.trustProxy !== false || isLoopbackHost(new URL(config.publicUrl).hostname)
  return (request) =>
    (token !== null && hasToken(request, token)) || (believesAddress && isDirect(request))
}

/** Compares digests, which have the same length, in constant time. */
function hasToken({ headers }: FastifyRequest, token: Buffer): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digest(given), token)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function isDirect({ raw: { headers, socket } }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  if (!isLoopbackHost(address)) return false
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false
  const url = `http://${headers.host ?? ''}`
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
}
