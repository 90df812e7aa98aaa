/** Queries that are built once and run often with other values. */
import { RawNode, sql } from 'kysely'
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'

/** A placeholder in a query for the value with this index. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** A placeholder for the `index`th of the values with which the statement runs. */
export function slot<Value>(index: number): RawBuilder<Value> {
  return sql<Value>`${new Slot(index)}`
}

/** The values of one run. */
export type Bind<Row> = (values: readonly unknown[]) => CompiledQuery<Row>

/** The statement that does the same for many at once (`postgres/batch.ts`). */
export interface BatchForm {
  /** Its one parameter is a JSON list of objects; each has the values under `names` and its number as `n`. */
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
 * Compiles a query with slots; the function it returns fills them in.
 * @param batch undefined: the query is always run by itself.
 */
export function statement<Row>(query: Compilable<Row>, batch?: BatchForm): Bind<Row> {
  // What it was built from is many times its text, and not needed to run it.
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
