/** What a program reads: sessions, totals, the hours account, rates, targets and tasks. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { sessionCsv } from '@stint/core/transfer/session-csv.ts'
import type { Histories } from '#history/histories.ts'
import type { Routes } from '#http/params.ts'
import type { WithKey } from '#keys/holder.ts'
import type { Services } from '#services.ts'
import { BALANCE, CSV, FOUND, RATES, TARGETS, TASKS, TOTAL } from './answers.ts'
import {
  BALANCE_CSV,
  BALANCE_OF,
  FIND,
  FIND_CSV,
  FIND_TASKS,
  formOf,
  MAX_LIMIT,
  SUM_UP,
  ZONE_QUERY,
} from './params.ts'
import { personOf } from './person.ts'
import { searcherOf } from './searcher.ts'

/** Registers the routes under the prefix of `app`. */
export function registerReports(
  app: Routes,
  services: Services,
  histories: Histories,
  withKey: WithKey,
): void {
  const { publicUrl } = services.config
  const searcher = searcherOf(services)

  app.get(
    '/stint/sessions',
    withKey('read', {
      summary: 'The sessions that a filter finds, and their sum',
      querystring: FIND,
      response: { 200: FOUND },
    }),
    async (request, reply) => {
      const { query } = request
      const person = searcher(request, reply, query.timeZone)
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
      const person = searcher(request, reply, query.timeZone)
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
      const person = searcher(request, reply, query.timeZone)
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
      const person = searcher(request, reply, query.timeZone)
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
      const person = searcher(request, reply, request.query.timeZone)
      reply.type('text/csv; charset=utf-8')
      return histories.read('balanceFile', person.owner, { person, form: formOf(request.query) })
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
      const person = searcher(request, reply, request.query.timeZone)
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
}

/** Returns the address with another cursor. */
function withCursor(address: string, cursor: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters.toString()}`
}
