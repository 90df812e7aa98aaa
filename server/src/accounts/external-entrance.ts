/** What every sign-in by another system does around it: limits, the log, the cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#errors.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, LIMITS, logLimit } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import { sessionValue, setSessionCookie } from './cookie.ts'
import { signInExternally } from './external-sign-in.ts'
import type { ExternalPerson, ExternalSignIn } from './external-sign-in.ts'
import { visitorOf } from './requests.ts'
import { endSignIn } from './service.ts'
import { cookieSeconds } from './sign-ins.ts'

interface Entry {
  /** Finds out who the person is. A refusal that it throws counts as a failed sign-in. */
  readonly find: () => Promise<ExternalPerson>
  readonly persistent: boolean
  /** The secret of an invitation, null without one. */
  readonly invite: string | null
}

/** Errors that a person causes, and no fault of the server or the provider. */
const REFUSALS = new Set<ApiError['type']>([
  'stint_email_unverified',
  'stint_identity_conflict',
  'stint_person_refused',
  'stint_sign_in_denied',
  'stint_sign_in_expired',
  'stint_invite_invalid',
  'user_auth_method_unsupported',
  'user_blocked',
])

/** Returns the function that signs a person in and sets the cookie. */
export function externalEntrance(services: Services) {
  const { config, now, throttle } = services

  /**
   * Limits the tries of an address, as those of passwords. A session that the browser had ends.
   * @throws ApiError general_rate_limit_exceeded, what `find` throws, or those of `signInExternally`.
   */
  return async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    { find, persistent, invite }: Entry,
  ): Promise<ExternalSignIn> {
    const address = addressKey(request)
    throttle.hitPassing(reply, LIMITS.signInsOfAddress, address)
    await throttle.refuseIfExhausted(LIMITS.failuresOfAddress, address)
    await throttle.refuseIfExhausted(LIMITS.signUpFromOutside, address)
    try {
      const person = await find()
      const entered = await signInExternally(services, person, visitorOf(request), {
        persistent,
        invite,
      })
      const { user, signIn, token, account } = entered
      const details = { provider: person.provider }
      if (account === 'created') {
        if (await throttle.count(LIMITS.signUpFromOutside, address)) {
          logLimit(request, LIMITS.signUpFromOutside)
        }
        logSecurityEvent(request, 'account-created', user.id, details)
      }
      if (account === 'linked') logSecurityEvent(request, 'account-linked', user.id, details)
      logSecurityEvent(request, 'sign-in', user.id, details)
      await endFormerSession(services, request)
      setSessionCookie(request, reply, config, token, cookieSeconds(signIn, now()))
      return entered
    } catch (error) {
      if (error instanceof ApiError && REFUSALS.has(error.type)) {
        logSecurityEvent(request, 'sign-in-refused', null, { reason: error.type })
        if (await throttle.count(LIMITS.failuresOfAddress, address)) {
          logLimit(request, LIMITS.failuresOfAddress)
        }
      }
      throw error
    }
  }
}

/** Ends the session whose cookie is about to be replaced. */
export async function endFormerSession(services: Services, request: FastifyRequest): Promise<void> {
  const value = sessionValue(request, services)
  const former = value === null ? null : await services.signIns.find(value)
  if (former !== null) await endSignIn(services, former, former.signIn.id)
}
