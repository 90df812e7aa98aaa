/**
 * Refusing work when the event loop falls behind (reliability S10): a short answer at once is worth
 * more than a right one after its caller has given up, and lets the rest catch up.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { serviceUnavailable } from './errors.ts'

/** How far behind the loop may be, smoothed over about a second, in milliseconds. */
export const OVERLOADED_AT = 250

/** How long a handler may take, in milliseconds; the database gives up before. */
const LONGEST_HANDLER = 10_000

/** How long a client may then take nothing of its answer, in milliseconds. */
const LONGEST_PAUSE = 15_000

const LOOK_EVERY = 100
/** The weight of the newest look: one pause of a second is no overload, five in a row are. */
const WEIGHT = 0.2

export interface EventLoopMeter {
  /** How late the loop gets to its timers, smoothed, in milliseconds. */
  readonly delay: () => number
  stop(): void
}

/** Watches the event loop of this process until stopped. */
export function watchEventLoop(): EventLoopMeter {
  let delay = 0
  let due = performance.now() + LOOK_EVERY
  const timer = setInterval(() => {
    const now = performance.now()
    delay = smoothed(delay, now - due)
    due = now + LOOK_EVERY
  }, LOOK_EVERY)
  timer.unref()
  return { delay: () => delay, stop: () => clearInterval(timer) }
}

/** The new smoothed delay when the newest look was `late` milliseconds late. */
export function smoothed(delay: number, late: number): number {
  return delay + WEIGHT * (Math.max(0, late) - delay)
}

/** Answers every request under `app` with 503 while the loop is too far behind. */
export function refuseWhenOverloaded(app: FastifyInstance, eventLoopDelay: () => number): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isOverloaded(eventLoopDelay)) throw serviceUnavailable()
    done()
  })
}

export function isOverloaded(eventLoopDelay: () => number): boolean {
  return eventLoopDelay() > OVERLOADED_AT
}

/**
 * Answers 503 in the place of handlers that take too long, and ends the connections of clients that do
 * not take their answer; a second late at most. Fastify's own `handlerTimeout` and `connectionTimeout`
 * set timers for every request, of which only these few need one.
 */
export function answerForTheSlow(
  app: FastifyInstance,
  longest: number = LONGEST_HANDLER,
  pause: number = LONGEST_PAUSE,
): void {
  /** Until when each must have answered and been heard, the oldest first. */
  const due = new Map<FastifyReply, number>()
  app.addHook('onRequest', (_request, reply, done) => {
    due.set(reply, performance.now() + longest)
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    due.delete(reply)
    done()
  })
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const [reply, time] of due) {
        if (time > now) break
        due.delete(reply)
        if (!reply.sent) reply.send(serviceUnavailable())
        // Node closes it, unless some of the answer is taken now and then. A WebSocket has no answer
        // that ends, and asks its other side by itself.
        else if (!reply.request.ws) reply.raw.socket?.setTimeout(pause)
      }
    },
    Math.min(longest, 1000),
  )
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))
}
