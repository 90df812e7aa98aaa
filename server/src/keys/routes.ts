/** The routes with which a signed-in person manages their keys; a key does not manage keys. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { description } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { existingId, optional, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { LIMITS } from '#http/throttle.ts'
import { parseInstant, STORED_DATES } from '#instant.ts'
import type { Services } from '#services.ts'
import { holderOf } from './holder.ts'
import type { WithKey } from './holder.ts'
import * as keys from './service.ts'
import { CREATED_KEY, KEY, KEYS, wireKey } from './wire.ts'

const NEW_KEY = Type.Object({
  name: text(1, 128),
  access: Type.Enum(['read', 'write'], {
    description: '`read` or `write`, which includes reading',
    refusal: description('one_of', { values: 'read, write' }),
  }),
  notBefore: optional(
    Type.Refine(
      Type.String({ description: 'an instant', refusal: description('instant') }),
      (value) => parseInstant(value, STORED_DATES) !== null,
    ),
  ),
})

/** Registers `/stint/keys` under the prefix of `app`. */
export function registerKeys(app: Routes, services: Services, { signedIn }: CallerHooks): void {
  app.get(
    '/stint/keys',
    signedIn({ summary: 'The keys of the account', response: { 200: KEYS } }),
    async (request) => {
      const all = await keys.list(services.db, callerOf(request).user.id)
      return { keys: all.map(wireKey) }
    },
  )

  app.post(
    '/stint/keys',
    signedIn(
      {
        summary: 'Creates a key; only this answer has its secret',
        body: NEW_KEY,
        response: { 201: CREATED_KEY },
      },
      LIMITS.keyChange,
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const { name, access, notBefore } = request.body
      const { key, secret } = await keys.create(services, caller, {
        name,
        access,
        notBefore: notBefore ? parseInstant(notBefore, STORED_DATES) : null,
      })
      logSecurityEvent(request, 'key-created', caller.user.id, { key: key.id })
      reply.code(201)
      return { ...wireKey(key), secret }
    },
  )

  app.delete(
    '/stint/keys/:keyId',
    signedIn(
      {
        summary: 'Revokes a key',
        params: Type.Object({ keyId: existingId }),
        response: { 204: noContent },
      },
      LIMITS.keyChange,
    ),
    async (request, reply) => {
      const { id } = callerOf(request).user
      const { keyId } = request.params
      await keys.revoke(services, id, keyId)
      logSecurityEvent(request, 'key-revoked', id, { key: keyId })
      reply.code(204)
    },
  )
}

/** Registers the route that tells a program which key it has. */
export function registerOwnKey(app: Routes, withKey: WithKey): void {
  app.get(
    '/stint/keys/current',
    withKey('read', { summary: 'The key of this call', response: { 200: KEY } }),
    async (request) => wireKey(holderOf(request).key),
  )
}
