/**
 * Admission control and load shedding. A request that has been read waits in a queue until the
 * event loop has time to begin it. The API replies 503 to a request that has waited too long, and
 * to all requests while the event loop is repeatedly blocked.
 */
import type { IncomingMessage } from 'node:http'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serviceUnavailable } from '#errors.ts'

/** How long a request may wait to begin, in milliseconds: an early refusal is better than a late reply. */
export const MAX_WAIT = 500

/** How many requests may wait. Each of them holds up to 16 KB of headers. */
export const MAX_QUEUE = 10_000

/**
 * How many pipelined requests may wait for the replies to earlier requests of their connections.
 */
export const MAX_PIPELINED = 5000

/** How long a server that has refused a request counts as overloaded, in milliseconds. */
const OVERLOADED_FOR = 1000

/**
 * How long requests of the queue are begun before the loop does other work, in milliseconds. In a
 * flood, one request per turn and ten milliseconds of requests per turn have the same latency.
 */
const TIME_SLICE = 5

/** How many requests that have begun stay in the array until it is compacted. */
const COMPACT_AT = 1024

/**
 * The mean delay of the event loop above which it counts as blocked, and the interval of the mean,
 * in milliseconds. A single pause of a second stays below; five of 400 ms in a row do not.
 */
const BLOCKED = { maxEventLoopDelay: 250, sampleInterval: 2000 }

export interface Admission {
  /** Refuses the requests of `app` while the server is overloaded. Call it once. */
  shedLoad(app: FastifyInstance): Promise<void>
  /** Returns whether requests are refused now, or were within the last second. */
  readonly isOverloaded: () => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** How long the request waited until it began, in milliseconds. */
    queuedFor: number
  }
}

export interface AdmissionOptions {
  /** Called for each request that is refused under overload. */
  readonly onRefusal?: () => void
  /** The clock of the waits, in milliseconds; tests set it. */
  readonly now?: () => number
}

interface QueuedRequest {
  readonly request: FastifyRequest
  /** When it was read. */
  readonly since: number
  readonly begin: () => void
}

/**
 * Queues every request of `app` in the order of arrival. A request whose connection is closed is
 * dropped. If the queue is full, further requests are refused with 503. A connection that pipelines
 * has one request in the queue at a time, so that it does not delay the other connections.
 *
 * Without the queue, a request begins where it is read, and libuv reads up to 49,152 times in one
 * turn if more than a thousand connections have data. Until then no timer fires, no write is
 * committed and no connection is accepted.
 */
export function registerAdmission(
  app: FastifyInstance,
  { onRefusal = () => {}, now = () => performance.now() }: AdmissionOptions = {},
): Admission {
  let queue: QueuedRequest[] = []
  /** The index of the oldest request in the queue that has not begun. */
  let oldest = 0
  let refusedAt = -Infinity
  /** The app whose requests are refused; null: none. */
  let sheddingApp: FastifyInstance | null = null
  /** The pipelined requests that wait for the replies to earlier requests of their connections. */
  const pipelined = new Set<IncomingMessage>()

  app.decorateRequest('queuedFor', 0)
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // Node assigns the socket to a reply when the replies before it are sent.
    if (reply.raw.socket !== null) enqueue()
    else if (pipelined.size >= MAX_PIPELINED) done(serviceUnavailable())
    else {
      pipelined.add(raw)
      raw.once('close', () => pipelined.delete(raw))
      reply.raw.once('socket', () => {
        pipelined.delete(raw)
        enqueue()
      })
    }

    function enqueue(): void {
      if (queue.length - oldest >= MAX_QUEUE) done(refusal())
      else if (queue.push({ request, since: now(), begin: done }) === 1) {
        setImmediate(beginQueued)
      }
    }
  })

  return {
    async shedLoad(api) {
      api.addHook('onRequest', (request, _reply, done) => {
        if (request.queuedFor > MAX_WAIT) throw refusal()
        done()
      })
      await api.register(underPressure, {
        ...BLOCKED,
        pressureHandler: () => {
          throw refusal()
        },
      })
      sheddingApp = api
    },
    isOverloaded: () =>
      sheddingApp?.isUnderPressure() === true || now() - refusedAt < OVERLOADED_FOR,
  }

  function beginQueued(): void {
    let time = now()
    const end = time + TIME_SLICE
    do {
      const queued = queue[oldest++]
      if (queued !== undefined && !queued.request.raw.socket.destroyed) {
        queued.request.queuedFor = time - queued.since
        queued.begin()
      }
      time = now()
    } while (oldest < queue.length && time < end)
    if (oldest === queue.length || oldest >= COMPACT_AT) {
      queue = queue.slice(oldest)
      oldest = 0
    }
    if (queue.length > 0) setImmediate(beginQueued)
  }

  function refusal() {
    refusedAt = now()
    onRefusal()
    return serviceUnavailable()
  }
}
