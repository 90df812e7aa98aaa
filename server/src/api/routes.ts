/**
 * Stint's own API, for programs with a personal key. The server computes what the app shows, in the owner's zone and
 * day rule. Here are the timer and new sessions; `report-routes.ts` has what is read, `timesheet-routes.ts` timesheets.
 */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifySchema } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Documents } from '#documents/service.ts'
import type { Histories } from '#history/histories.ts'
import type { Routes } from '#http/params.ts'
import type { WithKey } from '#keys/holder.ts'
import type { Services } from '#services.ts'
import { ADDED, NOW, PRESSED, STARTED, STOPPED } from './answers.ts'
import { toAdd, toStart, toStop, toTurn } from './calls.ts'
import { IDEMPOTENCY, NEW_SESSION, PRESS, START, ZONE_QUERY } from './params.ts'
import { personOf } from './person.ts'
import type { Person } from './person.ts'
import { registerReports } from './report-routes.ts'
import { registerTimesheets } from './timesheet-routes.ts'
import { writer } from './writes.ts'
import type { Work } from './writes.ts'

/** Registers the routes under the prefix of `app`. */
export function registerApi(
  app: Routes,
  services: Services,
  documents: Documents,
  histories: Histories,
  withKey: WithKey,
): void {
  const write = writer(services.db, documents)

  app.get(
    '/stint/now',
    withKey('read', {
      summary: 'The timer, and the work of today',
      querystring: ZONE_QUERY,
      response: { 200: NOW },
    }),
    async (request) => {
      const person = personOf(request, services, request.query.timeZone)
      return histories.read('now', person.owner, person)
    },
  )

  const startSummary = 'Starts a timer; an active one is stopped and saved first'
  post('start', startSummary, START, 201, STARTED, (person, sent) =>
    toStart(histories, person, sent),
  )
  post('stop', 'Stops the timer and saves its session', PRESS, 200, STOPPED, toStop)
  for (const [press, summary] of [
    ['pause', 'Pauses the timer; a paused one stays as it is'],
    ['resume', 'Resumes the timer; a running one stays as it is'],
    ['toggle', 'Pauses the timer if it runs, and resumes it if it is paused'],
  ] as const) {
    post(press, summary, PRESS, 200, PRESSED, (person, sent) => toTurn(person, press, sent))
  }
  post('sessions', 'Adds a session that is over', NEW_SESSION, 201, ADDED, (person, sent) =>
    toAdd(histories, person, sent),
  )

  registerReports(app, services, histories, withKey)
  registerTimesheets(app, services, documents, histories, withKey)

  /**
   * Registers a route that changes something.
   * @param prepare reads what the call needs, and returns its work.
   */
  function post<Body extends TObject, Answer extends TObject>(
    path: string,
    summary: string,
    body: Body,
    status: 200 | 201,
    answer: Answer,
    prepare: (
      person: Person,
      sent: Static<Body>,
    ) => Work<Static<Answer>> | Promise<Work<Static<Answer>>>,
  ): void {
    const response = { [status]: answer }
    const schema: FastifySchema = { summary, headers: IDEMPOTENCY, body, response }
    app.post(`/stint/${path}`, withKey('write', schema), async (request, reply) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked
      const sent = request.body as Static<Body> & Static<typeof ZONE_QUERY>
      const person = personOf(request, services, sent.timeZone)
      return write(request, reply, person, status, async () => prepare(person, sent))
    })
  }
}
