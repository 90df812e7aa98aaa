/** One socket, from its greeting to its end. */
import type { WebSocket } from '@fastify/websocket'
import type { FastifyBaseLogger } from 'fastify'
import { endOf } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import { wireUser } from '#accounts/wire.ts'
import { newId } from '#id.ts'
import { CLOSE_CODES, RealtimeError, realtimeError } from './errors.ts'
import type { Hub, Subscriber } from './hub.ts'
import type { LedgerEntry } from './ledger.ts'
import { parseAuthentication, parseMessage, parseSubscribe, parseUnsubscribe } from './message.ts'
import type { RawMessage } from './message.ts'
import { readSubscription } from './subscription.ts'
import type { Subscription } from './subscription.ts'

const MAX_MESSAGES_PER_MINUTE = 32
/** A client that exceeds this after the first refusal is disconnected. */
const MAX_REFUSED_PER_MINUTE = 128
const MAX_SUBSCRIPTIONS = 100
/** How long a socket may be open without a subscription, in milliseconds. */
const SUBSCRIBE_TIMEOUT = 10_000
const PING_INTERVAL = 30_000
const MINUTE = 60_000

export interface ConnectionOptions {
  readonly socket: WebSocket
  /** The session that the client sent when it connected; null: a guest. */
  readonly session: string | null
  /** Counts what the socket costs. */
  readonly entry: LedgerEntry
  readonly hub: Hub
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Finds the caller of a session. Null: there is none, or it has ended. */
  readonly findCaller: (session: string | null) => Promise<Caller | null>
  readonly log: FastifyBaseLogger
}

export class Connection implements Subscriber {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  #session: string | null
  #caller: Caller | null = null
  #endsAt: number | null = null
  #subscriptions: ReadonlyMap<string, Subscription> = new Map()
  #isAlive = true
  #minute: { start: number; messages: number }
  /** The newest task. Each begins after the one before it has ended. */
  #lastTask: Promise<void> = Promise.resolve()
  #unanswered = 0
  readonly #subscribeTimeout: NodeJS.Timeout
  readonly #heartbeat: NodeJS.Timeout

