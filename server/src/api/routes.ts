/**
 * Stint's own API, for programs with a personal key. The server computes what the app shows, in the owner's zone and
 * day rule.
 */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { Static } from 'typebox'
import type { Documents } from '#documents/service.ts'
import type { Routes } from '#http/params.ts'
import { LIMITS } from '#http/throttle.ts'
import type { WithKey } from '#keys/holder.ts'
import type { Services } from '#services.ts'
import { ADDED, FOUND, NOW, PRESSED, STARTED, STOPPED, TASKS, TOTAL } from './answers.ts'
import type { Calls } from './calls.ts'
import {
  FIND,
  FIND_TASKS,
  IDEMPOTENCY,
  NEW_SESSION,
  PRESS,
  START,
  SUM_UP,
  ZONE_QUERY,
} from './params.ts'
import { personOf } from './person.ts'
import { writer } from './writes.ts'

/** Registers the routes under the prefix of `app`. */
export function registerApi(
  app: Routes,
  services: Services,
  documents: Documents,
  calls: Calls,
  withKey: WithKey,
): void {
  const { db, throttle } = services
  const write = writer(db, documents)

  app.get(
    '/stint/now',
    withKey('read', {
      summary: 'The timer, and the work of today',
      querystring: ZONE_QUERY,
      response: { 200: NOW },
    }),
    async (request) => calls.now(personOf(request, services, request.query.timeZone)),
  )

  app.post(
    '/stint/start',
    withKey('write', {
      summary: 'Starts a timer; an active one is stopped and saved first',
      headers: IDEMPOTENCY,
      body: START,
      response: { 201: STARTED },
    }),
    async (request, reply) => {
      const { body } = request
      const person = personOf(request, services, body.timeZone)
      return write<Static<typeof STARTED>>(request, reply, person, 201, () =>
        calls.start(person, body),
      )
    },
  )

  app.post(
    '/stint/stop',
    withKey('write', {
      summary: 'Stops the timer and saves its session',
      headers: IDEMPOTENCY,
      body: PRESS,
      response: { 200: STOPPED },
    }),
    async (request, reply) => {
      const { body } = request
      const person = personOf(request, services, body.timeZone)
      return write<Static<typeof STOPPED>>(request, reply, person, 200, () =>
        calls.stop(person, body),
      )
    },
  )

  for (const [press, summary] of [
    ['pause', 'Pauses the timer; a paused one stays as it is'],
    ['resume', 'Resumes the timer; a running one stays as it is'],
    ['toggle', 'Pauses the timer if it runs, and resumes it if it is paused'],
  ] as const) {
    app.post(
      `/stint/${press}`,
      withKey('write', {
        summary,
        headers: IDEMPOTENCY,
        body: PRESS,
        response: { 200: PRESSED },
      }),
      async (request, reply) => {
        const { body } = request
        const person = personOf(request, services, body.timeZone)
        return write<Static<typeof PRESSED>>(request, reply, person, 200, () =>
          calls.turn(person, press, body),
        )
      },
    )
  }

  app.post(
    '/stint/sessions',
    withKey('write', {
      summary: 'Adds a session that is over',
      headers: IDEMPOTENCY,
      body: NEW_SESSION,
      response: { 201: ADDED },
    }),
    async (request, reply) => {
      const { body } = request
      const person = personOf(request, services, body.timeZone)
      return write<Static<typeof ADDED>>(request, reply, person, 201, () => calls.add(person, body))
    },
  )

  app.get(
    '/stint/sessions',
    withKey('read', {
      summary: 'The sessions that a filter finds, and their sum',
      querystring: FIND,
      response: { 200: FOUND },
    }),
    async (request, reply) => {
      const { query } = request
      const person = personOf(request, services, query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      return calls.find(person, query)
    },
  )

  app.get(
    '/stint/total',
    withKey('read', {
      summary: 'The work on some days, of all sessions or of those that a filter finds',
      querystring: SUM_UP,
      response: { 200: TOTAL },
    }),
    async (request, reply) => {
      const { query } = request
      const person = personOf(request, services, query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      return calls.total(person, query)
    },
  )

  app.get(
    '/stint/tasks',
    withKey('read', {
      summary: 'The tasks, those worked on last first',
      querystring: FIND_TASKS,
      response: { 200: TASKS },
    }),
    async (request) => {
      const { owner } = personOf(request, services, null)
      return { tasks: await calls.tasks(owner, request.query.q ?? '') }
    },
  )
}
