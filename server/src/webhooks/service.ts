/** Webhooks and their deliveries. All queries of `webhooks` and `deliveries` are in this file. */
import { randomBytes } from 'node:crypto'
import * as users from '#accounts/users.ts'
import { apiError, notSignedIn } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { DeliveryRow, WebhookRow } from '#storage/schema.ts'
import { dataOf, meaningOf } from './events.ts'
import type { Change, WebhookEvent } from './events.ts'

/** How many deliveries of one webhook may wait; what comes after is dropped. */
export const MAX_WAITING = 100

/** How many finished deliveries of a webhook are kept. */
const MAX_FINISHED = 20

/** The waits before each further try, in milliseconds: five tries in two and a half hours. */
const WAITS = [30_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000]

/** How long a process has for what it claimed, in milliseconds: many times what it takes. */
const LEASE = 10 * 60_000

/** A delivery with where it goes. */
export type Claimed = DeliveryRow & Pick<WebhookRow, 'user_id' | 'url' | 'secret'>

/** Returns the webhook of the user's key; null: it has none. @throws ApiError stint_key_not_found. */
export async function find(
  db: Database,
  userId: string,
  keyId: string,
): Promise<WebhookRow | null> {
  const { build } = db
  const key = build
    .selectFrom('keys')
    .select('id')
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
  if ((await first(db.read(key))) === undefined) throw apiError('stint_key_not_found')
  const webhook = build.selectFrom('webhooks').selectAll().where('key_id', '=', keyId)
  return (await first(db.read(webhook))) ?? null
}

/**
 * Creates the webhook of a key or replaces it, with what was still to be sent.
 * @throws ApiError stint_key_not_found when the user has no such key, general_unauthorized_scope.
 */
export async function replace(db: Database, webhook: WebhookRow): Promise<void> {
  const { key_id: keyId, user_id: userId } = webhook
  await db.write(async (tx) => {
    if ((await users.lock(tx, userId)) === undefined) throw notSignedIn()
    const { build } = tx
    const key = await tx.run(
      build.selectFrom('keys').select('id').where('id', '=', keyId).where('user_id', '=', userId),
    )
    if (key.length === 0) throw apiError('stint_key_not_found')
    await tx.run(build.deleteFrom('webhooks').where('key_id', '=', keyId))
    await tx.run(build.insertInto('webhooks').values(webhook))
  })
}

/** Removes the webhook of a key, with what was still to be sent. */
export async function remove(db: Database, keyId: string): Promise<void> {
  await db.write((tx) => tx.run(tx.build.deleteFrom('webhooks').where('key_id', '=', keyId)))
}

/** Returns whether the user has a webhook. */
export async function hasAny(db: Database, userId: string): Promise<boolean> {
  const { build } = db
  const found = await db.read(
    build.selectFrom('webhooks').select('key_id').where('user_id', '=', userId).limit(1),
  )
  return found.length > 0
}

/** Returns the last deliveries of a webhook, the newest first. */
export function log(db: Database, keyId: string): Promise<DeliveryRow[]> {
  return db.read(
    db.build
      .selectFrom('deliveries')
      .selectAll()
      .where('key_id', '=', keyId)
      .orderBy('id', 'desc')
      .limit(MAX_FINISHED),
  )
}

/** Queues a test message, unless the queue is full. */
export async function queueTest(db: Database, keyId: string, now: number): Promise<void> {
  await db.write((tx) => queue(tx, keyId, [{ event: 'webhook.test', data: {} }], now))
}

/**
 * Queues what the webhooks of a user hear of these changes.
 * @param names names of tasks by id.
 */
export async function queueChanges(
  db: Database,
  userId: string,
  changes: readonly Change[],
  names: ReadonlyMap<string, string>,
  now: number,
): Promise<void> {
  await db.write(async (tx) => {
    // Two processes would otherwise both tell of one change of the timer.
    await users.lock(tx, userId)
    const { build } = tx
    const webhooks = await tx.run(
      build.selectFrom('webhooks').select(['key_id', 'timer']).where('user_id', '=', userId),
    )
    for (const webhook of webhooks) {
      let { timer } = webhook
      const messages: NewMessage[] = []
      for (const change of changes) {
        const meaning = meaningOf(change, timer)
        timer = meaning.timer
        if (meaning.event === null) continue
        const name = names.get(change.document.taskId) ?? null
        messages.push({ event: meaning.event, data: dataOf(change, name) })
      }
      await queue(tx, webhook.key_id, messages, now)
      if (timer === webhook.timer) continue
      await tx.run(
        build.updateTable('webhooks').set({ timer }).where('key_id', '=', webhook.key_id),
      )
    }
  })
}

