/**
 * The connections to PostgreSQL: their settings, how one is borrowed, and the checks at the start.
 */
import { Pool, types } from 'pg'
import type { ClientBase } from 'pg'
import { DatabaseRefused } from '#storage/database.ts'
import { classifyError, messageOf } from './errors.ts'
import { migratePostgres } from './migrate.ts'

/**
 * Planner settings: through an index, in its order, and with one plan for all owners
 * (docs/decisions/0021-shared-commits.md). With poor statistics PostgreSQL sometimes
 * chooses otherwise, at three to a hundred times the cost.
 */
export const PLANNING = [
  'set enable_bitmapscan = off',
  'set enable_seqscan = off',
  'set plan_cache_mode = force_generic_plan',
  'set jit = off',
].join(';')

const MAX_CONNECTIONS = 10

/** How long a connection may take, in milliseconds. */
const MAX_CONNECT = 2000

const LIMITS = {
  connectionTimeoutMillis: MAX_CONNECT,
  statement_timeout: 5000,
  // For a server that does not respond at all; longer than the server's own timeout.
  query_timeout: 8000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
}

const SETTINGS = {
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
 * Connects, migrates the schema, and verifies the durability settings.
 * @param warn is called for settings that could lose data in a crash.
 * @param maxWait how long anything may be waited for, in milliseconds, in place of the limits.
 * @returns the pool, and the name of the channel for messages between processes.
 * @throws DatabaseRefused with a message for the operator.
 */
export async function openPool(
  url: string,
  warn: (text: string) => void,
  maxWait?: number,
): Promise<{ pool: Pool; channel: string }> {
  const pool = newPool(url, MAX_CONNECTIONS, maxWait)
  try {
    const schema = await schemaOf(pool)
    await migratePostgres(url, schema, maxWait ?? MAX_CONNECT)
    await checkDurability(pool, warn)
    return { pool, channel: `stint_${schema}`.slice(0, 63) }
  } catch (error) {
    await pool.end()
    throw error instanceof DatabaseRefused
      ? error
      : new DatabaseRefused(`PostgreSQL cannot be used: ${messageOf(error)}`, { cause: error })
  }
}

/** Returns a pool of at most `max` connections. The first query connects. `maxWait` is as for `openPool`. */
export function newPool(url: string, max: number, maxWait?: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not have it
    onConnect: async (client) => void (await client.query(PLANNING)),
    ...LIMITS,
    ...(maxWait === undefined ? {} : waiting(maxWait)),
    ...SETTINGS,
  })
  // A connection was lost while idle. The pool replaces it.
  pool.on('error', () => {})
  // A connection was lost while in use. Its query fails, and an error without a listener would end
  // the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

function waiting(maxWait: number): typeof LIMITS {
  return {
    connectionTimeoutMillis: maxWait,
    statement_timeout: maxWait,
    query_timeout: 2 * maxWait,
    lock_timeout: maxWait,
    idle_in_transaction_session_timeout: 2 * maxWait,
  }
}

/**
 * Borrows a connection. If `work` fails, its transaction is rolled back. A connection whose
 * rollback fails is not used again.
 * @throws DatabaseUnavailable when no connection is available, or what `work` throws.
 */
export async function withConnection<Result>(
  pool: Pool,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw classifyError(error)
  })
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    await client.query('rollback').catch((lost: unknown) => {
      broken = lost instanceof Error ? lost : new Error(String(lost))
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Returns the schema of the tables. */
async function schemaOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ schema: string | null; encoding: string }>(
    `select current_schema() as schema, current_setting('server_encoding') as encoding`,
  )
  const [{ schema, encoding } = { schema: null, encoding: '' }] = rows
  if (schema === null) throw new DatabaseRefused('The PostgreSQL search_path must name a schema.')
  if (encoding !== 'UTF8') {
    throw new DatabaseRefused(`The PostgreSQL database must be in UTF8, not ${encoding}.`)
  }
  return schema
}

async function checkDurability(pool: Pool, warn: (text: string) => void): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const shown = await pool.query<Record<string, string>>(`show ${setting}`)
    if (shown.rows[0]?.[setting] === 'off') {
      warn(`PostgreSQL runs with ${setting}=off: saved data may be lost in a crash.`)
    }
  }
}
