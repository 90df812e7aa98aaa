/** The id of a request, in its log lines and in the header of its reply. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { addressCheck } from '#config.ts'
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
  const isTrusted =
    typeof trustProxy === 'string' ? addressCheck(trustProxy) : () => trustProxy !== false
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
