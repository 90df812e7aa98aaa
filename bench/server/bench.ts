/**
 * Our server beside the floor, on SQLite and on PostgreSQL: the same work in turns, several rounds,
 * the median of each. Ratios are of requests in a second and of processor time for a request.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort, startServer } from '@stint/server/soak/server-process.ts'
import { startPostgres } from '@stint/server/db/test-postgres.ts'

import { httpRequest, load, residentMegabytes } from './load.ts'
import type { Load, LoadResult } from './load.ts'

export interface ServerBenchResult {
  readonly database: 'sqlite' | 'postgres'
  readonly work: string
  readonly subject: string
  readonly reference: string
  readonly perSecond: number
  readonly p99Milliseconds: number
  readonly cpuMicroseconds: number | null
  /** Requests in a second, to the reference's. */
  readonly ratio: number
  /** The reference's processor time for a request, to ours: above 1 we need less. */
  readonly cpuRatio: number | null
}

export interface ServerBenchOptions {
  readonly rounds: number
  readonly milliseconds: number
}

/** The user's documents before anything is measured; what creating adds comes last. */
const SEEDED = 500
const CONNECTIONS = 50
const DOCUMENTS = '/v1/databases/stint/collections/time_entries/documents'

/** One server and how each piece of work is asked of it. */
interface Subject {
  readonly name: string
  readonly port: number
  readonly pids: readonly number[]
  readonly work: Readonly<Record<string, { request: () => Buffer; status: number }>>
  stop(): Promise<void>
}

