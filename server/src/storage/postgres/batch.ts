/**
 * Batches: single gets and creates that arrive together become one statement
 * (docs/decisions/0021-shared-commits.md).
 */
import type { Attribute } from '@stint/core/collections.ts'
import type { Compilable, CompiledQuery } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { DatabaseUnavailable } from '#storage/database.ts'
import { POSTGRES_TYPES } from '#storage/schema.ts'
import type { Batchable, BatchForm } from '#storage/statement.ts'
import { isRetryable } from './errors.ts'
import type { StatementRunner } from './statements.ts'

/** The largest number of queries in one statement. */
const MAX_BATCH = 100

/** A query in the queue. */
interface Job {
  readonly query: Batchable<unknown>
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

/** Runs queries, in batches if they have a batch form. */
export class BatchRunner {
  readonly #statements: StatementRunner
  readonly #client: Pool | ClientBase
  readonly #isTransaction: boolean
  /** The queue, by the text of the batch. */
  #queue = new Map<string, Job[]>()

  /**
   * @param client the pool, whose batches are the queries of one turn of the event loop; or one
   * connection with a transaction, whose batches are queries that do not wait for each other.
   */
  constructor(statements: StatementRunner, client: Pool | ClientBase, isTransaction: boolean) {
    this.#statements = statements
    this.#client = client
    this.#isTransaction = isTransaction
  }

  run<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]> {
    if (!isBatchable(query)) return this.#statements.run(this.#client, query)
    return new Promise<Row[]>((resolve, reject) => {
      if (this.#queue.size === 0) {
        if (this.#isTransaction) queueMicrotask(() => void this.#flush())
        else setImmediate(() => void this.#flush())
      }
      const { text } = query.batch
      const jobs = this.#queue.get(text) ?? []
      this.#queue.set(text, jobs)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows this query gives
      jobs.push({ query, resolve: (rows) => resolve(rows as Row[]), reject })
    })
  }

  async #flush(): Promise<void> {
    const queue = this.#queue
    this.#queue = new Map()
    for (const [text, jobs] of queue) {
      for (let start = 0; start < jobs.length; start += MAX_BATCH) {
        const done = this.#runBatch(text, jobs.slice(start, start + MAX_BATCH))
        // One connection runs one statement at a time; the pool has several.
        if (this.#isTransaction) await done
      }
    }
  }

  async #runBatch(text: string, jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 1) return this.#runSingly(jobs)
    try {
      const parameter = batchParameter(jobs.map(({ query }) => query))
      const rows = await this.#statements.runBatch(this.#client, text, parameter)
      const found = new Map(rows.map((row) => [row.n, row]))
      jobs.forEach(({ resolve }, n) => {
        const row = found.get(n)
        resolve(row === undefined ? [] : [row])
      })
    } catch (error) {
      // A refused query must not fail the others, so they are repeated singly. If the connection
      // was lost, the batch may have been committed: a repeated INSERT would find its own row and
      // report a conflict.
      const isUndone = !(error instanceof DatabaseUnavailable) || isRetryable(error)
      if (isUndone && !this.#isTransaction) this.#runSingly(jobs)
      else for (const { reject } of jobs) reject(error)
    }
  }

  #runSingly(jobs: readonly Job[]): void {
    for (const { query, resolve, reject } of jobs) {
      this.#statements.run(this.#client, query).then(resolve, reject)
    }
  }
}

/** Returns the parameter of the batch form for these queries. */
export function batchParameter(queries: readonly Batchable<unknown>[]): string {
  return JSON.stringify(
    queries.map(({ parameters, batch }, n) => {
      const row: Record<string, unknown> = { n }
      batch.names.forEach((name, index) => (row[name] = parameters[index]))
      return row
    }),
  )
}

export function isBatchable<Row>(
  query: Compilable<Row> | CompiledQuery<Row> | Batchable<Row>,
): query is Batchable<Row> {
  return 'batch' in query
}

/**
 * Returns the batch form of finding a document. Without the limit PostgreSQL may choose to scan the
 * table.
 */
export function batchedFind(table: string): BatchForm {
  return {
    names: ['owner', 'id'],
    text: `select n, sequence, body from json_to_recordset($1) as asked (n int, owner text, id text)
      cross join lateral (select sequence, body from ${table} as kept
        where kept.owner = asked.owner and kept.id = asked.id limit 1) as found`,
  }
}

/**
 * Returns the batch form of inserting a document. Of two with the same id only the first is
 * created.
 */
export function batchedInsert(
  table: string,
  columns: ReadonlyMap<string, Attribute['type']>,
): BatchForm {
  const names = [...columns.keys()]
  const declared = [...columns].map(([name, type]) => `${name} ${POSTGRES_TYPES[type]}`)
  return {
    names,
    text: `with asked as (select * from json_to_recordset($1) as asked (n int, ${declared.join(', ')})),
      created as (insert into ${table} (${names.join(', ')})
        select ${names.join(', ')} from asked order by n
        on conflict do nothing returning owner, id, sequence)
      select min(n) as n, sequence from created join asked using (owner, id)
      group by owner, id, sequence`,
  }
}
