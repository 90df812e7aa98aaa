/**
 * PostgreSQL: a pool, READ COMMITTED with constraints rather than checks before writes, and
 * LISTEN/NOTIFY between the processes that share it.
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
import { DatabaseError, Pool, types } from 'pg'
import type { ClientBase } from 'pg'
import {
  changesAccounts,
  DatabaseRefused,
  DatabaseUnavailable,
  QueryTooSlow,
  QuotaExceeded,
  UniqueViolation,
  UserGone,
} from '#storage/database.ts'
import type { Database, Dialect, Transaction } from '#storage/database.ts'
import { ACCOUNTS_CHANGED, QUOTA_EXCEEDED_STATE } from '#storage/migrations.ts'
import { migratePostgres } from './migrate.ts'
import { listen, packed } from './notices.ts'
import type { Schema } from '#storage/schema.ts'
import { MAX_SLOW_READ, slowReads } from '#storage/slow-reads.ts'
import type { SqliteOptions } from '#storage/sqlite/sqlite.ts'
import { joinedValues } from '#storage/statement.ts'
import type { Joinable } from '#storage/statement.ts'

const DIALECT: Dialect = {
  name: 'postgres',
  lockClause: 'for update',
  insertEnds: 'on conflict do nothing returning sequence',
  joinRows: 'string_agg',
  sortsNullsLast: true,
}

const TRIES = 3

/**
 * How much of what clients shape is prepared, of one statement and of all, in characters: each of the
 * connections keeps what it has prepared, with its plan, for as long as it lives.
 */
const MAX_PREPARED_STATEMENT = 4000
const MAX_PREPARED_CHARACTERS = 100_000

/** How many connections slow reads may take: most are left to everything else. */
const MAX_SLOW_READS = 2

/** How many are asked for by one statement. */
const MOST_TOGETHER = 100

/**
 * How statements are planned: through an index, in its order, and with one plan for all owners
 * (docs/decisions/0081-one-plan-for-all-owners.md). Each of these would else be taken now and then, on
 * guesses made while little is known of a table, and cost from three to a hundred times as much.
 */
export const PLANNING = [
  'set enable_bitmapscan = off',
  'set enable_seqscan = off',
  'set plan_cache_mode = force_generic_plan',
  'set jit = off',
].join(';')

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
 * @param options `warn` hears of settings that could lose data in a crash.
 * @throws DatabaseRefused with a message for the operator.
 */
