/**
 * Sign-ins: who is signed in where, for how long, and how that ends. The API and its table call them sessions.
 * Every query of `sessions` is here, except the one that finds the caller of a request.
 */
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { SessionRow, UserRow } from '#storage/schema.ts'
import { newId } from '#id.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import { newSecret, secretHash, signInToken } from './token.ts'
import { noteAccess } from './users.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MAX_SIGN_INS_PER_USER = 10
/** How often at most the use of a sign-in is stored, in milliseconds: it is a write. */
export const SEEN_EVERY = 5 * 60_000

/**
 * In milliseconds: how long a sign-in lasts from its start or its last extension (`step`), how long unused
 * (`idle`), and how long at most, however often it is extended (`absolute`).
 */
const LIFETIMES = {
  persistent: { step: 90 * DAY, idle: 30 * DAY, absolute: 365 * DAY },
  untilBrowserCloses: { step: DAY, idle: 12 * HOUR, absolute: DAY },
}

export type SignIn = SessionRow

/** The signed-in user of a request. */
export interface Caller {
  readonly user: UserRow
  readonly signIn: SignIn
}

/** Where a sign-in comes from. */
export interface Visitor {
  readonly ip: string
  readonly userAgent: string
}

/**
 * Starts a sign-in; above ten, the user's oldest ends.
 * @returns the row, the token that only the browser keeps, and the ids of the sign-ins that ended.
 */
export async function start(
  tx: Transaction,
  userId: string,
  visitor: Visitor,
  persistent: boolean,
  now: number,
): Promise<{ signIn: SignIn; token: string; ended: string[] }> {
  const secret = newSecret()
  const created = wireInstant(now)
  const signIn: SignIn = {
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
  await tx.run(tx.build.insertInto('sessions').values(signIn))
  const ended = await tx.run(
    tx
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
              .limit(MAX_SIGN_INS_PER_USER),
          ),
        ]),
      ),
  )
  return { signIn, token: signInToken(userId, secret), ended: ended.map(({ id }) => id) }
}

/** The user's sign-in with this id, alive or not; undefined: there is none. */
export function find(db: Database, userId: string, id: string): Promise<SignIn | undefined> {
  return first(
    db.read(
      db.build
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', userId),
    ),
  )
}

/** The user's sign-ins that are alive at `now` (epoch milliseconds), oldest first. */
export async function list(db: Database, userId: string, now: number): Promise<SignIn[]> {
  const all = await db.read(
    db.build
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
  )
  return all.filter((signIn) => isAlive(signIn, now))
}

/** The network addresses of the sign-ins of the account with this e-mail address. */
export async function addressesOf(db: Database, email: string): Promise<string[]> {
  const rows = await db.read(
    db.build
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.ip')
      .where('users.email', '=', email),
  )
  return rows.map(({ ip }) => ip)
}

/** Gives the sign-in its full step again from `now`, up to its absolute end. Undefined: it is gone. */
export async function extend(
  tx: Transaction,
  signIn: SignIn,
  now: number,
): Promise<SignIn | undefined> {
  const end = Math.min(now + lifetimeOf(signIn.persistent).step, absoluteEndOf(signIn))
  const at = wireInstant(now)
  return first(
    tx.run(
      tx
        .changeAccounts()
        .updateTable('sessions')
        .set({ expires_at: wireInstant(end), seen_at: at, updated_at: at })
        .where('id', '=', signIn.id)
        .returningAll(),
    ),
  )
}

/** Ends one sign-in, or (no id) all of the user's but `except`. @returns the ids of those that ended. */
export async function end(
  tx: Transaction,
  userId: string,
  which: { readonly id?: string; readonly except?: string } = {},
): Promise<string[]> {
  let query = tx
    .changeAccounts()
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('id')
  if (which.id !== undefined) query = query.where('id', '=', which.id)
  if (which.except !== undefined) query = query.where('id', '<>', which.except)
  return (await tx.run(query)).map(({ id }) => id)
}

/**
 * Stores that the sign-in was used, at most every five minutes. Cached callers stay valid: it changes no right.
 */
export async function noteUse(db: Database, { user, signIn }: Caller, now: number): Promise<void> {
  if (now - epochMilliseconds(signIn.seen_at) < SEEN_EVERY) return
  await db.write(async (tx) => {
    // The user before the sign-in, in the order in which every transaction locks them: no deadlock is possible.
    if (now - epochMilliseconds(user.accessed_at) >= DAY) await noteAccess(tx, user.id, now)
    await tx.run(
      tx.build
        .updateTable('sessions')
        .set({ seen_at: wireInstant(now) })
        .where('id', '=', signIn.id),
    )
  })
}

/** Whether the sign-in may still be used at `now`. */
export function isAlive(signIn: SignIn, now: number): boolean {
  return now < endOf(signIn)
}

/** When the sign-in ends unless it is used or extended before, epoch milliseconds. */
export function endOf(signIn: SignIn): number {
  const idleEnd = epochMilliseconds(signIn.seen_at) + lifetimeOf(signIn.persistent).idle
  return Math.min(epochMilliseconds(signIn.expires_at), idleEnd, absoluteEndOf(signIn))
}

/** When the sign-in ends however often it is used and extended, epoch milliseconds. */
function absoluteEndOf({ created_at, persistent }: SignIn): number {
  return epochMilliseconds(created_at) + lifetimeOf(persistent).absolute
}

/** How long the browser should keep the cookie, in seconds; null: until it closes. */
export function cookieSeconds(signIn: SignIn, now: number): number | null {
  if (!signIn.persistent) return null
  return Math.floor((epochMilliseconds(signIn.expires_at) - now) / 1000)
}

function lifetimeOf(persistent: boolean) {
  return persistent ? LIFETIMES.persistent : LIFETIMES.untilBrowserCloses
}
