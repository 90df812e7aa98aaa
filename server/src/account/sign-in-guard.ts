/**
 * Guessing passwords (reliability 4.10, A1, A2): an address gets ten tries an hour at one account
 * and a hundred wrong ones in all. An account under attack from everywhere takes one try a second
 * from strangers, and goes on as ever for where it has been signed in: it is never locked, as
 * that would let anybody lock anybody out.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#db/database.ts'
import { ApiError } from '#errors.ts'
import { isPlainObject } from '#params.ts'
import { addressKey, addressKeyOf, LIMITS } from '#throttle.ts'
import type { Throttle } from '#throttle.ts'

/** How long a stranger's try at an account under attack takes, in milliseconds. */
const STRANGERS_EVERY = 1000
/** How many strangers may wait; their turn must come before the request times out. */
const LONGEST_LANE = 4

/** Makes the function that watches over one request to sign in. */
export function signInGuards(db: Database, throttle: Throttle) {
  const lanes = new Map<string, Lane>()

  return (request: FastifyRequest) => {
    const { body } = request
    const given = isPlainObject(body) ? body['email'] : ''
    const email = typeof given === 'string' ? given.toLowerCase().slice(0, 320) : ''
    const address = addressKey(request)

    return {
      /** Before anything is looked at. @throws ApiError general_rate_limit_exceeded. */
      async before(reply: FastifyReply): Promise<void> {
        await throttle.hit(reply, LIMITS.signIn, `${address} ${email}`)
        await throttle.refuseIfUsedUp(LIMITS.failuresOfAddress, address)
        const { hits } = await throttle.usage(LIMITS.failuresOfEmail, email)
        if (hits < LIMITS.failuresOfEmail.hits) return
        if (!(await isSignedInFrom(email, address))) await turnOfStranger(email)
      },
      /** Counts a wrong password; a right one clears the account's counters. */
      async watch<Result>(attempt: Promise<Result>): Promise<Result> {
        try {
          const result = await attempt
          await throttle.forget(LIMITS.signIn, `${address} ${email}`)
          await throttle.forget(LIMITS.failuresOfEmail, email)
          return result
        } catch (error) {
          if (error instanceof ApiError && error.type === 'user_invalid_credentials') {
            await throttle.count(LIMITS.failuresOfAddress, address)
            await throttle.count(LIMITS.failuresOfEmail, email)
            request.log.info({ ip: request.ip }, 'wrong password')
          }
          throw error
        }
      },
    }
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
    if (lane.waiting >= LONGEST_LANE) {
      throw new ApiError('general_rate_limit_exceeded', undefined, {
        'retry-after': String(LONGEST_LANE),
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
