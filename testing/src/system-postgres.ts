/**
 * Starts the PostgreSQL server of the operating system, whose client programs fit it: `pg_dump`
 * refuses a newer server, such as the one from npm.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** Where Debian and Ubuntu install it. */
const VERSIONS = '/usr/lib/postgresql'

export interface SystemPostgres {
  /** The URL of a database of a role with a password. */
  readonly url: string
  /** The folder of `pg_dump` and the other client programs. */
  readonly programs: string
  stop(): Promise<void>
}

/** Returns the folder of its programs; null: there is none of PostgreSQL 15 or newer. */
export function systemPostgres(): string | null {
  if (!existsSync(VERSIONS)) return null
  const newest = readdirSync(VERSIONS)
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'))
  return newest.find((each) => existsSync(join(each, 'initdb'))) ?? null
}

/** Starts it on a free loopback port with this password. */
export async function startSystemPostgres(
  programs: string,
  password: string,
): Promise<SystemPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-system-postgres-'))
  const data = join(folder, 'data')
  const port = await freePort()
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? ownUser(folder) : {}
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '--encoding=UTF8'], {
    stdio: 'ignore',
    ...user,
  })
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'fsync=off'],
    { stdio: 'ignore', ...user },
  )
  const exited = new Promise((done) => server.once('exit', done))
  const root = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilAnswers(root)
  await run(
    root,
    `create role stint login createdb password '${password}'`,
    `create database stint owner stint encoding 'UTF8' template template0`,
  )
  return {
    url: `postgres://stint:${password}@127.0.0.1:${port}/stint`,
    programs,
    async stop() {
      server.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Gives the folder to the user `postgres`. Returns its ids for a child process. */
function ownUser(folder: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((kind) =>
    Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' })),
  )
  execFileSync('chown', [`${uid}:${gid}`, folder])
  chmodSync(folder, 0o755)
  return { uid: uid ?? 0, gid: gid ?? 0 }
}

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    try {
      await run(url, 'select 1')
      return
    } catch {
      await new Promise((again) => setTimeout(again, 50))
    }
  }
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
