/** Queries that are built once and run often with other values. */
import { RawNode, sql } from 'kysely'
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

/**
 * How the same may be asked for many at once: a statement with one parameter, a JSON list of objects
 * with the values under `names` and a number `n`, whose rows say in `n` for whom they are.
 */
export interface Together {
  readonly text: string
  readonly names: readonly string[]
}

/** A query that may be run together with others like it. */
export interface Joinable<Row> extends CompiledQuery<Row> {
  readonly together: Together
}

/** The parameter of `together.text` for these queries. */
export function joinedValues(queries: readonly Joinable<unknown>[]): string {
  return JSON.stringify(
    queries.map(({ parameters, together }, n) => {
      const row: Record<string, unknown> = { n }
      together.names.forEach((name, index) => (row[name] = parameters[index]))
      return row
    }),
  )
}

const NOTHING = RawNode.createWithSql('')

/**
 * Compiles a query with slots; what it gives back fills them in.
 * @param together for a database that runs it together with others.
 */
export function statement<Row>(query: Compilable<Row>, together?: Together): Bind<Row> {
  // What it was built from is many times its text, and not needed to run it.
  const compiled = { ...query.compile(), query: NOTHING }
  const { parameters } = compiled
  const always = together === undefined ? compiled : { ...compiled, together }
  return (values) => ({
    ...always,
    parameters: parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.index] : parameter,
    ),
  })
}
