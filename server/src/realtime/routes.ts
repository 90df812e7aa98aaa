/** The realtime socket: `GET /v1/realtime` and the messages of the SDK. */
import fastifyWebsocket from '@fastify/websocket'
import type { WebSocket } from '@fastify/websocket'
import { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionValue } from '#accounts/cookie.ts'
import { endOf } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import { wireUser } from '#accounts/wire.ts'
import { ApiError, sendError } from '#errors.ts'
import { newId } from '#id.ts'
import { originCheck, unknownOrigin } from '#http/origins.ts'
import { isPlainObject } from '#http/params.ts'
import type { Services } from '#services.ts'
import { addressKey } from '#http/throttle.ts'
import { CLOSE } from './hub.ts'
import type { Listener } from './hub.ts'
import { createLedger } from './ledger.ts'
import type { LedgerEntry } from './ledger.ts'
import { readSubscription, SubscriptionError } from './subscription.ts'
import type { Subscription } from './subscription.ts'

const SOCKET_OPTIONS = {
  /** Bytes of a message. */
  maxPayload: 65_536,
  /** Parts of a message, and pieces in which it may arrive: each costs memory beyond its bytes. */
  maxFragments: 64,
  maxBufferedChunks: 1024,
  /** How long a client may take to answer the closing of its socket, in milliseconds. */
  closeTimeout: 2000,
  perMessageDeflate: false,
}
const MESSAGES_PER_MINUTE = 32
/** Whoever goes on after being told is a flood, and cut off. */
const FLOOD_PER_MINUTE = 128
const CONNECTIONS_PER_MINUTE = 128
/** Whoever goes on connecting gets no socket any more, only an HTTP answer. */
const ATTEMPTS_PER_MINUTE = 256
const MAX_SUBSCRIPTIONS = 100
const SUBSCRIBE_WITHIN = 10_000
const PING_EVERY = 30_000
const MINUTE = 60_000

const ERROR = { policy: 1008, message: 1003, busy: 1013 }

interface Refusal {
  readonly code: number
  readonly message: string
}

const TOO_MANY_CONNECTIONS: Refusal = { code: ERROR.busy, message: 'Too many connections.' }