export async function openPostgres(
  url: string,
  options: Pick<SqliteOptions, 'warn' | 'maxSlowRead'> = {},
): Promise<Database> {
  const { maxSlowRead = MAX_SLOW_READ, warn = () => {} } = options
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 2000,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, its types do not say so
    onConnect: async (client) => void (await client.query(PLANNING)),
    ...SETTINGS,
  })
  // A connection lost while idle: the pool replaces it, and whoever needs one finds out.
  pool.on('error', () => {})
  // Lost while in use: the query on it fails, and an error that nobody hears would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const channel = await prepare(url, pool, warn).catch(async (error: unknown) => {
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
  const prepared = new Map<string, Prepared>()
  /** How much of `prepared` is shaped by clients, in characters. */
  let shapedCharacters = 0
  const inTurn = slowReads(MAX_SLOW_READS)
  const self = randomUUID()
  let untold: string[] = []
  let telling: Promise<unknown> = Promise.resolve()
  /** What may be asked together at the end of this turn of the event loop, by the text of that. */
  let waiting: Joined = new Map()
  let accountsVersion = 0
  /** Until when nobody can have changed an account without our hearing of it. */
  let provenUntil = 0

  return {
    dialect: DIALECT,
    build,
    isAlone: false,
    read: (query) => runSoon(query),
    readSlowly: (owner, query) => inTurn(owner, () => readWithin(maxSlowRead, query)),
    write: (work) => repeated(() => writeOnce(work)),
    writeSingly: (work) =>
      repeated(() => work({ dialect: DIALECT, build, run: (query) => runSoon(query) })),
    accountsVersion: () => (performance.now() < provenUntil ? accountsVersion : null),
    tellOthers(message) {
      untold.push(message)
      if (untold.length === 1) setImmediate(tell)
    },
    hearOthers(onMessage, onUnknown) {
      return listen(url, channel, {
        onMessage: (text) => {
          if (text === ACCOUNTS_CHANGED) accountsVersion++
          else if (!text.startsWith(self)) {
            for (const message of text.split('\n').slice(1)) onMessage(message)
          }
        },
        onUnknown() {
          accountsVersion++
          onUnknown()
        },
        onProof: (until) => void (provenUntil = until),
      })
    },
    async check() {
      await runOn(pool, sql`update stint_schema set version = version`.compile(build))
    },
    async close() {
      await telling
      await pool.end()
    },
  }

  /** Runs it on any connection, together with others like it that come in this turn. */
  function runSoon<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]> {
    if (!isJoinable(query)) return runOn(pool, query)
    return new Promise<Row[]>((resolve, reject) => {
      if (waiting.size === 0) {
        setImmediate(() => {
          const groups = groupsOf(waiting)
          waiting = new Map()
          for (const [text, group] of groups) void runTogether(text, group)
        })
      }
      join(waiting, query, resolve, reject)
    })
  }

  /** One that is refused takes none of the others down: then each is run by itself. */
  async function runTogether(text: string, group: readonly Waiting[]): Promise<void> {
    const singly = () => {
      for (const { query, resolve, reject } of group) runOn(pool, query).then(resolve, reject)
    }
    if (group.length === 1) return singly()
    try {
      await runJoined(pool, text, group)
    } catch (error) {
      const cause = named(error)
      // Nobody knows what became of it when the connection was lost: to do it again could hide that.
      const isUndone = !(cause instanceof DatabaseUnavailable) || isWorthRepeating(cause)
      if (isUndone) singly()
      else for (const { reject } of group) reject(cause)
    }
  }

  async function runJoined(
    client: Pool | ClientBase,
    text: string,
    group: readonly Waiting[],
  ): Promise<void> {
    const values = [joinedValues(group.map(({ query }) => query))]
    const { rows } = await client.query<{ n: number }>({ ...known(text, false), values })
    const found = new Map(rows.map((row) => [row.n, row]))
    group.forEach(({ resolve }, n) => {
      const row = found.get(n)
      resolve(row === undefined ? [] : [row])
    })
  }

  /** Runs queries in a transaction; what its work asks for without waiting in between is run together. */
  function runIn(client: ClientBase, onAccounts: () => void): Transaction['run'] {
    let joined: Joined = new Map()
    return <Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]> => {
      if (!isJoinable(query)) return runOn(client, query, onAccounts)
      return new Promise<Row[]>((resolve, reject) => {
        if (joined.size === 0) queueMicrotask(() => void flush())
        join(joined, query, resolve, reject)
      })
    }

    async function flush(): Promise<void> {
      const groups = groupsOf(joined)
      joined = new Map()
      for (const [text, group] of groups) {
        const [only] = group
        try {
          if (group.length > 1) await runJoined(client, text, group)
          else if (only !== undefined) only.resolve(await runOn(client, only.query, onAccounts))
        } catch (error) {
          for (const { reject } of group) reject(named(error))
        }
      }
    }
  }

  /** Runs a read on a connection of its own, which PostgreSQL ends after so many milliseconds. */
  async function readWithin<Row>(milliseconds: number, query: CompiledQuery<Row>): Promise<Row[]> {
    const client = await pool.connect().catch((error: unknown) => {
      throw named(error)
    })
    let broken: Error | undefined
    try {
      await client.query(`begin read only; set local statement_timeout = ${milliseconds}`)
      return await runOn(client, query)
    } catch (error) {
      const cause = named(error)
      throw wasCancelled(cause) ? new QueryTooSlow('The read took too long', { cause }) : cause
    } finally {
      await client.query('rollback').catch((lost: unknown) => {
        broken = lost instanceof Error ? lost : new Error(String(lost))
      })
      client.release(broken)
    }
  }

  async function writeOnce<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw named(error)
    })
    let broken: Error | undefined
    let changed = false
    try {
      await control(client, 'begin')
      const result = await work({
        dialect: DIALECT,
        build,
        run: runIn(client, () => (changed = true)),
      })
      await control(client, 'commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((lost: unknown) => {
        broken = lost instanceof Error ? lost : new Error(String(lost))
      })
      throw error
    } finally {
      // The others hear of it by a trigger, and so do we, but not before who asked for it is told.
      if (changed) accountsVersion++
      client.release(broken)
    }
  }

  async function runOn<Row>(
    client: Pool | ClientBase,
    query: Compilable<Row> | CompiledQuery<Row>,
    onAccounts: () => void = () => accountsVersion++,
  ): Promise<Row[]> {
    const compiled = 'compile' in query ? query.compile() : query
    const { sql: text, parameters } = compiled
    const statement = known(text, 'isClientShaped' in compiled)
    try {
      const { rows } = await client.query({ ...statement, values: [...parameters] })
      if (statement.changesAccounts) onAccounts()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return rows as Row[]
    } catch (error) {
      throw named(error)
    }
  }

  /** The same text is prepared once a connection; beyond a bound, what clients shape is sent as it is. */
  function known(text: string, isClientShaped: boolean): Prepared {
    const before = prepared.get(text)
    if (before !== undefined) return before
    const statement = { text, changesAccounts: changesAccounts(text) }
    if (isClientShaped) {
      const isRoom =
        text.length <= MAX_PREPARED_STATEMENT &&
        shapedCharacters + text.length <= MAX_PREPARED_CHARACTERS
      if (!isRoom) return statement
      shapedCharacters += text.length
    }
    const found = { ...statement, name: `stint_${prepared.size}` }
    prepared.set(text, found)
    return found
  }

  function tell(): void {
    const notices = packed(self, untold)
    untold = []
    telling = Promise.all(
      notices.map((notice) =>
        pool.query({ name: 'tell', text: 'select pg_notify($1, $2)', values: [channel, notice] }),
      ),
      // Nobody heard: their clients find out at the next refetch.
    ).catch(() => {})
  }
}

