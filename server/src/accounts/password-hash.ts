/** Hashes passwords with argon2id, in PHC form, at OWASP's parameters. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hashRaw } from '@node-rs/argon2'
import { serviceUnavailable } from '#errors.ts'

export interface PasswordCost {
  readonly memoryKibibytes: number
  readonly passes: number
}

/** OWASP's minimum: 8 to 15 ms on one core, off the event loop. */
export const DEFAULT_PASSWORD_COST: PasswordCost = { memoryKibibytes: 19_456, passes: 2 }

const HASH_BYTES = 32
const SALT_BYTES = 16
/** Leaves one core for the event loop, and one of Node's four threads for files. */
const MAX_CONCURRENT_HASHES = Math.min(3, Math.max(1, availableParallelism() - 1))
/** How many hashes of one kind may wait. */
const MAX_QUEUE = 64

/** What a hash is for. Hashes of sign-ins are computed first. */
export type HashKind = 'sign-in' | 'other'

export interface PasswordHasher {
  /** Returns the text to store for a password. */
  hash(password: string, kind?: HashKind): Promise<string>
  /**
   * Returns whether `stored` is a hash of `password`. For null (no such user) it takes as long and
   * returns false.
   */
  verify(password: string, stored: string | null, kind?: HashKind): Promise<boolean>
  /**
   * Returns whether `stored` was made at another cost and should be replaced at the next sign-in.
   */
  isOutdated(stored: string): boolean
}

/**
 * Hashes fewer passwords at once than there are cores, so that many sign-ins do not delay other
 * requests. Sign-ins go first and have a queue of their own, which sign-ups, recoveries and changes
 * cannot fill.
 * `hash` and `verify` throw ApiError 503 if the queue of their kind is full.
 */
export function passwordHasher(
  cost: PasswordCost = DEFAULT_PASSWORD_COST,
  maxConcurrent: number = MAX_CONCURRENT_HASHES,
): PasswordHasher {
  const limited = limitConcurrency(maxConcurrent)
  /** Compared if there is no user, so that the check takes the same time. */
  const dummy: Phc = { cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) }

  return {
    async hash(password, kind = 'other') {
      const salt = randomBytes(SALT_BYTES)
      const hash = await limited(kind, () => argon2id(password, salt, cost))
      return phcText({ cost, salt, hash })
    },
    async verify(password, stored, kind = 'other') {
      const phc = stored === null ? dummy : parsePhc(stored)
      const hash = await limited(kind, () => argon2id(password, phc.salt, phc.cost))
      return timingSafeEqual(hash, phc.hash) && stored !== null
    },
    isOutdated(stored) {
      const phc = parsePhc(stored)
      return phc.cost.memoryKibibytes !== cost.memoryKibibytes || phc.cost.passes !== cost.passes
    },
  }
}

interface Phc {
  readonly cost: PasswordCost
  readonly salt: Buffer
  readonly hash: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function phcText({ cost, salt, hash }: Phc): string {
  const encoded = [salt, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${cost.memoryKibibytes},t=${cost.passes},p=1$${encoded.join('$')}`
}

function parsePhc(text: string): Phc {
  const [, memory, passes, salt = '', hash = ''] = PHC.exec(text) ?? []
  if (memory === undefined) throw new Error('A stored password hash is not in PHC form')
  return {
    cost: { memoryKibibytes: Number(memory), passes: Number(passes) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function argon2id(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  // The defaults are argon2id and version 19.
  return hashRaw(password, {
    salt,
    memoryCost: cost.memoryKibibytes,
    timeCost: cost.passes,
    parallelism: 1,
    outputLen: HASH_BYTES,
  })
}

/**
 * Limits how many tasks run at once. `MAX_QUEUE` tasks of each kind may wait; those of sign-ins go
 * first. The returned function throws ApiError 503 if the queue of the kind is full.
 */
function limitConcurrency(maxConcurrent: number) {
  const queues: Readonly<Record<HashKind, (() => void)[]>> = { 'sign-in': [], other: [] }
  let running = 0
  return async <Result>(kind: HashKind, task: () => Promise<Result>): Promise<Result> => {
    const queue = queues[kind]
    if (running < maxConcurrent) running++
    else if (queue.length < MAX_QUEUE) await new Promise<void>((start) => queue.push(start))
    else throw serviceUnavailable()
    try {
      return await task()
    } finally {
      const next = queues['sign-in'].shift() ?? queues.other.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
