/**
 * Hears of changes and sends them to the webhooks of their owner, behind the requests that made them.
 * What is queued survives a restart. A process that is killed between a change and its queueing loses
 * that message.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import type { FastifyBaseLogger } from 'fastify'
import { documentJson } from '#documents/document.ts'
import type { DocumentText } from '#documents/document.ts'
import { documentStores } from '#documents/store.ts'
import type { DocumentAction } from '#realtime/events.ts'
import type { Services } from '#services.ts'
import type { Change } from './events.ts'
import { PrivateAddress } from './addresses.ts'
import type { ResolveName } from './names.ts'
import { send } from './send.ts'
import * as webhooks from './service.ts'
import type { Claimed } from './service.ts'
import { Shares } from './shares.ts'

/** How often the queue is read, in milliseconds: for later tries, and what other processes left. */
const POLL = 2000

/** How many changes of one person are noted between two writes; an import makes more. */
const MAX_NOTED = webhooks.MAX_WAITING

/** How long nothing is read again for somebody without a webhook, in milliseconds. */
const BELIEVED_FOR = 5000
/** How many people without a webhook are remembered. */
const MAX_WITHOUT = 10_000

export interface Deliverer {
  /** Notes a change. People without a webhook cost one read in five seconds. */
  documentChanged(
    owner: string,
    collection: CollectionId,
    action: DocumentAction,
    text: DocumentText,
  ): void
  /** Must be called when the user got a webhook, so that the next change is told. */
  webhookAdded(owner: string): void
  /** Sends what is queued. */
  wake(): void
  /** Ends calls that are in progress; they are repeated after the next start. */
  stop(): Promise<void>
}

/** @param resolveName resolves the hosts of the webhooks. */
export function createDeliverer(
  { db, config, now, metrics }: Pick<Services, 'db' | 'config' | 'now' | 'metrics'>,
  resolveName: ResolveName,
  log: FastifyBaseLogger,
): Deliverer {
  const tasks = documentStores(db).tasks
  const noted = new Map<string, Change[]>()
  const shares = new Shares()
  const calls = new Set<Promise<void>>()
  const stopping = new AbortController()
  /** Owners without a webhook, and until when that is cached, by `performance.now()`. */
  const without = new Map<string, number>()
  let turns: Promise<void> = Promise.resolve()
  let isTurnWaiting = false
  const poll = setInterval(wake, POLL)
  poll.unref()
  wake()

  return {
    documentChanged(owner, collection, action, text) {
      if (collection === 'tasks' || (without.get(owner) ?? 0) > performance.now()) return
      const changes = noted.get(owner) ?? []
      noted.set(owner, changes)
      if (changes.length >= MAX_NOTED) return
      changes.push({ collection, action, document: JSON.parse(documentJson(text)) })
      wake()
    },
    webhookAdded: (owner) => void without.delete(owner),
    wake,
    async stop() {
      clearInterval(poll)
      stopping.abort()
      await turns
      await Promise.all(calls)
    },
  }

  function wake(): void {
    if (isTurnWaiting || stopping.signal.aborted) return
    isTurnWaiting = true
    turns = turns
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(turn)
      .catch((error: unknown) => log.warn({ err: error }, 'could not read the queue of webhooks'))
  }

  async function turn(): Promise<void> {
    isTurnWaiting = false
    for (const [owner, changes] of noted) {
      noted.delete(owner)
      if (!(await webhooks.hasAny(db, owner))) {
        if (without.size >= MAX_WITHOUT) without.clear()
        without.set(owner, performance.now() + BELIEVED_FOR)
        continue
      }
      await webhooks.queueChanges(db, owner, changes, await namesIn(owner, changes), now())
    }
    while (!shares.isFull && !stopping.signal.aborted) {
      const claimed = await claim()
      if (claimed === null) return
      const { key_id: keyId, user_id: owner } = claimed
      shares.begin(keyId, owner)
      const call = deliver(claimed)
        .catch((error: unknown) => log.warn({ err: error }, 'could not note a delivery'))
        .then(() => {
          calls.delete(call)
          shares.end(keyId)
          wake()
        })
      calls.add(call)
    }
  }

  /** Claims the oldest message of those whose turn it is. */
  async function claim(): Promise<Claimed | null> {
    const { busyKeys, ownersOutOfTurn, ownersWithoutRoom } = shares
    const inTurn = await webhooks.claim(db, now(), busyKeys, ownersOutOfTurn)
    if (inTurn !== null || ownersOutOfTurn.length === ownersWithoutRoom.length) return inTurn
    shares.beginRound()
    return webhooks.claim(db, now(), busyKeys, ownersWithoutRoom)
  }

  async function namesIn(
    owner: string,
    changes: readonly Change[],
  ): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>()
    for (const id of new Set(changes.map(({ document }) => document.taskId))) {
      const task = await tasks.find(owner, id)
      if (task !== undefined) names.set(id, String(JSON.parse(documentJson(task)).name))
    }
    return names
  }

  async function deliver(claimed: Claimed): Promise<void> {
    if (!(await webhooks.isWanted(db, claimed.id))) return
    let answer: string
    let isDelivered = false
    try {
      const allowsPrivate = config.webhooksAllowPrivate
      const status = await send(claimed, now(), resolveName, allowsPrivate, stopping.signal)
      isDelivered = status >= 200 && status < 300
      answer = `HTTP ${status}`
    } catch (error) {
      answer = reasonOf(error)
    }
    if (stopping.signal.aborted) return
    metrics.webhookCalls.with(isDelivered ? 'delivered' : 'failed').add()
    await webhooks.finish(db, claimed, isDelivered, answer, now())
  }
}

/** Returns why there was no answer, in a word for the log that its owner sees. */
function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return 'private address'
  if (error instanceof Error && error.name === 'AbortError') return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === '' ? 'no connection' : code
}
