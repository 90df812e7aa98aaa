/** The routes with which a signed-in person switches their second factor on and off. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { PasswordRefused } from '#accounts/verified-write.ts'
import { answer, noContent } from '#http/answers.ts'
import { password, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { LIMITS } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import * as factors from './service.ts'

const CODE = Type.Object({ code: text(1, 64) })

const STATE = answer(
  {
    isOn: Type.Boolean(),
    /** How many recovery codes are left. */
    recoveryCodes: Type.Integer(),
  },
  'secondFactor',
)

/** Registers `/stint/second-factor…` under the prefix of `app`. */
export function registerSecondFactor(
  app: Routes,
  services: Services,
  { signedIn }: CallerHooks,
): void {
  const { db, throttle } = services

  app.get(
    '/stint/second-factor',
    signedIn({
      summary: 'Whether signing in with the password asks for a code',
      response: { 200: STATE },
    }),
    async (request) => factors.state(db, callerOf(request).user.id),
  )

  app.post(
    '/stint/second-factor',
    signedIn({
      summary: 'Begins to ask for codes; only this answer has the secret for the authenticator app',
      body: Type.Object({ password: Type.With(password, { description: 'the current one' }) }),
      response: {
        201: answer({ secret: Type.String(), address: Type.String() }, 'newSecondFactor'),
      },
    }),
    async (request, reply) => {
      await hit(request, reply)
      const begun = await factors.begin(services, callerOf(request), request.body.password)
      reply.code(201)
      return begun
    },
  )

  app.post(
    '/stint/second-factor/confirmation',
    signedIn({
      summary:
        'Asks for codes from now on, confirmed by one; only this answer has the recovery codes',
      body: CODE,
      response: { 200: answer({ recoveryCodes: Type.Array(Type.String()) }, 'recoveryCodes') },
    }),
    async (request, reply) => {
      await hit(request, reply)
      const confirmed = factors.confirm(services, callerOf(request), request.body.code)
      const recoveryCodes = await logged(request, confirmed)
      logSecurityEvent(request, 'second-factor-on', callerOf(request).user.id)
      return { recoveryCodes }
    },
  )

  app.post(
    '/stint/second-factor/removal',
    signedIn({
      summary: 'Asks for no codes any more; needs one',
      body: CODE,
      response: { 204: noContent },
    }),
    async (request, reply) => {
      await hit(request, reply)
      await logged(request, factors.turnOff(services, callerOf(request), request.body.code))
      logSecurityEvent(request, 'second-factor-off', callerOf(request).user.id)
      reply.code(204)
    },
  )

  function hit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return throttle.hit(reply, LIMITS.credentials, `second factor ${callerOf(request).signIn.id}`)
  }
}

/** Logs it if a code is refused. */
async function logged<Result>(request: FastifyRequest, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PasswordRefused) {
      logSecurityEvent(request, 'proof-refused', error.accountId, { reason: error.type })
    }
    throw error
  }
}
