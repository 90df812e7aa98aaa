/**
 * PostgreSQL: a pool, READ COMMITTED with constraints rather than checks before writes, and
 * LISTEN/NOTIFY between the processes that share it (reliability 4.8).
 */
import { randomUUID } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { Compilable, CompiledQuery } from 'kysely'
import { Client, DatabaseError, Pool, types } from 'pg'
import type { ClientBase } from 'pg'
import { DatabaseRefused, DatabaseUnavailable, UniqueViolation } from './database.ts'
import type { Database, Dialect, Transaction } from './database.ts'
import { pendingMigrations, SCHEMA_VERSION } from './migrations.ts'
import type { Schema } from './schema.ts'

const DIALECT: Dialect = { name: 'postgres', lockClause: 'for update', sortsNullsLast: true }

/** Any number will do, as long as all Stint processes take the same: one migrates at a time. */
const MIGRATION_LOCK = 0x73746e74
const TRIES = 3
const MAX_PREPARED = 500
const RECONNECT_AFTER = 1000

const SETTINGS = {
  statement_timeout: 5000,
  // For a server that says nothing at all any more, later than it would have said so itself.
  query_timeout: 8000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
  // Sequences and counts are far below 2^53.
  types: {
    getTypeParser: (oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary') =>
      oid === types.builtins.INT8 && format !== 'binary'
        ? Number
        : types.getTypeParser(oid, format),
  },
}

/**
 * Connects, brings the schema up to date, and checks that what is committed stays.
 * @param warn hears of settings that could lose data in a crash.
 * @throws DatabaseRefused with a message for the operator.
 */
export async function openPostgres(
  url: string,
  warn: (text: string) => void = () => {},
): Promise<Database> {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 2000,
    ...SETTINGS,
  })
  // A connection lost while idle: the pool replaces it, and whoever needs one finds out.
  pool.on('error', () => {})
  // Lost while in use: the query on it fails, and an error that nobody hears would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const channel = await prepare(pool, warn).catch(async (error: unknown) => {
    await pool.end()
    throw error instanceof DatabaseRefused
      ? error
      : new DatabaseRefused(`PostgreSQL cannot be used: ${messageOf(error)}`, { cause: error })
  })
  const build = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const names = new Map<string, string>()
  const self = randomUUID()
  let untold: string[] = []
  let telling: Promise<unknown> = Promise.resolve()

  return {
    dialect: DIALECT,
    build,
    read: (query) => runOn(pool, query),
    write: (work) => repeated(() => writeOnce(work)),
    writeSingly: (work) => repeated(() => work({ run: (query) => runOn(pool, query) })),
    tellOthers(message) {
      untold.push(`${self} ${message}`)
      if (untold.length === 1) setImmediate(tell)
    },
    hearOthers(onMessage, onUnknown) {
      return listen(url, channel, {
        onMessage: (text) => {
          const [from, message] = splitOnce(text)
          if (from !== self) onMessage(message)
        },
        onUnknown,
      })
    },
    async check() {
      await runOn(
        pool,
        sql`update stint_schema set version = ${sql.lit(SCHEMA_VERSION)}`.compile(build),
      )
    },
    async close() {
      await telling
      await pool.end()
    },
  }

  async function writeOnce<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw named(error)
    })
    let broken: Error | undefined
    try {
      await control(client, 'begin')
      const result = await work({ run: (query) => runOn(client, query) })
      await control(client, 'commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((lost: unknown) => {
        broken = lost instanceof Error ? lost : new Error(String(lost))
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  async function runOn<Row>(
    client: Pool | ClientBase,
    query: Compilable<Row> | CompiledQuery<Row>,
  ): Promise<Row[]> {
    const compiled = 'compile' in query ? query.compile() : query
    const name = preparedName(compiled.sql)
    try {
      const { rows } = await client.query({
        text: compiled.sql,
        values: [...compiled.parameters],
        ...(name === undefined ? {} : { name }),
      })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return rows as Row[]
    } catch (error) {
      throw named(error)
    }
  }

  /** The same text is prepared once a connection; beyond a bound, texts are sent as they are. */
  function preparedName(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_PREPARED) return known
    const name = `stint_${names.size}`
    names.set(text, name)
    return name
  }

  function tell(): void {
    const messages = untold
    untold = []
    telling = pool
      .query('select pg_notify($1, message) from unnest($2::text[]) as message', [
        channel,
        messages,
      ])
      // Nobody heard: their clients find out at the next refetch.
      .catch(() => {})
  }
}

