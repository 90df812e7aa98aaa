/**
 * Compares the server with the floor and with a peer, on SQLite and on PostgreSQL: the same work in
 * turns, several rounds, the median of each. Ratios are of requests per second and of processor
 * time per request, PostgreSQL's own processes included. Servers and database share one core, and
 * the load has another.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '@stint/testing/free-port.ts'
import { MAIN, startServer } from '@stint/testing/server-process.ts'
import { startPostgres } from '@stint/testing/postgres.ts'
import type { TestPostgres } from '@stint/testing/postgres.ts'

import { aimOf, verdict } from './aims.ts'
import { family, pinToCores } from './cores.ts'
import { httpRequest, load, residentMegabytes } from './load.ts'
import type { Load, LoadResult } from './load.ts'
import { startParse } from './parse.ts'
import {
  anyOf,
  createEntry,
  DOCUMENTS,
  entry,
  listChanged,
  listNewest,
  median,
  nextId,
  seed,
  signUp,
} from './work.ts'
import type { Subject, Work } from './work.ts'

export interface ServerBenchResult {
  readonly database: 'sqlite' | 'postgres'
  readonly work: string
  readonly reference: string
  readonly perSecond: number
  readonly p99Milliseconds: number
  readonly cpuMicroseconds: number | null
  /** Requests per second, relative to the reference. */
  readonly ratio: number
  /** The reference's processor time per request, relative to Stint's: above 1 Stint needs less. */
  readonly cpuRatio: number | null
  /** The goal for either ratio; null: for comparison only. */
  readonly aim: number | null
}

export interface ServerBenchOptions {
  readonly rounds: number
  readonly milliseconds: number
}

export interface ServerBench {
  readonly pairs: readonly ServerBenchResult[]
  /** Resident memory after all work, by server. */
  readonly megabytes: Readonly<Record<string, number | null>>
}

/**
 * The number of the user's documents before the measurements. Creating is measured last because it
 * adds more.
 */
const SEEDED = 500
const CONNECTIONS = 50
/** Users with short and long histories, whose newest 100 entries are listed. */
const HISTORIES = [
  { name: '300', entries: 300 },
  { name: '20,000', entries: 20_000 },
] as const
/** The warm-up, in which the code is compiled. */
const WARM_UP_MILLISECONDS = 1000

/** The work in order, each with its references. */
const TURNS = [
  { work: 'get', ofFloor: ['get'] },
  // Every list has a different instant, so that no request is repeated.
  { work: 'list 100', ofFloor: ['list 100, stored JSON', 'list 100, typed columns'] },
  { work: 'list of 300', ofFloor: ['list of 300'] },
  { work: 'list of 300, counted', ofFloor: ['list of 300, counted'] },
  { work: 'list of 20,000', ofFloor: ['list of 20,000'] },
  { work: 'list of 20,000, counted', ofFloor: ['list of 20,000, counted'] },
  { work: 'create', ofFloor: ['create, one by one', 'create, together'] },
] as const

