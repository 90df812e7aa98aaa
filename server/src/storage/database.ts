/**
 * The interface of a database. Queries are built with Kysely and run here. `sqlite/` and
 * `postgres/` implement it and hide their differences.
 */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { OperatorError } from '#operator-error.ts'
import type { Dialect } from './dialect.ts'
import type { Schema, SessionRow, UserRow } from './schema.ts'

/** The tables whose rows the server caches (`accounts/sign-in-cache.ts`). */
type AccountTable = 'users' | 'sessions'

/** The columns that may change without invalidating the cache: when the user was last seen. */
interface LastSeen {
  users: Pick<UserRow, 'id' | 'accessed_at'>
  sessions: Pick<SessionRow, 'id' | 'seen_at'>
}

/** Builds queries and runs none. Only `Transaction.changeAccounts` builds changes of accounts. */
export type QueryBuilder = Pick<Kysely<Schema>, 'selectFrom' | 'insertInto' | 'getExecutor'> &
  Pick<Kysely<Omit<Schema, AccountTable> & LastSeen>, 'updateTable'> &
  Pick<Kysely<Omit<Schema, AccountTable>>, 'deleteFrom'>

/** Builds changes of accounts and sign-ins. */
export type AccountChanges = Pick<Kysely<Pick<Schema, AccountTable>>, 'updateTable' | 'deleteFrom'>

type Query<Row> = Compilable<Row> | CompiledQuery<Row>

/** Builds and runs statements, within a transaction or each on its own. */
export interface Statements {
  readonly dialect: Dialect
  readonly build: QueryBuilder
  run<Row>(query: Query<Row>): Promise<Row[]>
}

/** The statements of one transaction. */
export interface Transaction extends Statements {
  /** Builds changes of accounts and sign-ins. After COMMIT `accountsVersion` is different. */
  changeAccounts(): AccountChanges
}

/** What only reads. */
export interface DatabaseReader {
  readonly dialect: Dialect
  readonly build: QueryBuilder
  /** Runs one query outside of any transaction. It sees only committed data. */
  read<Row>(query: Query<Row>): Promise<Row[]>
}

export interface Database extends DatabaseReader {
  /** What `openReader` opens in another thread. It may have a password. */
  readonly url: string
  /**
   * Runs a query that may read all documents of `owner`, texts included: separately from other
   * reads, one at a time for each owner, and for at most a second. Its conditions include
   * `dialect.isInTime`.
   * @throws QueryTooSlow, DatabaseUnavailable (also when too many wait).
   */
  readSlowly<Row>(owner: string, query: CompiledQuery<Row>): Promise<Row[]>
  /**
   * Runs `work` in a transaction and resolves only after COMMIT. The database may require `work` to
   * run again. `work` must await nothing but its transaction.
   * @throws UniqueViolation, UserGone, DatabaseUnavailable, or what `work` throws; the transaction
   * is rolled back then.
   */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` without a transaction: each statement is committed before its `run` resolves, and
   * stays committed if a later one fails. PostgreSQL then needs no BEGIN and COMMIT. The database
   * may require `work` to run again.
   * @throws what `write` throws.
   */
  autocommit<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>
  /** Whether no other server writes to this database while this one runs. */
  readonly isExclusive: boolean
  /**
   * Sends a message to the other processes that share the database; an exclusive one has none.
   * @param message one line of at most 7500 bytes.
   */
  publish(message: string): void
  /**
   * Subscribes to the messages of other processes (`onMessage`), and to writes of theirs without a
   * message or whose message may be lost (`onUnknown`). Returns an unsubscribe function.
   */
  subscribe(onMessage: (message: string) => void, onUnknown: () => void): () => void
  /**
   * Returns a number that changes when any process may have changed or deleted a row of `users` or
   * `sessions`, except for the times when they were last seen: at once for this process, within a
   * second for another. Null: changes of other processes cannot be detected now, so no cached row
   * may be used.
   */
  accountsVersion(): number | null
  /** Returns its size, the write-ahead log included. */
  bytes(): Promise<number>
  /** Rejects when the database can neither be read nor written. */
  check(): Promise<void>
  /** Waits for writes in progress, then closes all connections. */
  close(): Promise<void>
}

/** A row with the same key exists. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/**
 * The database cannot be used now: it is busy, full or unreachable. The same request may succeed
 * later.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * The beginning of the errors of the quota's triggers, which is followed by the name of the quota.
 */
export const QUOTA_EXCEEDED = 'stint quota of '
/** The SQLSTATE of these errors in PostgreSQL. */
export const QUOTA_EXCEEDED_STATE = 'STQ01'

/** The owner has reached the quota. */
export class QuotaExceeded extends Error {
  override readonly name = 'QuotaExceeded'
  readonly quota: 'documents' | 'bytes'

  constructor(quota: 'documents' | 'bytes', options?: ErrorOptions) {
    super(`The quota of ${quota} is used up`, options)
    this.quota = quota
  }
}

/** The user of the row to write does not exist any more. */
export class UserGone extends Error {
  override readonly name = 'UserGone'
}

/** A read exceeded its time limit; repeating it would not help. */
export class QueryTooSlow extends Error {
  override readonly name = 'QueryTooSlow'
}

/** The database cannot be used at all. The message tells the operator what to do. */
export class DatabaseRefused extends OperatorError {
  override readonly name = 'DatabaseRefused'
}

/** Returns the first row, or undefined. */
export function first<Row>(rows: Promise<Row[]>): Promise<Row | undefined> {
  return rows.then(([row]) => row)
}
