/**
 * The connection that reads. What is read in one turn of the event loop is read in one transaction: to
 * find out what the latest is takes SQLite as long as to read a document.
 */
import type SqliteConnection from 'better-sqlite3'
import type { Compilable, CompiledQuery } from 'kysely'
import { connect } from './file.ts'
import { executor } from './statements.ts'
import type { Executor } from './statements.ts'

export class Reader {
  readonly #connection: SqliteConnection.Database
  readonly #execute: Executor
  /** Whether this turn's transaction has begun; to ask the connection each time costs a tenth of a read. */
  #hasBegun = false

  constructor(file: string) {
    this.#connection = connect(file)
    this.#connection.pragma('query_only = on')
    // What is read here is short enough to need no end.
    this.#connection.function('stint_in_time', { deterministic: false }, () => 1)
    this.#execute = executor(this.#connection)
  }

  read<Row>(query: Compilable<Row> | CompiledQuery<Row>): Row[] {
    if (!this.#hasBegun) this.#begin()
    return this.#execute(query)
  }

  /**
   * Ends the shared transaction: what is read from now on is the latest. It must not stay open over a
   * commit, since SQLite cannot begin its log anew while somebody reads.
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
