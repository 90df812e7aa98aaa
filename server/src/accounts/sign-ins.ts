/**
 * Sign-ins: who is signed in, for how long, and how a sign-in ends. The API and its table call them
 * sessions. All queries of `sessions` are in this file, except the one that finds the caller of a
 * request.
 */
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { SessionRow, UserRow } from '#storage/schema.ts'
import { apiError, notSignedIn } from '#errors.ts'
import { newId } from '#id.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import { newSecret, secretHash, signInToken } from './token.ts'
import { lock, noteAccess } from './users.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MAX_SIGN_INS_PER_USER = 10
/**
 * The shortest interval in which the use of a sign-in is stored, in milliseconds, because storing
 * is a write.
 */
export const SEEN_EVERY = 5 * 60_000

/**
 * Lifetimes in milliseconds: from the start or the last extension (`step`), without use (`idle`),
 * and in all, however often it is extended (`absolute`).
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

/** The network address and the device of a sign-in. */
export interface Visitor {
  readonly ip: string
  readonly userAgent: string
}

/** Who checked who the person is, as in the row. */
export type Origin = Pick<SignIn, 'provider' | 'provider_uid'>

const BY_PASSWORD: Origin = { provider: 'email', provider_uid: null }

/**
 * Starts a sign-in. If the user then has more than ten, the oldest ends.
 * @returns the row, the token that only the browser stores, and the ids of the sign-ins that ended.
 */
export async function start(
  tx: Transaction,
  userId: string,
  visitor: Visitor,
  persistent: boolean,
  now: number,
  origin: Origin = BY_PASSWORD,
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
    ...origin,
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

/** Returns the user's sign-in with this id, expired or not; undefined: there is none. */
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

/**
 * Locks the caller's account for a write that outlives the sign-in, such as a new key.
 * @throws ApiError general_unauthorized_scope when the sign-in or the account has ended since the request began,
 * user_blocked.
 */
export async function lockCaller(tx: Transaction, { user, signIn }: Caller): Promise<void> {
  const current = await lock(tx, user.id)
  const query = tx.build.selectFrom('sessions').select('id').where('id', '=', signIn.id)
  if (current === undefined || (await first(tx.run(query))) === undefined) throw notSignedIn()
  if (!current.active) throw apiError('user_blocked')
}

/** Returns the user's sign-ins that are valid at `now` (epoch milliseconds), oldest first. */
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

/** Returns the network addresses of the user's sign-ins. */
export async function addressesOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db.read(
    db.build.selectFrom('sessions').select('ip').where('user_id', '=', userId),
  )
  return rows.map(({ ip }) => ip)
}

/**
 * Extends the sign-in by its full step from `now`, up to its absolute end. Undefined: it is gone.
 */
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

/**
 * Ends one sign-in, or (no id) all of the user's except `except`; with `onlyExternal` those that began by another
 * system or a passkey, with `passkey` those that began with this one.
 * @returns the ids of those that ended.
 */
export async function end(
  tx: Transaction,
  userId: string,
  which: {
    readonly id?: string
    readonly except?: string
    readonly onlyExternal?: boolean
    readonly passkey?: string
  } = {},
): Promise<string[]> {
  let query = tx
    .changeAccounts()
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('id')
  if (which.id !== undefined) query = query.where('id', '=', which.id)
  if (which.except !== undefined) query = query.where('id', '<>', which.except)
  if (which.onlyExternal) query = query.where('provider', '<>', BY_PASSWORD.provider)
  if (which.passkey !== undefined) {
    query = query.where('provider', '=', 'passkey').where('provider_uid', '=', which.passkey)
  }
  return (await tx.run(query)).map(({ id }) => id)
}

/**
 * Stores that the sign-in was used, at most every five minutes. Cached callers stay valid: no right
 * changes.
 */
export async function noteUse(db: Database, { user, signIn }: Caller, now: number): Promise<void> {
  if (now - epochMilliseconds(signIn.seen_at) < SEEN_EVERY) return
  await db.write(async (tx) => {
    // The user is locked before the sign-in, as in every transaction, so that no deadlock is
    // possible.
    if (now - epochMilliseconds(user.accessed_at) >= DAY) await noteAccess(tx, user.id, now)
    await tx.run(
      tx.build
        .updateTable('sessions')
        .set({ seen_at: wireInstant(now) })
        .where('id', '=', signIn.id),
    )
  })
}

/** Returns whether the sign-in may still be used at `now`. */
export function isAlive(signIn: SignIn, now: number): boolean {
  return now < endOf(signIn)
}

/** Returns when the sign-in ends if it is neither used nor extended, in epoch milliseconds. */
export function endOf(signIn: SignIn): number {
  const idleEnd = epochMilliseconds(signIn.seen_at) + lifetimeOf(signIn.persistent).idle
  return Math.min(epochMilliseconds(signIn.expires_at), idleEnd, absoluteEndOf(signIn))
}

/** Returns the absolute end of the sign-in, in epoch milliseconds. */
function absoluteEndOf({ created_at, persistent }: SignIn): number {
  return epochMilliseconds(created_at) + lifetimeOf(persistent).absolute
}

/** Returns how long the browser should keep the cookie, in seconds; null: until it closes. */
export function cookieSeconds(signIn: SignIn, now: number): number | null {
  if (!signIn.persistent) return null
  return Math.floor((epochMilliseconds(signIn.expires_at) - now) / 1000)
}

function lifetimeOf(persistent: boolean) {
  return persistent ? LIFETIMES.persistent : LIFETIMES.untilBrowserCloses
}
