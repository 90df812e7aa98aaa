/** Checks that every statement on the tables of documents is restricted to one owner. */
import type { Compilable, CompiledQuery } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database, Statements } from '#storage/database.ts'
import { batchParameter, isBatchable } from '#storage/postgres/batch.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { callEveryRoute } from '@stint/testing/api-calls.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

const COLLECTIONS = ['tasks', 'timer_sessions', 'time_entries'] as const
const DOCUMENTS = '/databases/stint/collections'

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A statement of `storage/postgres/batch.ts`, which does the same for the values of each row. */
interface BatchStatement {
  readonly text: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

let statements: Statement[]
let batches: BatchStatement[]
let db: Database
let server: TestApp
let ann: TestUser

beforeEach(async () => {
  statements = []
  batches = []
  db = await openTestDatabase()
  server = await createTestApp({ db: recording(db) })
  ann = await server.signedInUser('Ann')
})
afterEach(async () => {
  await server.close()
  await db.close()
})

test('every statement on the tables of documents is restricted to the caller as the owner', async () => {
  const foreign = encodeURIComponent(`{"method":"equal","attribute":"userId","values":["bob"]}`)
  const either = encodeURIComponent(
    '{"method":"or","values":[{"method":"isNotNull","attribute":"$id"},{"method":"isNull","attribute":"$id"}]}',
  )
  const part = encodeURIComponent('{"method":"contains","attribute":"taskId","values":["t"]}')
  const cursor = encodeURIComponent('{"method":"cursorAfter","values":["d1"]}')
  const many = encodeURIComponent('{"method":"limit","values":[5000]}')
  for (const collection of COLLECTIONS) {
    const path = `${DOCUMENTS}/${collection}/documents`
    const data = { ...DATA[collection], userId: ann.id }
    const call = async (method: string, to: string, body?: Record<string, unknown>) =>
      expect({ method, to, status: (await ann.call(method, to, body)).status }).toMatchObject({
        status: expect.toSatisfy((status: number) => status < 300, 'success'),
      })
    await call('POST', path, { documentId: 'd1', data })
    await call('GET', `${path}/d1`)
    await call('PATCH', `${path}/d1`, { data: CHANGED[collection] })
    await call('PUT', `${path}/d1`, { data })
    await call('PATCH', `${path}/d1/${NUMBERS[collection]}/increment`, { value: 1 })
    await call('PATCH', `${path}/d1/${NUMBERS[collection]}/decrement`, { value: 1 })
    for (const query of ['', foreign, either, cursor, many]) {
      const queries = query === '' ? '' : `&queries[0]=${query}`
      await call('GET', `${path}?total=true${queries}`)
      await call('GET', `${path}?total=false${queries}`)
    }
    if (collection !== 'tasks') await call('GET', `${path}?queries[0]=${part}`)
    await call('PUT', `/stint/collections/${collection}/documents`, {
      documents: [{ documentId: 'd1', data: CHANGED[collection] }],
    })
    await call('DELETE', `${path}/d1`)
    await call('PUT', `/stint/collections/${collection}/documents`, {
      documents: [{ documentId: 'd2', data, isNew: true }],
    })
  }
  await callEveryRoute(await server.program(ann))
  const feed = await ann.call('PUT', '/stint/feed', {})
  expect((await ann.fetch(feed.body.path)).status).toBe(200)
  const ofDocuments = statements.filter(({ text }) => TABLES.test(text))
  expect(ofDocuments.length).toBeGreaterThan(60)
  expect(ofDocuments.filter((statement) => !isOwned(statement, ann.id))).toEqual([])
  const isBatching = db.dialect.name === 'postgres'
  expect(new Set(batches.map(({ text }) => text)).size).toBe(isBatching ? 6 : 0)
  expect(batches.filter((batch) => !isOwnedBatch(batch, ann.id))).toEqual([])
})

test('the check finds a statement without the owner', () => {
  const wrong = [
    { text: 'select body from "tasks" where id = $1', values: ['ann'] },
    { text: 'select body from "tasks" where owner = $1 and id = $2', values: ['bob', 'd1'] },
    { text: 'select 1 from tasks where owner = $1 or owner = $2', values: ['ann', 'bob'] },
    {
      text: 'select body, (select count(*) from tasks) from tasks where owner = $1',
      values: ['ann'],
    },
    { text: 'insert into tasks (id, body) values ($1, $2)', values: ['ann', ''] },
  ]
  expect(wrong.filter((statement) => isOwned(statement, 'ann'))).toEqual([])
})

test('the check finds a batch without the owner', () => {
  const rows = [{ n: 0, owner: 'ann', id: 'd1' }]
  const own = 'kept.owner = asked.owner and kept.id = asked.id'
  const right = [find(own), insert('owner, id')].map((text) => ({ text, rows }))
  expect(right.filter((batch) => isOwnedBatch(batch, 'ann'))).toEqual(right)
  const wrong = [
    { text: find('kept.id = asked.id'), rows },
    { text: find(`${own} or true`), rows },
    { text: insert('id, owner'), rows },
    ...right.map(({ text }) => ({ text, rows: [...rows, { n: 1, owner: 'bob', id: 'd1' }] })),
  ]
  expect(wrong.filter((batch) => isOwnedBatch(batch, 'ann'))).toEqual([])
})

function find(condition: string): string {
  return `select n, body from json_to_recordset($1) as asked (n int, owner text, id text)
    cross join lateral (select body from tasks as kept where ${condition} limit 1) as found`
}

function insert(selected: string): string {
  return `with asked as (select * from json_to_recordset($1) as asked (n int, owner text, id text))
    insert into tasks (owner, id) select ${selected} from asked`
}

const TABLE = '"?(?:tasks|timer_sessions|time_entries)"?'
const TABLES = new RegExp(String.raw`\b(?:from|join|into|update) ${TABLE}`, 'i')
const INSERT = new RegExp(String.raw`^insert into ${TABLE} \("?owner"?, `, 'i')
/**
 * Matches the parts of a statement that read or change rows of a table, with the condition after
 * them.
 */
const USES = new RegExp(
  String.raw`(?:\b(?:from|join) ${TABLE}|^update ${TABLE} set [^()]*?)\s+where `,
  'gi',
)

/**
 * Returns whether each use of a table in the statement begins its condition with the owner, bound
 * to `owner`, or the statement inserts one row of `owner`.
 */
function isOwned({ text, values }: Statement, owner: string): boolean {
  if (INSERT.test(text)) return values[0] === owner
  const uses = text.match(new RegExp(TABLES, 'gi'))?.length ?? 0
  const conditions = [...text.matchAll(USES)].map(({ 0: use, index }) => {
    const condition = /^owner = (\+?\?|\$\d+)(?!\s+or\b)/.exec(text.slice(index + use.length))
    if (condition === null) return false
    const value = text.slice(0, index + use.length).match(/\?|\$\d+/g)?.length ?? 0
    return values[value] === owner
  })
  return conditions.length === uses && conditions.every(Boolean)
}

/**
 * Matches the parts of a batch that read rows of the requested owners, or insert rows of theirs.
 */
const OWNED_IN_BATCH = new RegExp(
  String.raw`from ${TABLE} as kept\s+where kept\.owner = asked\.owner and kept\.id = asked\.id limit 1\)|` +
    String.raw`insert into ${TABLE} \(owner, ([^()]*)\)\s+select owner, \1 from asked\b`,
  'gi',
)

/**
 * Returns whether each use of a table in the batch is restricted to the owners in its rows, who are
 * all `owner`.
 */
function isOwnedBatch({ text, rows }: BatchStatement, owner: string): boolean {
  const uses = text.match(new RegExp(TABLES, 'gi'))?.length ?? 0
  const owned = text.match(OWNED_IN_BATCH)?.length ?? 0
  return uses > 0 && uses === owned && rows.every((row) => row['owner'] === owner)
}

const at = { startTime: '2026-01-15T11:00:00Z', endTime: '2026-01-15T11:30:00Z' }
const DATA = {
  tasks: { name: 'x' },
  timer_sessions: { taskId: 't' },
  time_entries: { taskId: 't', ...at, durationSeconds: 60 },
}
const CHANGED = {
  tasks: { color: 'red' },
  timer_sessions: { taskId: 't2' },
  time_entries: { note: 'changed' },
}
const NUMBERS = {
  tasks: 'totalTime',
  timer_sessions: 'pauseDurationSeconds',
  time_entries: 'durationSeconds',
}

/** Wraps the database and records every statement of the server. */
function recording(original: Database): Database {
  return {
    ...original,
    read: (query) => (note(query), original.read(query)),
    readSlowly: (owner, query) => (note(query), original.readSlowly(owner, query)),
    write: (work) => original.write((tx) => work(noting(tx))),
    autocommit: (work) => original.autocommit((tx) => work(noting(tx))),
  }
}

function note(query: Compilable | CompiledQuery): void {
  const compiled = 'compile' in query ? query.compile() : query
  statements.push({ text: compiled.sql, values: compiled.parameters })
  if (isBatchable(compiled)) {
    const rows: BatchStatement['rows'] = JSON.parse(batchParameter([compiled]))
    batches.push({ text: compiled.batch.text, rows })
  }
}

function noting<Tx extends Statements>(tx: Tx): Tx {
  return {
    ...tx,
    run: <Row>(query: Compilable<Row> | CompiledQuery<Row>) => (note(query), tx.run(query)),
  }
}
