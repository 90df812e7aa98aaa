/** The routes of devices that show the running timer as a notification. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { instantToWire } from '@stint/core/time/instant.ts'
import { Type } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import * as signIns from '#accounts/sign-ins.ts'
import { together } from '#api/writes.ts'
import type { Documents } from '#documents/service.ts'
import { apiError, description } from '#errors.ts'
import { answer, noContent, utcInstant } from '#http/answers.ts'
import { existingId, invalidParam, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { LIMITS } from '#http/throttle.ts'
import { epochMilliseconds } from '#instant.ts'
import type { Services } from '#services.ts'
import type { CheckUrl } from '#webhooks/addresses.ts'
import type { PushKey } from './key.ts'
import { takePress } from './press.ts'
import type { Pusher } from './pusher.ts'
import * as devices from './service.ts'
import { SHOWN_TIMER, shownTimerReader } from './shown-timer.ts'

const MAX_AGE = 31 * 86_400_000

const DEVICE = answer(
  {
    sessionId: Type.String(),
    isCurrent: Type.Boolean(),
    withNames: Type.Boolean(),
    createdAt: utcInstant,
  },
  'pushDevice',
)
const DEVICES = answer(
  {
    publicKey: Type.Union([Type.String(), Type.Null()], {
      description: 'for `applicationServerKey`; null: this server tells no devices',
    }),
    devices: Type.Array(DEVICE),
  },
  'pushDevices',
)
/** A key of a browser in base64url, whose bytes are as many as it must have. */
const browserKey = (bytes: number) => {
  const refusal = description('push_key')
  const schema = Type.String({ maxLength: 100, description: 'in base64url', refusal })
  return Type.Refine(
    schema,
    (value) => /^[\w-]+$/.test(value) && Buffer.from(value, 'base64url').length === bytes,
  )
}
const NEW_DEVICE = Type.Object({
  endpoint: text(1, 1024),
  p256dh: browserKey(65),
  auth: browserKey(16),
  withNames: Type.Boolean({ refusal: description('one_of', { values: 'true, false' }) }),
})
const PRESS = Type.Object({
  id: Type.String({
    pattern: '^[\\w-]{8,36}$',
    description: 'chosen by the device; the same one is carried out once',
    refusal: description('id'),
  }),
  session: existingId,
  press: Type.Enum(['pause', 'resume', 'stop'], {
    refusal: description('one_of', { values: 'pause, resume, stop' }),
  }),
  age: Type.Integer({
    minimum: 0,
    maximum: MAX_AGE,
    description: 'milliseconds since the press',
    refusal: description('number'),
  }),
})
const TAKEN = answer(
  {
    outcome: Type.Enum(['done', 'ended'], {
      description: '`ended`: the session had ended by another press, and nothing has changed',
    }),
    timer: SHOWN_TIMER,
  },
  'takenPress',
)

/** What the routes of devices need; without a key the server tells no devices. */
interface PushServices {
  readonly key: PushKey | null
  readonly pusher: Pusher | null
  readonly mayBeSentTo: CheckUrl
}

/** Registers `/stint/push` under the prefix of `app`. */
export function registerPush(
  app: Routes,
  { db, now }: Services,
  documents: Documents,
  { key, pusher, mayBeSentTo }: PushServices,
  { signedIn }: CallerHooks,
): void {
  const read = shownTimerReader(db)

  app.get(
    '/stint/push',
    signedIn({
      summary: 'The devices that show the running timer as a notification',
      response: { 200: DEVICES },
    }),
    async (request) => {
      const { user, signIn } = callerOf(request)
      const all = await devices.list(db, user.id)
      return {
        publicKey: key?.publicKey ?? null,
        devices: all.map((each) => ({
          sessionId: each.session_id,
          isCurrent: each.session_id === signIn.id,
          withNames: each.with_names,
          createdAt: instantToWire(epochMilliseconds(each.created_at)),
        })),
      }
    },
  )

  app.put(
    '/stint/push',
    signedIn(
      {
        summary: 'Has this device told of the timer, as long as its sign-in lasts',
        body: NEW_DEVICE,
        response: { 204: noContent },
      },
      LIMITS.pushChange,
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const { endpoint, p256dh, auth, withNames } = request.body
      if (pusher === null) throw apiError('stint_push_off')
      if (!(await mayBeSentTo(caller.user.id, endpoint))) {
        throw invalidParam('endpoint', description('webhook_url'))
      }
      const device = { endpoint, p256dh, auth, with_names: withNames }
      await devices.put(db, caller, device, now())
      logSecurityEvent(request, 'push-added', caller.user.id, { session: caller.signIn.id })
      pusher.deviceAdded(caller.user.id)
      reply.code(204)
    },
  )

  app.delete(
    '/stint/push/:sessionId',
    signedIn(
      {
        summary: 'Has a device told nothing more; it stays signed in',
        params: Type.Object({ sessionId: existingId }),
        response: { 204: noContent },
      },
      LIMITS.pushChange,
    ),
    async (request, reply) => {
      const { user, signIn } = callerOf(request)
      const named = request.params.sessionId
      const id = named === 'current' ? signIn.id : named
      if ((await signIns.find(db, user.id, id)) === undefined) {
        throw apiError('user_session_not_found')
      }
      const wasThere = await devices.remove(db, id)
      if (wasThere) logSecurityEvent(request, 'push-removed', user.id, { session: id })
      reply.code(204)
    },
  )

  app.post(
    '/stint/push/presses',
    signedIn(
      {
        summary: 'Carries out a press in a notification, once',
        body: PRESS,
        response: { 200: TAKEN },
      },
      LIMITS.pushPress,
    ),
    async (request) => {
      const { user, signIn } = callerOf(request)
      const { age, ...press } = request.body
      const at = now() - age
      const outcome = await together(documents, user.id, (own) =>
        takePress(own, user.id, { ...press, at }, now()),
      )
      const device = await devices.find(db, signIn.id)
      const withName = device?.with_names ?? false
      return { outcome, timer: await read(user.id, press.session, withName, now()) }
    },
  )
}