/** Registers the socket under the prefix of `app`. */
export async function registerRealtime(app: FastifyInstance, services: Services): Promise<void> {
  const { config, hub, now, signIns } = services
  const isAllowed = originCheck(config)
  const ledger = createLedger(config.rateLimits)
  const attempts = attemptCounter(now)

  await app.register(fastifyWebsocket, {
    options: SOCKET_OPTIONS,
    // The hub says goodbye; the plugin's own way would close with another code.
    preClose: (done) => done(),
  })

  app.addHook('preClose', () => hub.shutDown())

  app.route({
    method: 'GET',
    url: '/realtime',
    handler: (_request, reply) => sendError(reply, new ApiError('general_route_not_found')),
    onRequest: (request, _reply, done) => {
      const isTooMany =
        config.rateLimits && request.ws && attempts.add(addressKey(request)) > ATTEMPTS_PER_MINUTE
      const retry = { 'retry-after': '60' }
      done(isTooMany ? new ApiError('general_rate_limit_exceeded', undefined, retry) : undefined)
    },
    wsHandler: (socket, request) => {
      const refusal = refusalOf(request)
      if (refusal !== null) return turnAway(socket, refusal)
      const entry = ledger.open(addressKey(request))
      if (entry === null) return turnAway(socket, TOO_MANY_CONNECTIONS)
      return converse(socket, request, entry)
    },
  })

  function refusalOf(request: FastifyRequest): Refusal | null {
    if (projectOf(request) !== PROJECT_ID) {
      return { code: ERROR.policy, message: 'Missing or unknown project ID' }
    }
    if (!isAllowed(request)) {
      return { code: ERROR.policy, message: unknownOrigin(request.headers.origin ?? '').message }
    }
    if (config.rateLimits && attempts.of(addressKey(request)) > CONNECTIONS_PER_MINUTE) {
      return { code: ERROR.busy, message: 'Too many requests' }
    }
    return null
  }

  /** Whose session it is. Null: nobody's, or it has ended. */
  async function find(session: string | null): Promise<Caller | null> {
    const found = session === null ? null : await signIns.find(session)
    return found?.user.active === true ? found : null
  }

  /** One connection, from `connected` to its end. Its messages are handled strictly in order. */
  function converse(socket: WebSocket, request: FastifyRequest, entry: LedgerEntry): void {
    let subscriptions: ReadonlyMap<string, Subscription> = new Map()
    let caller: Caller | null = null
    let endsAt: number | null = null
    let value = sessionValue(request, services)
    let isHeard = true
    let minute = { start: now(), messages: 0 }

    const listener: Listener = {
      get userId() {
        return caller?.user.id ?? null
      },
      get sessionId() {
        return caller?.session.id ?? null
      },
      get endsAt() {
        return endsAt
      },
      get subscriptions() {
        return subscriptions.values()
      },
      send,
      recheck: () => void later(recheck),
      close: (code, reason) => socket.close(code, reason),
    }

    let previous: Promise<void> = Promise.resolve()
    let unanswered = 0
    const deadline = setTimeout(() => {
      if (subscriptions.size === 0) socket.close(4408, 'No subscription')
    }, SUBSCRIBE_WITHIN)
    const heartbeat = setInterval(() => {
      if (!isHeard) socket.terminate()
      isHeard = false
      socket.ping()
    }, PING_EVERY)
    socket.on('pong', () => void (isHeard = true))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(deadline)
      clearInterval(heartbeat)
      hub.remove(listener)
      entry.close()
    })
    socket.on('message', (bytes, isBinary) => {
      isHeard = true
      if (!mayGoOn()) return
      const text = isBinary ? '' : bytesToText(bytes)
      // What comes faster than it is answered stays with the sender.
      socket.pause()
      unanswered++
      void later(() => answer(text)).then(() => {
        unanswered--
        if (unanswered === 0) socket.resume()
      })
    })

    hub.add(listener)
    void later(async () => {
      if (!become(await find(value))) return turnAway(socket, TOO_MANY_CONNECTIONS)
      sendJson({
        type: 'connected',
        data: { channels: [], subscriptions: [], user: caller && wireUser(caller.user) },
      })
    })

    /** Does `task` when all before it are done, if the socket is open then. */
    function later(task: () => Promise<void>): Promise<void> {
      previous = previous
        .then(() => (socket.readyState === socket.OPEN ? task() : undefined))
        .catch((error: unknown) => {
          request.log.warn({ err: error }, 'realtime message failed')
          sendError(ERROR.busy, 'The server cannot answer right now.')
        })
      return previous
    }

    /**
     * From now on the socket is this caller's, and the hub knows it as such.
     * @returns false when they have too many sockets already; then nothing changes.
     */
    function become(next: Caller | null): boolean {
      if (!entry.assignTo(next?.user.id ?? null)) return false
      hub.remove(listener)
      caller = next
      endsAt = next === null ? null : endOf(next.session)
      if (socket.readyState === socket.OPEN) hub.add(listener)
      return true
    }

    async function recheck(): Promise<void> {
      if (caller === null) return
      const found = await find(value)
      if (found === null) socket.close(CLOSE.sessionEnded, 'The session has ended')
      else become(found)
    }

    async function answer(text: string): Promise<void> {
      const message = parseMessage(text)
      if (message === null) return sendError(ERROR.message, 'Message format is not valid.')
      switch (message.type) {
        case 'ping':
          return sendJson({ type: 'pong' })
        case 'authentication':
          return authenticate(message.data)
        case 'subscribe':
          return subscribe(message.data)
        case 'unsubscribe':
          return unsubscribe(message.data)
        default:
          return sendError(ERROR.message, 'Message type is not valid.')
      }
    }

    async function authenticate(data: unknown): Promise<void> {
      const session = isPlainObject(data) ? data['session'] : undefined
      if (typeof session !== 'string') {
        return sendError(ERROR.message, 'Payload is not valid. Session is required')
      }
      const found = await find(session)
      if (found === null) return sendError(ERROR.message, 'Session is not valid.')
      if (!become(found)) return sendError(ERROR.busy, TOO_MANY_CONNECTIONS.message)
      value = session
      const user = wireUser(found.user)
      return sendJson({ type: 'response', data: { to: 'authentication', success: true, user } })
    }

    function subscribe(data: unknown): void {
      if (!Array.isArray(data)) return sendError(ERROR.message, 'Payload is not valid.')
      try {
        const added = data.map((each) =>
          readSubscription(each, caller?.user.id ?? null, () => newId(now())),
        )
        const next = new Map(subscriptions)
        for (const { subscription } of added) next.set(subscription.id, subscription)
        if (!keep(next)) return sendError(ERROR.busy, 'Too many or too large subscriptions.')
        return sendJson({
          type: 'response',
          data: {
            to: 'subscribe',
            success: true,
            subscriptions: added.map(({ subscription, channels, queries }) => ({
              subscriptionId: subscription.id,
              channels,
              queries,
            })),
          },
        })
      } catch (error) {
        if (!(error instanceof SubscriptionError)) throw error
        return sendError(ERROR.message, error.message)
      }
    }

    /** One entry that is none refuses all, as with Appwrite: nothing is half done. */
    function unsubscribe(data: unknown): void {
      if (!Array.isArray(data)) return sendError(ERROR.message, 'Payload is not valid.')
      const ids = data.map((each) => (isPlainObject(each) ? each['subscriptionId'] : undefined))
      if (!ids.every((id): id is string => typeof id === 'string' && id !== '')) {
        return sendError(
          ERROR.message,
          'Each unsubscribe payload must include a non-empty subscriptionId.',
        )
      }
      const next = new Map(subscriptions)
      const removed = ids.map((id) => ({ subscriptionId: id, removed: next.delete(id) }))
      keep(next)
      return sendJson({
        type: 'response',
        data: { to: 'unsubscribe', success: true, subscriptions: removed },
      })
    }

    /** @returns false, with nothing changed, when that is too much. */
    function keep(next: ReadonlyMap<string, Subscription>): boolean {
      const bytes = [...next.values()].reduce((sum, each) => sum + each.bytes, 0)
      if (next.size > MAX_SUBSCRIPTIONS || !entry.keep(bytes)) return false
      subscriptions = next
      return true
    }

    function mayGoOn(): boolean {
      const time = now()
      if (time - minute.start >= MINUTE) minute = { start: time, messages: 0 }
      minute.messages++
      if (minute.messages <= MESSAGES_PER_MINUTE) return true
      if (minute.messages > FLOOD_PER_MINUTE) {
        sendError(ERROR.policy, 'Too many messages.')
        socket.close(ERROR.policy)
        socket.removeAllListeners('message')
      } else if (minute.messages === MESSAGES_PER_MINUTE + 1) {
        sendError(ERROR.busy, 'Too many messages.')
      }
      return false
    }

    /** Whoever does not read is cut off before their unread messages fill the memory. */
    function send(message: Buffer): void {
      if (socket.readyState !== socket.OPEN) return
      socket.send(message, { binary: false }, noteUnsent)
      noteUnsent()
    }

    function noteUnsent(): void {
      if (!entry.setUnsent(socket.bufferedAmount)) socket.terminate()
    }

    function sendJson(message: unknown): void {
      send(Buffer.from(JSON.stringify(message)))
    }

    function sendError(code: number, message: string): void {
      send(Buffer.from(errorMessage(code, message)))
    }
  }
}

