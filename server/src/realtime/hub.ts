/**
 * Who is connected, and what they are told. An event goes to its owner's sockets and to no
 * others: the owner is looked up, nothing is broadcast and filtered.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Database } from '#storage/database.ts'
import { documentId, documentJson } from '#documents/document.ts'
import type { DocumentText } from '#documents/document.ts'
import { wireInstant } from '#instant.ts'
import { isPlainObject } from '#http/params.ts'
import { accountEvent, documentEvent, eventMessage } from './events.ts'
import type { AccountChange, DocumentAction, RealtimeEvent } from './events.ts'
import { matches } from './subscription.ts'
import type { Subscription } from './subscription.ts'

/** A socket as the hub sees it. */
export interface Listener {
  /** Null: a guest, who is told nothing. While it is in the hub it does not change. */
  readonly userId: string | null
  readonly sessionId: string | null
  /** When its session ends by itself, as far as is known; epoch milliseconds. */
  readonly endsAt: number | null
  readonly subscriptions: Iterable<Subscription>
  /** @param message JSON text in UTF-8; the same bytes go to many. */
  send(message: Buffer): void
  /** Closes it if its session has ended meanwhile. */
  recheck(): void
  close(code: number, reason: string): void
}

/** Close codes. Not 1008: after that the SDK stays away for good. */
export const CLOSE = { sessionEnded: 4401, restart: 1012 } as const

const RESTART_SPREAD = 2000
/** How often to look for sessions that have run out, in milliseconds. */
const SWEEP_EVERY = 1000
/** How long after it came, and after each time, the database is asked about a socket's session. */
const RECHECK_EVERY = 30_000

/** A message between processes must fit into PostgreSQL's NOTIFY. */
const MAX_MESSAGE_BYTES = 7500

export interface Hub {
  documentChanged(
    owner: string,
    collection: CollectionId,
    action: DocumentAction,
    text: DocumentText,
  ): void
  accountChanged(userId: string, what: AccountChange, payload: unknown): void
  /** Closes the sockets of these sessions of the user, and tells their other sockets. */
  sessionsEnded(userId: string, sessionIds: readonly string[]): void
  add(listener: Listener): void
  remove(listener: Listener): void
  /** Sends everybody away, spread over two seconds so that they do not all come back at once. */
  shutDown(): Promise<void>
}

