import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import { personOf } from './person.ts'
import type { Person } from './person.ts'

/**
 * Returns what finds the person of a call that reads all of their sessions (`personOf`), and counts the call. It throws
 * ApiError general_rate_limit_exceeded after too many.
 */
export function searcherOf(services: Services) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    timeZone: string | null | undefined,
  ): Person => {
    const person = personOf(request, services, timeZone)
    services.throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
    return person
  }
}
