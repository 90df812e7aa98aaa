import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '#errors.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { answerInMemory } from '@stint/testing/query-oracle.ts'
import type { WireDocument } from '@stint/testing/query-oracle.ts'
import { parseQueries } from './parse.ts'

const SESSIONS = '/databases/stint/collections/timer_sessions/documents'
const NAMES = ['', 'a', 'B', 'ab%', '_x', 'Äb', 'a\\b', 'zz', '👩‍💻', "o'x"]
const INSTANTS = [
  '2026-01-10T00:00:00.000+00:00',
  '2026-01-11T06:30:00.000+00:00',
  '2026-01-12T00:00:00.001+00:00',
]
let server: TestApp
let ann: TestUser
let documents: WireDocument[]

beforeAll(async () => {
  server = await createTestApp()
  ann = await server.signedInUser('Ann')
  const bob = await server.signedInUser('Bob')
  documents = []
  for (let index = 0; index < 24; index++) {
    if (index % 3 === 0) server.clock.advance(1000)
    const data = {
      taskId: NAMES[index % NAMES.length],
      isRunning: false,
      isPaused: false,
      pauseDurationSeconds: index % 4,
      startTime: index % 5 === 0 ? null : INSTANTS[index % 3],
      device: index % 4 === 0 ? null : NAMES[(index * 7) % NAMES.length],
    }
    for (const user of [ann, bob]) {
      const reply = await user.call('POST', SESSIONS, {
        documentId: `d${index}`,
        data: { ...data, userId: user.id },
      })
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
      if (user === ann) documents.push(reply.body)
    }
  }
})
afterAll(() => server.close())

test('any query returns what the same query returns in memory, from the caller’s documents only', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyQuery, { maxLength: 6 }), async (queries) => {
      const texts = queries.map((query) => JSON.stringify(query))
      const expected = expectedOf(texts)
      const { status, body } = await list(texts)
      const ids = body.documents?.map((each: WireDocument) => each['$id'])
      expect(status === 200 ? { total: body.total, ids } : body.type).toEqual(expected)
    }),
    { numRuns: Number(process.env['QUERY_RUNS'] ?? 500) },
  )
})

test('pages by cursor contain every document once, forwards and backwards', async () => {
  const order = { method: 'orderDesc', attribute: '$createdAt' }
  const all = (await list([JSON.stringify(order)])).body.documents
  const seen = []
  let cursor: object[] = []
  for (;;) {
    const queries = [order, { method: 'limit', values: [5] }, ...cursor]
    const page = (await list(queries.map((query) => JSON.stringify(query)))).body.documents
    if (page.length === 0) break
    seen.push(...page)
    cursor = [{ method: 'cursorAfter', values: [page.at(-1).$id] }]
  }
  expect(seen).toEqual(all)
  const before = { method: 'cursorBefore', values: [all[10].$id] }
  const page = await list(
    [order, { method: 'limit', values: [4] }, before].map((query) => JSON.stringify(query)),
  )
  expect(page.body.documents).toEqual(all.slice(6, 10))
})

test('a list has the selected attributes and always the system attributes', async () => {
  const { body } = await list([
    '{"method":"select","values":["taskId"]}',
    '{"method":"limit","values":[1]}',
  ])
  expect(Object.keys(body.documents[0]).toSorted()).toEqual([
    '$collectionId',
    '$createdAt',
    '$databaseId',
    '$id',
    '$permissions',
    '$sequence',
    '$updatedAt',
    'taskId',
  ])
})

test('a list with total=false has no total, and a page has 25 documents', async () => {
  const reply = await ann.call('GET', `${SESSIONS}?total=false`)
  expect([reply.body.total, reply.body.documents.length]).toEqual([0, 24])
})

