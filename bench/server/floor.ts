/**
 * The floor: the minimum that any Node server must do for the same work. It uses `node:http`,
 * prepared statements, the same rows and the same durability, without accounts, checks and events.
 * `node bench/server/floor.ts sqlite:<file> | postgres://…` prints its port.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import Database from 'better-sqlite3'
import { Pool } from 'pg'

const OWNER = 'owner'
const LIMIT = 100
/** Totals are at most this, as in the API. */
const MAX_TOTAL = 5000

interface Floor {
  insert(document: Stored): Promise<void>
  /** Inserts in a batch with others of this turn of the event loop; null: the same as `insert`. */
  insertTogether: ((document: Stored) => Promise<void>) | null
  get(id: string): Promise<string | undefined>
  count(owner: string): Promise<number>
  bodies(owner: string): Promise<string[]>
  rows(): Promise<Record<string, unknown>[]>
}

interface Stored {
  readonly owner: string
  readonly id: string
  readonly createdAt: string
  readonly data: Readonly<Record<string, unknown>>
  readonly body: string
}

const COLUMNS = [
  'task_id',
  'start_time',
  'end_time',
  'entry_type',
  'duration_seconds',
  'date',
  'session_id',
] as const
const FIELDS = [
  'taskId',
  'startTime',
  'endTime',
  'entryType',
  'durationSeconds',
  'date',
  'sessionId',
] as const

const [where = ''] = process.argv.slice(2)
const floor = where.startsWith('sqlite:')
  ? sqliteFloor(where.slice('sqlite:'.length))
  : await postgresFloor(where)
const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(address.port)
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request
  if (method === 'POST') {
    const { documentId, data } = JSON.parse(await text(request))
    const createdAt = new Date().toISOString()
    const body = JSON.stringify({
      ...data,
      $id: documentId,
      $createdAt: createdAt,
      $updatedAt: createdAt,
      $permissions: [`read("user:${data.userId}")`],
      $databaseId: 'stint',
      $collectionId: 'time_entries',
    })
    const stored = { owner: data.userId, id: documentId, createdAt, data, body }
    if (url === '/together' && floor.insertTogether) await floor.insertTogether(stored)
    else await floor.insert(stored)
    return send(response, 201, body)
  }
  if (url.startsWith('/get/')) {
    const body = await floor.get(url.slice('/get/'.length))
    return body === undefined ? send(response, 404, '{}') : send(response, 200, body)
  }
  if (url.startsWith('/list/')) {
    const [, , owner = '', counted] = url.split('/')
    const [total, bodies] = await Promise.all([
      counted === undefined ? 0 : floor.count(owner),
      floor.bodies(owner),
    ])
    return send(response, 200, `{"total":${total},"documents":[${bodies.join(',')}]}`)
  }
  if (url === '/typed') {
    const [total, rows] = await Promise.all([floor.count(OWNER), floor.rows()])
    const documents = rows.map((row) => ({
      ...Object.fromEntries(FIELDS.map((field, index) => [field, row[COLUMNS[index] ?? '']])),
      $id: row['id'],
      $createdAt: row['created_at'],
      $updatedAt: row['created_at'],
      $permissions: [`read("user:${OWNER}")`],
      $databaseId: 'stint',
      $collectionId: 'time_entries',
    }))
    return send(response, 200, JSON.stringify({ total, documents }))
  }
  return send(response, 404, '{}')
}

function send(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}

function sqliteFloor(file: string): Floor {
  const db = new Database(file)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec(`
    create table if not exists entries (
      sequence integer primary key autoincrement, owner text not null, id text not null,
      created_at text not null, ${COLUMNS.join(', ')}, body text not null, unique (owner, id)
    );
    create index if not exists by_creation on entries (owner, created_at);
  `)
  const insert = db.prepare(
    `insert into entries (owner, id, created_at, ${COLUMNS.join(', ')}, body)
     values (?, ?, ?, ${COLUMNS.map(() => '?').join(', ')}, ?)`,
  )
  const get = db.prepare('select body from entries where owner = ? and id = ?').pluck()
  const count = db
    .prepare(
      `select count(*) from (select 1 from entries where owner = ? limit ${MAX_TOTAL}) as counted`,
    )
    .pluck()
  const newest = `from entries where owner = ? order by created_at desc limit ${LIMIT}`
  const bodies = db.prepare(`select body ${newest}`).pluck()
  const rows = db.prepare(`select id, created_at, ${COLUMNS.join(', ')} ${newest}`)
  const insertAll = db.transaction((all: readonly Stored[]) => {
    for (const one of all) insert.run(...values(one))
  })
  let waiting: { stored: Stored; done: () => void; failed: (error: unknown) => void }[] = []

  return {
    insert: async (stored) => void insert.run(...values(stored)),
    insertTogether: (stored) =>
      new Promise((done, failed) => {
        if (waiting.length === 0) setImmediate(commit)
        waiting.push({ stored, done, failed })
      }),
    get: async (id) => asText(get.get(OWNER, id)),
    count: async (owner) => Number(count.get(owner)),
    bodies: async (owner) => bodies.all(owner).map(String),
    rows: async () => rows.all(OWNER).map((row) => Object(row)),
  }

  function commit(): void {
    const batch = waiting
    waiting = []
    try {
      insertAll(batch.map(({ stored }) => stored))
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }
}

async function postgresFloor(url: string): Promise<Floor> {
  // The server's planner settings. Without them PostgreSQL, which has few statistics of a new
  // table, sorts a whole history for its newest entries.
  const options = '-c enable_bitmapscan=off -c enable_seqscan=off'
  const pool = new Pool({ connectionString: url, max: 10, options })
  await pool.query(`
    create table if not exists floor_entries (
      sequence bigint generated always as identity, owner text not null, id text not null,
      created_at text not null, ${COLUMNS.map((column) => `${column} text`).join(', ')},
      body text not null, primary key (owner, id)
    );
    create index if not exists floor_by_creation on floor_entries (owner, created_at);
  `)
  const newest = `from floor_entries where owner = $1 order by created_at desc limit ${LIMIT}`
  const insert = `insert into floor_entries (owner, id, created_at, ${COLUMNS.join(', ')}, body)
     values (${Array.from({ length: COLUMNS.length + 4 }, (_, index) => `$${index + 1}`).join(', ')})`
  return {
    insert: async (stored) => {
      await pool.query({ name: 'insert', text: insert, values: values(stored) })
    },
    insertTogether: null,
    get: async (id) => {
      const { rows } = await pool.query({
        name: 'get',
        text: 'select body from floor_entries where owner = $1 and id = $2',
        values: [OWNER, id],
      })
      return asText(rows[0]?.body)
    },
    count: async (owner) => {
      const { rows } = await pool.query({
        name: 'count',
        text: `select count(*) as total from
          (select 1 from floor_entries where owner = $1 limit ${MAX_TOTAL}) as counted`,
        values: [owner],
      })
      return Number(rows[0]?.total)
    },
    bodies: async (owner) => {
      const { rows } = await pool.query({
        name: 'bodies',
        text: `select body ${newest}`,
        values: [owner],
      })
      return rows.map((row) => String(row.body))
    },
    rows: async () => {
      const { rows } = await pool.query({
        name: 'rows',
        text: `select id, created_at, ${COLUMNS.join(', ')} ${newest}`,
        values: [OWNER],
      })
      return rows
    },
  }
}

function values({ owner, id, createdAt, data, body }: Stored): unknown[] {
  return [owner, id, createdAt, ...FIELDS.map((field) => data[field] ?? null), body]
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
