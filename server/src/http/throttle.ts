/**
 * Rate limits in fixed windows. Tries of passwords and secrets are counted in the database, so that
 * they survive a restart; all other calls are counted in memory. Only calls with valid parameters
 * are counted, first by the caller's address, which the caller cannot choose.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { first } from '#storage/database.ts'
import type { Database } from '#storage/database.ts'
import { slot, statement } from '#storage/statement.ts'
import { rateLimitExceeded } from '#errors.ts'
import type { ApiError } from '#errors.ts'
import { logSecurityEvent } from './security-log.ts'

export interface Limit {
  readonly name: string
  readonly hits: number
  readonly windowSeconds: number
  /** True: counted in the database, so that it survives restarts and all processes share it. */
  readonly lasting: boolean
}

/** A limit that is counted in memory. */
export type PassingLimit = Limit & { readonly lasting: false }

const HOUR = 3600
const MINUTE = 60

/** Every limit. Each call site chooses the key that it counts by. */
export const LIMITS = {
  signUp: { name: 'sign-up', hits: 10, windowSeconds: HOUR, lasting: true },
  signUpFromOutside: { name: 'sign-up-outside', hits: 60, windowSeconds: HOUR, lasting: true },
  signInsOfAddress: { name: 'sign-ins-ip', hits: 150, windowSeconds: MINUTE, lasting: false },
  signIn: { name: 'sign-in', hits: 10, windowSeconds: HOUR, lasting: true },
  failuresOfAddress: { name: 'sign-in-ip', hits: 100, windowSeconds: HOUR, lasting: true },
  failuresOfEmail: { name: 'sign-in-email', hits: 20, windowSeconds: HOUR, lasting: true },
  wrongCodes: { name: 'codes', hits: 10, windowSeconds: HOUR, lasting: true },
  recoveryOfEmail: { name: 'recovery-email', hits: 3, windowSeconds: HOUR, lasting: true },
  recoveryOfAddress: { name: 'recovery-ip', hits: 10, windowSeconds: HOUR, lasting: true },
  recoveryTries: { name: 'recovery-tries', hits: 10, windowSeconds: HOUR, lasting: true },
  credentials: { name: 'credentials', hits: 10, windowSeconds: HOUR, lasting: true },
  verification: { name: 'verification', hits: 10, windowSeconds: HOUR, lasting: true },
  verificationTries: { name: 'verification-tries', hits: 10, windowSeconds: HOUR, lasting: true },
  accountUpdate: { name: 'account-update', hits: 120, windowSeconds: MINUTE, lasting: false },
  extendSession: { name: 'extend-session', hits: 10, windowSeconds: HOUR, lasting: false },
  endSession: { name: 'end-session', hits: 100, windowSeconds: HOUR, lasting: false },
  refusedHeader: { name: 'proxy-header', hits: 1, windowSeconds: MINUTE, lasting: false },
  passkeyOptions: { name: 'passkey-options', hits: 300, windowSeconds: MINUTE, lasting: false },
  passkeyChange: { name: 'passkey-change', hits: 60, windowSeconds: HOUR, lasting: false },
  keyChange: { name: 'key-change', hits: 60, windowSeconds: HOUR, lasting: false },
  pushChange: { name: 'push-change', hits: 60, windowSeconds: HOUR, lasting: false },
  pushPress: { name: 'push-press', hits: 120, windowSeconds: MINUTE, lasting: false },
  wrongKeys: { name: 'key-ip', hits: 100, windowSeconds: HOUR, lasting: true },
  calendarRead: { name: 'calendar-read', hits: 30, windowSeconds: HOUR, lasting: false },
  calendarAddress: { name: 'calendar', hits: 1, windowSeconds: 15 * MINUTE, lasting: false },
  feedRead: { name: 'feed', hits: 120, windowSeconds: HOUR, lasting: false },
  keyUse: { name: 'key', hits: 300, windowSeconds: MINUTE, lasting: false },
  keySearch: { name: 'key-search', hits: 60, windowSeconds: MINUTE, lasting: false },
  documentRead: { name: 'read', hits: 600, windowSeconds: MINUTE, lasting: false },
  documentCreate: { name: 'create', hits: 120, windowSeconds: MINUTE, lasting: false },
  documentUpdate: { name: 'update', hits: 120, windowSeconds: MINUTE, lasting: false },
  documentUpsert: { name: 'upsert', hits: 120, windowSeconds: MINUTE, lasting: false },
  documentsInBulk: { name: 'documents', hits: 30_000, windowSeconds: MINUTE, lasting: false },
  documentBatches: { name: 'batches', hits: 120, windowSeconds: MINUTE, lasting: false },
  documentIncrement: { name: 'increment', hits: 120, windowSeconds: MINUTE, lasting: false },
  documentDecrement: { name: 'decrement', hits: 120, windowSeconds: MINUTE, lasting: false },
  documentDelete: { name: 'delete', hits: 60, windowSeconds: MINUTE, lasting: false },
} as const satisfies Record<string, Limit>