/** Measures and prints a table; answers what it measured. */
export async function benchServer(options: ServerBenchOptions): Promise<ServerBenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-bench-'))
  const postgres = await startPostgres(['max_connections=100'])
  try {
    return [
      ...(await compare(
        'sqlite',
        `sqlite:${join(folder, 'floor.db')}`,
        `file:${join(folder, 'stint.db')}`,
        options,
      )),
      ...(await compare('postgres', postgres.url, postgres.url, options)),
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(
  database: 'sqlite' | 'postgres',
  floorAt: string,
  oursAt: string,
  options: ServerBenchOptions,
): Promise<ServerBenchResult[]> {
  const floor = await startFloor(floorAt)
  const ours = await startOurs(oursAt)
  try {
    const results: ServerBenchResult[] = []
    for (const [work, reference] of PAIRS) {
      if (!floor.work[reference]) continue
      results.push(await measurePair(database, floor, ours, work, reference, options))
    }
    for (const result of results) console.log(line(result))
    const memory = residentMegabytes(ours.pids[0] ?? 0)
    if (memory !== null) console.log(`${database}: ${memory.toFixed(0)} MB resident after the load`)
    return results
  } finally {
    await floor.stop()
    await ours.stop()
  }
}

/** Our work, and the floor's that it is held against. */
const PAIRS = [
  ['get', 'get'],
  ['list 100', 'list 100, stored JSON'],
  ['list 100', 'list 100, typed columns'],
  ['create', 'create, one by one'],
  ['create', 'create, together'],
] as const

async function measurePair(
  database: 'sqlite' | 'postgres',
  floor: Subject,
  ours: Subject,
  work: string,
  reference: string,
  { rounds, milliseconds }: ServerBenchOptions,
): Promise<ServerBenchResult> {
  const measured = { ours: [] as LoadResult[], floor: [] as LoadResult[] }
  for (let round = 0; round < rounds; round += 1) {
    measured.floor.push(await load(loadOf(floor, reference, milliseconds)))
    measured.ours.push(await load(loadOf(ours, work, milliseconds)))
  }
  const us = medianOf(measured.ours)
  const them = medianOf(measured.floor)
  return {
    database,
    work,
    subject: ours.name,
    reference: `${floor.name}: ${reference}`,
    ...us,
    ratio: us.perSecond / them.perSecond,
    cpuRatio:
      us.cpuMicroseconds === null || them.cpuMicroseconds === null
        ? null
        : them.cpuMicroseconds / us.cpuMicroseconds,
  }
}

function loadOf(subject: Subject, work: string, milliseconds: number): Load {
  const asked = subject.work[work]
  if (!asked) throw new Error(`${subject.name} does no ${work}`)
  const { port, pids } = subject
  return { port, pids, connections: CONNECTIONS, milliseconds, ...asked }
}

function medianOf(results: readonly LoadResult[]): LoadResult {
  const times = results.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? [])
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: times.length === results.length ? median(times) : null,
    p99Milliseconds: median(results.map(({ p99Milliseconds }) => p99Milliseconds)),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

function line(result: ServerBenchResult): string {
  const { database, work, reference, perSecond, cpuMicroseconds, p99Milliseconds } = result
  const cpu = cpuMicroseconds === null ? '' : `${cpuMicroseconds.toFixed(0).padStart(5)} µs`
  const cpuRatio = result.cpuRatio === null ? '' : `, by processor ${result.cpuRatio.toFixed(2)}`
  return (
    `${database.padEnd(8)} ${work.padEnd(8)} ${perSecond.toFixed(0).padStart(6)}/s ${cpu} ` +
    `p99 ${p99Milliseconds.toFixed(1).padStart(5)} ms  ${result.ratio.toFixed(2)} × ${reference}${cpuRatio}`
  )
}

async function startFloor(where: string): Promise<Subject> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts'), where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  const port = Number(String(said).trim())
  const ids = await seed(port, (id) =>
    httpRequest('POST', '/together', {}, entry(id, 'task', 'owner')),
  )
  return {
    name: 'floor',
    port,
    pids: [child.pid ?? 0],
    work: {
      'create, one by one': createOnFloor('/create'),
      ...(where.startsWith('sqlite:') ? { 'create, together': createOnFloor('/together') } : {}),
      get: { request: () => httpRequest('GET', `/get/${anyOf(ids)}`), status: 200 },
      'list 100, stored JSON': { request: () => httpRequest('GET', '/list'), status: 200 },
      'list 100, typed columns': { request: () => httpRequest('GET', '/typed'), status: 200 },
    },
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

function createOnFloor(path: string) {
  return {
    request: () => httpRequest('POST', path, {}, entry(nextId(), 'task', 'owner')),
    status: 201,
  }
}

async function startOurs(databaseUrl: string): Promise<Subject> {
  const port = await freePort()
  const server = await startServer(databaseUrl, port)
  const account = await signUp(port)
  const headers = { 'X-Appwrite-Project': 'stint', Cookie: account.cookie }
  const post = (body: unknown) => httpRequest('POST', DOCUMENTS, headers, body)
  const ids = await seed(port, (id) => post(entry(id, 'task', account.userId)))
  const queries = [
    { method: 'equal', attribute: 'userId', values: [account.userId] },
    { method: 'orderDesc', attribute: '$createdAt' },
    { method: 'limit', values: [100] },
  ]
  const search = queries
    .map((query, index) => `queries[${index}]=${encodeURIComponent(JSON.stringify(query))}`)
    .join('&')
  const list = httpRequest('GET', `${DOCUMENTS}?${search}`, headers)
  return {
    name: 'Stint',
    port,
    pids: [server.pid],
    work: {
      create: { request: () => post(entry(nextId(), 'task', account.userId)), status: 201 },
      get: {
        request: () => httpRequest('GET', `${DOCUMENTS}/${anyOf(ids)}`, headers),
        status: 200,
      },
      'list 100': { request: () => list, status: 200 },
    },
    async stop() {
      server.end('SIGTERM')
      await server.exited
    },
  }
}

async function signUp(port: number): Promise<{ userId: string; cookie: string }> {
  const url = `http://127.0.0.1:${port}/v1/account`
  const headers = { 'X-Appwrite-Project': 'stint', 'Content-Type': 'application/json' }
  const who = { email: `bench-${Date.now()}@example.com`, password: 'correct horse 7' }
  const created = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ userId: 'unique()', name: 'Bench', ...who }),
  })
  const { $id } = await created.json()
  const session = await fetch(`${url}/sessions/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(who),
  })
  const cookie = session.headers.getSetCookie().find((each) => each.startsWith('a_session_'))
  await session.text()
  return { userId: String($id), cookie: cookie?.split(';', 1)[0] ?? '' }
}

/** Creates what is there before; answers the ids. */
async function seed(port: number, request: (id: string) => Buffer): Promise<string[]> {
  const ids: string[] = []
  const next = () => {
    const id = nextId()
    ids.push(id)
    return request(id)
  }
  const once = { port, pids: [], connections: 1, requests: SEEDED, request: next, status: 201 }
  await load(once)
  return ids
}

let lastId = 0

function nextId(): string {
  lastId += 1
  return `bench${Date.now().toString(36)}${lastId.toString(36).padStart(8, '0')}`
}

function anyOf(ids: readonly string[]): string {
  return ids[Math.floor(Math.random() * ids.length)] ?? ''
}

function entry(documentId: string, taskId: string, userId: string) {
  const end = Date.now()
  const startTime = new Date(end - 1_800_000).toISOString()
  return {
    documentId,
    data: {
      taskId,
      userId,
      startTime,
      endTime: new Date(end).toISOString(),
      entryType: 'timer',
      durationSeconds: 1800,
      date: startTime,
      sessionId: documentId,
    },
  }
}
