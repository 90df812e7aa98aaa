/**
 * Outages: the disk is full or fails, the database is unreachable. Nothing is acknowledged that is
 * not stored, reads continue where possible, and the server recovers without a restart.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '@stint/testing/free-port.ts'
import { startServer } from '@stint/testing/server-process.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestUser } from '@stint/testing/test-app.ts'
import { openDatabase } from './open.ts'
import { newTestDatabase } from '@stint/testing/databases.ts'
import { startPostgres } from '@stint/testing/postgres.ts'
import type { TestPostgres } from '@stint/testing/postgres.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const ENTRIES = '/databases/stint/collections/time_entries/documents'
const UNAVAILABLE = { status: 503, type: 'general_service_unavailable', retryAfter: '2' }
const isPostgres = process.env['TEST_DATABASE'] === 'postgres'
const PRLIMIT = '/usr/bin/prlimit'

describe.runIf(!isPostgres)('SQLite', () => {
  test('SQLite on a full disk refuses large writes, continues to read, and recovers when there is room', async () => {
    const server = await createTestApp()
    const ann = await server.signedInUser('Ann')
    const phone = server.newBrowser()
    await create(ann, 'before')
    const pages = await pragma(server, 'page_count')
    await pragma(server, `max_page_count = ${pages + 20}`)
    const { replies, refused } = await fill(ann)
    expect(outcome(refused)).toEqual(UNAVAILABLE)

    // All acknowledged entries are stored, and nothing else.
    const stored = await ann.call('GET', `${ENTRIES}?${query('limit', 5000)}`)
    expect(stored.body.total).toBe(replies.length)
    expect((await ann.call('GET', `${TASKS}/before`)).status).toBe(200)
    expect((await ann.call('GET', '/account')).status).toBe(200)
    expect(outcome(await server.browser.call('GET', '/health/ready'))).toEqual(UNAVAILABLE)
    expect((await server.browser.call('GET', '/health')).status).toBe(200)

    await pragma(server, `max_page_count = ${pages + 10_000}`)
    expect((await server.browser.call('GET', '/health/ready')).status).toBe(200)
    expect((await createEntry(ann, `e${replies.length}`)).status).toBe(201)
    expect((await phone.call('POST', '/account/sessions/email', ann)).status).toBe(201)
    await server.close()
  })

  test('a write that the full disk refuses does not fail the others of its turn', async () => {
    const server = await createTestApp()
    const ann = await server.signedInUser('Ann')
    await pragma(server, `max_page_count = ${(await pragma(server, 'page_count')) + 2}`)
    const replies = await Promise.all([
      create(ann, 'small'),
      createEntry(ann, 'large', 4000),
      create(ann, 'smaller'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([201, 503, 201])
    await server.close()
  })

  test.runIf(existsSync(PRLIMIT))(
    'a SQLite file whose disk fails under a running server is not used until it was checked',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stint-outage-'))
      const port = await freePort()
      const server = await startServer(`file:${join(folder, 'stint.db')}`, port, {
        LOG_LEVEL: 'silent',
      })
      const ann = await httpUser(port)
      expect((await ann.call('POST', TASKS, task('before'))).status).toBe(201)

      // The system refuses every further write to a file, as a failing disk does.
      limitFileSize(server.pid, '0:')
      const refused = await ann.call('POST', TASKS, task('during'))
      expect(outcome(refused)).toEqual(UNAVAILABLE)
      expect(outcome(await ann.call('GET', '/health/ready'))).toEqual(UNAVAILABLE)
      expect((await ann.call('GET', `${TASKS}/before`)).status).toBe(200)
      expect((await ann.call('GET', TASKS)).body.total).toBe(1)

      limitFileSize(server.pid, 'unlimited:')
      await vi.waitFor(
        async () => expect((await ann.call('GET', '/health/ready')).status).toBe(200),
        { interval: 50 },
      )
      expect((await ann.call('POST', TASKS, task('during'))).status).toBe(201)
      expect((await ann.call('GET', TASKS)).body.total).toBe(2)
      server.end('SIGTERM')
      expect(await server.exited).toBe(0)
      rmSync(folder, { recursive: true })
    },
  )
})

describe.runIf(isPostgres)('PostgreSQL', () => {
  test('PostgreSQL on a full disk refuses writes and continues to read', async () => {
    const server = await createTestApp()
    const ann = await server.signedInUser('Ann')
    await create(ann, 'before')
    // PostgreSQL raises its own error, on this table only.
    await statement(
      server,
      `create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`,
    )
    await statement(
      server,
      'create trigger full_disk before insert on tasks execute function full_disk()',
    )
    expect(outcome(await create(ann, 'during'))).toEqual(UNAVAILABLE)
    expect((await ann.call('GET', TASKS)).body.total).toBe(1)
    await statement(server, 'drop trigger full_disk on tasks')
    expect((await create(ann, 'during')).status).toBe(201)
    await server.close()
  })

  test('a connection lost during a transaction fails only its own request', async () => {
    const server = await createTestApp()
    const ann = await server.signedInUser('Ann')
    const { db } = server
    const cut = db.write(async (tx) => {
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`.compile(db.build))
    })
    await expect(cut).rejects.toMatchObject({ name: 'DatabaseUnavailable' })
    expect((await create(ann, 'after')).status).toBe(201)
    await server.close()
  })

  describe('a server of its own', () => {
    let postgres: TestPostgres
    beforeEach(async () => {
      postgres = await startPostgres()
    })
    afterEach(() => postgres.stop())

    test('an unreachable PostgreSQL server is retried, and used again when it is back', async () => {
      const server = await createTestApp({ db: await openDatabase(postgres.url) })
      const ann = await server.signedInUser('Ann')
      await create(ann, 'before')

      await postgres.halt()
      for (const reply of [
        await create(ann, 'during'),
        await ann.call('GET', TASKS),
        await ann.call('GET', '/account'),
        await server.browser.call('POST', '/account/sessions/email', ann),
        await server.browser.call('GET', '/health/ready'),
      ]) {
        expect(outcome(reply)).toEqual(UNAVAILABLE)
      }
      expect((await server.browser.call('GET', '/health')).status).toBe(200)

      await postgres.resume()
      await vi.waitFor(
        async () => expect((await ann.call('GET', '/health/ready')).status).toBe(200),
        { interval: 50 },
      )
      expect((await create(ann, 'during')).status).toBe(201)
      expect((await ann.call('GET', TASKS)).body.total).toBe(2)
      await server.close()
      await server.db.close()
    })

    test('when PostgreSQL stops under load, every client gets 503 and never 500', async () => {
      const server = await createTestApp({ db: await openDatabase(postgres.url) })
      const ann = await server.signedInUser('Ann')
      const kept: string[] = []
      const others: number[] = []
      const end = new AbortController()
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; !end.signal.aborted; count++) {
          const id = `t${writer}-${count}`
          const { status } = await create(ann, id)
          if (status === 201) kept.push(id)
          else others.push(status)
        }
      })
      await vi.waitFor(() => expect(kept.length).toBeGreaterThan(50))
      await postgres.halt()
      await vi.waitFor(() => expect(others.length).toBeGreaterThan(10))
      await postgres.resume()
      const before = kept.length
      await vi.waitFor(() => expect(kept.length).toBeGreaterThan(before + 20))
      end.abort()
      await Promise.all(writers)
      expect(new Set(others)).toEqual(new Set([503]))
      const list = await ann.call('GET', `${TASKS}?${query('limit', 5000)}`)
      const there = new Set(list.body.documents.map(({ $id }: { $id: string }) => $id))
      expect(kept.filter((id) => !there.has(id))).toEqual([])
      await server.close()
      await server.db.close()
    })
  })

  test('a create whose reply is lost after the commit is found by its retry', async () => {
    const place = await newTestDatabase()
    const proxy = await cuttingProxy(new URL(place.url))
    const server = await createTestApp({ db: await openDatabase(proxy.url) })
    const ann = await server.signedInUser('Ann')
    proxy.cutAtNextInsert()
    expect(outcome(await create(ann, 't1'))).toEqual(UNAVAILABLE)
    expect(await create(ann, 't1')).toMatchObject({
      status: 409,
      body: { type: 'document_already_exists' },
    })
    expect((await ann.call('GET', `${TASKS}/t1`)).status).toBe(200)
    await server.close()
    await server.db.close()
    await proxy.close()
    await place.remove()
  })
})

function create(user: TestUser, id: string): Promise<Reply> {
  return user.call('POST', TASKS, { documentId: id, data: { name: 'x', userId: user.id } })
}

function createEntry(user: TestUser, id: string, pauses = 1000): Promise<Reply> {
  return user.call('POST', ENTRIES, { documentId: id, data: entry(user.id, pauses) })
}

/** Returns an entry with this many pauses, which make it large. */
function entry(userId: string, pauses: number) {
  const span = { startTime: '2026-01-15T11:00:00Z', endTime: '2026-01-15T11:30:00Z' }
  return { taskId: 't', userId, ...span, durationSeconds: 60, pauses: 'x'.repeat(pauses * 4) }
}

