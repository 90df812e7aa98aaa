/**
 * Refusing work when the event loop falls behind (reliability S10): a short answer at once is worth
 * more than a right one after its caller has given up, and lets the rest catch up.
 */
import type { FastifyInstance } from 'fastify'
import { serviceUnavailable } from './errors.ts'

/** How far behind the loop may be, smoothed over about a second, in milliseconds. */
export const OVERLOADED_AT = 250

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
  app.addHook('onRequest', async () => {
    if (isOverloaded(eventLoopDelay)) throw serviceUnavailable()
  })
}

export function isOverloaded(eventLoopDelay: () => number): boolean {
  return eventLoopDelay() > OVERLOADED_AT
}