/**
 * How many counters the database stores; they take 4 MB. Beyond that the least used are deleted:
 * those of an attacker with ever new keys, not those of exhausted limits.
 */
const MAX_ROWS = 20_000
/** How many are deleted at once, because finding the least used is expensive. */
const ROWS_DROPPED = MAX_ROWS / 10
/** How many new counters are added between two cleanups. */
const CLEAR_EVERY = 100

/** How many slow calls of one caller may run at the same time. */
const MAX_CONCURRENT = 8

/**
 * How long a refused caller is refused from memory, without reading the database, in milliseconds.
 */
const REFUSED_FOR = 5000
/** How many refusals are kept in memory. */
const MAX_REFUSALS = 10_000

/** How much of a limit is used. */
interface Usage {
  readonly hits: number
  /** Epoch seconds at which the window ends. */
  readonly resetsAt: number
}

export interface Throttle {
  /**
   * Counts one try of `key` and puts the X-RateLimit headers on the reply.
   * @throws ApiError general_rate_limit_exceeded with Retry-After.
   */
  hit(reply: FastifyReply, limit: Limit, key: string): Promise<void>
  /** Counts `amount` tries in memory, without a promise. Throws as `hit` does. */
  hitPassing(reply: FastifyReply, limit: PassingLimit, key: string, amount?: number): void
  /** Counts one try without refusing it. @returns whether this try exhausted the limit. */
  count(limit: Limit, key: string): Promise<boolean>
  /** Subtracts one try that was counted in the database. */
  refund(limit: Limit, key: string): Promise<void>
  /** Counts nothing. @throws ApiError general_rate_limit_exceeded when the limit is exhausted. */
  refuseIfExhausted(limit: Limit, key: string): Promise<void>
  /** Returns how much of the limit is used. */
  usage(limit: Limit, key: string): Promise<Usage>
  /**
   * Runs `work` unless eight calls of the same key are running, so that one caller cannot fill the
   * queue of slow calls.
   * @throws ApiError general_rate_limit_exceeded, or what `work` throws.
   */
  limitConcurrency<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Deletes the counter of `key`. */
  reset(limit: Limit, key: string): Promise<void>
}

/**
 * Makes the throttle; with `enabled` false it counts nothing and refuses nothing.
 * @param onRefusal is called with the name of the limit that refuses.
 */