/** Runs the benchmarks and prints a table. Returns the results. */
export async function benchServer(options: ServerBenchOptions): Promise<ServerBench> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-bench-'))
  const postgres = await startPostgres(['max_connections=100'])
  const subjects: Subject[] = []
  let release: (() => void) | null = null
  const started = async <Started extends Subject | null>(subject: Promise<Started>) => {
    const is = await subject
    if (is !== null) subjects.push(is)
    return is
  }
  try {
    const floors = {
      sqlite: await started(startFloor(`sqlite:${join(folder, 'floor.db')}`, null)),
      postgres: await started(startFloor(postgres.url, postgres)),
    }
    const ours = {
      sqlite: await started(startOurs(`file:${join(folder, 'stint.db')}`, null)),
      postgres: await started(startOurs(postgres.url, postgres)),
    }
    const parse = await started(startParse(postgres, SEEDED, false))
    if (parse === null)
      console.log('Parse Server cannot be started; the comparison with it is skipped')
    const liveParse = parse && (await started(startParse(postgres, SEEDED, true)))
    // Called this late because a process that is started by one restricted to a core would count
    // only that core.
    release = pinToCores([...subjects.map(({ pid }) => pid), ...family(postgres.pid())])
    const pairs: ServerBenchResult[] = []
    for (const { work, ofFloor } of TURNS) {
      for (const database of ['sqlite', 'postgres'] as const) {
        const references: Reference[] = ofFloor
          .filter((name) => floors[database].work[name] !== undefined)
          .map((name) => ({ subject: floors[database], work: name }))
        if (parse?.work[work] !== undefined) references.push({ subject: parse, work })
        // Reading needs no live queries.
        if (liveParse && work === 'create') references.push({ subject: liveParse, work })
        pairs.push(...(await measure(database, ours[database], work, references, options)))
      }
    }
    for (const pair of pairs) console.log(line(pair))
    printGainOfBatching(pairs)
    const megabytes = Object.fromEntries(
      subjects.map(({ name, pid }) => [name, residentMegabytes(pid)]),
    )
    for (const [name, size] of Object.entries(megabytes)) {
      if (size !== null) console.log(`${name}: ${size.toFixed(0)} MB resident after the load`)
    }
    return { pairs, megabytes }
  } finally {
    for (const subject of subjects) await subject.stop()
    await postgres.stop()
    release?.()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Reference {
  readonly subject: Subject
  readonly work: string
}

async function measure(
  database: 'sqlite' | 'postgres',
  ours: Subject,
  work: string,
  references: readonly Reference[],
  { rounds, milliseconds }: ServerBenchOptions,
): Promise<ServerBenchResult[]> {
  const turns = [{ subject: ours, work }, ...references].map((turn) => ({
    turn,
    measured: Array<LoadResult>(),
  }))
  for (const { turn } of turns) await load(loadOf(turn, WARM_UP_MILLISECONDS))
  for (let round = 0; round < rounds; round += 1) {
    for (const { turn, measured } of turns) measured.push(await load(loadOf(turn, milliseconds)))
  }
  const [us, ...them] = turns.map(({ measured }) => medianOf(measured))
  if (us === undefined) throw new Error('Nothing was measured')
  return them.map((their, index) => {
    const reference = `${references[index]?.subject.name}: ${references[index]?.work}`
    return {
      database,
      work,
      reference,
      ...us,
      ratio: us.perSecond / their.perSecond,
      cpuRatio:
        us.cpuMicroseconds === null || their.cpuMicroseconds === null
          ? null
          : their.cpuMicroseconds / us.cpuMicroseconds,
      aim: aimOf(database, work, reference),
    }
  })
}

function loadOf({ subject, work }: Reference, milliseconds: number): Load {
  const asked = subject.work[work]
  if (!asked) throw new Error(`${subject.name} does no ${work}`)
  const { port, pid, postgres } = subject
  const pids = () => [pid, ...(postgres === null ? [] : family(postgres.pid()))]
  return { port, pids, connections: CONNECTIONS, milliseconds, ...asked }
}

function medianOf(results: readonly LoadResult[]): LoadResult {
  const times = results.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? [])
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: times.length === results.length ? median(times) : null,
    p99Milliseconds: median(results.map(({ p99Milliseconds }) => p99Milliseconds)),
    refused: results.reduce((sum, { refused }) => sum + refused, 0),
  }
}

function line(result: ServerBenchResult): string {
  const { database, work, reference, perSecond, cpuMicroseconds, p99Milliseconds } = result
  const cpu = cpuMicroseconds === null ? '' : `${cpuMicroseconds.toFixed(0).padStart(5)} µs`
  const cpuRatio = result.cpuRatio === null ? '' : `, by processor ${result.cpuRatio.toFixed(2)}`
  return (
    `${database.padEnd(8)} ${work.padEnd(23)} ${perSecond.toFixed(0).padStart(6)}/s ${cpu} ` +
    `p99 ${p99Milliseconds.toFixed(1).padStart(5)} ms  ${result.ratio.toFixed(2)} × ${reference}${cpuRatio}` +
    verdict(result)
  )
}

/**
 * Prints how much faster the floor is with batched creates; the difference is smaller on a fast
 * disk.
 */
