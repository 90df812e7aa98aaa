/** Hashes passwords with argon2id, in PHC form, at OWASP's parameters. */
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { serviceUnavailable } from '#errors.ts'

export interface PasswordCost {
  readonly memoryKibibytes: number
  readonly passes: number
}

/** OWASP's minimum: 8 to 15 ms on one core, off the event loop. */
export const DEFAULT_PASSWORD_COST: PasswordCost = { memoryKibibytes: 19_456, passes: 2 }

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
  // The defaults are argon2id and version 19, one thread, 16 bytes of salt and 32 of hash.
  const options = { memoryCost: cost.memoryKibibytes, timeCost: cost.passes }
  /** Compared if there is no user, so that the check takes the same time. */
  const nobody = `$argon2id$v=19$m=${cost.memoryKibibytes},t=${cost.passes},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

  return {
    hash: (password, kind = 'other') => limited(kind, () => hash(password, options)),
    async verify(password, stored, kind = 'other') {
      return (await limited(kind, () => verify(stored ?? nobody, password))) && stored !== null
    },
    isOutdated(stored) {
      const { memoryCost, timeCost } = parseOptions(stored)
      return memoryCost !== options.memoryCost || timeCost !== options.timeCost
    },
  }
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
