/**
 * Slows down password guessing. An address gets ten tries an hour at one account, and a hundred
 * wrong ones in all. After twenty wrong tries an hour at one account, tries from addresses where it
 * is not signed in start a second apart. An account is never locked, because an attacker could then
 * lock its owner out.
 */
import { formerEmail } from '@stint/core/email-address.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { rateLimitExceeded } from '#errors.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, addressKeyOf, LIMITS, logLimit } from '#http/throttle.ts'
import type { Throttle } from '#http/throttle.ts'
import { addressesOf } from './sign-ins.ts'
import { findByTypedEmail } from './users.ts'
import { PasswordRefused } from './verified-write.ts'

/**
 * The interval between tries from unknown addresses at an account under attack, in milliseconds.
 */
const DELAY = 1000
/** How many such tries may wait at one account; each must start before its request times out. */
const MAX_QUEUE = 4

/** Returns the function that runs a sign-in under these limits. */
export function signInGuard(db: Database, throttle: Throttle) {
  /** By e-mail address. */
  const queues = new Map<string, DelayQueue>()

  /**
   * Counts the try and runs it. A try that failed for another reason than its password or code (a busy
   * server, a code that is missing) is not counted. A right password clears the account's counters. The limit of the
   * address is checked first, so that an address that has used it up adds no counters for other
   * accounts.
   * @throws ApiError general_rate_limit_exceeded, or what `attempt` throws.
   */
  return async function guarded<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    typedEmail: string,
    hasCode: boolean,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    const address = addressKey(request)
    // One counter for all spellings that lead to one account.
    const email = formerEmail(typedEmail)
    const own = `${address} ${email}`
    throttle.hitPassing(reply, LIMITS.signInsOfAddress, address)
    await throttle.refuseIfExhausted(LIMITS.failuresOfAddress, address)
    if (hasCode) await throttle.refuseIfExhausted(LIMITS.wrongCodes, email)
    await throttle.hit(reply, LIMITS.signIn, own)
    try {
      await delayUnderAttack(typedEmail, email, address)
      const result = await throttle.limitConcurrency(address, attempt)
      await throttle.reset(LIMITS.signIn, own)
      await throttle.reset(LIMITS.failuresOfEmail, email)
      if (hasCode) await throttle.reset(LIMITS.wrongCodes, email)
      return result
    } catch (error) {
      if (!(error instanceof PasswordRefused)) await throttle.refund(LIMITS.signIn, own)
      else {
        logSecurityEvent(request, 'sign-in-refused', error.accountId, { reason: error.type })
        if (error.type !== 'user_blocked') {
          const { failuresOfAddress, failuresOfEmail, wrongCodes } = LIMITS
          if (await throttle.count(failuresOfAddress, address)) logLimit(request, failuresOfAddress)
          if (await throttle.count(failuresOfEmail, email)) logLimit(request, failuresOfEmail)
          // Only who knows the password gets here, so nobody else can use up the tries.
          const isCode = error.type === 'stint_code_refused'
          if (isCode && (await throttle.count(wrongCodes, email))) logLimit(request, wrongCodes)
        }
      }
      throw error
    }
  }

  /**
   * Waits if there were too many wrong passwords for this account and it has no sign-in at this
   * address.
   */
  async function delayUnderAttack(
    typedEmail: string,
    email: string,
    address: string,
  ): Promise<void> {
    const { hits } = await throttle.usage(LIMITS.failuresOfEmail, email)
    if (hits < LIMITS.failuresOfEmail.hits) return
    const account = await findByTypedEmail(db, typedEmail)
    const known = account === undefined ? [] : await addressesOf(db, account.id)
    if (!known.some((ip) => addressKeyOf(ip) === address)) await waitInQueue(email)
  }

  /**
   * Waits until `DELAY` after the previous try. @throws ApiError general_rate_limit_exceeded when
   * the queue is full.
   */
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
  /** Resolves when the last waiting try may start. */
  last: Promise<void>
}