  /** Greets the client, joins the hub, and handles messages strictly in order until the socket closes. */
  constructor(options: ConnectionOptions) {
    const { socket, session, hub, now } = options
    this.#options = options
    this.#socket = socket
    this.#session = session
    this.#minute = { start: now(), messages: 0 }
    this.#subscribeTimeout = setTimeout(() => {
      if (this.#subscriptions.size === 0) {
        socket.close(CLOSE_CODES.noSubscription, 'No subscription')
      }
    }, SUBSCRIBE_TIMEOUT)
    this.#heartbeat = setInterval(() => this.#ping(), PING_INTERVAL)
    socket.on('pong', () => void (this.#isAlive = true))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#end())
    socket.on('message', (raw, isBinary) => this.#receive(raw, isBinary))
    hub.subscribe(this)
    void this.#enqueue(() => this.#greet())
  }

  get userId(): string | null {
    return this.#caller?.user.id ?? null
  }

  get sessionId(): string | null {
    return this.#caller?.signIn.id ?? null
  }

  get endsAt(): number | null {
    return this.#endsAt
  }

  get subscriptions(): Iterable<Subscription> {
    return this.#subscriptions.values()
  }

  /** A client that does not read is disconnected before its unread messages fill the memory. */
  send(message: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(message, { binary: false }, () => this.#countUnsent())
    this.#countUnsent()
  }

  recheck(): void {
    void this.#enqueue(async () => {
      if (this.#caller === null) return
      const found = await this.#options.findCaller(this.#session)
      if (found === null) this.close(CLOSE_CODES.sessionEnded, 'The session has ended')
      else this.#assignTo(found)
    })
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  #receive(raw: RawMessage, isBinary: boolean): void {
    this.#isAlive = true
    if (!this.#isWithinRate()) return
    // Applies back pressure: further messages wait at the client.
    this.#socket.pause()
    this.#unanswered++
    void this.#enqueue(() => this.#answer(raw, isBinary)).then(() => {
      this.#unanswered--
      if (this.#unanswered === 0) this.#socket.resume()
    })
  }

  /** Runs `task` after all earlier ones, if the socket is still open. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#lastTask = this.#lastTask
      .then(() => (this.#socket.readyState === this.#socket.OPEN ? task() : undefined))
      .catch((error: unknown) => {
        if (error instanceof RealtimeError) return this.#sendError(error)
        this.#options.log.warn({ err: error }, 'realtime message failed')
        return this.#sendError(realtimeError('unavailable'))
      })
    return this.#lastTask
  }

  async #greet(): Promise<void> {
    if (!this.#assignTo(await this.#options.findCaller(this.#session))) {
      return refuseSocket(this.#socket, realtimeError('too_many_connections'))
    }
    const user = this.#caller && wireUser(this.#caller.user)
    this.#sendJson({ type: 'connected', data: { channels: [], subscriptions: [], user } })
  }

  async #answer(raw: RawMessage, isBinary: boolean): Promise<void> {
    const { type, data } = parseMessage(raw, isBinary)
    switch (type) {
      case 'ping':
        return this.#sendJson({ type: 'pong' })
      case 'authentication':
        return this.#authenticate(data)
      case 'subscribe':
        return this.#subscribe(data)
      case 'unsubscribe':
        return this.#unsubscribe(data)
      default:
        throw realtimeError('type')
    }
  }

  async #authenticate(data: unknown): Promise<void> {
    const session = parseAuthentication(data)
    const found = await this.#options.findCaller(session)
    if (found === null) throw realtimeError('session')
    if (!this.#assignTo(found)) throw realtimeError('too_many_connections')
    this.#session = session
    this.#respond('authentication', { user: wireUser(found.user) })
  }

  #subscribe(data: unknown): void {
    const { userId } = this
    const added = parseSubscribe(data).map((each) =>
      readSubscription(each, userId, () => newId(this.#options.now())),
    )
    const next = new Map(this.#subscriptions)
    for (const { subscription } of added) next.set(subscription.id, subscription)
    if (!this.#keep(next)) throw realtimeError('too_many_subscriptions')
    this.#respond('subscribe', {
      subscriptions: added.map(({ subscription, channels, queries }) => ({
        subscriptionId: subscription.id,
        channels,
        queries,
      })),
    })
  }

  /** One invalid id refuses the whole message, as in Appwrite. */
  #unsubscribe(data: unknown): void {
    const next = new Map(this.#subscriptions)
    const subscriptions = parseUnsubscribe(data).map((id) => ({
      subscriptionId: id,
      removed: next.delete(id),
    }))
    this.#keep(next)
    this.#respond('unsubscribe', { subscriptions })
  }

  /**
   * Assigns the socket to this caller, in the ledger and in the hub.
   * @returns false if they have too many sockets; nothing changes then.
   */
  #assignTo(caller: Caller | null): boolean {
    const { entry, hub } = this.#options
    if (!entry.assignTo(caller?.user.id ?? null)) return false
    hub.unsubscribe(this)
    this.#caller = caller
    this.#endsAt = caller === null ? null : endOf(caller.signIn)
    if (this.#socket.readyState === this.#socket.OPEN) hub.subscribe(this)
    return true
  }

  /** @returns false if these subscriptions are too many or too large; nothing changes then. */
  #keep(next: ReadonlyMap<string, Subscription>): boolean {
    const bytes = [...next.values()].reduce((sum, each) => sum + each.bytes, 0)
    if (next.size > MAX_SUBSCRIPTIONS || !this.#options.entry.keep(bytes)) return false
    this.#subscriptions = next
    return true
  }

  /**
   * Counts a message. @returns whether it may be handled; the first one over the limit gets an
   * error.
   */
  #isWithinRate(): boolean {
    const time = this.#options.now()
    if (time - this.#minute.start >= MINUTE) this.#minute = { start: time, messages: 0 }
    const count = ++this.#minute.messages
    if (count <= MAX_MESSAGES_PER_MINUTE) return true
    if (count > MAX_REFUSED_PER_MINUTE) {
      const flood = realtimeError('flood')
      this.#sendError(flood)
      this.close(flood.code, '')
      this.#socket.removeAllListeners('message')
    } else if (count === MAX_MESSAGES_PER_MINUTE + 1) {
      this.#sendError(realtimeError('too_many_messages'))
    }
    return false
  }

  #ping(): void {
    if (!this.#isAlive) this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  #end(): void {
    clearTimeout(this.#subscribeTimeout)
    clearInterval(this.#heartbeat)
    this.#options.hub.unsubscribe(this)
    this.#options.entry.close()
  }

  #countUnsent(): void {
    if (!this.#options.entry.setUnsent(this.#socket.bufferedAmount)) this.#socket.terminate()
  }

  #respond(to: string, data: object): void {
    this.#sendJson({ type: 'response', data: { to, success: true, ...data } })
  }

  #sendJson(message: object): void {
    this.send(Buffer.from(JSON.stringify(message)))
  }

  #sendError(error: RealtimeError): void {
    this.send(Buffer.from(error.toMessage()))
  }
}

/** Sends the error and closes the socket with its code. */
export function refuseSocket(socket: WebSocket, error: RealtimeError): void {
  socket.send(error.toMessage())
  socket.close(error.code)
}