interface Waiting {
  readonly query: Joinable<unknown>
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

/** What is to be run together, by the text of that. */
type Joined = Map<string, Waiting[]>

function join<Row>(
  joined: Joined,
  query: Joinable<Row>,
  resolve: (rows: Row[]) => void,
  reject: (error: unknown) => void,
): void {
  const { text } = query.together
  const others = joined.get(text) ?? []
  joined.set(text, others)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows this query gives
  others.push({ query, resolve: (rows) => resolve(rows as Row[]), reject })
}

/** As many as one statement takes, with its text. */
function groupsOf(joined: Joined): [text: string, group: readonly Waiting[]][] {
  return [...joined].flatMap(([text, all]) =>
    Array.from(
      { length: Math.ceil(all.length / MOST_TOGETHER) },
      (_, group) =>
        [text, all.slice(group * MOST_TOGETHER, (group + 1) * MOST_TOGETHER)] satisfies [
          string,
          readonly Waiting[],
        ],
    ),
  )
}

function isJoinable<Row>(
  query: Compilable<Row> | CompiledQuery<Row> | Joinable<Row>,
): query is Joinable<Row> {
  return 'together' in query
}

interface Prepared {
  readonly text: string
  /** Under which a connection prepares it once; without one it is sent as it is. */
  readonly name?: string
  readonly changesAccounts: boolean
}

async function control(client: ClientBase, text: 'begin' | 'commit'): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    throw named(error)
  })
}

/** Migrates and checks. @returns the name of the channel on which the processes talk. */
async function prepare(url: string, pool: Pool, warn: (text: string) => void): Promise<string> {
  const { rows } = await pool.query<{ schema: string | null; encoding: string }>(
    `select current_schema() as schema, current_setting('server_encoding') as encoding`,
  )
  const [{ schema, encoding } = { schema: null, encoding: '' }] = rows
  if (schema === null) throw new DatabaseRefused('The PostgreSQL search_path names no schema.')
  if (encoding !== 'UTF8') {
    throw new DatabaseRefused(`The PostgreSQL database must be in UTF8, not ${encoding}.`)
  }
  await migratePostgres(url, schema)
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const shown = await pool.query<Record<string, string>>(`show ${setting}`)
    if (shown.rows[0]?.[setting] === 'off') {
      warn(`PostgreSQL runs with ${setting}=off: what people saved may be lost when it crashes.`)
    }
  }
  return `stint_${schema}`.slice(0, 63)
}

const NAMED = [UniqueViolation, UserGone, QuotaExceeded, QueryTooSlow, DatabaseUnavailable]

/** PostgreSQL's errors by what they mean to the server. */
function named(error: unknown): unknown {
  if (!(error instanceof Error) || NAMED.some((each) => error instanceof each)) return error
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    if (code === '23505') return new UniqueViolation(error.message, { cause: error })
    // Every foreign key is a user's.
    if (code === '23503') return new UserGone(error.message, { cause: error })
    if (code === QUOTA_EXCEEDED_STATE) {
      const quota = error.message.endsWith('documents') ? 'documents' : 'bytes'
      return new QuotaExceeded(quota, { cause: error })
    }
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

/** Whether PostgreSQL ended the statement because it ran too long. */
function wasCancelled(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : null
  return cause instanceof DatabaseError && cause.code === '57014'
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
