/**
 * Guessing passwords: an address gets ten tries an hour at one account
 * and a hundred wrong ones in all. An account under attack from everywhere takes one try a second
 * from strangers, and goes on as ever for where it has been signed in: it is never locked, as
 * that would let anybody lock anybody out.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { ApiError } from '#errors.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, addressKeyOf, LIMITS, logLimit } from '#http/throttle.ts'
import type { Throttle } from '#http/throttle.ts'
import { PasswordRefused } from './verified-write.ts'

/** How long a stranger's try at an account under attack takes, in milliseconds. */
const STRANGERS_EVERY = 1000
/** How many strangers may wait; their turn must come before the request times out. */
const MAX_LANE = 4

/** Makes the function that lets a request try to sign in to the account of an e-mail address. */
export function signInGuard(db: Database, throttle: Throttle) {
  const lanes = new Map<string, Lane>()

  /**
   * Counts the try and does it. What was not decided by a password (the server was busy) is not counted;
   * a right one clears the account's counters. The address comes first: whoever used up theirs adds no
   * counters of other accounts.
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
    await throttle.refuseIfUsedUp(LIMITS.failuresOfAddress, address)
    await throttle.hit(reply, LIMITS.signIn, own)
    try {
      await slowDownStrangers(email, address)
      const result = await throttle.fewAtOnce(address, attempt)
      await throttle.forget(LIMITS.signIn, own)
      await throttle.forget(LIMITS.failuresOfEmail, email)
      return result
    } catch (error) {
      if (!(error instanceof PasswordRefused)) await throttle.giveBack(LIMITS.signIn, own)
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

  async function slowDownStrangers(email: string, address: string): Promise<void> {
    const { hits } = await throttle.usage(LIMITS.failuresOfEmail, email)
    if (hits < LIMITS.failuresOfEmail.hits) return
    if (!(await isSignedInFrom(email, address))) await turnOfStranger(email)
  }

  async function isSignedInFrom(email: string, address: string): Promise<boolean> {
    const sessions = await db.read(
      db.build
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.ip')
        .where('users.email', '=', email),
    )
    return sessions.some(({ ip }) => addressKeyOf(ip) === address)
  }

  /** Waits until the strangers before this one have had their second. */
  async function turnOfStranger(email: string): Promise<void> {
    const lane = lanes.get(email) ?? { waiting: 0, last: Promise.resolve() }
    if (lane.waiting >= MAX_LANE) {
      throw new ApiError('general_rate_limit_exceeded', undefined, {
        'retry-after': String(MAX_LANE),
      })
    }
    lanes.set(email, lane)
    lane.waiting++
    lane.last = lane.last.then(() => sleep(STRANGERS_EVERY))
    await lane.last
    lane.waiting--
    if (lane.waiting === 0) lanes.delete(email)
  }
}

interface Lane {
  waiting: number
  last: Promise<void>
}
