/**
 * Puts a backup in the place of the database. Killed at any moment, the next start finds the whole
 * old database or the whole restored one.
 */
import { copyFileSync, existsSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { DatabaseRefused } from '#storage/database.ts'
import { flush, makePrivate, makePrivateFolder, putInPlace } from '#storage/private-files.ts'
import { assertIntact, checkBackup, copyInto } from './backup.ts'
import type { BackupContents } from './backup.ts'
import { bringUpToDate, connect, lockFile, sizeOf } from './file.ts'

export interface Restored {
  readonly contents: BackupContents
  /** The copy of the database as it was before; null: there was none. */
  readonly safetyCopy: string | null
}

/**
 * Restores `backup` as `file`, migrated as at the start of a server. No server may run. The backup
 * is not changed.
 * @param safetyCopy the name of the copy of the present database, which is made first.
 * @throws DatabaseRefused when a server uses the database or the backup cannot be used; nothing has
 * changed then.
 */
export async function restoreSqlite(
  file: string,
  backup: string,
  safetyCopy: string,
): Promise<Restored> {
  if (existsSync(file) && existsSync(backup) && realpathSync(file) === realpathSync(backup)) {
    throw new DatabaseRefused(`${backup} is the database itself. Name a backup.`)
  }
  makePrivateFolder(dirname(file))
  const lock = lockAgainstServers(file)
  try {
    checkBackup(backup)
    const { restored, contents } = await prepared(backup, file)
    const hadDatabase = keepSafe(file, safetyCopy)
    retire(file)
    putInPlace(restored, file)
    return { contents, safetyCopy: hadDatabase ? safetyCopy : null }
  } finally {
    lock.close()
  }
}

function lockAgainstServers(file: string): SqliteConnection.Database {
  try {
    return lockFile(file)
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error
    throw new DatabaseRefused(
      `A Stint server is using ${file}. Stop it, run this command again, and start it.`,
      { cause: error },
    )
  }
}

/**
 * Copies the backup beside the database, migrates the copy and checks it. It is one file, without a
 * write-ahead log.
 */
async function prepared(
  backup: string,
  file: string,
): Promise<{ restored: string; contents: BackupContents }> {
  const restored = `${file}.restoring`
  removeAll(restored)
  try {
    copyInto(backup, restored)
    const connection = connect(restored)
    await bringUpToDate(connection, restored, false)
    connection.pragma('journal_mode = delete')
    connection.close()
    return { restored, contents: checkBackup(restored) }
  } catch (error) {
    removeAll(restored)
    throw error
  }
}

/**
 * Copies the present database to `target`. One that is damaged is copied as it is, with its log.
 * @returns false if there is no database.
 */
function keepSafe(file: string, target: string): boolean {
  if (sizeOf(file) === 0 && sizeOf(`${file}-wal`) === 0) return false
  makePrivateFolder(dirname(target))
  const partial = `${target}.partial`
  try {
    copyInto(file, partial)
    const copy = new SqliteConnection(partial, { readonly: true })
    try {
      assertIntact(copy)
    } finally {
      copy.close()
    }
    putInPlace(partial, target)
  } catch {
    rmSync(partial, { force: true })
    for (const end of ['-wal', '']) {
      if (!existsSync(file + end)) continue
      copyFileSync(file + end, `${partial}${end}`)
      makePrivate(`${partial}${end}`)
      putInPlace(`${partial}${end}`, `${target}${end}`)
    }
  }
  return true
}

/**
 * Makes one file of the present database, without a write-ahead log: SQLite would apply a log that
 * stays behind to the restored database.
 */
function retire(file: string): void {
  if (sizeOf(file) > 0) {
    try {
      const connection = connect(file)
      try {
        connection.pragma('wal_checkpoint(TRUNCATE)')
        connection.pragma('journal_mode = delete')
      } finally {
        connection.close()
      }
    } catch (error) {
      if (isInUse(error)) {
        throw new DatabaseRefused(
          `Another command is using ${file}. Wait until it has ended, and run this one again.`,
          { cause: error },
        )
      }
      // It is damaged. The safety copy has its log.
    }
  }
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
  flush(dirname(file))
}

function isInUse(error: unknown): boolean {
  return error instanceof SqliteConnection.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
}

function removeAll(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true })
}

/** Returns the name of the copy of the present database, which is never deleted as outdated. */
export function safetyCopyName(file: string, folder: string, now: number): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
  return join(folder, `${basename(file).replace(/\.\w+$/, '')}-before-restore-${stamp}Z.db`)
}