// The texts of all other refusals are in `../refusals.test.ts`.
test.each([
  ['equal', 'pauseDurationSeconds', '1'],
  ['equal', 'startTime', 'soon'],
  ['equal', 'startTime', '0999-12-31T23:59:59.999Z'],
  ['lessThan', 'startTime', '9999-12-31T23:59:59-01:00'],
  ['equal', 'taskId', '\0'],
  ['equal', 'taskId', '\ud800'],
  ['equal', '__proto__', 1],
  ['orderAsc', '1; drop table users', 1],
  ['limit', '', 0],
])('the query %s of %j with %j is refused', async (method, attribute, value) => {
  const reply = await list([JSON.stringify({ method, attribute, values: [value] })])
  expect(reply).toMatchObject({ status: 400, body: { type: 'general_query_invalid' } })
})

test('a query may name any year of four digits, though only 2000 to 2100 are stored', async () => {
  const timed = documents.filter(({ startTime }) => startTime !== null).length
  expect(await totalOf('greaterThan', '1000-01-01T00:00:00.000Z')).toBe(timed)
  expect(await totalOf('lessThanEqual', '9999-12-31T23:59:59.999Z')).toBe(timed)
  expect(await totalOf('between', '1000-01-01', '1999-12-31')).toBe(0)
  expect(await totalOf('between', '1970-01-01T00:00:00Z', '9999-12-31')).toBe(timed)
  expect(await totalOf('notBetween', '1970-01-01T00:00:00Z', '2999-12-31')).toBe(0)
})

test('a hundred and one queries are refused, and queries nest three deep', async () => {
  const query = '{"method":"isNull","attribute":"device"}'
  expect((await list(Array<string>(101).fill(query))).status).toBe(400)
  const nested = (depth: number): string =>
    depth === 0 ? query : `{"method":"or","values":[${query},${nested(depth - 1)}]}`
  expect((await list([nested(2)])).status).toBe(200)
  expect((await list([nested(3)])).body.message).toMatch(/nested/)
})

/** Returns the documented result, or the type of the refusal if a bound is exceeded. */
function expectedOf(texts: readonly string[]) {
  try {
    return answerInMemory(documents, parseQueries('timer_sessions', texts))
  } catch (error) {
    if (error instanceof ApiError) return error.type
    throw error
  }
}

test('a pattern may have 64 characters, whatever their size in bytes', async () => {
  const values = ['👍'.repeat(64)]
  const { status, body } = await list([
    JSON.stringify({ method: 'contains', attribute: 'taskId', values }),
  ])
  expect([status, body.total]).toEqual([200, 0])
})

test('a list with too many filters or values is refused, nested ones included', async () => {
  const is = { method: 'isNull', attribute: 'device' }
  const equal = { method: 'equal', attribute: 'pauseDurationSeconds', values: Array(500).fill(1) }
  const exists = { method: 'exists', values: Array(99).fill('device') }
  const texts = 'Invalid query: Too many text filters: at most 20 values are allowed'
  expect(await refused(text(20))).toBe(null)
  expect(await refused(text(21))).toBe(texts)
  expect(await refused(text(10), both(is, both(is, text(10))))).toBe(null)
  expect(await refused(text(10), both(is, both(is, text(11))))).toBe(texts)
  const values = 'Invalid query: Too many values: at most 1000 are allowed'
  expect(await refused(equal, equal)).toBe(null)
  expect(await refused(equal, both(is, equal), both(is, { ...equal, values: [1] }))).toBe(values)
  const filters = 'Invalid query: Too many filters: at most 100 are allowed'
  const half = (count: number) => both(...Array.from({ length: count }, () => is))
  expect(await refused(half(49), half(49))).toBe(null)
  expect(await refused(half(49), half(50))).toBe(filters)
  expect(await refused(exists, is)).toBe(null)
  expect(await refused(exists, is, is)).toBe(filters)
})

test('a repeated order has no effect', async () => {
  const order = { method: 'orderDesc', attribute: 'pauseDurationSeconds' }
  const again = { method: 'orderAsc', attribute: 'pauseDurationSeconds' }
  const once = await list([JSON.stringify(order)])
  const often = await list(
    [order, ...Array.from({ length: 90 }, () => again)].map((each) => JSON.stringify(each)),
  )
  expect(often.body).toEqual(once.body)
})

