/**
 * Parse Server, the peer: the same work on the same PostgreSQL, with its own sessions and access
 * lists. It is installed on demand into a separate folder, since nothing else needs it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '@stint/testing/free-port.ts'
import type { TestPostgres } from '@stint/testing/postgres.ts'
import { Client } from 'pg'

import { run } from '../../scripts/run.ts'
import { httpRequest } from './load.ts'
import { anyOf, entry, nextId, seed } from './work.ts'
import type { Subject } from './work.ts'

const FOLDER = join(import.meta.dirname, '../peer')
const ENTRIES = '/parse/classes/TimeEntry'

/**
 * Starts Parse Server. Null: it is not available, for example without a network.
 * @param isLive whether it publishes writes to subscribers, which is off by default.
 */
export async function startParse(
  postgres: TestPostgres,
  seeded: number,
  isLive: boolean,
): Promise<Subject | null> {
  if (!existsSync(join(FOLDER, 'node_modules/parse-server'))) {
    console.log('Installing Parse Server …')
    const install = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund']
    const code = await run('npm', [...install, '--no-package-lock', '--silent'])
    if (code !== 0) return null
  }
  const databaseUrl = await ownDatabase(postgres.url, isLive ? 'parse_live' : 'parse')
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [join(FOLDER, 'parse-server.js'), String(port), databaseUrl, ...(isLive ? ['live'] : [])],
    {
      // It writes its logs to the working directory.
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const exited = once(child, 'exit')
  const isReady = await Promise.race([ready(child.stdout), exited.then(() => false)])
  if (!isReady) return null
  const { userId, headers } = await signUp(port)
  const create = (id: string) => {
    const { data } = entry(id, userId)
    const acl = { [userId]: { read: true, write: true } }
    return httpRequest('POST', ENTRIES, headers, { ...data, ACL: acl })
  }
  const first = await fetch(`http://127.0.0.1:${port}${ENTRIES}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...entry(nextId(), userId).data,
      ACL: { [userId]: { read: true, write: true } },
    }),
  })
  const { objectId } = await first.json()
  await indexByCreation(databaseUrl)
  await seed(port, seeded, create)
  const ids = [String(objectId)]
  const search = new URLSearchParams({
    where: JSON.stringify({ userId }),
    order: '-createdAt',
    limit: '100',
    count: '1',
  })
  const list = httpRequest('GET', `${ENTRIES}?${search.toString()}`, headers)
  return {
    name: isLive ? 'Parse Server, live' : 'Parse Server',
    port,
    pid: child.pid ?? 0,
    postgres,
    work: {
      create: { request: () => create(nextId()), status: 201 },
      get: { request: () => httpRequest('GET', `${ENTRIES}/${anyOf(ids)}`, headers), status: 200 },
      'list 100': { request: () => list, status: 200 },
    },
    async stop() {
      child.kill()
      await exited
    },
  }
}

/** Resolves when its output says that it is ready. */
async function ready(output: NodeJS.ReadableStream): Promise<boolean> {
  for await (const text of output) if (String(text).includes('ready')) return true
  return false
}

async function signUp(port: number) {
  const headers = { 'X-Parse-Application-Id': 'bench' }
  const reply = await fetch(`http://127.0.0.1:${port}/parse/users`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'X-Parse-Revocable-Session': '1' },
    body: JSON.stringify({ username: nextId(), password: 'correct horse 7' }),
  })
  const { objectId, sessionToken } = await reply.json()
  return {
    userId: String(objectId),
    headers: { ...headers, 'X-Parse-Session-Token': String(sessionToken) },
  }
}

/** Adds the index that its documentation recommends. */
async function indexByCreation(databaseUrl: string): Promise<void> {
  await query(databaseUrl, 'create index on "TimeEntry" ("userId", "createdAt")')
}

/** Creates another database on the server of this URL. @returns its URL. */
async function ownDatabase(databaseUrl: string, name: string): Promise<string> {
  await query(databaseUrl, `create database ${name}`)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
