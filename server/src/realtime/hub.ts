/**
 * Publishes changes to the sockets of their owner: directly in this process, and through the
 * database in others. Sockets are found by owner, so that no event is sent to all sockets and
 * filtered there.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Database } from '#storage/database.ts'
import { documentId, documentJson } from '#documents/document.ts'
import type { DocumentText } from '#documents/document.ts'
import { wireInstant } from '#instant.ts'
import { isPlainObject } from '#json.ts'
import { CLOSE_CODES } from './errors.ts'
import { accountEvent, documentEvent, eventMessage } from './events.ts'
import type { AccountChange, DocumentAction, RealtimeEvent } from './events.ts'
import { matches } from './subscription.ts'
import type { Subscription } from './subscription.ts'

/** A socket as the hub sees it. */
export interface Subscriber {
  /** Null: a guest, who receives no events. Constant while the socket is in the hub. */
  readonly userId: string | null
  readonly sessionId: string | null
  /** When its session expires, as far as known; epoch milliseconds. */
  readonly endsAt: number | null
  readonly subscriptions: Iterable<Subscription>
  /** @param message JSON text in UTF-8; many sockets get the same bytes. */
  send(message: Buffer): void
  /** Closes the socket if its session has ended. */
  recheck(): void
  close(code: number, reason: string): void
}

/** When a server stops, its sockets are closed over this time, in milliseconds. */
const RESTART_SPREAD = 2000
/** How often sessions are checked for expiry, in milliseconds. */
const SWEEP_INTERVAL = 1000
/** How often the session of each socket is read from the database, in milliseconds. */
const RECHECK_INTERVAL = 30_000

/**
 * How long events are sent before the event loop does other work, in milliseconds. A call that
 * writes hundreds of documents sends an event of each to every socket of its owner.
 */
const TIME_SLICE = 5

/**
 * The bound of the queue of one owner in bytes, and the overhead of an event beside its document.
 */
const MAX_WAITING = 16 * 1_048_576
const EVENT_BYTES = 4096

/** Bytes of a message between processes: it must fit into PostgreSQL's NOTIFY. */
const MAX_MESSAGE = 7500

export interface Hub {
  /** @param isLogAlone whether at most its log is another one: devices hear of it, programs do not. */
  documentChanged(
    owner: string,
    collection: CollectionId,
    action: DocumentAction,
    text: DocumentText,
    isLogAlone?: boolean,
  ): void
  accountChanged(userId: string, what: AccountChange, payload: unknown): void
  /** Closes the sockets of these sessions of the user, and publishes their end to the user's other sockets. */
  sessionsEnded(userId: string, sessionIds: readonly string[]): void
  subscribe(subscriber: Subscriber): void
  unsubscribe(subscriber: Subscriber): void
  /**
   * Closes all sockets, spread over two seconds so that their clients do not all reconnect at once.
   */
  shutDown(): Promise<void>
}

/**
 * Returns the hub of this process. The database connects it with the hubs of other processes.
 * @param onSent is called for each event that is sent to a socket.
 */
