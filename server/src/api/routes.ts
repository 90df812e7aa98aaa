/**
 * Stint's own API, for programs with a personal key. The server computes what the app shows, in the owner's zone and
 * day rule.
 */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { SESSION_CSV_FORM, sessionCsv } from '@stint/core/transfer/session-csv.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import type { FastifySchema } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Documents } from '#documents/service.ts'
import type { Histories } from '#history/histories.ts'
import type { Routes } from '#http/params.ts'
import { LIMITS } from '#http/throttle.ts'
import type { WithKey } from '#keys/holder.ts'
import type { Services } from '#services.ts'
import {
  ADDED,
  BALANCE,
  CSV,
  FOUND,
  JUST_SEALED,
  NOW,
  OPENED,
  PRESSED,
  RATES,
  SEALED,
  STARTED,
  STOPPED,
  TARGETS,
  TASKS,
  TIMESHEET,
  TOTAL,
  UNSEALED,
} from './answers.ts'
import { toAdd, toSeal, toStart, toStop, toTurn, toUnseal } from './calls.ts'
import {
  BALANCE_CSV,
  BALANCE_OF,
  FIND,
  FIND_CSV,
  FIND_TASKS,
  IDEMPOTENCY,
  MAX_LIMIT,
  NEW_SESSION,
  PRESS,
  SEAL,
  SHEET_CSV,
  SHEET_OF,
  SHEET_PARAMS,
  START,
  SUM_UP,
  ZONE_QUERY,
} from './params.ts'
import { sealedAnswer } from './timesheet.ts'
import { personOf } from './person.ts'
import type { Person } from './person.ts'
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
  const { config, db, throttle } = services
  const { publicUrl } = config
  const write = writer(db, documents)

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
      return histories.read('find', person.owner, { person, query })
    },
  )

  app.get(
    '/stint/sessions.csv',
    withKey('read', {
      summary: 'The same sessions as CSV; the header `Link` has the address of the next page',
      querystring: FIND_CSV,
      response: { 200: CSV },
    }),
    async (request, reply) => {
      const { separator, decimal, duration, limit = MAX_LIMIT, ...query } = request.query
      const person = personOf(request, services, query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      const asked = { person, query: { ...query, limit } }
      const { sessions, next } = await histories.read('find', person.owner, asked)
      if (next !== null) reply.header('Link', `<${withCursor(request.url, next)}>; rel="next"`)
      reply.type('text/csv; charset=utf-8')
      return sessionCsv(sessions, formOf({ separator, decimal, duration }))
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
      return histories.read('total', person.owner, { person, query, publicUrl })
    },
  )

  app.get(
    '/stint/balance',
    withKey('read', {
      summary: 'The balance of the hours account on some days, and what it is made of',
      querystring: BALANCE_OF,
      response: { 200: BALANCE },
    }),
    async (request, reply) => {
      const { query } = request
      const person = personOf(request, services, query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      return histories.read('balance', person.owner, { person, query, publicUrl })
    },
  )

  app.get(
    '/stint/balance.csv',
    withKey('read', {
      summary: 'The hours account by day as CSV',
      querystring: BALANCE_CSV,
      response: { 200: CSV },
    }),
    async (request, reply) => {
      const person = personOf(request, services, request.query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      reply.type('text/csv; charset=utf-8')
      return histories.read('balanceFile', person.owner, { person, form: formOf(request.query) })
    },
  )

  app.get(
    '/stint/timesheet',
    withKey('read', {
      summary: 'The timesheet of some days: lines by day and task, rounded by a rule, with amounts',
      querystring: SHEET_OF,
      response: { 200: TIMESHEET },
    }),
    async (request, reply) => {
      const { query } = request
      const person = personOf(request, services, query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      return histories.read('timesheet', person.owner, { person, query, publicUrl })
    },
  )

  app.get(
    '/stint/timesheet.csv',
    withKey('read', {
      summary: 'The same timesheet as CSV',
      querystring: SHEET_CSV,
      response: { 200: CSV },
    }),
    async (request, reply) => {
      const { query } = request
      const person = personOf(request, services, query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      reply.type('text/csv; charset=utf-8')
      const asked = { person, query, groupBy: query.group ?? 'day', form: formOf(query) } as const
      return histories.read('timesheetFile', person.owner, asked)
    },
  )

  app.get(
    '/stint/timesheets',
    withKey('read', {
      summary: 'The timesheets that were sealed',
      response: { 200: SEALED },
    }),
    async (request) => sealedAnswer(personOf(request, services, null).prefs),
  )

  app.post(
    '/stint/timesheets',
    withKey('write', {
      summary: 'Seals the timesheet of some days: its sessions are marked as invoiced',
      headers: IDEMPOTENCY,
      body: SEAL,
      response: { 201: JUST_SEALED },
    }),
    async (request, reply) => {
      const { body } = request
      const person = personOf(request, services, body.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      return write(request, reply, person, 201, () => toSeal(histories, services, person, body))
    },
  )

  app.get(
    '/stint/timesheets/:sheetId',
    withKey('read', {
      summary: 'A sealed timesheet as its sessions are now, and what differs from its seal',
      params: SHEET_PARAMS,
      querystring: ZONE_QUERY,
      response: { 200: OPENED },
    }),
    async (request, reply) => {
      const person = personOf(request, services, request.query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      const { sheetId: id } = request.params
      return histories.read('sealed', person.owner, { person, id, publicUrl })
    },
  )

  app.delete(
    '/stint/timesheets/:sheetId',
    withKey('write', {
      summary: 'Removes the seal of a timesheet: its sessions are not marked any more',
      params: SHEET_PARAMS,
      headers: IDEMPOTENCY,
      response: { 200: UNSEALED },
    }),
    async (request, reply) => {
      const person = personOf(request, services, null)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      const { sheetId } = request.params
      return write(request, reply, person, 200, () =>
        toUnseal(histories, services, person, sheetId),
      )
    },
  )

  app.get(
    '/stint/rates',
    withKey('read', {
      summary: 'The rates of tasks and categories, and what is not billable',
      response: { 200: RATES },
    }),
    async (request) => {
      const { owner, prefs } = personOf(request, services, null)
      return histories.read('rates', owner, prefs)
    },
  )

  app.get(
    '/stint/targets',
    withKey('read', {
      summary: 'The targets and the daily goals of tasks, and how far each is',
      querystring: ZONE_QUERY,
      response: { 200: TARGETS },
    }),
    async (request, reply) => {
      const person = personOf(request, services, request.query.timeZone)
      throttle.hitPassing(reply, LIMITS.keySearch, person.owner)
      return histories.read('targets', person.owner, { person, publicUrl })
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
      return { tasks: await histories.read('tasks', owner, request.query.q ?? '') }
    },
  )

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

/** Returns the form of a file, of which a query may leave open what is as usual. */
function formOf({
  separator,
  decimal,
  duration,
}: {
  readonly [K in keyof CsvForm]?: CsvForm[K] | undefined
}): CsvForm {
  return {
    separator: separator ?? SESSION_CSV_FORM.separator,
    decimal: decimal ?? SESSION_CSV_FORM.decimal,
    duration: duration ?? SESSION_CSV_FORM.duration,
  }
}

/** Returns the address with another cursor. */
function withCursor(address: string, cursor: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters.toString()}`
}
