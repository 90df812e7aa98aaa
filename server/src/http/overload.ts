/**
 * Refusing work when the event loop falls behind (reliability S10): a short answer at once is worth
 * more than a right one after its caller has given up, and lets the rest catch up.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { serviceUnavailable } from '#errors.ts'

/** How far behind the loop may be, smoothed over about a second, in milliseconds. */
export const OVERLOADED_AT = 250

/** How long a handler may take, in milliseconds; the database gives up before. */
const LONGEST_HANDLER = 10_000

/** How long a client may then take nothing of its answer, in milliseconds. */
const LONGEST_PAUSE = 15_000

/**
 * How long requests are begun before the loop looks for others, in milliseconds. Each time it does, one
 * connection is let in (libuv): the shorter the turns, the sooner who is new is heard.
 */
const LONGEST_TURN = 1

const LOOK_EVERY = 100
/** The weight of the newest look: one pause of a second is no overload, five in a row are. */
const WEIGHT = 0.2

export interface EventLoopMeter {
  /** How late the loop gets to its timers and to requests, smoothed, in milliseconds. */
  readonly delay: () => number
  stop(): void
}

/**
 * Watches the event loop of this process until stopped.
 * @param waited how long the oldest request that has not begun has waited, in milliseconds.
 */
export function watchEventLoop(waited: () => number): EventLoopMeter {
  let delay = 0
  let due = performance.now() + LOOK_EVERY
  const timer = setInterval(() => {
    const now = performance.now()
    delay = smoothed(delay, Math.max(now - due, waited()))
    due = now + LOOK_EVERY
  }, LOOK_EVERY)
  timer.unref()
  return { delay: () => delay, stop: () => clearInterval(timer) }
}

/** The new smoothed delay when the newest look was `late` milliseconds late. */
export function smoothed(delay: number, late: number): number {
  return delay + WEIGHT * (Math.max(0, late) - delay)
}

/**
 * Begins requests in the order in which they came, for so long in a turn of the event loop. Left to itself
 * the loop reads on and answers while more than a thousand connections have something to say (libuv: up to
 * 48 times 1,024 events), and for as long nothing is committed, no timer fires and nobody new is heard.
 * @returns how long the oldest that has not begun has waited, in milliseconds.
 */
export function beginInTurns(app: FastifyInstance): () => number {
  let waiting: { readonly since: number; readonly done: () => void }[] = []
  app.addHook('onRequest', (_request, _reply, done) => {
    if (waiting.push({ since: performance.now(), done }) === 1) setImmediate(begin)
  })
  return () => {
    const [oldest] = waiting
    return oldest === undefined ? 0 : performance.now() - oldest.since
  }

  function begin(): void {
    const turn = waiting
    const end = performance.now() + LONGEST_TURN
    let begun = 0
    do turn[begun++]?.done()
    while (begun < turn.length && performance.now() < end)
    waiting = turn.slice(begun)
    if (waiting.length > 0) setImmediate(begin)
  }
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

/** The first request of a connection that is not answered and heard yet, or the last one that was. */
interface Underway {
  reply: FastifyReply | null
  /** When it was asked, or was answered for; on the clock of `performance`. */
  since: number
}

/**
 * Answers 503 in the place of handlers that take too long, and ends the connections of clients that do
 * not take their answer; a second late at most. Fastify's own `handlerTimeout` and `connectionTimeout`
 * set timers for every request, of which only these few need one; and to note and forget every request,
 * instead of the connection, would be a quarter of what it takes to create a document.
 */
export function answerForTheSlow(
  app: FastifyInstance,
  longest: number = LONGEST_HANDLER,
  pause: number = LONGEST_PAUSE,
): void {
  const connections = new Map<Socket, Underway>()
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const underway = connections.get(socket) ?? watch(socket)
    if (underway.reply === null || underway.reply.raw.writableFinished) {
      underway.reply = reply
      underway.since = performance.now()
    }
    done()
  })
  const timer = setInterval(
    () => connections.forEach((underway) => look(underway, performance.now())),
    Math.min(longest, 1000),
  )
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))

  function watch(socket: Socket): Underway {
    const underway = { reply: null, since: 0 }
    connections.set(socket, underway)
    socket.once('close', () => connections.delete(socket))
    return underway
  }

  function look(underway: Underway, now: number): void {
    const { reply, since } = underway
    if (reply === null) return
    // A WebSocket has no answer that ends, and asks its other side by itself.
    if (reply.raw.writableFinished || reply.request.ws) underway.reply = null
    else if (now < since + longest) return
    else if (!reply.sent) {
      underway.since = now
      reply.send(serviceUnavailable())
    } else {
      underway.reply = null
      // Node closes it, unless some of the answer is taken now and then.
      reply.raw.socket?.setTimeout(pause)
    }
  }
}