export function createHub(db: Database, now: () => number, onSent: () => void = () => {}): Hub {
  const registrations = new Map<Subscriber, Registration>()
  const byUser = new Map<string | null, Set<Subscriber>>()
  /** Sessions that ended recently, and when they are forgotten; on the clock of `performance`. */
  const endedSessions = new Map<string, number>()
  /** The queues of events and closings by owner. The owner whose turn is next comes first. */
  const waiting = new Map<string, { tasks: Task[]; bytes: number }>()
  /** Whether this turn of the event loop has its time slice, and when the slice ends. */
  let hasSlice = false
  let endOfSlice = 0
  const stopReceiving = db.subscribe(receive, recheckAll)
  const sweeps = setInterval(sweep, SWEEP_INTERVAL)
  sweeps.unref()

  return {
    documentChanged(owner, collection, action, text) {
      deliverDocument(owner, collection, action, text)
      broadcast({ kind: 'document', owner, collection, action, ...text })
    },
    accountChanged(userId, what, payload) {
      deliverAccount(userId, what, payload)
      broadcast({ kind: 'account', userId, what, payload })
    },
    sessionsEnded(userId, sessionIds) {
      endSessions(userId, sessionIds)
      broadcast({ kind: 'ended', userId, sessionIds })
    },
    subscribe,
    unsubscribe,
    async shutDown() {
      stopReceiving()
      clearInterval(sweeps)
      const all = [...registrations.keys()]
      const spread = all.length > 50 ? RESTART_SPREAD : 0
      await Promise.all(
        all.map(
          (subscriber, index) =>
            new Promise<void>((done) => {
              setTimeout(
                () => {
                  subscriber.close(CLOSE_CODES.restart, 'The server is restarting')
                  done()
                },
                (spread * index) / all.length,
              )
            }),
        ),
      )
    },
  }

  function subscribe(subscriber: Subscriber): void {
    const { userId } = subscriber
    registrations.set(subscriber, { userId, recheckAt: performance.now() + RECHECK_INTERVAL })
    const theirs = byUser.get(userId) ?? new Set()
    byUser.set(userId, theirs.add(subscriber))
    // The session may have ended between the moment it was read and now.
    if (subscriber.sessionId !== null && endedSessions.has(subscriber.sessionId))
      closeEnded(subscriber)
  }

  function unsubscribe(subscriber: Subscriber): void {
    const userId = registrations.get(subscriber)?.userId ?? null
    registrations.delete(subscriber)
    const theirs = byUser.get(userId)
    theirs?.delete(subscriber)
    if (theirs?.size === 0) byUser.delete(userId)
  }

  function publish(event: RealtimeEvent): void {
    enqueue(event.owner, event.payload.length + EVENT_BYTES, () => deliver(event))
  }

  /**
   * Runs the task after all earlier ones of its owner. If too much waits for an owner, their
   * sockets are closed; the clients reconnect and fetch the changes.
   */
  function enqueue(owner: string, bytes: number, run: () => void): void {
    const own = waiting.get(owner) ?? { tasks: [], bytes: 0 }
    own.bytes += bytes
    if (own.bytes > MAX_WAITING) {
      waiting.delete(owner)
      for (const subscriber of byUser.get(owner) ?? []) {
        subscriber.close(CLOSE_CODES.restart, 'Too many events')
      }
      return
    }
    own.tasks.push({ bytes, run })
    waiting.set(owner, own)
    if (!hasSlice) beginSlice()
    runWaiting()
  }

  /**
   * Begins a slice in this turn of the event loop, and in each following one until the queues are
   * empty.
   */
  function beginSlice(): void {
    hasSlice = true
    endOfSlice = performance.now() + TIME_SLICE
    setImmediate(() => {
      hasSlice = false
      if (waiting.size === 0) return
      beginSlice()
      runWaiting()
    })
  }

  /** Runs tasks until the slice ends, one task of each owner in turn. */
  function runWaiting(): void {
    for (const [owner, own] of waiting) {
      if (performance.now() > endOfSlice) return
      waiting.delete(owner)
      const task = own.tasks.shift()
      if (task === undefined) continue
      own.bytes -= task.bytes
      if (own.tasks.length > 0) waiting.set(owner, own)
      task.run()
    }
  }

  function deliver(event: RealtimeEvent): void {
    let payload: Record<string, unknown> | null = null
    // Most devices have the same subscription under the same id, so each message is built once.
    const messages = new Map<string, Buffer>()
    for (const subscriber of byUser.get(event.owner) ?? []) {
      payload ??= parsedPayload(event)
      const ids: string[] = []
      for (const subscription of subscriber.subscriptions) {
        if (matches(subscription, event, payload)) ids.push(subscription.id)
      }
      if (ids.length === 0) continue
      const key = JSON.stringify(ids)
      const message = messages.get(key) ?? Buffer.from(eventMessage(event, ids))
      messages.set(key, message)
      subscriber.send(message)
      onSent()
    }
  }

  function deliverDocument(
    owner: string,
    collection: CollectionId,
    action: DocumentAction,
    text: DocumentText,
  ): void {
    if (!byUser.has(owner)) return
    const [id, json] = [documentId(text), documentJson(text)]
    publish(documentEvent(owner, collection, id, action, json, wireInstant(now())))
  }

  function deliverAccount(userId: string, what: AccountChange, payload: unknown): void {
    if (!byUser.has(userId)) return
    publish(accountEvent(userId, what, payload, wireInstant(now())))
  }

  function endSessions(userId: string, sessionIds: readonly string[]): void {
    for (const id of sessionIds) endedSessions.set(id, performance.now() + RECHECK_INTERVAL)
    if (!byUser.has(userId)) return
    // The last event that the socket receives may be the reason why its session ended.
    enqueue(userId, 0, () => {
      for (const subscriber of byUser.get(userId) ?? []) {
        if (subscriber.sessionId !== null && sessionIds.includes(subscriber.sessionId)) {
          closeEnded(subscriber)
        }
      }
    })
    for (const $id of sessionIds) deliverAccount(userId, `sessions.${$id}.delete`, { $id, userId })
  }

  function sweep(): void {
    const time = now()
    for (const [id, until] of endedSessions) {
      if (until < performance.now()) endedSessions.delete(id)
    }
    for (const [subscriber, registration] of registrations) {
      const hasEnded = subscriber.endsAt !== null && subscriber.endsAt <= time
      // Each socket is checked at its own time: thousands of reads at once would delay every
      // request.
      if (!hasEnded && registration.recheckAt > performance.now()) continue
      registration.recheckAt = performance.now() + RECHECK_INTERVAL
      subscriber.recheck()
    }
  }

  function recheckAll(): void {
    for (const subscriber of registrations.keys()) subscriber.recheck()
  }

  /** Sends a message to the hubs of the other processes. */
  function broadcast(message: BusMessage): void {
    if (db.isExclusive) return
    const text = JSON.stringify(message)
    if (Buffer.byteLength(text) <= MAX_MESSAGE) db.publish(text)
    else if (message.kind === 'document') {
      // The document is too long for a message: the message has its id, and clients fetch it.
      const body = `,"$id":"${documentId(message)}","$collectionId":"${message.collection}"}`
      db.publish(JSON.stringify({ ...message, body }))
    } else if (message.kind === 'account') {
      // Preferences may be too long for a message: the message has the account's id only.
      db.publish(JSON.stringify({ ...message, payload: { $id: message.userId } }))
    }
  }

  function receive(text: string): void {
    const message = parseMessage(text)
    if (message === null) return
    switch (message.kind) {
      case 'document':
        deliverDocument(message.owner, message.collection, message.action, message)
        break
      case 'account':
        deliverAccount(message.userId, message.what, message.payload)
        break
      case 'ended':
        endSessions(message.userId, message.sessionIds)
        break
    }
  }
}

