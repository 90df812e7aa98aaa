/**
 * The SQL in which SQLite and PostgreSQL differ. Queries use these parts and do not ask which database it is;
 * `sqlite/dialect.ts` and `postgres/dialect.ts` have them.
 */
import type { Attribute } from '@stint/core/collections.ts'
import type { CompiledQuery, RawBuilder } from 'kysely'
import type { BatchForm } from './statement.ts'

/** A part of a query. */
type Sql = RawBuilder<unknown>

export interface Dialect {
  /** For the files of `storage/` and for tests; queries use the parts below. */
  readonly name: 'sqlite' | 'postgres'
  /** Ends a SELECT in a transaction: its rows are locked until the end. */
  readonly lockRows: Sql
  /** The same for the row of a user; writes of their documents do not wait for it. */
  readonly lockUser: Sql
  /**
   * Ends an INSERT of a document, which returns the new row's `sequence`. When the key is taken SQLite
   * throws UniqueViolation, and PostgreSQL returns no row.
   */
  readonly insertEnd: Sql
  /** Whether the column's value is one of those in a list, which is one parameter made by `listValue`. */
  isOneOf(column: Sql, type: Attribute['type'], list: Sql): Sql
  /** The parameter for a list of values. */
  listValue(values: readonly unknown[]): unknown
  /** Whether a text has another in it, begins or ends with it; no character of either is a wildcard. */
  hasText(text: Sql, part: Sql, at: 'anywhere' | 'start' | 'end'): Sql
  /** A term of ORDER BY. Nulls are the smallest value. */
  orderTerm(column: Sql, isDescending: boolean, isNullable: boolean): Sql
  /**
   * The texts of many rows, commas between, in the order of `orderBy`.
   * @param isOrdered whether the rows come from a subquery in that order.
   */
  joinTexts(text: Sql, orderBy: Sql, isOrdered: boolean): Sql
  /** A condition that ends a slow read after its timeout. It comes second, after the owner's. */
  readonly isInTime: Sql | null
  /** Makes a compiled query one that is planned once, whatever the values of its parameters. */
  plannedOnce<Row>(query: CompiledQuery<Row>): CompiledQuery<Row>
  /** Of the query that finds a document by owner and id; undefined: such queries are not batched. */
  batchedFind(table: string): BatchForm | undefined
  /**
   * Of the INSERT of a document, `insertEnd` included.
   * @param columns all columns of the new row, each with its type, in the order of the parameters.
   */
  batchedInsert(
    table: string,
    columns: ReadonlyMap<string, Attribute['type']>,
  ): BatchForm | undefined
}
