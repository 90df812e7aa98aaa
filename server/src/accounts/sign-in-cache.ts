/**
 * Finds the sign-in of a request or a socket, and caches it. It has one rule of invalidation: a
 * cached sign-in is valid while `Database.accountsVersion` is the same as when the rows were read.
 * The database changes that number after each use of `Transaction.changeAccounts`, the only builder
 * of changes of these tables, and when another process may have written.
 */
import { first } from '#storage/database.ts'
import type { Database } from '#storage/database.ts'
import { slot, statement } from '#storage/statement.ts'
import { epochMilliseconds } from '#instant.ts'
import { endOf, isAlive, SEEN_EVERY } from './sign-ins.ts'
import type { Caller } from './sign-ins.ts'
import { secretHash, secretOfToken } from './token.ts'

export interface SignIns {
  /**
   * Finds the caller by the value of a cookie or of a socket's message. Null: there is none, or the
   * sign-in has ended.
   */
  find(value: string): Promise<Caller | null>
  /** Returns the caller from the cache; undefined: not cached, or its use must be stored again. */
  cached(value: string): Caller | undefined
}

/** How many callers are cached. */
const MAX_CACHED = 10_000

/** Longer values are not cached, in characters. Valid ones are half as long. */
const MAX_CACHED_VALUE = 256

/** Makes the finder of sign-ins; a process has one. */
export function createSignIns(db: Database, now: () => number): SignIns {
  const cache = new Map<string, { readonly caller: Caller; readonly until: number }>()
  /** The version of the accounts that the cache belongs to. */
  let cachedVersion: number | null = null
  const sessionByHash = statement(
    db.build.selectFrom('sessions').selectAll().where('token_hash', '=', slot<string>(0)),
  )
  const userById = statement(
    db.build.selectFrom('users').selectAll().where('id', '=', slot<string>(0)),
  )

  return {
    cached(value) {
      if (currentVersion() === null) return undefined
      const found = cache.get(value)
      return found !== undefined && now() < found.until ? found.caller : undefined
    },
    async find(value) {
      const secret = secretOfToken(value)
      if (secret === null) return null
      // The version is read first, so that rows that change during the read are not cached.
      const version = currentVersion()
      const signIn = await first(db.read(sessionByHash([secretHash(secret)])))
      if (signIn === undefined || !isAlive(signIn, now())) return null
      const user = await first(db.read(userById([signIn.user_id])))
      if (user === undefined) return null
      keep(value, { user, signIn }, version)
      return { user, signIn }
    },
  }

  function keep(value: string, caller: Caller, version: number | null): void {
    if (version === null || version !== currentVersion() || value.length > MAX_CACHED_VALUE) return
    if (cache.size >= MAX_CACHED) cache.clear()
    const { signIn } = caller
    const until = Math.min(endOf(signIn), epochMilliseconds(signIn.seen_at) + SEEN_EVERY)
    cache.set(value, { caller, until })
  }

  /**
   * Returns the current version, and clears a cache of another version. Null: nothing may be
   * cached.
   */
  function currentVersion(): number | null {
    const version = db.accountsVersion()
    if (version !== cachedVersion) cache.clear()
    cachedVersion = version
    return version
  }
}
