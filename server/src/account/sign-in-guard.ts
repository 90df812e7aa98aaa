/**
 * Guessing passwords (reliability 4.10, A1, A2): an address gets ten tries an hour at one account
 * and a hundred wrong ones in all; an account under attack from everywhere answers slower, but is
 * never locked, as that would let anybody lock anybody out.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#errors.ts'
import { isPlainObject } from '#params.ts'
import { addressKey, LIMITS } from '#throttle.ts'
import type { Throttle } from '#throttle.ts'

const LONGEST_DELAY = 8000

/** Watches over one request to sign in. */
export function signInGuard(throttle: Throttle, request: FastifyRequest) {
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
      const beyond = hits - LIMITS.failuresOfEmail.hits
      if (beyond >= 0) await sleep(Math.min(LONGEST_DELAY, 1000 * 2 ** Math.min(beyond, 10)))
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
