/** Where records are read, and what callers hear when that fails. The costs are in `call-cost.test.ts`. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hoursAccount } from '@stint/core/balance/account.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { categoryColors } from '@stint/core/record/category.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { storeRecord } from '@stint/testing/worst-records.ts'
import type { WorstRecord } from '@stint/testing/worst-records.ts'
import { RecordReader } from '#api/record.ts'
import type { Person } from '#api/person.ts'
import { Histories, MAX_SHORT } from './histories.ts'
import { runRead } from './reads.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

/** More than is read on the event loop. */
const LONG = { documents: 3000, bytes: 2 * MAX_SHORT.bytes }

const server = serverForFile({ now: NOW })
let histories: Histories
/** People with long records: their notes are odd, or they have many tasks. */
let odd: Person
let usual: Person
const warnings: string[] = []
/** Runs when the thread has been asked. */
let onAsked: () => Promise<void>

beforeAll(async () => {
  odd = await personWith('odd notes')
  usual = await personWith('many usual names')
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
beforeEach(() => {
  onAsked = async () => {}
})
afterAll(async () => {
  await histories.close()
})

test('a long record is read in the thread, with the answers of a short one', async () => {
  const { owner } = odd
  const query = { period: '2026', by: 'day' } as const
  const publicUrl = 'http://localhost:3000'
  const here = () => new RecordReader(server.db, owner)
  const total = { person: odd, query, publicUrl }
  expect(await histories.read('total', owner, total)).toEqual(await runRead('total', here(), total))
  const find = { person: odd, query: { filter: 'unknown >5m', limit: 7 } }
  expect(await histories.read('find', owner, find)).toEqual(await runRead('find', here(), find))
  const asked = { now: NOW, filter: parseFilter('>1m', { now: NOW, dayRule: dayRuleOf('UTC') }) }
  const calendar = await histories.read('calendar', owner, asked)
  expect(calendar).toEqual(await runRead('calendar', here(), asked))
  expect(calendar.file.length).toBeGreaterThan(100_000)
  expect(await histories.read('now', owner, odd)).toEqual(await runRead('now', here(), odd))
})

test('a refusal of the thread keeps its type, its text and its choices', async () => {
  const sent = { task: 'report 17' }
  const asked = { person: usual, sent }
  const here = await runRead('start', new RecordReader(server.db, usual.owner), asked).catch(
    (error: unknown) => error,
  )
  expect(here).toMatchObject({ type: 'stint_task_ambiguous', choices: expect.any(Array) })
  await expect(histories.read('start', usual.owner, asked)).rejects.toEqual(here)
  const anywhere = { person: { ...usual, timeZone: null }, query: {} }
  await expect(histories.read('find', usual.owner, anywhere)).rejects.toMatchObject({
    type: 'stint_time_zone_missing',
    status: 400,
  })
})

test('a read whose thread ends is refused with 503, and the next one is answered', async () => {
  onAsked = () => histories.close()
  await expect(histories.read('tasks', usual.owner, 'report 17')).rejects.toMatchObject({
    type: 'general_service_unavailable',
    status: 503,
    headers: { 'retry-after': '30' },
  })
  expect(warnings).toEqual(['A read of a history was ended: The server stops'])
  onAsked = async () => {}
  expect((await histories.read('tasks', usual.owner, 'report 17')).length).toBeGreaterThan(5)
})

async function personWith(record: WorstRecord): Promise<Person> {
  const { id: owner } = await server.signedInUser()
  await storeRecord(server.db, owner, record, NOW, LONG)
  const settings = settingsFromPrefs({})
  return {
    owner,
    keyId: '',
    device: '',
    settings,
    filters: [],
    account: hoursAccount({}),
    prefs: {},
    categoryColors: categoryColors({}),
    now: NOW,
    timeZone: 'Asia/Kolkata',
  }
}