function text(count: number): object {
  return { method: 'contains', attribute: 'taskId', values: Array<string>(count).fill('a') }
}

function both(...values: object[]): object {
  return { method: 'or', values }
}

/** Returns why a list with these queries is refused; null: it is not. */
async function refused(...queries: object[]): Promise<string | null> {
  const { status, body } = await list(queries.map((query) => JSON.stringify(query)))
  return status === 200 ? null : body.message
}

async function totalOf(method: string, ...values: string[]): Promise<number> {
  return (await list([JSON.stringify({ method, attribute: 'startTime', values })])).body.total
}

function list(texts: readonly string[]) {
  const search = texts.map((text, index) => `queries[${index}]=${encodeURIComponent(text)}`)
  return ann.call('GET', `${SESSIONS}?${search.join('&')}`)
}

const anyOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values)
const attributeAndValue = fc.oneof(
  anyOf(NAMES).map((value) => ['taskId', value] as const),
  anyOf(NAMES).map((value) => ['device', value] as const),
  anyOf(INSTANTS).map((value) => ['startTime', value] as const),
  anyOf(['2026-01-15T12:00:03Z', '2026-01-15T12:00:05Z']).map(
    (value) => ['$createdAt', value] as const,
  ),
  fc.integer({ min: 0, max: 4 }).map((value) => ['pauseDurationSeconds', value] as const),
  fc.integer({ min: 0, max: 50 }).map((value) => ['$sequence', value] as const),
  fc.boolean().map((value) => ['isRunning', value] as const),
  fc.integer({ min: 0, max: 25 }).map((value) => ['$id', `d${value}`] as const),
)
const anyAttribute = attributeAndValue.map(([attribute]) => attribute)
const anyFilter: fc.Arbitrary<object> = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    fc
      .record({
        method: anyOf([
          'equal',
          'notEqual',
          'lessThan',
          'lessThanEqual',
          'greaterThan',
          'greaterThanEqual',
        ]),
        pair: attributeAndValue,
      })
      .map(({ method, pair: [attribute, value] }) => ({ method, attribute, values: [value] })),
    fc
      .tuple(anyOf(['between', 'notBetween']), attributeAndValue)
      .map(([method, [attribute, value]]) => ({
        method,
        attribute,
        values: [value, value],
      })),
    fc.record({ method: anyOf(['isNull', 'isNotNull']), attribute: anyAttribute }),
    fc.record({
      method: anyOf(['contains', 'notContains', 'containsAll', 'containsAny']),
      attribute: anyOf(['taskId', 'device', '$id']),
      values: fc.array(anyOf(NAMES), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      method: anyOf(['startsWith', 'notStartsWith', 'endsWith', 'notEndsWith']),
      attribute: anyOf(['taskId', 'device']),
      values: fc.tuple(anyOf(NAMES)),
    }),
    fc.record({
      method: fc.constant('equal'),
      attribute: fc.constant('taskId'),
      values: fc.array(anyOf(NAMES), { minLength: 2, maxLength: 4 }),
    }),
    fc.record({
      method: anyOf(['and', 'or']),
      values: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).filter
const anyQuery = fc.oneof(
  { weight: 3, arbitrary: anyFilter },
  {
    weight: 2,
    arbitrary: fc.record({ method: anyOf(['orderAsc', 'orderDesc']), attribute: anyAttribute }),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 9 })
      .map((count) => ({ method: 'limit', values: [count] })),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 5 })
      .map((count) => ({ method: 'offset', values: [count] })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyOf(['cursorAfter', 'cursorBefore']), fc.integer({ min: 0, max: 24 }))
      .map(([method, id]) => ({
        method,
        values: [`d${id}`],
      })),
  },
)
