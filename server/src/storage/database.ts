/**
 * What the rest of the server sees of a database. Queries are built with Kysely and run here;
 * SQLite and PostgreSQL differ only behind this interface.
 */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { OperatorError } from '#operator-error.ts'
import type { Schema } from './schema.ts'

/** The few things that must be said differently to the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Appended to a SELECT in a write, so that nobody changes the row before we do. */
  readonly lockClause: '' | 'for update'
  /**
   * Ends an INSERT that answers with the new row's `sequence`. SQLite takes a third less time for one
   * without RETURNING and ON CONFLICT: it tells the number of the row by itself, and throws
   * UniqueViolation when the key is taken, where PostgreSQL answers with no row.
   */
  readonly insertEnds: '' | 'on conflict do nothing returning sequence'
  /** The function that puts the texts of many rows together. */
  readonly joinRows: 'group_concat' | 'string_agg'
  /** Whether `order by x asc` must be told to put nulls first, as the contract has it. */
  readonly sortsNullsLast: boolean
}

/** Builds and runs the queries of one transaction. */
export interface Transaction {
  readonly dialect: Dialect
  /** Builds queries; runs none. */
  readonly build: Kysely<Schema>
  run<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]>
}

export interface Database {
  readonly dialect: Dialect
  /** Builds queries; runs none. */
  readonly build: Kysely<Schema>
  /** Runs one query outside of any transaction; it sees only what is committed. */
  read<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]>
  /**
   * Runs a query that may look at everything `owner` has, texts included: away from everybody else's
   * reads, one at a time for each owner, and no longer than a second. Its statement calls
   * `stint_in_time()` on SQLite for each row that it looks at.
   * @throws QueryTooSlow, DatabaseUnavailable (also when too many wait).
   */
  readSlowly<Row>(owner: string, query: CompiledQuery<Row>): Promise<Row[]>
  /**
   * Runs `work` in a transaction and resolves only after COMMIT. `work` may run again if the
   * database asks for it, and must await nothing but its transaction.
   * @throws UniqueViolation, UserGone, DatabaseUnavailable, or what `work` throws (then nothing is kept).
   */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /**
   * The same for work of which each statement may stand alone, since nothing of it need be undone
   * when a later one fails: PostgreSQL is spared the words before and after.
   */
  writeSingly<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Whether nobody but this process writes documents while it runs. */
  readonly isAlone: boolean
  /**
   * Tells the other processes that share the database; a single one has nobody to tell.
   * @param message one line of at most 7500 bytes.
   */
  tellOthers(message: string): void
  /**
   * Hears what other processes tell (`onMessage`), and that one of them wrote something without
   * telling, or may have (`onUnknown`). @returns a function that stops listening.
   */
  hearOthers(onMessage: (message: string) => void, onUnknown: () => void): () => void
  /**
   * Another number as soon as what `users` and `sessions` hold may have changed, whoever changed
   * it (but for when they were last seen). What was read at a number may be used again for a
   * second at most after another process made it wrong, and never after this one did. Null: the
   * others cannot be heard just now, so nothing read may be used again.
   */
  accountsVersion(): number | null
  /** Rejects when the database can neither be read nor written. */
  check(): Promise<void>
  /** Waits for writes in progress, then lets go of everything. */
  close(): Promise<void>
}

/** A row with the same key is there already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** The database cannot be used just now: busy, full, gone. The same request may work later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** The owner has as much as the quota allows. */
export class QuotaExceeded extends Error {
  override readonly name = 'QuotaExceeded'
  readonly quota: 'documents' | 'bytes'

  constructor(quota: 'documents' | 'bytes', options?: ErrorOptions) {
    super(`The quota of ${quota} is used up`, options)
    this.quota = quota
  }
}

/** The user whose row was to be written is there no more. */
export class UserGone extends Error {
  override readonly name = 'UserGone'
}

/** A read took longer than it may. The same request would again. */
export class QueryTooSlow extends Error {
  override readonly name = 'QueryTooSlow'
}

/** The database cannot be used at all; the message tells the operator what to do. */
export class DatabaseRefused extends OperatorError {
  override readonly name = 'DatabaseRefused'
}

/** Whether a statement changes who may do what: all that changes accounts but when they were seen. */
export function changesAccounts(text: string): boolean {
  return WRITES_ACCOUNTS.test(text) && !NOTES_USE.test(text)
}

const WRITES_ACCOUNTS = /^(?:update|delete from) "?(?:users|sessions)\b/i
const NOTES_USE = /^update "(?:users|sessions)" set "(?:accessed_at|seen_at)" = \S+ where/

/** The first row, or undefined. */
export function first<Row>(rows: Promise<Row[]>): Promise<Row | undefined> {
  return rows.then(([row]) => row)
}
