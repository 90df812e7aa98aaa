/**
 * The connection that reads. The reads of one turn of the event loop share a transaction: beginning
 * one takes as long as reading a document.
 */
import type SqliteConnection from 'better-sqlite3'
import type { Compilable, CompiledQuery } from 'kysely'
import { connect } from './file.ts'
import { executor } from './statements.ts'
import type { Executor } from './statements.ts'

export class Reader {
  readonly #connection: SqliteConnection.Database
  readonly #execute: Executor
  /**
   * Whether this turn's transaction has begun. Querying the connection each time takes a tenth of a
   * read.
   */
  #hasBegun = false

  constructor(file: string) {
    this.#connection = connect(file)
    this.#connection.pragma('query_only = on')
    // Reads here are short and need no timeout.
    this.#connection.function('stint_in_time', { deterministic: false }, () => 1)
    this.#execute = executor(this.#connection)
  }

  read<Row>(query: Compilable<Row> | CompiledQuery<Row>): Row[] {
    if (!this.#hasBegun) this.#begin()
    return this.#execute(query)
  }

  /**
   * Ends the read snapshot: later reads see the latest commit. It must end before a commit, since
   * SQLite cannot restart its log during a read.
   */
  endTurn(): void {
    this.#hasBegun = false
    if (this.#connection.inTransaction) this.#execute.exec('commit')
  }

  close(): void {
    this.#connection.close()
    this.#hasBegun = false
  }

  #begin(): void {
    this.#execute.exec('begin')
    this.#hasBegun = true
    setImmediate(() => this.endTurn())
  }
}
