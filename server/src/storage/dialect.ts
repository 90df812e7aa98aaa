/**
 * The SQL in which SQLite and PostgreSQL differ. Queries use these parts and do not depend on the
 * database. `sqlite/dialect.ts` and `postgres/dialect.ts` implement them.
 */
import type { Attribute } from '@stint/core/collections.ts'
import type { CompiledQuery, RawBuilder } from 'kysely'
import type { BatchForm } from './statement.ts'

/** A part of a query. */
type Sql = RawBuilder<unknown>

export interface Dialect {
  /** For the files of `storage/` and for tests; queries use the parts below. */
  readonly name: 'sqlite' | 'postgres'
  /** The end of a SELECT in a transaction that locks its rows until the transaction ends. */
  readonly lockRows: Sql
  /**
   * The end of a SELECT that locks the row of a user; writes of the user's documents do not wait
   * for it.
   */
  readonly lockUser: Sql
  /**
   * The end of an INSERT of a document, which returns the new row's `sequence`. If the key is
   * taken, SQLite throws UniqueViolation and PostgreSQL returns no row.
   */
  readonly insertEnd: Sql
  /**
   * Returns the condition that the column's value is in a list, which is one parameter made by
   * `listValue`.
   */
  isOneOf(column: Sql, type: Attribute['type'], list: Sql): Sql
  /** Returns the parameter for a list of values. */
  listValue(values: readonly unknown[]): unknown
  /**
   * Returns the condition that a text contains another, begins or ends with it. No character of
   * either is a wildcard.
   */
  hasText(text: Sql, part: Sql, at: 'anywhere' | 'start' | 'end'): Sql
  /** Returns a term of ORDER BY. Nulls are the smallest value. */
  orderTerm(column: Sql, isDescending: boolean, isNullable: boolean): Sql
  /**
   * Returns the texts of many rows, joined with commas in the order of `orderBy`.
   * @param isOrdered whether the rows come from a subquery in that order.
   */
  joinTexts(text: Sql, orderBy: Sql, isOrdered: boolean): Sql
  /** A condition that ends a slow read after its timeout. It comes second, after the owner's. */
  readonly isInTime: Sql | null
  /**
   * Returns the compiled query in a form that is planned once, whatever the values of its
   * parameters.
   */
  plannedOnce<Row>(query: CompiledQuery<Row>): CompiledQuery<Row>
  /**
   * Returns the batch form of the query that finds a document by owner and id; undefined: such
   * queries are not batched.
   */
  batchedFind(table: string): BatchForm | undefined
  /**
   * Returns the batch form of the INSERT of a document, `insertEnd` included.
   * @param columns all columns of the new row, each with its type, in the order of the parameters.
   */
  batchedInsert(
    table: string,
    columns: ReadonlyMap<string, Attribute['type']>,
  ): BatchForm | undefined
}
