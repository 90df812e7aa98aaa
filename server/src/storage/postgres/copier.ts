/** Copies a PostgreSQL database with `pg_dump`, and checks the copy with `pg_restore`. */
import { open, rename, rm } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { Client } from 'pg'
import { DatabaseRefused } from '#storage/database.ts'
import { fileNameOf } from '#storage/copier.ts'
import type { Copier } from '#storage/copier.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { ProgramMissing, runProgram } from '#storage/run-program.ts'
import { makePrivateFile } from '#storage/private-files.ts'
import { messageOf } from './errors.ts'

/** The contents of a checked dump. */
export interface DumpContents {
  /** The version of Stint's tables. */
  readonly version: number
  /** The PostgreSQL schema that they are in. */
  readonly schema: string
}

/** Returns the copier of a PostgreSQL database. */
export function postgresCopier(url: string): Copier {
  return {
    name: fileNameOf(new Client({ connectionString: url }).database ?? ''),
    extension: 'dump',
    obstacle: () => obstacle(url),
    alone: (work) => alone(url, work),
    copy: (target, signal) => dump(url, target, signal),
  }
}

/** Returns why there can be no dump: a program is missing, or older than the server. */
async function obstacle(url: string): Promise<string | null> {
  try {
    const versions = await Promise.all(['pg_dump', 'pg_restore'].map(majorVersion))
    const server = await withClient(url, async (client) => {
      const { rows } = await client.query<{ major: number }>(
        `select current_setting('server_version_num')::int / 10000 as major`,
      )
      return rows[0]?.major ?? 0
    })
    if (versions.every((version) => version >= server)) return null
    return `pg_dump ${Math.min(...versions)} cannot read PostgreSQL ${server}. Install the PostgreSQL ${server} client programs.`
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error
    return `${error.message}. Install the PostgreSQL client programs, or back up in another way and set BACKUP=off.`
  }
}

/** @throws DatabaseRefused when PostgreSQL's client programs are missing. */
export async function checkPrograms(): Promise<void> {
  try {
    await majorVersion('pg_restore')
  } catch (error) {
    throw new DatabaseRefused(`${messageOf(error)}. Install the PostgreSQL client programs.`, {
      cause: error,
    })
  }
}

async function majorVersion(program: string): Promise<number> {
  return Number(/\d+/.exec(await runProgram(program, ['--version']))?.[0])
}

/** Runs `work` while no other process does, wherever it runs. */
async function alone(url: string, work: () => Promise<void>): Promise<void> {
  await withClient(url, async (client) => {
    // The lock ends with the connection.
    const { rows } = await client.query<{ is_ours: boolean }>(
      `select pg_try_advisory_lock(hashtext('stint backup'), hashtext(current_schema())) as is_ours`,
    )
    if (rows[0]?.is_ours === true) await work()
  })
}

async function dump(url: string, target: string, signal: AbortSignal): Promise<void> {
  const partial = `${target}.partial`
  try {
    const schema = await withClient(url, currentSchema)
    makePrivateFile(partial)
    await runProgram(
      'pg_dump',
      [
        '--format=custom',
        `--schema="${schema.replaceAll('"', '""')}"`,
        '--no-password',
        `--file=${partial}`,
      ],
      { env: { ...process.env, ...connectionVariables(url) }, signal },
    )
    await checkDump(partial, signal)
    await putInPlace(partial, target)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Reads a dump from beginning to end.
 * @throws DatabaseRefused when it is damaged, none of Stint's, or of a newer version.
 */
export async function checkDump(file: string, signal?: AbortSignal): Promise<DumpContents> {
  const options = signal === undefined ? {} : { signal }
  const read = async (...parameters: string[]): Promise<string> => {
    try {
      return await runProgram('pg_restore', [...parameters, file], options)
    } catch (error) {
      throw new DatabaseRefused(`${file} cannot be used as a backup: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
  const contents = await read('--list')
  const [, schema] = / TABLE DATA (\S+) stint_schema /.exec(contents) ?? []
  const isOurs = ['users', 'tasks', 'time_entries'].every((table) =>
    contents.includes(` TABLE DATA ${schema} ${table} `),
  )
  if (schema === undefined || !isOurs) {
    throw new DatabaseRefused(
      `${file} cannot be used as a backup: it is no copy of a Stint database.`,
    )
  }
  await read(`--file=${devNull}`)
  const rows = await read('--data-only', '--table=stint_schema', '--file=-')
  const version = Number(/^(\d+)$/m.exec(rows)?.[1])
  if (!(version <= SCHEMA_VERSION)) {
    throw new DatabaseRefused(
      `${file} cannot be used as a backup: schema ${version} is newer than this version of Stint, which knows only ${SCHEMA_VERSION}.`,
    )
  }
  return { version, schema }
}

/**
 * Returns the variables with which PostgreSQL's programs connect as the server does. In the
 * environment no other user can see the password; in a parameter all could.
 */
export function connectionVariables(url: string): Record<string, string> {
  const { host, port, user, password, database } = new Client({ connectionString: url })
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '')
  const mode = query.get('sslmode')
  const variables = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: typeof password === 'string' ? password : undefined,
    PGDATABASE: database,
    PGOPTIONS: query.get('options') ?? undefined,
    // A mode of the driver, which libpq calls so.
    PGSSLMODE: mode === 'no-verify' ? 'require' : (mode ?? undefined),
    PGSSLROOTCERT:
      query.get('sslrootcert') ?? (mode?.startsWith('verify') === true ? 'system' : undefined),
    PGSSLCERT: query.get('sslcert') ?? undefined,
    PGSSLKEY: query.get('sslkey') ?? undefined,
  }
  return Object.fromEntries(
    Object.entries(variables).filter((each): each is [string, string] => each[1] !== undefined),
  )
}

async function currentSchema(client: Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(`select current_schema() as schema`)
  return rows[0]?.schema ?? 'public'
}

async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  // A connection that is lost while `work` runs ends the lock, not the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Renames a complete file, and resolves when its content and its name are durable. */
async function putInPlace(file: string, target: string): Promise<void> {
  await flush(file)
  await rename(file, target)
  await flush(dirname(target))
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
