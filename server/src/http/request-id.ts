/** The id of a request, in its log lines and in the header of its reply. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '#config.ts'

/** An id of a proxy that does no harm in a log or a header. */
const HARMLESS = /^[\w.:-]{1,64}$/

/**
 * Returns the function that names requests. The id that a trusted proxy sends is kept, so that its
 * log and this one agree; anybody else's is ignored.
 */
export function requestIds({ trustProxy }: Config): (request: IncomingMessage) => string {
  // Tells the requests of several processes, and of earlier runs, apart.
  const run = randomBytes(4).toString('hex')
  const isTrusted = trustCheck(trustProxy)
  let count = 0
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && HARMLESS.test(given) && isTrusted(socket.remoteAddress)) {
      return given
    }
    count++
    return `req-${run}${count.toString(36)}`
  }
}

/** Returns the check whether the sender of a connection is a trusted proxy. */
function trustCheck(trustProxy: Config['trustProxy']): (address: string | undefined) => boolean {
  if (typeof trustProxy !== 'string') return () => trustProxy !== false
  const isTrusted = proxyAddr.compile(trustProxy.split(','))
  return (address) => address !== undefined && isTrusted(address, 0)
}
