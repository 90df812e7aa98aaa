/** How long a handler may run, and how long a client may leave its reply unread. */
import type { FastifyInstance } from 'fastify'

/** How long a handler of the API may take, in milliseconds; the database gives up before. */
const MAX_HANDLER = 10_000

/** How long a connection may be open with nothing sent or read, in milliseconds. */
export const MAX_SILENCE = 15_000

/**
 * Answers 503 when a handler of `app` has not answered in time; its work goes on. This is not for files:
 * a file that a slow client is still reading would be cut off.
 * @param max in milliseconds.
 */
export function limitHandlers(app: FastifyInstance, max: number = MAX_HANDLER): void {
  app.addHook('onRoute', (route) => {
    route.handlerTimeout ??= max
  })
}
