/** The routes of devices that show the running timer as a notification. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { isKnownTimeZone } from '@stint/core/time/calendar.ts'
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
import { epochMilliseconds, parseInstant, STORED_DATES } from '#instant.ts'
import type { Services } from '#services.ts'
import type { CheckUrl } from '#webhooks/addresses.ts'
import { shownQuestion } from './ask.ts'
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
    isAsked: Type.Boolean(),
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
const ZONE_OR_NULL = Type.Refine(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'of the device, which is then also asked whether its owner still works, and reminded; null or left out: it is not',
    refusal: description('time_zone'),
  }),
  (value) => value === null || isKnownTimeZone(value),
)
const NEW_DEVICE = Type.Object({
  endpoint: text(1, 1024),
  p256dh: browserKey(65),
  auth: browserKey(16),
  withNames: Type.Boolean({ refusal: description('one_of', { values: 'true, false' }) }),
  timeZone: Type.Optional(ZONE_OR_NULL),
})
const PRESSES = ['pause', 'resume', 'stop', 'keep', 'stop-at'] as const
const PRESS = Type.Object({
  id: Type.String({
    pattern: '^[\\w-]{8,36}$',
    description: 'chosen by the device; the same one is carried out once',
    refusal: description('id'),
  }),
  session: existingId,
  press: Type.Enum(PRESSES, {
    description: '`keep` and `stop-at` answer the question',
    refusal: description('one_of', { values: PRESSES.join(', ') }),
  }),
  from: Type.Optional(
    Type.String({
      maxLength: 30,
      description: 'of an answer: the instant of the `question`',
      refusal: description('instant'),
    }),
  ),
  age: Type.Integer({
    minimum: 0,
    maximum: MAX_AGE,
    description: 'milliseconds since the press',
    refusal: description('number'),
  }),
})
const TAKEN = answer(
  {
    outcome: Type.Enum(['done', 'ended', 'answered'], {
      description:
        '`ended`: the session had ended by another press; `answered`: the question was not open any more. Nothing has changed then',
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
  { db, hub, now }: Services,
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
          isAsked: each.time_zone !== null,
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
      const { endpoint, p256dh, auth, withNames, timeZone = null } = request.body
      if (pusher === null) throw apiError('stint_push_off')
      if (!(await mayBeSentTo(caller.user.id, endpoint))) {
        throw invalidParam('endpoint', description('webhook_url'))
      }
      const device = { endpoint, p256dh, auth, with_names: withNames, time_zone: timeZone }
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
      const { age, from: about, ...press } = request.body
      const isAnswer = press.press === 'keep' || press.press === 'stop-at'
      const from = isAnswer ? parseInstant(about ?? '', STORED_DATES) : null
      if (isAnswer && from === null) throw invalidParam('from', description('instant'))
      const at = now() - age
      const outcome = await together(documents, user.id, (own) =>
        takePress(own, user.id, { ...press, at, from }, { hub, now }),
      )
      const device = await devices.find(db, signIn.id)
      const withName = device?.with_names ?? false
      const { shown, running } = await read(user.id, press.session, withName, now())
      const question = await shownQuestion(db, device, running)
      return { outcome, timer: { ...shown, question } }
    },
  )
}
