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
import type { ResolveName } from './names.ts'
import { reasonOf, send } from './send.ts'
import { createSender } from './sender.ts'
import type { Sender } from './sender.ts'
import * as webhooks from './service.ts'
import type { Claimed } from './service.ts'
import { Without } from './without.ts'

/** How many changes of one person are noted between two writes; an import makes more. */
const MAX_NOTED = webhooks.MAX_WAITING

export interface Deliverer extends Sender {
  /** Notes a change. People without a webhook cost one read in five seconds. */
  documentChanged(
    owner: string,
    collection: CollectionId,
    action: DocumentAction,
    text: DocumentText,
  ): void
  /** Must be called when the user got a webhook, so that the next change is told. */
  webhookAdded(owner: string): void
}

/** @param resolveName resolves the hosts of the webhooks. */
export function createDeliverer(
  { db, config, now, metrics }: Pick<Services, 'db' | 'config' | 'now' | 'metrics'>,
  resolveName: ResolveName,
  log: FastifyBaseLogger,
): Deliverer {
  const tasks = documentStores(db).tasks
  const noted = new Map<string, Change[]>()
  const without = new Without()
  const sender = createSender({ name: 'the queue of webhooks', queueNoted, claim }, log)

  return {
    ...sender,
    documentChanged(owner, collection, action, text) {
      if (collection === 'tasks' || without.has(owner)) return
      const changes = noted.get(owner) ?? []
      noted.set(owner, changes)
      if (changes.length >= MAX_NOTED) return
      changes.push({ collection, action, document: JSON.parse(documentJson(text)) })
      sender.wake()
    },
    webhookAdded: (owner) => without.delete(owner),
  }

  async function queueNoted(): Promise<void> {
    for (const [owner, changes] of noted) {
      noted.delete(owner)
      if (!(await webhooks.hasAny(db, owner))) {
        without.add(owner)
        continue
      }
      await webhooks.queueChanges(db, owner, changes, await namesIn(owner, changes), now())
    }
  }

  async function claim(busyKeys: readonly string[], otherOwners: readonly string[]) {
    const claimed = await webhooks.claim(db, now(), busyKeys, otherOwners)
    if (claimed === null) return null
    const { key_id: key, user_id: owner } = claimed
    return { key, owner, deliver: (signal: AbortSignal) => deliver(claimed, signal) }
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

  async function deliver(claimed: Claimed, signal: AbortSignal): Promise<void> {
    if (!(await webhooks.isWanted(db, claimed.id))) return
    let answer: string
    let isDelivered = false
    try {
      const status = await send(claimed, now(), {
        resolveName,
        allowsPrivate: config.webhooksAllowPrivate,
        signal,
      })
      isDelivered = status >= 200 && status < 300
      answer = `HTTP ${status}`
    } catch (error) {
      answer = reasonOf(error)
    }
    if (signal.aborted) return
    metrics.webhookCalls.with(isDelivered ? 'delivered' : 'failed').add()
    await webhooks.finish(db, claimed, isDelivered, answer, now())
  }
}
