/**
 * The connection that writes, and its recovery from a failing disk. After a full disk it goes on
 * when there is room again. After an I/O error the connection's memory and the file may differ: the
 * connection is closed, the file is checked, and another connection is opened.
 */
import SqliteConnection from 'better-sqlite3'
import type { Compilable, CompiledQuery } from 'kysely'
import { DatabaseUnavailable } from '#storage/database.ts'
import { classifyError, isBroken, isRefusal } from './errors.ts'
import { assertDurable, closeWriter, connect, damaged } from './file.ts'
import { executor } from './statements.ts'
import type { Executor } from './statements.ts'

/** How long after a failure of the disk to retry, in milliseconds. */
const REOPEN_AFTER = 1000

export class Writer {
  readonly #file: string
  #connection: SqliteConnection.Database
  #execute: Executor
  /** When the connection may be reopened after an I/O error; null: no error. */
  #reopenAt: number | null = null
  /** True if the disk refused a write, until a large one succeeds. */
  wasRefused = false

  constructor(file: string, connection: SqliteConnection.Database) {
    this.#file = file
    this.#connection = connection
    this.#execute = executor(connection)
  }

  get isInTransaction(): boolean {
    return this.#connection.inTransaction
  }

  run<Row>(query: Compilable<Row> | CompiledQuery<Row>): Row[] {
    return this.#execute(query)
  }

  begin(): void {
    this.#execute.exec('begin immediate')
  }

  commit(): void {
    this.#execute.exec('commit')
  }

  /** Rolls back, unless SQLite already has. */
  rollback(): void {
    if (this.#connection.inTransaction) this.#execute.exec('rollback')
  }

  /** Returns whether any row was changed since the last call. */
  hasChanged(): boolean {
    return this.#execute.hasChanged()
  }

  /** Ends the failed transaction. Returns the classified error. */
  abandon(error: unknown): unknown {
    this.noteFailure(error)
    try {
      this.rollback()
    } catch (lost) {
      this.noteFailure(lost)
    }
    return classifyError(error)
  }

  /** Records the error if the disk caused it. */
  noteFailure(error: unknown): void {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error
    if (!(cause instanceof SqliteConnection.SqliteError)) return
    if (isRefusal(cause)) this.wasRefused = true
    if (isBroken(cause)) this.#reopenAt = performance.now() + REOPEN_AFTER
  }

  /**
   * After a failure of the disk, checks the file and opens another connection.
   * @throws DatabaseUnavailable.
   */
  reopenIfBroken(): void {
    if (this.#reopenAt === null) return
    if (performance.now() < this.#reopenAt) {
      throw new DatabaseUnavailable('The disk failed a moment ago')
    }
    this.#reopenAt = performance.now() + REOPEN_AFTER
    closeWriter(this.#connection)
    try {
      this.#connection = connect(this.#file)
      this.#execute = executor(this.#connection)
      if (this.#connection.pragma('quick_check', { simple: true }) !== 'ok') {
        throw damaged(this.#file)
      }
      assertDurable(this.#connection)
    } catch (error) {
      throw new DatabaseUnavailable('The database could not be opened again', { cause: error })
    }
    this.#reopenAt = null
  }

  /** Returns another number after another connection has committed. Null: it cannot be read now. */
  dataVersion(): number | null {
    try {
      return Number(this.#connection.pragma('data_version', { simple: true }))
    } catch {
      return null
    }
  }

  close(): void {
    closeWriter(this.#connection)
  }
}