/** A subscriber in the hub. */
interface Registration {
  readonly userId: string | null
  /** When the session is read from the database again; on the clock of `performance`. */
  recheckAt: number
}

interface Task {
  /** The memory that it takes while it waits: an upper estimate. */
  readonly bytes: number
  readonly run: () => void
}

type BusMessage =
  | ({
      readonly kind: 'document'
      readonly owner: string
      readonly collection: CollectionId
      readonly action: DocumentAction
    } & DocumentText)
  | {
      readonly kind: 'account'
      readonly userId: string
      readonly what: AccountChange
      readonly payload: unknown
    }
  | { readonly kind: 'ended'; readonly userId: string; readonly sessionIds: readonly string[] }

function parseMessage(text: string): BusMessage | null {
  const parsed: unknown = JSON.parse(text)
  const isKnown =
    isPlainObject(parsed) && ['document', 'account', 'ended'].includes(String(parsed['kind']))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only our own processes write it
  return isKnown ? (parsed as unknown as BusMessage) : null
}

function closeEnded(subscriber: Subscriber): void {
  subscriber.close(CLOSE_CODES.sessionEnded, 'The session has ended')
}

function parsedPayload(event: RealtimeEvent): Record<string, unknown> {
  const payload: unknown = JSON.parse(event.payload)
  return isPlainObject(payload) ? payload : {}
}
