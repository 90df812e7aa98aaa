/** Sessions: who is signed in where, for how long, and how that ends. */
import type { Database, Transaction } from '#storage/database.ts'
import type { SessionRow, UserRow } from '#storage/schema.ts'
import { newId } from '#id.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import { newSecret, secretHash, sessionToken } from './token.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MAX_SESSIONS_PER_USER = 10

/** How often the use of a sign-in is noted, in milliseconds. */
export const SEEN_EVERY = 5 * 60_000

/**
 * In milliseconds: how long a session lasts from its start or its last extension (`step`), how long unused
 * (`idle`), and how long at most, however often it is extended (`absolute`).
 */
const LIFETIMES = {
  persistent: { step: 90 * DAY, idle: 30 * DAY, absolute: 365 * DAY },
  untilBrowserCloses: { step: DAY, idle: 12 * HOUR, absolute: DAY },
}

/** The signed-in user of a request. */
export interface Caller {
  readonly user: UserRow
  readonly session: SessionRow
}

export interface Visitor {
  readonly ip: string
  readonly userAgent: string
}

/**
 * Starts a session; above ten, the user's oldest ends.
 * @returns the row, the token that only the browser keeps, and the ids of the sessions that ended.
 */
export async function startSession(
  transaction: Transaction,
  userId: string,
  visitor: Visitor,
  persistent: boolean,
  now: number,
): Promise<{ session: SessionRow; token: string; ended: string[] }> {
  const secret = newSecret()
  const created = wireInstant(now)
  const session: SessionRow = {
    id: newId(now),
    user_id: userId,
    token_hash: secretHash(secret),
    persistent,
    ip: visitor.ip,
    user_agent: visitor.userAgent,
    created_at: created,
    updated_at: created,
    seen_at: created,
    expires_at: wireInstant(now + lifetimeOf(persistent).step),
  }
  await transaction.run(transaction.build.insertInto('sessions').values(session))
  const ended = await transaction.run(
    transaction
      .changeAccounts()
      .deleteFrom('sessions')
      .returning('id')
      .where('user_id', '=', userId)
      .where((eb) =>
        eb.or([
          eb('expires_at', '<', created),
          eb(
            'id',
            'not in',
            eb
              .selectFrom('sessions')
              .select('id')
              .where('user_id', '=', userId)
              .orderBy('created_at', 'desc')
              .orderBy('id', 'desc')
              .limit(MAX_SESSIONS_PER_USER),
          ),
        ]),
      ),
  )
  return { session, token: sessionToken(userId, secret), ended: ended.map(({ id }) => id) }
}

/** Whether the session may still be used at `now`. */
export function isAlive(session: SessionRow, now: number): boolean {
  return now < endOf(session)
}

/** When the session ends unless it is used or extended before, epoch milliseconds. */
export function endOf(session: SessionRow): number {
  const idleEnd = epochMilliseconds(session.seen_at) + lifetimeOf(session.persistent).idle
  return Math.min(epochMilliseconds(session.expires_at), idleEnd, absoluteEndOf(session))
}

/** When the session ends however often it is used and extended, epoch milliseconds. */
function absoluteEndOf({ created_at, persistent }: SessionRow): number {
  return epochMilliseconds(created_at) + lifetimeOf(persistent).absolute
}

/** Notes that the session was used; at most every five minutes, since it is a write. */
export async function noteUse(db: Database, { user, session }: Caller, now: number): Promise<void> {
  if (now - epochMilliseconds(session.seen_at) < SEEN_EVERY) return
  await db.write(async (tx) => {
    // The user before the session, as every transaction locks them: two of them cannot block each other.
    if (now - epochMilliseconds(user.accessed_at) >= DAY) {
      await tx.run(
        tx.build
          .updateTable('users')
          .set({ accessed_at: wireInstant(now) })
          .where('id', '=', user.id),
      )
    }
    await tx.run(
      tx.build
        .updateTable('sessions')
        .set({ seen_at: wireInstant(now) })
        .where('id', '=', session.id),
    )
  })
}

/** The user's sessions that are still alive, oldest first. */
export async function sessionsOf(db: Database, userId: string, now: number): Promise<SessionRow[]> {
  const sessions = await db.read(
    db.build
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
  )
  return sessions.filter((session) => isAlive(session, now))
}

/** Gives the session its full step again, from now, up to its absolute end. Undefined: it is gone. */
export async function extendSession(
  db: Database,
  session: SessionRow,
  now: number,
): Promise<SessionRow | undefined> {
  const extended = {
    expires_at: wireInstant(
      Math.min(now + lifetimeOf(session.persistent).step, absoluteEndOf(session)),
    ),
    seen_at: wireInstant(now),
    updated_at: wireInstant(now),
  }
  const rows = await db.write((tx) =>
    tx.run(
      tx
        .changeAccounts()
        .updateTable('sessions')
        .set(extended)
        .where('id', '=', session.id)
        .returningAll(),
    ),
  )
  return rows[0]
}

/** Ends one session, or (no id) all of the user's but `except`. @returns the ids of the ended. */
export async function endSessions(
  transaction: Transaction,
  userId: string,
  which: { readonly id?: string; readonly except?: string } = {},
): Promise<string[]> {
  let query = transaction
    .changeAccounts()
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('id')
  if (which.id !== undefined) query = query.where('id', '=', which.id)
  if (which.except !== undefined) query = query.where('id', '<>', which.except)
  return (await transaction.run(query)).map((row) => row.id)
}

/** Seconds the browser should keep the cookie; null: until it closes. */
export function cookieSeconds(session: SessionRow, now: number): number | null {
  if (!session.persistent) return null
  return Math.floor((epochMilliseconds(session.expires_at) - now) / 1000)
}

function lifetimeOf(persistent: boolean) {
  return persistent ? LIFETIMES.persistent : LIFETIMES.untilBrowserCloses
}