/** Makes the hub of this process, joined to those of the others by the database. */
export function createHub(db: Database, now: () => number): Hub {
  const listeners = new Map<Listener, Known>()
  const byUser = new Map<string | null, Set<Listener>>()
  /** Sessions that ended of late, and until when they are remembered; on the clock of `performance`. */
  const ended = new Map<string, number>()
  const unsubscribe = db.subscribe(hear, recheckAll)
  // Sessions end by themselves as well.
  const sweeps = setInterval(sweep, SWEEP_EVERY)
  sweeps.unref()

  return {
    documentChanged(owner, collection, action, text) {
      if (byUser.has(owner)) {
        deliver(
          documentEvent(
            owner,
            collection,
            documentId(text),
            action,
            documentJson(text),
            wireInstant(now()),
          ),
        )
      }
      tell({ kind: 'document', owner, collection, action, ...text })
    },
    accountChanged(userId, what, payload) {
      tellAccount(userId, what, payload)
      tell({ kind: 'account', userId, what, payload })
    },
    sessionsEnded(userId, sessionIds) {
      endSessions(userId, sessionIds)
      tell({ kind: 'ended', userId, sessionIds })
    },
    add,
    remove,
    async shutDown() {
      unsubscribe()
      clearInterval(sweeps)
      const all = [...listeners.keys()]
      const spread = all.length > 50 ? RESTART_SPREAD : 0
      await Promise.all(
        all.map(
          (listener, index) =>
            new Promise<void>((done) => {
              setTimeout(
                () => {
                  listener.close(CLOSE.restart, 'The server is restarting')
                  done()
                },
                (spread * index) / all.length,
              )
            }),
        ),
      )
    },
  }

  function add(listener: Listener): void {
    const { userId } = listener
    listeners.set(listener, { userId, recheckAt: performance.now() + RECHECK_EVERY })
    const theirs = byUser.get(userId) ?? new Set()
    byUser.set(userId, theirs.add(listener))
    // The session may have ended between the moment it was read and now.
    if (listener.sessionId !== null && ended.has(listener.sessionId)) closeEnded(listener)
  }

  function remove(listener: Listener): void {
    const userId = listeners.get(listener)?.userId ?? null
    listeners.delete(listener)
    const theirs = byUser.get(userId)
    theirs?.delete(listener)
    if (theirs?.size === 0) byUser.delete(userId)
  }

  function deliver(event: RealtimeEvent): void {
    let payload: Record<string, unknown> | null = null
    // Most devices subscribe to the same under the same name: what they are told is made once.
    const messages = new Map<string, Buffer>()
    for (const listener of byUser.get(event.owner) ?? []) {
      payload ??= parsedPayload(event)
      const ids: string[] = []
      for (const subscription of listener.subscriptions) {
        if (matches(subscription, event, payload)) ids.push(subscription.id)
      }
      if (ids.length === 0) continue
      const key = JSON.stringify(ids)
      const message = messages.get(key) ?? Buffer.from(eventMessage(event, ids))
      messages.set(key, message)
      listener.send(message)
    }
  }

  function tellAccount(userId: string, what: AccountChange, payload: unknown): void {
    if (!byUser.has(userId)) return
    deliver(accountEvent(userId, what, payload, wireInstant(now())))
  }

  function endSessions(userId: string, sessionIds: readonly string[]): void {
    for (const id of sessionIds) ended.set(id, performance.now() + RECHECK_EVERY)
    for (const listener of byUser.get(userId) ?? []) {
      if (listener.sessionId !== null && sessionIds.includes(listener.sessionId)) {
        closeEnded(listener)
      }
    }
    for (const $id of sessionIds) tellAccount(userId, `sessions.${$id}.delete`, { $id, userId })
  }

  function sweep(): void {
    const time = now()
    for (const [id, until] of ended) if (until < performance.now()) ended.delete(id)
    for (const [listener, known] of listeners) {
      const hasEnded = listener.endsAt !== null && listener.endsAt <= time
      // Each in its own time: thousands of questions in one moment would keep everybody waiting.
      if (!hasEnded && known.recheckAt > performance.now()) continue
      known.recheckAt = performance.now() + RECHECK_EVERY
      listener.recheck()
    }
  }

  function recheckAll(): void {
    for (const listener of listeners.keys()) listener.recheck()
  }

  function tell(message: BusMessage): void {
    if (db.isExclusive) return
    const text = JSON.stringify(message)
    if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) db.publish(text)
    else if (message.kind === 'document') {
      // Too long to say: they are told what changed, and their clients fetch it.
      const body = `,"$id":"${documentId(message)}","$collectionId":"${message.collection}"}`
      db.publish(JSON.stringify({ ...message, body }))
    } else if (message.kind === 'account') {
      // Preferences may be long: they are told that they changed.
      db.publish(JSON.stringify({ ...message, payload: { $id: message.userId } }))
    }
  }

  function hear(text: string): void {
    const message = parseMessage(text)
    if (message === null || listeners.size === 0) return
    switch (message.kind) {
      case 'document': {
        const { owner, collection, action } = message
        const [json, at] = [documentJson(message), wireInstant(now())]
        deliver(documentEvent(owner, collection, documentId(message), action, json, at))
        break
      }
      case 'account':
        tellAccount(message.userId, message.what, message.payload)
        break
      case 'ended':
        endSessions(message.userId, message.sessionIds)
        break
    }
  }
}

/** What the hub keeps of a listener. */
interface Known {
  readonly userId: string | null
  /** When the database is to be asked whether its session still stands, whatever was heard; on the clock of `performance`. */
  recheckAt: number
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

function closeEnded(listener: Listener): void {
  listener.close(CLOSE.sessionEnded, 'The session has ended')
}

function parsedPayload(event: RealtimeEvent): Record<string, unknown> {
  const payload: unknown = JSON.parse(event.payload)
  return isPlainObject(payload) ? payload : {}
}
