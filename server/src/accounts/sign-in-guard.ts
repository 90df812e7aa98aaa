/**
 * Slows down password guessing. An address gets ten tries an hour at one account and a hundred wrong
 * ones in all. After twenty wrong ones an hour at one account, tries from addresses where it is not signed in start
 * a second apart. An account is never locked: an attacker could lock its owner out.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { rateLimitExceeded } from '#errors.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, addressKeyOf, LIMITS, logLimit } from '#http/throttle.ts'
import type { Throttle } from '#http/throttle.ts'
import { addressesOf } from './sign-ins.ts'
import { PasswordRefused } from './verified-write.ts'

/** How long tries from unknown addresses at an account under attack are apart, in milliseconds. */
const DELAY = 1000
/** How many such tries may wait at one account; each must start before its request times out. */
const MAX_QUEUE = 4

/** Makes the function that lets a request try to sign in to the account of an e-mail address. */
export function signInGuard(db: Database, throttle: Throttle) {
  /** By e-mail address. */
  const queues = new Map<string, DelayQueue>()

  /**
   * Counts the try and runs it. A try that failed for another reason than its password (a busy server) is not counted;
   * a right password clears the account's counters. The limit of the address is checked first, so that an address that
   * used it up adds no counters for other accounts.
   * @throws ApiError general_rate_limit_exceeded, or what `attempt` throws.
   */
  return async function guarded<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    email: string,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    const address = addressKey(request)
    const own = `${address} ${email}`
    throttle.hitPassing(reply, LIMITS.signInsOfAddress, address)
    await throttle.refuseIfExhausted(LIMITS.failuresOfAddress, address)
    await throttle.hit(reply, LIMITS.signIn, own)
    try {
      await delayUnderAttack(email, address)
      const result = await throttle.limitConcurrency(address, attempt)
      await throttle.reset(LIMITS.signIn, own)
      await throttle.reset(LIMITS.failuresOfEmail, email)
      return result
    } catch (error) {
      if (!(error instanceof PasswordRefused)) await throttle.refund(LIMITS.signIn, own)
      else {
        logSecurityEvent(request, 'sign-in-refused', error.accountId, { reason: error.type })
        if (error.type === 'user_invalid_credentials') {
          const { failuresOfAddress, failuresOfEmail } = LIMITS
          if (await throttle.count(failuresOfAddress, address)) logLimit(request, failuresOfAddress)
          if (await throttle.count(failuresOfEmail, email)) logLimit(request, failuresOfEmail)
        }
      }
      throw error
    }
  }

  /** Waits if too many passwords were wrong for this account and it has no sign-in at this address. */
  async function delayUnderAttack(email: string, address: string): Promise<void> {
    const { hits } = await throttle.usage(LIMITS.failuresOfEmail, email)
    if (hits < LIMITS.failuresOfEmail.hits) return
    const known = await addressesOf(db, email)
    if (!known.some((ip) => addressKeyOf(ip) === address)) await waitInQueue(email)
  }

  /** Waits until `DELAY` after the try before. @throws ApiError general_rate_limit_exceeded when the queue is full. */
  async function waitInQueue(email: string): Promise<void> {
    const queue = queues.get(email) ?? { length: 0, last: Promise.resolve() }
    if (queue.length >= MAX_QUEUE) {
      throw rateLimitExceeded(MAX_QUEUE)
    }
    queues.set(email, queue)
    queue.length++
    queue.last = queue.last.then(() => sleep(DELAY))
    await queue.last
    queue.length--
    if (queue.length === 0) queues.delete(email)
  }
}

interface DelayQueue {
  length: number
  /** When the last try that waits may start. */
  last: Promise<void>
}
