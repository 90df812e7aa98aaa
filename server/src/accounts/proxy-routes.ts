/** The route by which the app gets a session for the person whom the proxy in front has signed in. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import { apiError } from '#errors.ts'
import { mayUse } from '#http/auth-proxy.ts'
import type { ProxyPerson } from '#http/auth-proxy.ts'
import { optional, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import type { Services } from '#services.ts'
import { sessionValue } from './cookie.ts'
import { externalEntrance } from './external-entrance.ts'
import type { ExternalPerson } from './external-sign-in.ts'
import { SESSION, wireSignIn } from './wire.ts'

/** What identities of the proxy's people are stored under. */
const ISSUER = 'proxy'

/** The secret of an invitation. */
export const INVITE = text(1, 256)

/** Registers `/stint/proxy/session` under the prefix of `app`. */
export function registerProxySignIn(app: Routes, services: Services): void {
  const { config, proxyPersonOf, signIns } = services
  const enter = externalEntrance(services)

  app.post(
    '/stint/proxy/session',
    {
      schema: {
        summary: 'Signs in the person whom the proxy in front names, and sets the cookie',
        body: Type.Object({ invite: optional(INVITE) }),
        response: { 201: SESSION },
      },
    },
    async (request, reply) => {
      if (config.authProxy === null) throw apiError('user_auth_method_unsupported.proxy')
      const proxyPerson = proxyPersonOf(request)
      reply.code(201)
      // Two tabs that open at once share one session.
      const value = sessionValue(request, services)
      const current = value === null ? null : await signIns.find(value)
      if (
        current?.user.active === true &&
        proxyPerson.kind === 'person' &&
        mayUse(proxyPerson, current)
      ) {
        return wireSignIn(current.signIn, current.user, current.signIn.id)
      }
      const { user, signIn } = await enter(request, reply, {
        find: async () => personFrom(proxyPerson),
        persistent: true,
        invite: request.body.invite ?? null,
      })
      return wireSignIn(signIn, user, signIn.id)
    },
  )
}

/** @throws ApiError stint_person_refused unless the proxy names a person. */
function personFrom(person: ProxyPerson): ExternalPerson {
  if (person.kind === 'nobody') throw apiError('stint_person_refused.nobody')
  if (person.kind === 'refused') throw apiError(`stint_person_refused.${person.reason}`)
  const { email, name } = person
  return { provider: 'proxy', issuer: ISSUER, subject: email, email, name }
}
