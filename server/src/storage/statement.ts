/** Queries that are built once and run often with different values. */
import { RawNode, sql } from 'kysely'
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'

/** A placeholder for the value with this index. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** Returns a placeholder for the `index`th of the values with which the statement runs. */
export function slot<Value>(index: number): RawBuilder<Value> {
  return sql<Value>`${new Slot(index)}`
}

/** Binds the values of one run. */
export type Bind<Row> = (values: readonly unknown[]) => CompiledQuery<Row>

/** The statement that does the same for many queries at once (`postgres/batch.ts`). */
export interface BatchForm {
  /**
   * SQL with one parameter: a JSON list of objects, each with the values under `names` and its
   * number as `n`.
   */
  readonly text: string
  /** The names of the query's parameters, in their order. */
  readonly names: readonly string[]
}

/** A query that may be run in a batch with others like it. */
export interface Batchable<Row> extends CompiledQuery<Row> {
  readonly batch: BatchForm
}

const NOTHING = RawNode.createWithSql('')

/**
 * Compiles a query with placeholders. The returned function fills them in.
 * @param batch undefined: the query is always run by itself.
 */
export function statement<Row>(query: Compilable<Row>, batch?: BatchForm): Bind<Row> {
  // The query's tree is many times larger than its text, and running needs only the text.
  const compiled = { ...query.compile(), query: NOTHING }
  const { parameters } = compiled
  const always = batch === undefined ? compiled : { ...compiled, batch }
  return (values) => ({
    ...always,
    parameters: parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.index] : parameter,
    ),
  })
}