function printGainOfBatching(pairs: readonly ServerBenchResult[]): void {
  const creates = pairs.filter(({ database, work }) => database === 'sqlite' && work === 'create')
  const together = creates.find(({ reference }) => reference.endsWith('create, together'))
  for (const { reference, ratio } of creates) {
    if (together === undefined || reference === together.reference) continue
    console.log(`${together.reference} is ${(ratio / together.ratio).toFixed(2)} × ${reference}`)
  }
}

/** The headers of a browser. The floor receives the same bytes, though it ignores them. */
const SENT_ALONG = { 'X-Appwrite-Project': 'stint', Cookie: `a_session_stint=${'x'.repeat(134)}` }

async function startFloor(where: string, postgres: TestPostgres | null): Promise<Subject> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts'), where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  const port = Number(String(said).trim())
  const ids = await seed(port, SEEDED, (id) =>
    httpRequest('POST', '/together', SENT_ALONG, entry(id, 'owner')),
  )
  const work: Record<string, Work> = {
    'create, one by one': { request: () => createOnFloor('/create'), status: 201 },
    get: { request: () => httpRequest('GET', `/get/${anyOf(ids)}`, SENT_ALONG), status: 200 },
    'list 100, stored JSON': {
      request: () => httpRequest('GET', '/list/owner/counted', SENT_ALONG),
      status: 200,
    },
    'list 100, typed columns': {
      request: () => httpRequest('GET', '/typed', SENT_ALONG),
      status: 200,
    },
  }
  for (const { name, entries } of HISTORIES) {
    const owner = `owner-of-${entries}`
    const create = (id: string) => httpRequest('POST', '/together', SENT_ALONG, entry(id, owner))
    await seed(port, entries, create, CONNECTIONS)
    const list = httpRequest('GET', `/list/${owner}`, SENT_ALONG)
    const counted = httpRequest('GET', `/list/${owner}/counted`, SENT_ALONG)
    work[`list of ${name}`] = { request: () => list, status: 200 }
    work[`list of ${name}, counted`] = { request: () => counted, status: 200 }
  }
  const isSqlite = where.startsWith('sqlite:')
  if (isSqlite)
    work['create, together'] = { request: () => createOnFloor('/together'), status: 201 }
  return {
    name: isSqlite ? 'floor on SQLite' : 'floor on PostgreSQL',
    port,
    pid: child.pid ?? 0,
    postgres,
    work,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

function createOnFloor(path: string): Buffer {
  return httpRequest('POST', path, SENT_ALONG, entry(nextId(), 'owner'))
}

async function startOurs(databaseUrl: string, postgres: TestPostgres | null): Promise<Subject> {
  const port = await freePort()
  const server = await startServer(databaseUrl, port, {}, MAIN)
  const account = await signUp(port)
  const ids = await seed(port, SEEDED, (id) => createEntry(account, id))
  let minutes = 0
  const newInstant = () => new Date(Date.UTC(2001, 0, 1) + 60_000 * minutes++).toISOString()
  const lists: Record<string, Work> = {}
  for (const { name, entries } of HISTORIES) {
    const person = await signUp(port)
    await seed(port, entries, (id) => createEntry(person, id), CONNECTIONS)
    lists[`list of ${name}`] = { request: () => listChanged(person, newInstant()), status: 200 }
    lists[`list of ${name}, counted`] = {
      request: () => listNewest(person, 100, newInstant()),
      status: 200,
    }
  }
  return {
    name: databaseUrl.startsWith('file:') ? 'Stint on SQLite' : 'Stint on PostgreSQL',
    port,
    pid: server.pid,
    postgres,
    work: {
      create: { request: () => createEntry(account, nextId()), status: 201 },
      get: {
        request: () => httpRequest('GET', `${DOCUMENTS}/${anyOf(ids)}`, account.headers),
        status: 200,
      },
      'list 100': { request: () => listNewest(account, 100, newInstant()), status: 200 },
      ...lists,
    },
    async stop() {
      server.end('SIGTERM')
      await server.exited
    },
  }
}
