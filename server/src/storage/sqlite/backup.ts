/** Copies a SQLite database while the server runs. A copy is checked before it gets its name. */
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { DatabaseRefused } from '#storage/database.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { APPLICATION_ID } from './file.ts'
import { makePrivateFile, putInPlace } from '#storage/private-files.ts'

/** The contents of a checked copy. */
export interface BackupContents {
  readonly schema: number
  readonly users: number
  readonly tasks: number
  readonly entries: number
}

/**
 * Copies `file` to `target`, which only the user of this process may read. The copy contains every
 * write that was acknowledged before it began. A failed copy leaves an earlier one untouched, and
 * nothing of itself.
 * @throws DatabaseRefused when the copy is not intact or cannot be written, or would replace the database.
 */
export function backUp(file: string, target: string): BackupContents {
  if (isPartOf(file, target)) {
    throw new DatabaseRefused(`${target} is the database itself. Name another file.`)
  }
  const partial = `${resolve(target)}.partial`
  try {
    copyInto(file, partial)
    const contents = checkBackup(partial)
    putInPlace(partial, resolve(target))
    return contents
  } catch (error) {
    rmSync(partial, { force: true })
    if (error instanceof DatabaseRefused) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`${file} cannot be copied to ${target}: ${reason}`, { cause: error })
  }
}

/** Returns whether a path leads to the database or to a file that SQLite or Stint keeps beside it. */
function isPartOf(file: string, path: string): boolean {
  const parts = ['', '-wal', '-shm', '-journal', '.lock'].map((end) => file + end)
  return [resolve(path), realPath(path)].some(
    (each) => parts.includes(each) || parts.map(realPath).includes(each),
  )
}

/** Returns the path without symbolic links; a path that leads nowhere is returned as it is. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path)
}

/** Reads the whole database. @throws Error when it is damaged. */
export function assertIntact(connection: SqliteConnection.Database): void {
  if (connection.pragma('integrity_check', { simple: true }) !== 'ok') {
    throw new Error('the file is damaged')
  }
}

/** Copies a database, the data in its write-ahead log included, to a new file. */
export function copyInto(file: string, target: string): void {
  rmSync(target, { force: true })
  makePrivateFile(target)
  const source = new SqliteConnection(file, { readonly: true, fileMustExist: true })
  try {
    source.prepare('vacuum into ?').run(target)
  } finally {
    source.close()
  }
}

/**
 * Reads a copy from beginning to end.
 * @throws DatabaseRefused when it is damaged, no Stint database, or of a newer version.
 */
export function checkBackup(file: string): BackupContents {
  let copy: SqliteConnection.Database
  try {
    copy = new SqliteConnection(file, { readonly: true, fileMustExist: true })
  } catch (error) {
    throw new DatabaseRefused(`${file} cannot be opened.`, { cause: error })
  }
  try {
    assertIntact(copy)
    if (copy.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      throw new Error('it is no Stint database')
    const schema = Number(copy.pragma('user_version', { simple: true }))
    if (schema > SCHEMA_VERSION) {
      throw new Error(
        `schema ${schema} is newer than this version of Stint, which knows only ${SCHEMA_VERSION}`,
      )
    }
    const count = (table: string): number =>
      Number(copy.prepare(`select count(*) from ${table}`).pluck().get())
    return {
      schema,
      users: count('users'),
      tasks: count('tasks'),
      entries: count('time_entries'),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`${file} cannot be used as a backup: ${reason}`, { cause: error })
  } finally {
    copy.close()
  }
}