export function createThrottle(
  db: Database,
  now: () => number,
  enabled: boolean,
  onRefusal: (limit: string) => void = () => {},
): Throttle {
  const memory = new Map<string, Usage>()
  const refusals = new Map<string, Usage & { readonly until: number }>()
  const underway = new Map<string, number>()
  let memoryWindow = 0
  let newRows = 0
  const [bucket, resetsAt, time] = [slot<string>(0), slot<number>(1), slot<number>(2)]
  const increase = statement<Usage>({
    compile: () =>
      sql<Usage>`insert into throttles (bucket, resets_at, hits) values (${bucket}, ${resetsAt}, 1)
        on conflict (bucket) do update set
          hits = case when throttles.resets_at <= ${time} then 1 else throttles.hits + 1 end,
          resets_at = excluded.resets_at
        returning hits, resets_at as "resetsAt"`.compile(db.build),
  })

  const throttle: Throttle = {
    async hit(reply, limit, key) {
      if (!enabled) return
      const name = bucketOf(limit, key)
      const refusal = refusals.get(name)
      if (refusal !== undefined && now() < refusal.until) setHeadersOrRefuse(reply, limit, refusal)
      const used = await add(limit, key)
      if (used.hits > limit.hits) {
        if (refusals.size >= MAX_REFUSALS) refusals.clear()
        const until = Math.min(now() + REFUSED_FOR, used.resetsAt * 1000)
        refusals.set(name, { hits: Infinity, resetsAt: used.resetsAt, until })
      }
      setHeadersOrRefuse(reply, limit, used)
    },
    hitPassing(reply, limit, key, amount = 1) {
      if (!enabled) return
      setHeadersOrRefuse(reply, limit, addInMemory(limit, `${limit.name} ${key}`, amount))
    },
    async count(limit, key) {
      return enabled && (await add(limit, key)).hits === limit.hits
    },
    async refund(limit, key) {
      if (!enabled) return
      const name = bucketOf(limit, key)
      const { build } = db
      refusals.delete(name)
      await db.write(async (tx) => {
        await tx.run(
          build
            .updateTable('throttles')
            .set({ hits: sql`hits - 1` })
            .where('bucket', '=', name),
        )
        await tx.run(
          build.deleteFrom('throttles').where('bucket', '=', name).where('hits', '<=', 0),
        )
      })
    },
    async refuseIfExhausted(limit, key) {
      if (!enabled) return
      const used = await throttle.usage(limit, key)
      if (used.hits >= limit.hits) throw tooMany(limit, used)
    },
    async usage(limit, key) {
      const used = await first(
        db.read(
          db.build
            .selectFrom('throttles')
            .select(['hits', 'resets_at as resetsAt'])
            .where('bucket', '=', bucketOf(limit, key)),
        ),
      )
      const isOver = used === undefined || used.resetsAt <= seconds()
      return isOver ? { hits: 0, resetsAt: windowEnd(limit) } : used
    },
    async limitConcurrency(key, work) {
      if (!enabled) return work()
      const others = underway.get(key) ?? 0
      if (others >= MAX_CONCURRENT) {
        onRefusal('at-once')
        throw rateLimitExceeded(1)
      }
      underway.set(key, others + 1)
      try {
        return await work()
      } finally {
        const left = (underway.get(key) ?? 1) - 1
        if (left === 0) underway.delete(key)
        else underway.set(key, left)
      }
    },
    async reset(limit, key) {
      if (!enabled) return
      const name = bucketOf(limit, key)
      refusals.delete(name)
      await db.write((tx) => tx.run(tx.build.deleteFrom('throttles').where('bucket', '=', name)))
    },
  }
  return throttle

  function setHeadersOrRefuse(reply: FastifyReply, limit: Limit, used: Usage): void {
    const { hits } = limit
    reply.headers({
      'x-ratelimit-limit': hits,
      'x-ratelimit-remaining': Math.max(0, hits - used.hits),
      'x-ratelimit-reset': used.resetsAt,
    })
    if (used.hits <= hits) return
    // Logs the first refusal only, because further ones would fill the log.
    if (limit.lasting && used.hits === hits + 1) logLimit(reply.request, limit)
    throw tooMany(limit, used)
  }

  async function add(limit: Limit, key: string): Promise<Usage> {
    if (!limit.lasting) return addInMemory(limit, `${limit.name} ${key}`)
    const [used] = await db.write((tx) =>
      tx.run(increase([bucketOf(limit, key), windowEnd(limit), seconds()])),
    )
    if (used?.hits === 1 && ++newRows % CLEAR_EVERY === 0) await clear()
    return used ?? { hits: 1, resetsAt: windowEnd(limit) }
  }

  /** Deletes the counters of expired windows, and the least used if there are too many. */
  async function clear(): Promise<void> {
    const { build } = db
    await db.write(async (tx) => {
      await tx.run(build.deleteFrom('throttles').where('resets_at', '<=', seconds()))
      const { rows = 0 } =
        (await first(
          tx.run(build.selectFrom('throttles').select((eb) => eb.fn.countAll<number>().as('rows'))),
        )) ?? {}
      if (rows <= MAX_ROWS) return
      const leastUsed = build
        .selectFrom('throttles')
        .select('bucket')
        .orderBy('hits')
        .orderBy('resets_at')
        .limit(rows - MAX_ROWS + ROWS_DROPPED)
      await tx.run(build.deleteFrom('throttles').where('bucket', 'in', leastUsed))
    })
  }

  function addInMemory(limit: Limit, name: string, amount = 1): Usage {
    const window = Math.floor(seconds() / MINUTE)
    if (window !== memoryWindow) {
      memoryWindow = window
      for (const [each, { resetsAt }] of memory) if (resetsAt <= seconds()) memory.delete(each)
    }
    const used = memory.get(name)
    const next =
      used === undefined || used.resetsAt <= seconds()
        ? { hits: amount, resetsAt: windowEnd(limit) }
        : { hits: used.hits + amount, resetsAt: used.resetsAt }
    memory.set(name, next)
    return next
  }

  function seconds(): number {
    return Math.floor(now() / 1000)
  }

  function windowEnd({ windowSeconds }: Limit): number {
    return (Math.floor(seconds() / windowSeconds) + 1) * windowSeconds
  }

  function tooMany(limit: Limit, used: Usage): ApiError {
    onRefusal(limit.name)
    return rateLimitExceeded(Math.max(1, used.resetsAt - seconds()))
  }
}

/** Logs that a limit is exhausted. */
export function logLimit(request: FastifyRequest, { name }: Limit): void {
  logSecurityEvent(request, 'limit-reached', request.caller?.user.id ?? null, { limit: name })
}

/** Returns the address that limits count by. */
export function addressKey(request: FastifyRequest): string {
  return addressKeyOf(request.ip)
}

/** Returns the key of an address. An IPv6 network of 64 bits is one household, not 2^64 people. */
export function addressKeyOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail = ''] = ip.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === '' ? [] : tail.split(':')
  const gap = ip.includes('::') ? Array<string>(8 - start.length - end.length).fill('0') : []
  return [...start, ...gap, ...end].slice(0, 4).join(':')
}

/**
 * Returns a counter's name in the database. It has the same length for every key, and contains no
 * address.
 */
function bucketOf(limit: Limit, key: string): string {
  return `${limit.name} ${createHash('sha256').update(key).digest('base64url')}`
}