async function control(client: ClientBase, text: 'begin' | 'commit'): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    throw named(error)
  })
}

/** Migrates and checks. @returns the name of the channel on which the processes talk. */
async function prepare(pool: Pool, warn: (text: string) => void): Promise<string> {
  const { rows } = await pool.query<{ schema: string | null; encoding: string }>(
    `select current_schema() as schema, current_setting('server_encoding') as encoding`,
  )
  const [{ schema, encoding } = { schema: null, encoding: '' }] = rows
  if (schema === null) throw new DatabaseRefused('The PostgreSQL search_path names no schema.')
  if (encoding !== 'UTF8') {
    throw new DatabaseRefused(`The PostgreSQL database must be in UTF8, not ${encoding}.`)
  }
  await migrate(pool)
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const shown = await pool.query<Record<string, string>>(`show ${setting}`)
    if (shown.rows[0]?.[setting] === 'off') {
      warn(`PostgreSQL runs with ${setting}=off: what people saved may be lost when it crashes.`)
    }
  }
  return `stint_${schema}`.slice(0, 63)
}

async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query('create table if not exists stint_schema (version integer not null)')
    const { rows } = await client.query<{ version: number }>('select version from stint_schema')
    const current = rows[0]?.version ?? 0
    const pending = pendingMigrations(DIALECT, current)
    for (const statements of pending) for (const line of statements) await client.query(line)
    if (pending.length > 0) {
      await client.query('delete from stint_schema')
      await client.query('insert into stint_schema values ($1)', [current + pending.length])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

interface Ears {
  readonly onMessage: (text: string) => void
  /** The connection was lost and is back: who knows what was said meanwhile. */
  readonly onUnknown: () => void
}

/** Listens on a connection of its own, and again when it breaks, until told to stop. */
function listen(url: string, channel: string, ears: Ears): () => void {
  let isStopped = false
  let client: Client | null = null
  let retry: NodeJS.Timeout | undefined
  void start(false)
  return () => {
    isStopped = true
    clearTimeout(retry)
    void client?.end().catch(() => {})
  }

  async function start(isAgain: boolean): Promise<void> {
    const next = new Client({ connectionString: url, keepAlive: true })
    const again = (): void => {
      if (isStopped || client !== next) return
      client = null
      retry = setTimeout(() => void start(true), RECONNECT_AFTER)
    }
    client = next
    next.on('error', again)
    next.on('end', again)
    next.on('notification', ({ payload = '' }) => ears.onMessage(payload))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      if (isAgain) ears.onUnknown()
    } catch {
      again()
    }
  }
}

/** PostgreSQL's errors by what they mean to the server (reliability 4.8). */
function named(error: unknown): unknown {
  if (error instanceof UniqueViolation || error instanceof DatabaseUnavailable) return error
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    if (code === '23505') return new UniqueViolation(error.message, { cause: error })
    // Connections, resources, operator intervention, time-outs, read-only and serialisation.
    if (/^(08|53|57|58|40|25006|55P03)/.test(code)) {
      return new DatabaseUnavailable(error.message, { cause: error })
    }
    return error
  }
  const isLost =
    error instanceof Error &&
    (/terminated|timeout|closed|not queryable|after calling end/i.test(error.message) ||
      ('code' in error && /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENOTFOUND)/.test(String(error.code))))
  return isLost ? new DatabaseUnavailable(error.message, { cause: error }) : error
}

/** Does it again when the database chose it as the victim of a deadlock. */
async function repeated<Result>(once: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once()
    } catch (error) {
      if (attempt === TRIES || !isWorthRepeating(error)) throw error
    }
  }
}

/** Deadlocks and serialisation failures: the database chose a victim, and it may try again. */
function isWorthRepeating(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : null
  return cause instanceof DatabaseError && /^(40001|40P01)$/.test(cause.code ?? '')
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

function splitOnce(text: string): [string, string] {
  const space = text.indexOf(' ')
  return [text.slice(0, space), text.slice(space + 1)]
}
