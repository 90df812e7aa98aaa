/** Where records are read, and what callers hear when that fails. The costs are in `call-cost.test.ts`. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { storeRecord } from '@stint/testing/worst-records.ts'
import { RecordReader } from '#api/record.ts'
import type { Person } from '#api/person.ts'
import { Histories, MAX_SHORT } from './histories.ts'
import { runRead } from './reads.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

/** More than is read on the event loop. */
const LONG = { documents: 3000, bytes: 2 * MAX_SHORT.bytes }

let server: TestApp
let ann: TestUser
let person: Person
let histories: Histories
let warnings: string[]
/** Runs when the thread has been asked. */
let onAsked: () => Promise<void>

beforeEach(async () => {
  server = await createTestApp({ now: NOW })
  ann = await server.signedInUser('Ann')
  const settings = settingsFromPrefs({})
  person = { owner: ann.id, keyId: '', device: '', settings, now: NOW, timeZone: 'Asia/Kolkata' }
  warnings = []
  onAsked = async () => {}
  histories = new Histories(
    server.db,
    {
      async limitConcurrency(_, work) {
        const [answer] = await Promise.all([work(), onAsked()])
        return answer
      },
    },
    (text) => void warnings.push(text),
  )
})
afterEach(async () => {
  await histories.close()
  await server.close()
})

test('a long record is read in the thread, with the answers of a short one', async () => {
  await storeRecord(server.db, ann.id, 'odd notes', NOW, LONG)
  const query = { period: '2026', by: 'day' } as const
  const publicUrl = 'http://localhost:3000'
  const here = () => new RecordReader(server.db, ann.id)
  const total = { person, query, publicUrl }
  expect(await histories.read('total', ann.id, total)).toEqual(
    await runRead('total', here(), total),
  )
  const find = { person, query: { filter: 'unknown >5m', limit: 7 } }
  expect(await histories.read('find', ann.id, find)).toEqual(await runRead('find', here(), find))
  const calendar = await histories.read('calendar', ann.id, NOW)
  expect(calendar).toEqual(await runRead('calendar', here(), NOW))
  expect(calendar.file.length).toBeGreaterThan(100_000)
  expect(await histories.read('now', ann.id, person)).toEqual(await runRead('now', here(), person))
})

test('a refusal of the thread keeps its type, its text and its choices', async () => {
  await storeRecord(server.db, ann.id, 'many usual names', NOW, LONG)
  const sent = { task: 'report 17' }
  const asked = { person, sent }
  const here = await runRead('start', new RecordReader(server.db, ann.id), asked).catch(
    (error: unknown) => error,
  )
  expect(here).toMatchObject({ type: 'stint_task_ambiguous', choices: expect.any(Array) })
  await expect(histories.read('start', ann.id, asked)).rejects.toEqual(here)
  const anywhere = { person: { ...person, timeZone: null }, query: {} }
  await expect(histories.read('find', ann.id, anywhere)).rejects.toMatchObject({
    type: 'stint_time_zone_missing',
    status: 400,
  })
})

test('a read whose thread ends is refused with 503, and the next one is answered', async () => {
  await storeRecord(server.db, ann.id, 'many usual names', NOW, LONG)
  onAsked = () => histories.close()
  await expect(histories.read('tasks', ann.id, 'report 17')).rejects.toMatchObject({
    type: 'general_service_unavailable',
    status: 503,
    headers: { 'retry-after': '30' },
  })
  expect(warnings).toEqual(['A read of a history was ended: The server stops'])
  onAsked = async () => {}
  expect((await histories.read('tasks', ann.id, 'report 17')).length).toBeGreaterThan(5)
})
