/** Runs queries on connections to PostgreSQL, and prepares each text once per connection. */
import type { Compilable, CompiledQuery } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { classifyError } from './errors.ts'

/**
 * The bounds of prepared statements whose text clients shape, for one and for all, in characters.
 * Each connection keeps its prepared statements and their plans until it is closed.
 */
const MAX_PREPARED_STATEMENT = 4000
const MAX_PREPARED_CHARACTERS = 100_000

export class StatementRunner {
  readonly #prepared = new Map<string, Prepared>()
  /** How many characters of prepared text clients have shaped. */
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

  /** Beyond the bounds, statements that clients shape are not prepared. */
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
  /**
   * The name under which a connection prepares the text once. Without a name it is not prepared.
   */
  readonly name?: string
}
