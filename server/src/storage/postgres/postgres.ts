/**
 * PostgreSQL: a pool (`pool.ts`), READ COMMITTED with constraints rather than checks before writes,
 * batches of gets and creates (`batch.ts`), and notices between the processes that share it
 * (`notices.ts`).
 */
import { randomUUID } from 'node:crypto'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { CompiledQuery } from 'kysely'
import type { ClientBase } from 'pg'
import { fairQueue } from '#fair-queue.ts'
import { QueryTooSlow } from '#storage/database.ts'
import type { Database, DatabaseReader, Transaction } from '#storage/database.ts'
import { ACCOUNTS_CHANGED } from '#storage/migrations.ts'
import { MAX_SLOW_READ } from '#storage/options.ts'
import type { StorageOptions } from '#storage/options.ts'
import { queryBuilders } from '#storage/query-builder.ts'
import type { QueryBuilders } from '#storage/query-builder.ts'
import { BatchRunner } from './batch.ts'
import { dialect } from './dialect.ts'
import { classifyError, isCancelled, isRetryable } from './errors.ts'
import { listen, Publisher, unpacked } from './notices.ts'
import { newPool, openPool, withConnection } from './pool.ts'
import { StatementRunner } from './statements.ts'

/** How often a write is tried if deadlocks roll it back. */
const MAX_TRIES = 3

/** How many connections slow reads may use; the others are for all other calls. */
const MAX_SLOW_READS = 2

/**
 * Connects, migrates the schema, and verifies the durability settings.
 * @param options `warn` is called for settings that could lose data in a crash.
 * @throws DatabaseRefused with a message for the operator.
 */
export async function openPostgres(
  url: string,
  { maxSlowRead = MAX_SLOW_READ, maxWait, warn = () => {} }: StorageOptions = {},
): Promise<Database> {
  const { pool, channel } = await openPool(url, warn, maxWait)
  const { build, accountChanges } = postgresBuilders()
  const statements = new StatementRunner()
  const batches = new BatchRunner(statements, pool, false)
  const enqueue = fairQueue(MAX_SLOW_READS)
  /** Counts changes of accounts: writes of this process report its own, notices of triggers those of others. */
  let accountsVersion = 0
  /** Until when notices are known to arrive, on the clock of `performance`; then the version is unknown. */
  let noticesUntil = 0
  const self = randomUUID()
  const publisher = new Publisher(pool, channel, self)

  return {
    url,
    dialect,
    build,
    isExclusive: false,
    read: (query) => batches.run(query),
    readSlowly: (owner, query) => enqueue(owner, () => readWithin(maxSlowRead, query)),
    write: (work) => retried(() => write(work)),
    autocommit: (work) =>
      retried(() => work({ dialect, build, run: (query) => batches.run(query) })),
    accountsVersion: () => (performance.now() < noticesUntil ? accountsVersion : null),
    publish: (message) => publisher.publish(message),
    subscribe(onMessage, onUnknown) {
      return listen(url, channel, {
        onNotice(text) {
          if (text === ACCOUNTS_CHANGED) accountsVersion++
          else for (const message of unpacked(text, self)) onMessage(message)
        },
        onReconnect() {
          accountsVersion++
          onUnknown()
        },
        onProof: (until) => void (noticesUntil = until),
      })
    },
    async bytes() {
      const query = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      const [found] = await statements.run(pool, query.compile(build))
      return Number(found?.bytes)
    },
    async check() {
      await statements.run(pool, sql`update stint_schema set version = version`.compile(build))
    },
    async close() {
      await publisher.idle()
      await pool.end()
    },
  }

  async function write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let changesAccounts = false
    try {
      return await withConnection(pool, async (client) => {
        const inTransaction = new BatchRunner(statements, client, true)
        await control(client, 'begin')
        const result = await work({
          dialect,
          build,
          run: (query) => inTransaction.run(query),
          changeAccounts() {
            changesAccounts = true
            return accountChanges
          },
        })
        await control(client, 'commit')
        return result
      })
    } finally {
      // This process gets the notice too, but it may arrive after the caller has the reply.
      if (changesAccounts) accountsVersion++
    }
  }

  /** Runs a read on a connection of its own. PostgreSQL cancels it after so many milliseconds. */
  function readWithin<Row>(milliseconds: number, query: CompiledQuery<Row>): Promise<Row[]> {
    return withConnection(pool, async (client) => {
      try {
        await client.query(`begin read only; set local statement_timeout = ${milliseconds}`)
        const rows = await statements.run(client, query)
        await client.query('commit')
        return rows
      } catch (error) {
        const cause = classifyError(error)
        throw isCancelled(cause) ? new QueryTooSlow('The read took too long', { cause }) : cause
      }
    })
  }
}

/** Opens a database that a server uses, with one connection that only reads. It connects with the first read. */
export function openPostgresReader(url: string): DatabaseReader {
  const pool = newPool(url, 1)
  const statements = new StatementRunner()
  return {
    dialect,
    build: postgresBuilders().build,
    read: (query) => statements.run(pool, query),
  }
}

function postgresBuilders(): QueryBuilders {
  return queryBuilders({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  })
}

async function control(client: ClientBase, text: 'begin' | 'commit'): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    throw classifyError(error)
  })
}

/** Repeats the attempt if a deadlock rolled it back. */
async function retried<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === MAX_TRIES || !isRetryable(error)) throw error
    }
  }
}
