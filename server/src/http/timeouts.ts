/** Timeouts of handlers, and of clients that do not read their reply. */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { serviceUnavailable } from '#errors.ts'

/** How long a handler of the API may take, in milliseconds; the timeouts of the database are shorter. */
const MAX_HANDLER = 10_000

/** How long a connection may be open with nothing sent or read, in milliseconds. */
export const MAX_SILENCE = 15_000

/**
 * How often running handlers are checked, in milliseconds. Until the next check, the last reply of
 * each connection and its body stay in memory: an interval of a second took half a gigabyte in a
 * flood of requests.
 */
const CHECK_INTERVAL = 100

/** The last request of a connection. Each begins after the reply to the one before. */
interface LastRequest {
  readonly reply: FastifyReply
  /** On the clock of `performance`. */
  readonly startedAt: number
}

/**
 * Sends 503 if a handler of `app` has not replied in time, at most a second late. Its work goes on.
 * Fastify's own `handlerTimeout` ends when the body has been read, so it never applies to a POST.
 * @param max in milliseconds.
 */
export function limitHandlers(app: FastifyInstance, max: number = MAX_HANDLER): void {
  const connections = new Map<Socket, LastRequest>()
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    connections.set(socket, { reply, startedAt: performance.now() })
    done()
  })
  const timer = setInterval(
    () => {
      const latest = performance.now() - max
      for (const [socket, { reply, startedAt }] of connections) {
        if (reply.sent) connections.delete(socket)
        else if (startedAt <= latest) reply.send(serviceUnavailable())
      }
    },
    Math.min(max, CHECK_INTERVAL),
  )
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))
}
