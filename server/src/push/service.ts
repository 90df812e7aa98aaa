/**
 * The devices that show the running timer. All queries of `push_subscriptions` are in this file. A device belongs to its
 * sign-in, and goes with it. What is to be told is read when it is sent, so a device never gets a state of the past.
 */
import { lockCaller } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import { wireInstant } from '#instant.ts'
import { first } from '#storage/database.ts'
import type { Database } from '#storage/database.ts'
import type { PushSubscriptionRow } from '#storage/schema.ts'

/** The waits before each further try, in milliseconds. After the last one the next change is told. */
const WAITS = [30_000, 5 * 60_000]

/** How long a process has for what it claimed, in milliseconds: many times what it takes. */
const LEASE = 10 * 60_000

/** What the browser of a device gives. */
export type NewSubscription = Pick<
  PushSubscriptionRow,
  'endpoint' | 'p256dh' | 'auth' | 'with_names' | 'time_zone'
>

/** Returns the user's devices, the oldest first. A person has at most as many as sign-ins. */
export function list(db: Database, userId: string): Promise<PushSubscriptionRow[]> {
  return db.read(
    db.build
      .selectFrom('push_subscriptions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('session_id'),
  )
}

/** Returns whether the user has a device that is told. */
export async function hasAny(db: Database, userId: string): Promise<boolean> {
  const found = await db.read(
    db.build
      .selectFrom('push_subscriptions')
      .select('session_id')
      .where('user_id', '=', userId)
      .limit(1),
  )
  return found.length > 0
}

/** Returns the device of a sign-in; undefined: it is told nothing. */
export function find(db: Database, sessionId: string): Promise<PushSubscriptionRow | undefined> {
  const { build } = db
  return first(
    db.read(build.selectFrom('push_subscriptions').selectAll().where('session_id', '=', sessionId)),
  )
}

/**
 * Stores the device of the caller's sign-in, which is then told of the timer. A browser is of whoever signed in there last:
 * another sign-in with its address is told nothing more.
 * @throws what `lockCaller` throws.
 */
export async function put(
  db: Database,
  caller: Caller,
  device: NewSubscription,
  now: number,
): Promise<void> {
  const { user, signIn } = caller
  const at = wireInstant(now)
  await db.write(async (tx) => {
    await lockCaller(tx, caller)
    const { build } = tx
    // Two statements, as PostgreSQL would read all rows for one with `or`.
    const others = build.deleteFrom('push_subscriptions')
    await tx.run(others.where('session_id', '=', signIn.id))
    await tx.run(others.where('endpoint', '=', device.endpoint))
    await tx.run(
      build.insertInto('push_subscriptions').values({
        session_id: signIn.id,
        user_id: user.id,
        ...device,
        told: null,
        said: null,
        created_at: at,
        due_at: at,
        tries: 0,
      }),
    )
  })
}

/** Removes the device of a sign-in. Returns whether there was one. */
export async function remove(db: Database, sessionId: string): Promise<boolean> {
  const removed = await db.write((tx) =>
    tx.run(
      tx.build
        .deleteFrom('push_subscriptions')
        .where('session_id', '=', sessionId)
        .returning('session_id'),
    ),
  )
  return removed.length > 0
}

/** Queues the devices of a user: each is told what it does not know. */
export async function makeDue(db: Database, userId: string, now: number): Promise<void> {
  await db.write((tx) =>
    tx.run(
      tx.build
        .updateTable('push_subscriptions')
        .set({ due_at: wireInstant(now), tries: 0 })
        .where('user_id', '=', userId),
    ),
  )
}

/**
 * Claims the device that waits longest: no other process gets it until the lease ends. Those of blocked accounts wait.
 * @param busy sign-ins whose devices are left out.
 * @param otherOwners people who are left out.
 * @returns null when there is none.
 */
export async function claim(
  db: Database,
  now: number,
  busy: readonly string[],
  otherOwners: readonly string[],
): Promise<PushSubscriptionRow | null> {
  const due = db.build
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .selectAll('push_subscriptions')
    .where('due_at', '<=', wireInstant(now))
    .where('users.active', '=', true)
    .$if(busy.length > 0, (query) => query.where('session_id', 'not in', busy))
    .$if(otherOwners.length > 0, (query) => query.where('user_id', 'not in', otherOwners))
    .orderBy('due_at')
    .orderBy('session_id')
    .limit(1)
  for (;;) {
    const row = await first(db.read(due))
    if (row === undefined) return null
    const claimed = { due_at: wireInstant(now + LEASE), tries: row.tries + 1 }
    const taken = await db.write((tx) =>
      tx.run(
        tx.build
          .updateTable('push_subscriptions')
          .set(claimed)
          .where('session_id', '=', row.session_id)
          .where('due_at', '=', row.due_at)
          .returning('session_id'),
      ),
    )
    // Another process may have been faster: the next one is read.
    if (taken.length > 0) return { ...row, ...claimed }
  }
}

/**
 * Stores what a claimed device was told. If the timer has changed meanwhile, it is told again.
 * @param next when it is looked at again, in epoch milliseconds; null: with the next change.
 */
export async function finish(
  db: Database,
  { session_id: id, endpoint, due_at: lease }: PushSubscriptionRow,
  told: Pick<PushSubscriptionRow, 'told' | 'said'>,
  next: number | null,
): Promise<void> {
  await db.write(async (tx) => {
    const row = () =>
      tx.build
        .updateTable('push_subscriptions')
        .where('session_id', '=', id)
        .where('endpoint', '=', endpoint)
    await tx.run(row().set(told))
    const due_at = next === null ? null : wireInstant(next)
    await tx.run(row().set({ due_at, tries: 0 }).where('due_at', '=', lease))
  })
}

/** Stores what a claimed device may have been told. It stays claimed. */
export async function keepTold(
  db: Database,
  { session_id: id, endpoint }: PushSubscriptionRow,
  told: string | null,
): Promise<void> {
  await db.write((tx) =>
    tx.run(
      tx.build
        .updateTable('push_subscriptions')
        .set({ told })
        .where('session_id', '=', id)
        .where('endpoint', '=', endpoint),
    ),
  )
}

/**
 * Stores that a claimed device could not be told: it waits for its next try, after the last one for the next change.
 * @param next when it is looked at again in any case, in epoch milliseconds; null: never.
 */
export async function retryLater(
  db: Database,
  { session_id: id, due_at: lease, tries }: PushSubscriptionRow,
  now: number,
  next: number | null,
): Promise<void> {
  const wait = WAITS[tries - 1]
  const at = wait === undefined ? next : now + wait
  const due_at = at === null ? null : wireInstant(at)
  await db.write((tx) =>
    tx.run(
      tx.build
        .updateTable('push_subscriptions')
        .set({ due_at })
        .where('session_id', '=', id)
        .where('due_at', '=', lease),
    ),
  )
}

/** Removes a claimed device, unless its browser has given another address meanwhile. */
export async function drop(
  db: Database,
  { session_id: id, endpoint }: PushSubscriptionRow,
): Promise<void> {
  await db.write((tx) =>
    tx.run(
      tx.build
        .deleteFrom('push_subscriptions')
        .where('session_id', '=', id)
        .where('endpoint', '=', endpoint),
    ),
  )
}