interface NewMessage {
  readonly event: WebhookEvent
  readonly data: object
}

/** Adds messages while there is room. */
async function queue(
  tx: Transaction,
  keyId: string,
  messages: readonly NewMessage[],
  now: number,
): Promise<void> {
  if (messages.length === 0) return
  const { build } = tx
  const waiting = await tx.run(
    build
      .selectFrom('deliveries')
      .select('id')
      .where('key_id', '=', keyId)
      .where('next_try_at', 'is not', null),
  )
  const at = wireInstant(now)
  const rows = messages
    .slice(0, Math.max(0, MAX_WAITING - waiting.length))
    .map(({ event, data }): DeliveryRow => {
      const timestamp = new Date(now).toISOString()
      return {
        id: deliveryId(now),
        key_id: keyId,
        event,
        body: JSON.stringify({ type: event, timestamp, data }),
        status: 'waiting',
        tries: 0,
        answer: null,
        created_at: at,
        next_try_at: at,
      }
    })
  if (rows.length === 0) return
  await tx.run(build.insertInto('deliveries').values(rows))
  const kept = build
    .selectFrom('deliveries')
    .select('id')
    .where('key_id', '=', keyId)
    .orderBy('id', 'desc')
    .limit(MAX_FINISHED)
  await tx.run(
    build
      .deleteFrom('deliveries')
      .where('key_id', '=', keyId)
      .where('next_try_at', 'is', null)
      .where('id', 'not in', kept),
  )
}

/** Returns an id; the order of the ids of a process is that of its messages. */
function deliveryId(now: number): string {
  lastNumber = Math.max(lastNumber + 1, now * 1000)
  return `msg_${lastNumber.toString(36)}_${randomBytes(9).toString('hex')}`
}

let lastNumber = 0

/**
 * Claims the oldest delivery whose time has come: no other process gets it until the lease ends, also when this one is killed.
 * Those of blocked accounts wait.
 * @param busyKeys webhooks that are left out.
 * @param otherOwners people who are left out.
 * @returns null when there is none.
 */
export async function claim(
  db: Database,
  now: number,
  busyKeys: readonly string[],
  otherOwners: readonly string[],
): Promise<Claimed | null> {
  const due = db.build
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.key_id', 'deliveries.key_id')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .selectAll('deliveries')
    .select(['webhooks.user_id', 'webhooks.url', 'webhooks.secret'])
    .where('next_try_at', '<=', wireInstant(now))
    .where('users.active', '=', true)
    .$if(busyKeys.length > 0, (query) => query.where('deliveries.key_id', 'not in', busyKeys))
    .$if(otherOwners.length > 0, (query) => query.where('webhooks.user_id', 'not in', otherOwners))
    .orderBy('next_try_at')
    .orderBy('deliveries.id')
    .limit(1)
  for (;;) {
    const row = await first(db.read(due))
    if (row === undefined) return null
    const { id, tries, next_try_at: at } = row
    const taken = await db.write((tx) =>
      tx.run(
        tx.build
          .updateTable('deliveries')
          .set({ next_try_at: wireInstant(now + LEASE), tries: tries + 1 })
          .where('id', '=', id)
          .where('next_try_at', '=', at)
          .returning('id'),
      ),
    )
    // Another process may have been faster: the next one is read.
    if (taken.length > 0) return { ...row, tries: tries + 1 }
  }
}

/**
 * Returns whether a claimed delivery is still to be sent: since then, the webhook may have been replaced or removed, its
 * key revoked, its account blocked or deleted.
 */
export async function isWanted(db: Database, id: string): Promise<boolean> {
  const found = await db.read(
    db.build
      .selectFrom('deliveries')
      .innerJoin('webhooks', 'webhooks.key_id', 'deliveries.key_id')
      .innerJoin('users', 'users.id', 'webhooks.user_id')
      .select('deliveries.id')
      .where('deliveries.id', '=', id)
      .where('users.active', '=', true),
  )
  return found.length > 0
}

/** Stores how a try ended: delivered, to be repeated, or failed for good. */
export async function finish(
  db: Database,
  { id, tries }: Claimed,
  isDelivered: boolean,
  answer: string,
  now: number,
): Promise<void> {
  const wait = isDelivered ? undefined : WAITS[tries - 1]
  const status = isDelivered ? 'delivered' : wait === undefined ? 'failed' : 'waiting'
  const next_try_at = wait === undefined ? null : wireInstant(now + wait)
  await db.write((tx) =>
    tx.run(
      tx.build.updateTable('deliveries').set({ status, answer, next_try_at }).where('id', '=', id),
    ),
  )
}
