/** Timesheets, and their seals. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { Documents } from '#documents/service.ts'
import type { Histories } from '#history/histories.ts'
import type { Routes } from '#http/params.ts'
import type { WithKey } from '#keys/holder.ts'
import type { Services } from '#services.ts'
import { CSV, JUST_SEALED, OPENED, SEALED, TIMESHEET, UNSEALED } from './answers.ts'
import { toSeal, toUnseal } from './calls.ts'
import {
  formOf,
  IDEMPOTENCY,
  SEAL,
  SHEET_CSV,
  SHEET_OF,
  SHEET_PARAMS,
  ZONE_QUERY,
} from './params.ts'
import { personOf } from './person.ts'
import { searcherOf } from './searcher.ts'
import { sealedAnswer } from './timesheet.ts'
import { writer } from './writes.ts'

/** Registers the routes under the prefix of `app`. */
export function registerTimesheets(
  app: Routes,
  services: Services,
  documents: Documents,
  histories: Histories,
  withKey: WithKey,
): void {
  const { config, db } = services
  const { publicUrl } = config
  const searcher = searcherOf(services)
  const write = writer(db, documents)

  app.get(
    '/stint/timesheet',
    withKey('read', {
      summary: 'The timesheet of some days: lines by day and task, rounded by a rule, with amounts',
      querystring: SHEET_OF,
      response: { 200: TIMESHEET },
    }),
    async (request, reply) => {
      const { query } = request
      const person = searcher(request, reply, query.timeZone)
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
      const person = searcher(request, reply, query.timeZone)
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
      const person = searcher(request, reply, body.timeZone)
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
      const person = searcher(request, reply, request.query.timeZone)
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
      const person = searcher(request, reply, null)
      const { sheetId } = request.params
      return write(request, reply, person, 200, () =>
        toUnseal(histories, services, person, sheetId),
      )
    },
  )
}