function errorMessage(code: number, message: string): string {
  return JSON.stringify({ type: 'error', data: { code, message } })
}

function projectOf(request: FastifyRequest): unknown {
  const query: unknown = request.query
  return (
    request.headers['x-appwrite-project'] ?? (isPlainObject(query) ? query['project'] : undefined)
  )
}

function parseMessage(text: string): { type: unknown; data: unknown } | null {
  try {
    const message: unknown = JSON.parse(text)
    return isPlainObject(message) && ('type' in message || 'data' in message)
      ? { type: message['type'], data: message['data'] }
      : null
  } catch {
    return null
  }
}

function bytesToText(bytes: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(bytes)) return Buffer.concat(bytes).toString()
  return Buffer.isBuffer(bytes) ? bytes.toString() : Buffer.from(bytes).toString()
}

function turnAway(socket: WebSocket, { code, message }: Refusal): void {
  socket.send(errorMessage(code, message))
  socket.close(code)
}

/** Counts the attempts of each address to connect in this minute. */
function attemptCounter(now: () => number) {
  let window = 0
  let counts = new Map<string, number>()
  return {
    add(address: string): number {
      const current = Math.floor(now() / MINUTE)
      if (current !== window) {
        window = current
        counts = new Map()
      }
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      return count
    },
    of: (address: string): number => counts.get(address) ?? 0,
  }
}
