/** Running queries on a connection to PostgreSQL, each text prepared once a connection. */
import type { Compilable, CompiledQuery } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { classifyError } from './errors.ts'

/**
 * How much of what clients shape is prepared, of one statement and of all, in characters: each of the
 * connections keeps what it has prepared, with its plan, for as long as it lives.
 */
const MAX_PREPARED_STATEMENT = 4000
const MAX_PREPARED_CHARACTERS = 100_000

export class StatementRunner {
  readonly #prepared = new Map<string, Prepared>()
  /** How much of it is shaped by clients, in characters. */
  #shapedCharacters = 0

  /** Runs a query on this connection, or on any of the pool. @throws the errors of `database.ts`. */
  async run<Row>(
    client: Pool | ClientBase,
    query: Compilable<Row> | CompiledQuery<Row>,
  ): Promise<Row[]> {
    const compiled = 'compile' in query ? query.compile() : query
    const statement = this.#find(compiled.sql, 'isClientShaped' in compiled)
    try {
      const { rows } = await client.query({ ...statement, values: [...compiled.parameters] })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return rows as Row[]
    } catch (error) {
      throw classifyError(error)
    }
  }

  /** Runs the statement of a batch. @throws the errors of `database.ts`. */
  async runBatch(
    client: Pool | ClientBase,
    text: string,
    parameter: string,
  ): Promise<{ n: number }[]> {
    try {
      const statement = this.#find(text, false)
      return (await client.query<{ n: number }>({ ...statement, values: [parameter] })).rows
    } catch (error) {
      throw classifyError(error)
    }
  }

  /** Beyond a bound, what clients shape is sent as it is. */
  #find(text: string, isClientShaped: boolean): Prepared {
    const before = this.#prepared.get(text)
    if (before !== undefined) return before
    if (isClientShaped) {
      const isRoom =
        text.length <= MAX_PREPARED_STATEMENT &&
        this.#shapedCharacters + text.length <= MAX_PREPARED_CHARACTERS
      if (!isRoom) return { text }
      this.#shapedCharacters += text.length
    }
    const statement = { text, name: `stint_${this.#prepared.size}` }
    this.#prepared.set(text, statement)
    return statement
  }
}

interface Prepared {
  readonly text: string
  /** Under which a connection prepares it once; without one it is sent as it is. */
  readonly name?: string
}
