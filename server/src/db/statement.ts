/** Queries that are built once and run often with other values. */
import { sql } from 'kysely'
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'

/** Stands in a query for the value given later under this number. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** A bound value to be given when the statement runs: the `index`th of its values. */
export function slot<Value>(index: number): RawBuilder<Value> {
  return sql<Value>`${new Slot(index)}`
}

/** The values of one run. */
export type Bind<Row> = (values: readonly unknown[]) => CompiledQuery<Row>

/** Compiles a query with slots; what it gives back fills them in. */
export function statement<Row>(query: Compilable<Row>): Bind<Row> {
  const compiled = query.compile()
  const { parameters } = compiled
  return (values) => ({
    ...compiled,
    parameters: parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.index] : parameter,
    ),
  })
}
