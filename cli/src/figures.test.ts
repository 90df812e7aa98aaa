/** The same work has the same seconds everywhere: in the app, the API, over MCP, in the calendar and on the command line. */
import { exactDuration } from '@stint/core/time/duration.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import { callTool } from '@stint/testing/mcp.ts'
import { serverForEach } from '@stint/testing/server-tests.ts'
import { programOf } from '@stint/testing/test-app.ts'
import type { TestUser } from '@stint/testing/test-app.ts'
import * as fc from 'fast-check'
import Ical from 'ical.js'
import { beforeEach, expect, test } from 'vitest'

import { createClient } from './client.ts'
import { allSessions } from './report-commands.ts'

const NOW = Date.UTC(2026, 2, 31, 10)
const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE

const server = serverForEach({ now: NOW })
let address: string

beforeEach(async () => {
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
})

const anySession = fc.record({
  minutesAgo: fc.integer({ min: 0, max: 60 * 24 * 30 }),
  length: fc.integer({ min: 1000, max: 300 * MINUTE }),
  pause: fc.integer({ min: 0, max: 20 * MINUTE }),
  isAcme: fc.boolean(),
})

test('a history has the same figures over every door', async () => {
  let people = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anySession, { minLength: 1, maxLength: 25 }), async (history) => {
      const ann = await server.signedInUser(`Ann ${++people}`)
      await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
      const entries = history.map(({ minutesAgo, length, pause, isAcme }, index) => {
        const endedAt = NOW - minutesAgo * MINUTE
        const startedAt = endedAt - length
        const intervals = [{ start: startedAt, end: Math.min(startedAt + pause, endedAt) }]
        const pauses = { intervals, unplacedSeconds: 0 }
        const note = isAcme ? '#acme' : null
        const times = { taskId: 'write', startedAt, endedAt, pauses, note, deletedAt: null }
        return newEntry({ id: `e${index}`, ...times }, NOW).after
      })
      await save(ann, entries)
      const seconds = entries.reduce((sum, each) => sum + each.durationSeconds, 0)
      const ofAcme = entries.filter(({ note }) => note !== null)
      const acmeSeconds = ofAcme.reduce((sum, each) => sum + each.durationSeconds, 0)

      const { secret } = (await ann.call('POST', '/stint/keys', KEY)).body
      const program = programOf(server.newBrowser(), secret)
      const use = (name: string, sent: object) => callTool(server.newBrowser(), secret, name, sent)
      const shell = createClient({ server: address, key: secret })

      expect((await program('GET', '/total')).body.seconds).toBe(seconds)
      expect((await program('GET', '/total?filter=%23acme')).body.seconds).toBe(acmeSeconds)
      expect((await use('total', {})).seconds).toBe(seconds)
      expect((await use('find_sessions', { filter: '#acme' })).total).toEqual({
        count: ofAcme.length,
        seconds: acmeSeconds,
      })
      expect((await shell('GET total', {})).seconds).toBe(seconds)
      expect(sum(await allSessions(shell, '#acme'))).toBe(acmeSeconds)
      expect(await lengthsInCalendar(ann)).toEqual(
        entries
          .filter(({ startedAt }) => startedAt >= NOW - 8 * WEEK)
          .map(({ id, durationSeconds }) => `${id}: Worked ${exactDuration(durationSeconds)}`)
          .toSorted(),
      )
    }),
    { numRuns: 6 },
  )
})

const KEY = { name: 'Doors', access: 'write' }

async function save(ann: TestUser, entries: readonly ReturnType<typeof newEntry>['after'][]) {
  await put(ann, 'tasks', [{ documentId: 'write', data: { userId: ann.id, name: 'Write' } }])
  await put(
    ann,
    'time_entries',
    entries.map((entry) => ({ documentId: entry.id, data: entryAttributes(entry, ann.id) })),
  )
}

async function put(ann: TestUser, collection: string, documents: object[]): Promise<void> {
  const path = `/stint/collections/${collection}/documents`
  const { status, body } = await ann.call('PUT', path, { documents })
  expect([status, body.message]).toEqual([200, undefined])
}

function sum(sessions: readonly { readonly seconds: number }[]): number {
  return sessions.reduce((total, { seconds }) => total + seconds, 0)
}

/** Returns 'e1: Worked 1h 5m' for each event, sorted. */
async function lengthsInCalendar(ann: TestUser): Promise<string[]> {
  const { path } = (await ann.call('PUT', '/stint/feed', {})).body
  const text = await (await server.fetch(path)).text()
  const events = new Ical.Component(Ical.parse(text)).getAllSubcomponents('vevent')
  return events
    .map((component) => {
      const { uid, description } = new Ical.Event(component)
      const [, worked] = /(Worked [^,]+)/.exec(description) ?? []
      return `${uid.replace('@stint', '')}: ${worked}`
    })
    .toSorted()
}