/** Creates entries until one is refused. */
async function fill(user: TestUser): Promise<{ replies: Reply[]; refused: Reply }> {
  const replies: Reply[] = []
  for (let count = 0; count < 1000; count++) {
    const reply = await createEntry(user, `e${count}`)
    if (reply.status !== 201) return { replies, refused: reply }
    replies.push(reply)
  }
  throw new Error('It was never full')
}

function outcome({ status, body, headers }: Reply) {
  return { status, type: body.type, retryAfter: headers.get('retry-after') }
}

function query(method: string, value: unknown): string {
  return `queries[0]=${encodeURIComponent(JSON.stringify({ method, values: [value] }))}`
}

/** Runs a PRAGMA on the connection that writes. */
async function pragma({ db }: TestApp, text: string): Promise<number> {
  const rows = await db.write((tx) =>
    tx.run(sql<Record<string, number>>`pragma ${sql.raw(text)}`.compile(db.build)),
  )
  return Object.values(rows[0] ?? {})[0] ?? 0
}

async function statement({ db }: TestApp, text: string): Promise<void> {
  await db.write((tx) => tx.run(sql`${sql.raw(text)}`.compile(db.build)))
}

function limitFileSize(pid: number, limit: string): void {
  execFileSync(PRLIMIT, [`--pid=${pid}`, `--fsize=${limit}`])
}

function task(id: string) {
  return { documentId: id, data: { name: 'x', userId: 'ann' } }
}

/** Returns a user who is signed in at the server on this port. */
async function httpUser(port: number) {
  let cookie = ''
  const call = async (method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json', cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    cookie ||= reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { status: reply.status, body: await reply.json(), headers: reply.headers }
  }
  const account = { userId: 'ann', email: 'ann@example.com', password: 'correct horse 1' }
  await call('POST', '/account', account)
  await call('POST', '/account/sessions/email', account)
  return { call }
}

/** A proxy between Stint and PostgreSQL that can drop the reply to a committed insert. */
async function cuttingProxy(target: URL) {
  const sockets = new Set<Socket>()
  let isCutting = false
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => void server.write(bytes))
    server.on('data', (bytes) => {
      if (!isCutting || !bytes.includes('INSERT 0 1\0')) return client.write(bytes)
      isCutting = false
      return client.destroy()
    })
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = proxy.address()
  const url = new URL(target)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    cutAtNextInsert: () => void (isCutting = true),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => proxy.close(done))
    },
  }
}
