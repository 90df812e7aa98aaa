import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { openDatabase } from '#storage/open.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import { backUp, checkBackup } from './backup.ts'
import { restoreSqlite } from './restore.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const RELEASED = join(import.meta.dirname, '..', 'released', 'schema-3.sqlite.sql')

let folder: string
let file: string
let backup: string
let safety: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stint-restore-'))
  file = join(folder, 'stint.db')
  backup = join(folder, 'backup.db')
  safety = join(folder, 'safe', 'before.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

// The commands of SQLite; the kind of the other tests' database does not matter.
describe.runIf(process.env['TEST_DATABASE'] !== 'postgres')('restoring', () => {
  test('a restored database has what the backup had, and the safety copy what there was before', async () => {
    await write(['t1'])
    backUp(file, backup)
    await write(['t2', 't3'])
    const { contents, safetyCopy } = await restoreSqlite(file, backup, safety)
    expect(contents).toMatchObject({ schema: SCHEMA_VERSION, users: 1, tasks: 1 })
    expect(safetyCopy).toBe(safety)
    expect(tasksIn(file)).toEqual(['t1'])
    expect(tasksIn(safety)).toEqual(['t1', 't2', 't3'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(safety).mode & 0o777).toBe(0o600)
    // A server writes on.
    await write(['t4'])
    expect(tasksIn(file)).toEqual(['t1', 't4'])
  })

  test('the log of the old database is in the safety copy, and is never applied to the restored one', async () => {
    await write(['t1'])
    backUp(file, backup)
    await leaveLog(['t2', 't3'])
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    await restoreSqlite(file, backup, safety)
    expect(filesOf('stint.db')).toEqual(['stint.db', 'stint.db.lock'])
    expect(tasksIn(file)).toEqual(['t1'])
    expect(tasksIn(safety)).toEqual(['t1', 't2', 't3'])
  })

  test('a damaged database is kept as it is, with its log', async () => {
    await write(['t1'])
    backUp(file, backup)
    await leaveLog(['t2'])
    const bytes = readFileSync(file)
    // The first page is in the log too.
    bytes.fill(0x55, 4096)
    writeFileSync(file, bytes)
    const log = readFileSync(`${file}-wal`)
    await restoreSqlite(file, backup, safety)
    expect(readFileSync(safety).equals(bytes)).toBe(true)
    expect(readFileSync(`${safety}-wal`).equals(log)).toBe(true)
    expect(tasksIn(file)).toEqual(['t1'])
  })

  test('a lost database beside its log is restored, and the log is kept', async () => {
    await write(['t1'])
    backUp(file, backup)
    await leaveLog(['t2'])
    rmSync(file)
    await restoreSqlite(file, backup, safety)
    expect(statSync(`${safety}-wal`).size).toBeGreaterThan(0)
    expect(tasksIn(file)).toEqual(['t1'])
  })

  test('where there was no database the backup becomes it', async () => {
    await write(['t1'])
    backUp(file, backup)
    const other = join(folder, 'new', 'stint.db')
    expect((await restoreSqlite(other, backup, safety)).safetyCopy).toBe(null)
    expect(tasksIn(other)).toEqual(['t1'])
    expect(existsSync(safety)).toBe(false)
  })

  test('a backup of an earlier release is migrated', async () => {
    await write(['t1'])
    const old = new SqliteConnection(backup)
    old.exec(readFileSync(RELEASED, 'utf8'))
    old.close()
    const before = checkBackup(backup)
    expect(before.schema).toBe(3)
    const { contents } = await restoreSqlite(file, backup, safety)
    expect(contents).toEqual({ ...before, schema: SCHEMA_VERSION })
    // The backup itself is as it was.
    expect(checkBackup(backup)).toEqual(before)
    await (await openDatabase(`file:${file}`)).close()
  })

  test('a copy of the file with its log is a backup too', async () => {
    await write(['t1'])
    await leaveLog(['t2'])
    for (const end of ['', '-wal']) copyFileSync(file + end, backup + end)
    rmSync(`${file}-wal`)
    await restoreSqlite(file, backup, safety)
    expect(tasksIn(file)).toEqual(['t1', 't2'])
  })

  test('a database of a newer version is replaced by a backup of this one', async () => {
    await write(['t1'])
    backUp(file, backup)
    pragma(file, 'user_version = 999')
    await expect(openDatabase(`file:${file}`)).rejects.toThrow('Run the newer version, or restore')
    await restoreSqlite(file, backup, safety)
    expect(tasksIn(file)).toEqual(['t1'])
    expect(tasksIn(safety)).toEqual(['t1'])
  })

  test('nothing changes while a server has the database open', async () => {
    await write(['t1'])
    backUp(file, backup)
    const db = await openDatabase(`file:${file}`)
    await expect(restoreSqlite(file, backup, safety)).rejects.toThrow(
      /^A Stint server is using .*\. Stop it, run this command again, and start it\.$/,
    )
    expect(readdirSync(folder)).not.toContain('safe')
    await db.check()
    await db.close()
  })

  test('nothing changes while another command has the database open', async () => {
    await write(['t1'])
    backUp(file, backup)
    await write(['t2'])
    const db = await openDatabase(`file:${file}`, { exclusive: false })
    await expect(restoreSqlite(file, backup, safety)).rejects.toThrow(
      /^Another command is using .*\. Wait until it has ended, and run this one again\.$/,
    )
    await db.close()
    expect(tasksIn(file)).toEqual(['t1', 't2'])
  })

  test.each<[string, (backup: string) => void, string]>([
    ['is missing', (path) => rmSync(path), 'cannot be opened'],
    ['is no database', (path) => writeFileSync(path, 'junk '.repeat(1000)), 'not a database'],
    ['is empty', (path) => writeFileSync(path, ''), 'no Stint database'],
    [
      'is of another program',
      (path) => {
        rmSync(path)
        const other = new SqliteConnection(path)
        other.exec('create table users (id)')
        other.close()
      },
      'no Stint database',
    ],
    ['is of a newer version', (path) => pragma(path, 'user_version = 999'), 'schema 999 is newer'],
    [
      'is cut off',
      (path) => writeFileSync(path, readFileSync(path).subarray(0, 40_000)),
      'cannot be used as a backup',
    ],
    [
      'is damaged inside',
      (path) => writeFileSync(path, readFileSync(path).fill(0x55, 8192, 16_384)),
      'cannot be used as a backup',
    ],
  ])('nothing changes if the backup %s', async (_, spoil, message) => {
    await write(['t1'])
    backUp(file, backup)
    await write(['t2'])
    spoil(backup)
    await expect(restoreSqlite(file, backup, safety)).rejects.toThrow(message)
    expect(filesOf('stint.db')).toEqual(['stint.db', 'stint.db.lock'])
    expect(tasksIn(file)).toEqual(['t1', 't2'])
  })

  test('the database itself is no backup of it', async () => {
    await write(['t1'])
    await expect(restoreSqlite(file, file, safety)).rejects.toThrow('is the database itself')
    expect(tasksIn(file)).toEqual(['t1'])
  })
})

/** Creates these tasks through the server, and stops it. */
async function write(ids: readonly string[]): Promise<void> {
  const server = await openServer()
  await server.create(ids)
  await server.close()
}

/** Creates tasks, and leaves the files as a server that was killed does. */
async function leaveLog(ids: readonly string[]): Promise<void> {
  const server = await openServer()
  await server.create(ids)
  for (const end of ['', '-wal']) copyFileSync(file + end, join(folder, `killed${end}`))
  await server.close()
  for (const end of ['', '-wal']) copyFileSync(join(folder, `killed${end}`), file + end)
}

async function openServer() {
  const db = await openDatabase(`file:${file}`)
  const server = await createTestApp({ db })
  const account = { userId: 'ann', email: 'ann@example.com', password: 'correct horse 1' }
  await server.browser.call('POST', '/account', account)
  await server.browser.call('POST', '/account/sessions/email', account)
  return {
    async create(ids: readonly string[]) {
      for (const documentId of ids) {
        const data = { name: 'x', userId: 'ann' }
        const { status } = await server.browser.call('POST', TASKS, { documentId, data })
        expect(status).toBe(201)
      }
    },
    async close() {
      await server.close()
      await db.close()
    },
  }
}

/** Returns the tasks of an intact database. */
function tasksIn(path: string): unknown[] {
  const connection = new SqliteConnection(path, { readonly: true })
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
  const ids = connection.prepare('select id from tasks order by id').pluck().all()
  connection.close()
  return ids
}

function pragma(path: string, text: string): void {
  const connection = new SqliteConnection(path)
  connection.pragma(text)
  connection.close()
}

function filesOf(name: string): string[] {
  return readdirSync(folder).filter((each) => each.startsWith(name))
}
