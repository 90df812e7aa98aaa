/** The realtime socket: `GET /v1/realtime` and the messages of the SDK (contract 9). */
import fastifyWebsocket from '@fastify/websocket'
import type { WebSocket } from '@fastify/websocket'
import { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionValue } from '#account/cookie.ts'
import { endOf, sessionFinder } from '#account/sessions.ts'
import type { Caller } from '#account/sessions.ts'
import { wireUser } from '#account/wire.ts'
import { ApiError, sendError } from '#errors.ts'
import { newId } from '#id.ts'
import { originCheck } from '#origins.ts'
import { isPlainObject } from '#params.ts'
import type { Services } from '#services.ts'
import { CLOSE } from './hub.ts'
import type { Listener } from './hub.ts'
import { ownChannels, readSubscription, SubscriptionError } from './subscription.ts'
import type { Subscription } from './subscription.ts'

const LARGEST_MESSAGE = 65_536
const MESSAGES_PER_MINUTE = 32
/** Whoever goes on after being told is a flood, and cut off. */
const FLOOD_PER_MINUTE = 128
const CONNECTIONS_PER_MINUTE = 128
const MAX_SUBSCRIPTIONS = 100
const MAX_SOCKETS = 20_000
const MAX_UNSENT_BYTES = 1_048_576
const SUBSCRIBE_WITHIN = 10_000
const PING_EVERY = 30_000
const MINUTE = 60_000

const ERROR = { policy: 1008, message: 1003, busy: 1013 }

/** Registers the socket under the prefix of `app`. */
export async function registerRealtime(app: FastifyInstance, services: Services): Promise<void> {
  const { db, config, hub, now } = services
  const isAllowed = originCheck(config)
  const sessions = sessionFinder(db, now)
  const connects = connectCounter(now)

  await app.register(fastifyWebsocket, {
    options: { maxPayload: LARGEST_MESSAGE, perMessageDeflate: false },
    // The hub says goodbye; the plugin's own way would close with another code.
    preClose: (done) => done(),
  })

  app.addHook('preClose', () => hub.shutDown())

  app.route({
    method: 'GET',
    url: '/realtime',
    handler: (_request, reply) => sendError(reply, new ApiError('general_route_not_found')),
    wsHandler: (socket, request) => {
      const refusal = refuse(request)
      if (refusal === null) converse(socket, request)
      else {
        socket.send(errorMessage(refusal.code, refusal.message))
        socket.close(refusal.code)
      }
    },
  })

  function refuse(request: FastifyRequest): { code: number; message: string } | null {
    if (projectOf(request) !== PROJECT_ID) {
      return { code: ERROR.policy, message: 'Missing or unknown project ID' }
    }
    if (!isAllowed(request)) {
      return {
        code: ERROR.policy,
        message:
          'Invalid Origin. Register your new client as a new Web platform on your project console dashboard',
      }
    }
    const isTooMany = config.rateLimits && connects(request.ip) > CONNECTIONS_PER_MINUTE
    if (isTooMany || hub.size >= MAX_SOCKETS) {
      return { code: ERROR.busy, message: 'Too many requests' }
    }
    return null
  }

  /** One connection, from `connected` to its end. Its messages are handled strictly in order. */
  function converse(socket: WebSocket, request: FastifyRequest): void {
    const subscriptions = new Map<string, Subscription>()
    let caller: Caller | null = null
    let endsAt: number | null = null
    let value = sessionValue(request)
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
      recheck: () => later(recheck),
      close: (code, reason) => socket.close(code, reason),
    }

    let previous: Promise<void> = Promise.resolve()
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
    })
    socket.on('message', (bytes, isBinary) => {
      isHeard = true
      if (!mayGoOn()) return
      const text = isBinary ? '' : bytesToText(bytes)
      later(() => answer(text))
    })

    hub.add(listener)
    later(async () => {
      await identify()
      sendJson({
        type: 'connected',
        data: { channels: [], subscriptions: [], user: caller && wireUser(caller.user) },
      })
    })

    /** Does `task` when all before it are done. */
    function later(task: () => Promise<void>): void {
      previous = previous.then(task).catch((error: unknown) => {
        request.log.warn({ err: error }, 'realtime message failed')
        sendError(ERROR.busy, 'The server cannot answer right now.')
      })
    }

    async function identify(): Promise<void> {
      const found = value === null ? null : await sessions.find(value)
      become(found?.user.active === true ? found : null)
    }

    /** From now on the socket is this caller's, and the hub knows it as such. */
    function become(next: Caller | null): void {
      hub.remove(listener)
      caller = next
      endsAt = next === null ? null : endOf(next.session)
      if (socket.readyState === socket.OPEN) hub.add(listener)
    }

    async function recheck(): Promise<void> {
      if (caller === null) return
      await identify()
      if (caller === null) socket.close(CLOSE.sessionEnded, 'The session has ended')
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
        return sendError(ERROR.message, 'Payload is not valid. Session is required.')
      }
      const found = await sessions.find(session)
      if (found === null || !found.user.active) {
        return sendError(ERROR.message, 'Session is not valid.')
      }
      become(found)
      value = session
      for (const [id, subscription] of subscriptions) {
        const channels = ownChannels(subscription.channels, found.user.id)
        subscriptions.set(id, { ...subscription, channels })
      }
      const user = wireUser(found.user)
      return sendJson({ type: 'response', data: { to: 'authentication', success: true, user } })
    }

    function subscribe(data: unknown): void {
      if (!Array.isArray(data)) return sendError(ERROR.message, 'Payload is not valid.')
      try {
        const added = data.map((entry) =>
          readSubscription(entry, caller?.user.id ?? null, () => newId(now())),
        )
        if (subscriptions.size + added.length > MAX_SUBSCRIPTIONS) {
          return sendError(ERROR.busy, 'Too many subscriptions.')
        }
        for (const subscription of added) subscriptions.set(subscription.id, subscription)
        return sendJson({
          type: 'response',
          data: {
            to: 'subscribe',
            success: true,
            subscriptions: added.map(({ id, channels, queries }) => ({
              subscriptionId: id,
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

    function unsubscribe(data: unknown): void {
      if (!Array.isArray(data)) return sendError(ERROR.message, 'Payload is not valid.')
      const removed = data.map((entry) => {
        const id = isPlainObject(entry) ? String(entry['subscriptionId']) : ''
        return { subscriptionId: id, removed: subscriptions.delete(id) }
      })
      return sendJson({
        type: 'response',
        data: { to: 'unsubscribe', success: true, subscriptions: removed },
      })
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
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.send(message, { binary: false })
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
    return isPlainObject(message) && message['type'] !== undefined
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

/** Counts the connections of an address in this minute. */
function connectCounter(now: () => number) {
  let window = 0
  let counts = new Map<string, number>()
  return (ip: string): number => {
    const current = Math.floor(now() / MINUTE)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const count = (counts.get(ip) ?? 0) + 1
    counts.set(ip, count)
    return count
  }
}
