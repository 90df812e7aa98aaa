import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database, Transaction } from './database.ts'
import { openDatabase } from './open.ts'

let folder: string
let file: string
let db: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stint-sqlite-'))
  file = join(folder, 'stint.db')
  db = await openDatabase(`file:${file}`)
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

test('the writes of one turn share a commit, and one that fails takes none of the others down', async () => {
  const results = await Promise.allSettled([
    db.write((tx) => hit(tx, 'a')),
    db.write(async (tx) => {
      await hit(tx, 'b')
      throw new Error('changed my mind')
    }),
    db.write((tx) => hit(tx, 'a')),
    db.write((tx) => hit(tx, 'c')),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await buckets()).toEqual(['a', 'c'])
})

test('of statements that stand alone, one that fails takes none of the others down', async () => {
  const results = await Promise.allSettled([
    db.writeSingly((tx) => hit(tx, 'a')),
    db.writeSingly((tx) => hit(tx, 'a').then(() => hit(tx, 'b'))),
    db.writeSingly(async (tx) => {
      await hit(tx, 'c')
      await hit(tx, 'a')
    }),
    db.write((tx) => hit(tx, 'd')),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await buckets()).toEqual(['a', 'c', 'd'])
})

test('a reader sees nothing before it is committed', async () => {
  let seen: string[] | null = null
  await db.write(async (tx) => {
    await hit(tx, 'a')
    seen = await buckets()
  })
  expect(seen).toEqual([])
  expect(await buckets()).toEqual(['a'])
})

test('what is written is read at once, also in a turn that has read before', async () => {
  const [before, after] = await Promise.all([
    buckets(),
    db.write((tx) => hit(tx, 'a')).then(buckets),
    db.write((tx) => hit(tx, 'b')),
  ])
  expect([before, after]).toEqual([[], ['a', 'b']])
})

test('when another process changed accounts, what was read before is not taken for what is now', async () => {
  await db.read(db.build.selectFrom('users').select('id'))
  const other = new SqliteConnection(file)
  other.exec("insert into users values ('x', 'x', '', '', '', 1, 0, '{}', '', '', '')")
  other.close()
  const before = db.accountsVersion()
  block(300)
  expect(db.accountsVersion()).not.toBe(before)
  expect(await db.read(db.build.selectFrom('users').select('id'))).toEqual([{ id: 'x' }])
})

test('readers do not keep the log from beginning anew', async () => {
  for (let round = 0; round < 300; round++) {
    const writes = Array.from({ length: 10 }, (_, write) =>
      db.write((tx) => hit(tx, `${round} ${write} ${'x'.repeat(8000)}`)),
    )
    await Promise.all([buckets(), ...writes, ...writes.map((write) => write.then(first))])
    await db.write((tx) => tx.run(db.build.deleteFrom('throttles')))
  }
  // 24 MB were written; a log of 1000 pages is put into the file and begun anew.
  expect(statSync(`${file}-wal`).size).toBeLessThan(8_000_000)
})

test('waits for the disk before it answers, also after the first write', async () => {
  for (let write = 0; write < 2; write++) {
    expect(await setting('synchronous')).toBe(2)
    expect(await setting('journal_mode')).toBe('wal')
    await db.write((tx) => hit(tx, `w${write}`))
  }
})

test('a second server does not open the same file; an admin command does', async () => {
  await expect(openDatabase(`file:${file}`)).rejects.toThrow('Another Stint server is using')
  const beside = await openDatabase(`file:${file}`, { exclusive: false })
  await beside.close()
})

test('refuses a file of a newer version and leaves it alone', async () => {
  await db.close()
  const connection = new SqliteConnection(file)
  connection.pragma('user_version = 99')
  connection.close()
  await expect(openDatabase(`file:${file}`)).rejects.toThrow('schema 99')
  rmSync(file)
  db = await openDatabase(`file:${file}`)
})

test('refuses a damaged file instead of guessing', async () => {
  await db.write((tx) => hit(tx, 'a'))
  await db.close()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 4096, 4096 + 2000)
  writeFileSync(file, bytes)
  await expect(openDatabase(`file:${file}`)).rejects.toThrow('is damaged')
  rmSync(file)
  db = await openDatabase(`file:${file}`)
})

test('a damaged file too large to look through at the start is found out soon after', async () => {
  await db.write((tx) => hit(tx, 'a'))
  const root = sql<{
    rootpage: number
  }>`select rootpage from sqlite_schema where name = 'throttles'`
  const [{ rootpage } = { rootpage: NaN }] = await db.read(root.compile(db.build))
  await db.close()
  const bytes = readFileSync(file)
  // The page of a table that nobody reads at the start.
  bytes.fill(0xa5, (rootpage - 1) * 4096, rootpage * 4096 - 100)
  writeFileSync(file, bytes)
  const warnings: string[] = []
  db = await openDatabase(`file:${file}`, {
    checkedAtStart: 0,
    warn: (text) => void warnings.push(text),
  })
  await vi.waitFor(() => expect(warnings.join()).toContain('is damaged'), { timeout: 10_000 })
  await expect(db.check()).rejects.toThrow('is damaged')
  await expect(db.write((tx) => hit(tx, 'b'))).rejects.toThrow('is damaged')
  await expect(buckets()).rejects.toThrow('is damaged')
})

test('hears that another process wrote', async () => {
  const heard = new Promise<void>((done) => void db.hearOthers(() => {}, done))
  const other = new SqliteConnection(file)
  other.exec("insert into throttles values ('x', 0, 1)")
  other.close()
  expect(await heard).toBeUndefined()
})

/** Keeps the loop from everything else for so many milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

async function first(): Promise<unknown> {
  return db.read(db.build.selectFrom('throttles').select('hits').limit(1))
}

/** A setting of the connection that writes. */
async function setting(name: string): Promise<unknown> {
  const query = sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.compile(db.build)
  return Object.values((await db.write((tx) => tx.run(query)))[0] ?? {})[0]
}

function hit(tx: Transaction, bucket: string) {
  return tx.run(db.build.insertInto('throttles').values({ bucket, resets_at: 1, hits: 1 }))
}

async function buckets(): Promise<string[]> {
  const rows = await db.read(db.build.selectFrom('throttles').select('bucket').orderBy('bucket'))
  return rows.map(({ bucket }) => bucket)
}
