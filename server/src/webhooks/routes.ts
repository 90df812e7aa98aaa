/** The routes with which a signed-in person manages the webhook of a key. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { instantToWire } from '@stint/core/time/instant.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { apiError, description } from '#errors.ts'
import { answer, noContent, utcInstant } from '#http/answers.ts'
import { existingId, invalidParam, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { LIMITS } from '#http/throttle.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import type { DeliveryRow } from '#storage/schema.ts'
import type { CheckUrl } from './addresses.ts'
import type { Deliverer } from './deliverer.ts'
import { WEBHOOK_EVENTS } from './events.ts'
import { newSigningSecret } from './send.ts'
import * as webhooks from './service.ts'

const URL_OF_WEBHOOK = '/stint/keys/:keyId/webhook'
const PARAMS = Type.Object({ keyId: existingId })

const DELIVERY = answer(
  {
    id: Type.String(),
    event: Type.Enum([...WEBHOOK_EVENTS]),
    status: Type.Enum(['waiting', 'delivered', 'failed']),
    tries: Type.Integer(),
    answer: Type.Union([Type.String(), Type.Null()]),
    createdAt: utcInstant,
    nextTryAt: Type.Union([utcInstant, Type.Null()]),
  },
  'delivery',
)
const WEBHOOK = answer(
  { url: Type.Union([Type.String(), Type.Null()]), deliveries: Type.Array(DELIVERY) },
  'webhook',
)
const CREATED_WEBHOOK = answer({ url: Type.String(), secret: Type.String() }, 'createdWebhook')

/** Registers `/stint/keys/:keyId/webhook` under the prefix of `app`. */
export function registerWebhooks(
  app: Routes,
  { db, now }: Services,
  deliverer: Deliverer,
  mayBeSentTo: CheckUrl,
  { signedIn }: CallerHooks,
): void {
  app.get(
    URL_OF_WEBHOOK,
    signedIn({
      summary: 'The webhook of a key, and its last 20 messages, the newest first',
      params: PARAMS,
      response: { 200: WEBHOOK },
    }),
    async (request) => {
      const { keyId } = request.params
      const webhook = await webhooks.find(db, callerOf(request).user.id, keyId)
      const deliveries = webhook === null ? [] : await webhooks.log(db, keyId)
      return { url: webhook?.url ?? null, deliveries: deliveries.map(wireDelivery) }
    },
  )

  app.put(
    URL_OF_WEBHOOK,
    signedIn(
      {
        summary: 'Creates the webhook of a key or replaces it; only this answer has its secret',
        params: PARAMS,
        body: Type.Object({ url: text(1, 2048) }),
        response: { 200: CREATED_WEBHOOK },
      },
      LIMITS.keyChange,
    ),
    async (request) => {
      const { id } = callerOf(request).user
      const { keyId } = request.params
      const { url } = request.body
      await webhooks.find(db, id, keyId)
      if (!(await mayBeSentTo(id, url))) {
        throw invalidParam('url', description('webhook_url'))
      }
      const secret = newSigningSecret()
      const created_at = wireInstant(now())
      await webhooks.replace(db, {
        key_id: keyId,
        user_id: id,
        url,
        secret,
        timer: null,
        created_at,
      })
      logSecurityEvent(request, 'webhook-created', id, { key: keyId })
      deliverer.webhookAdded(id)
      return { url, secret }
    },
  )

  app.post(
    `${URL_OF_WEBHOOK}/test`,
    signedIn(
      {
        summary: 'Sends a test message to the webhook of a key',
        params: PARAMS,
        response: { 204: noContent },
      },
      LIMITS.keyChange,
    ),
    async (request, reply) => {
      const { keyId } = request.params
      const webhook = await webhooks.find(db, callerOf(request).user.id, keyId)
      if (webhook === null) throw apiError('stint_webhook_not_found')
      await webhooks.queueTest(db, keyId, now())
      deliverer.wake()
      reply.code(204)
    },
  )

  app.delete(
    URL_OF_WEBHOOK,
    signedIn(
      {
        summary: 'Removes the webhook of a key',
        params: PARAMS,
        response: { 204: noContent },
      },
      LIMITS.keyChange,
    ),
    async (request, reply) => {
      const { id } = callerOf(request).user
      const { keyId } = request.params
      await webhooks.find(db, id, keyId)
      await webhooks.remove(db, keyId)
      logSecurityEvent(request, 'webhook-removed', id, { key: keyId })
      reply.code(204)
    },
  )
}

function wireDelivery(row: DeliveryRow): Static<typeof DELIVERY> {
  const { id, event, status, tries, answer: said, created_at: createdAt, next_try_at: next } = row
  return {
    id,
    event,
    status,
    tries,
    answer: said,
    createdAt: instantToWire(epochMilliseconds(createdAt)),
    nextTryAt: next === null ? null : instantToWire(epochMilliseconds(next)),
  }
}
