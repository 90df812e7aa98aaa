/** The SQLite file: its lock, its checks, and how it is opened and closed. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import SqliteConnection from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { DatabaseRefused } from '#storage/database.ts'
import { migrate } from '#storage/migrations.ts'
import { makePrivate, makePrivateFile, putInPlace } from '#storage/private-files.ts'

/** 'stnt' in ASCII: marks the SQLite file as Stint's. */
export const APPLICATION_ID = 0x73746e74

/**
 * Keeps a second process from serving the same file. The lock is SQLite's own, on a file beside the
 * database. It ends with this process in any case, so no stale lock remains.
 */
export function lockFile(file: string): SqliteConnection.Database {
  makePrivateFile(`${file}.lock`)
  const lock = new SqliteConnection(`${file}.lock`, { timeout: 0 })
  try {
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
    return lock
  } catch {
    lock.close()
    throw new DatabaseRefused(
      `Another Stint server is using ${file}. Stop it first, or give this one its own DATA_DIR.`,
    )
  }
}

/**
 * Returns the connection that writes, on an intact file with the current schema. Only the holder of
 * the lock creates the file.
 */
export async function openWriter(
  file: string,
  lock: SqliteConnection.Database | null,
  isLarge: boolean,
): Promise<SqliteConnection.Database> {
  try {
    if (!existsSync(file)) await create(file, lock !== null)
    else if (sizeOf(file) === 0) throw emptied(file)
    for (const end of ['', '-wal', '-shm', '.lock']) makePrivate(file + end)
    const writer = connect(file)
    await bringUpToDate(writer, file, isLarge)
    assertDurable(writer)
    return writer
  } catch (error) {
    lock?.close()
    throw error
  }
}

/**
 * Creates the database under another name, and renames it when it is complete. A start that is
 * killed therefore leaves no empty file, and an empty file is known to have lost its content.
 */
async function create(file: string, isLocked: boolean): Promise<void> {
  if (sizeOf(`${file}-wal`) > 0) {
    throw new DatabaseRefused(
      `The database file ${file} is missing, but its log ${file}-wal exists and may contain saved data. ` +
        'Put the file back, or move the log aside and restore the last good backup (see docs/self-hosting.md).',
    )
  }
  if (!isLocked) {
    throw new DatabaseRefused(
      `The database file ${file} does not exist. Set DATA_DIR as for the server, and start the server once.`,
    )
  }
  const fresh = `${file}.new`
  for (const end of ['', '-wal', '-shm']) rmSync(fresh + end, { force: true })
  // Files that SQLite creates beside a file get its mode.
  makePrivateFile(fresh)
  const writer = connect(fresh)
  await bringUpToDate(writer, fresh, false)
  writer.pragma('wal_checkpoint(TRUNCATE)')
  writer.close()
  putInPlace(fresh, file)
}

/** Returns a connection with the settings of this file. Never creates the file. */
export function connect(file: string): SqliteConnection.Database {
  const connection = new SqliteConnection(file, { fileMustExist: true })
  try {
    for (const setting of [
      'busy_timeout = 5000',
      'journal_mode = wal',
      // After journal_mode, and explicit: the library's default in WAL mode is NORMAL, which may lose acknowledged
      // writes in a power cut.
      'synchronous = full',
      'foreign_keys = on',
      // Deleted data is overwritten. `fast` would leave it in free pages; no difference in time was measured between
      // the three values (5,000 entries written, changed and deleted on a local disk).
      'secure_delete = on',
      'trusted_schema = off',
      'cell_size_check = on',
      'journal_size_limit = 67108864',
      'wal_autocheckpoint = 1000',
      'temp_store = memory',
      // 8 MB instead of 2: the ends of all indexes stay cached while a history grows.
      'cache_size = -8000',
    ]) {
      connection.pragma(setting)
    }
  } catch (error) {
    connection.close()
    throw damagedOr(error, file)
  }
  return connection
}

/** Checks the file unless it is large, and runs missing migrations. Closes the connection on failure. */
export async function bringUpToDate(
  writer: SqliteConnection.Database,
  file: string,
  isLarge: boolean,
): Promise<void> {
  try {
    if (!isLarge && writer.pragma('quick_check', { simple: true }) !== 'ok') throw damaged(file)
    // The Kysely instance is not destroyed afterwards: that would close the connection.
    await migrate(new Kysely({ dialect: new SqliteDialect({ database: writer }) }), 'sqlite')
    writer.pragma(`application_id = ${APPLICATION_ID}`)
  } catch (error) {
    writer.close()
    throw damagedOr(error, file)
  }
}

/** Checks the whole file in a thread. */
export function checkInBackground(file: string, onDamage: () => void): Worker {
  const worker = new Worker(new URL('./check-file.ts', import.meta.url), { workerData: file })
  worker.on('message', (isSound) => {
    if (isSound === false) onDamage()
  })
  worker.on('error', onDamage)
  worker.unref()
  return worker
}

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Verifies the durability settings after a write: before it they may not be in effect. */
export function assertDurable(writer: SqliteConnection.Database): void {
  const synchronous = writer.pragma('synchronous', { simple: true })
  const journal = writer.pragma('journal_mode', { simple: true })
  if (synchronous !== 2 || (journal !== 'wal' && journal !== 'memory')) {
    throw new DatabaseRefused(
      `SQLite is not durable here: synchronous=${String(synchronous)}, journal_mode=${String(journal)}. ` +
        'Keep the data on a local disk.',
    )
  }
}

/** Closes the connection even if the disk fails. The next start reads the rest from the WAL. */
export function closeWriter(writer: SqliteConnection.Database): void {
  try {
    writer.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // The next start does it.
  } finally {
    writer.close()
  }
}

function damagedOr(error: unknown, file: string): unknown {
  const isDamage =
    error instanceof SqliteConnection.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
  return isDamage ? damaged(file) : error
}

function emptied(file: string): DatabaseRefused {
  return new DatabaseRefused(
    `The database file ${file} is empty. Restore the last good backup (see docs/self-hosting.md); ` +
      'if this server has never been used, delete the file.',
  )
}

export function damaged(file: string): DatabaseRefused {
  return new DatabaseRefused(
    `The database file ${file} is damaged. Restore the last good backup ` +
      '(see docs/self-hosting.md); Stint does not attempt to repair it.',
  )
}
