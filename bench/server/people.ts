/**
 * Benchmarks of what users notice beside single requests: signing in, the time until another device
 * receives a write, the cost of a long history, the time until a killed server is back, and the
 * gain of a second process.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { startPostgres } from '@stint/testing/postgres.ts'
import type { TestPostgres } from '@stint/testing/postgres.ts'
import { fillHistory } from '@stint/testing/soak/history.ts'
import { freePort } from '@stint/testing/free-port.ts'
import { MAIN, startServer } from '@stint/testing/server-process.ts'
import type { ServerProcess } from '@stint/testing/server-process.ts'
import { WebSocket } from 'ws'

import { family } from './cores.ts'
import { httpRequest, load, residentMegabytes } from './load.ts'
import { limitProcessorTime } from './share.ts'
import {
  anyOf,
  createEntry,
  DOCUMENTS,
  listChanges,
  listNewest,
  nextId,
  noProcesses,
  quantile,
  seed,
  signUp,
} from './work.ts'
import type { Account } from './work.ts'

export interface PeopleBench {
  readonly signIn: SignInResult
  readonly events: readonly EventResult[]
  readonly growth: readonly GrowthResult[]
  readonly processes: readonly ProcessesResult[]
}

interface SignInResult {
  readonly perSecond: number
  /** Per second of processor time. */
  readonly perCoreSecond: number | null
  readonly loopDelayP99Milliseconds: number
  readonly loopDelayMaxMilliseconds: number
}

interface EventResult {
  readonly database: string
  readonly sockets: number
  readonly processes: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** Events that did not arrive in five seconds. */
  readonly missing: number
}

interface GrowthResult {
  readonly database: string
  readonly entries: number
  /**
   * Processor time, PostgreSQL's own processes included. The last one is for a hundred changed
   * entries, as one sync reads them.
   */
  readonly listMicroseconds: number | null
  readonly createMicroseconds: number | null
  readonly getMicroseconds: number | null
  readonly syncMicroseconds: number | null
  readonly residentMegabytes: number | null
  /** The time from the kill of the server to its first reply. */
  readonly backMilliseconds: number
}

interface ProcessesResult {
  readonly work: string
  /** The share of a core that each process may use; null: unlimited. */
  readonly share: number | null
  readonly onePerSecond: number
  readonly twoPerSecond: number
  readonly ratio: number
}

/** The longest history has as many entries as a server stores for one person unless told otherwise. */
const NO_QUOTA = { QUOTA_DOCUMENTS: 'off', QUOTA_BYTES: 'off' }

/** Runs the benchmarks and prints the results. */
export async function benchPeople(isQuick: boolean): Promise<PeopleBench> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-bench-'))
  const postgres = await startPostgres(['max_connections=100'])
  try {
    const sqlite = (name: string) => `file:${join(folder, `${name}.db`)}`
    const signIn = await benchSignIn(sqlite('sign-in'), isQuick ? 2000 : 10_000)
    // With fewer writes, one pause of the machine would decide the percentiles.
    const writes = isQuick ? 100 : 1000
    const events = [
      await benchEvents([sqlite('events')], 100, writes),
      await benchEvents([postgres.url, postgres.url], 100, writes),
    ]
    const processes = await benchProcesses(postgres.url, isQuick ? 1500 : 5000)
    const growth: GrowthResult[] = []
    const sizes = isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]
    for (const [url, itsPostgres] of [
      [sqlite('growth'), null],
      [postgres.url, postgres],
    ] as const) {
      growth.push(...(await benchGrowth(url, itsPostgres, sizes, isQuick ? 500 : 2000)))
    }
    return { signIn, events, growth, processes }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchSignIn(databaseUrl: string, milliseconds: number): Promise<SignInResult> {
  const port = await freePort()
  const probe = new URL('lag.ts', import.meta.url).pathname
  const server = await startServer(databaseUrl, port, { NODE_OPTIONS: `--import ${probe}` }, MAIN)
  const { email, password } = await signUp(port)
  const headers = { 'X-Appwrite-Project': 'stint' }
  const request = () =>
    httpRequest('POST', '/v1/account/sessions/email', headers, { email, password })
  const asked = { port, pids: () => [server.pid], connections: 8, request, status: 201 }
  await load({ ...asked, milliseconds: 500 })
  await loopDelay(server)
  const { perSecond, cpuMicroseconds } = await load({ ...asked, milliseconds })
  const [p99 = NaN, max = NaN] = await loopDelay(server)
  await stop(server)
  const perCoreSecond = cpuMicroseconds === null ? null : 1_000_000 / cpuMicroseconds
  console.log(
    `sign-in: ${perSecond.toFixed(0)}/s, ${perCoreSecond?.toFixed(0) ?? '?'} for a second of a core; ` +
      `event loop late by ${p99.toFixed(1)} ms (p99), ${max.toFixed(1)} ms (most)`,
  )
  return {
    perSecond,
    perCoreSecond,
    loopDelayP99Milliseconds: p99,
    loopDelayMaxMilliseconds: max,
  }
}

/**
 * Returns the delay of the event loop since the last call: the 99th percentile and the maximum, in
 * milliseconds.
 */
async function loopDelay(server: ServerProcess): Promise<number[]> {
  const before = server.output().length
  process.kill(server.pid, 'SIGCONT')
  for (;;) {
    const said = /loop ([\d.]+) ([\d.]+)/.exec(server.output().slice(before))
    if (said) return said.slice(1).map(Number)
    await sleep(10)
  }
}

/** Writes that are not counted while the code is compiled. */
const WARM_UP_WRITES = 200
/** When a missing event counts as lost, in milliseconds. */
const GIVE_UP = 5000

/** A user writes through the first server; their other devices listen at the last. */
async function benchEvents(
  databaseUrls: readonly string[],
  sockets: number,
  writes: number,
): Promise<EventResult> {
  const servers: { port: number; server: ServerProcess }[] = []
  for (const url of databaseUrls) {
    const port = await freePort()
    servers.push({ port, server: await startServer(url, port, {}, MAIN) })
  }
  const [here, there] = [servers[0]?.port ?? 0, servers.at(-1)?.port ?? 0]
  const account = await signUp(here)
  const ears: WebSocket[] = []
  const delays: number[] = []
  const write = { sentAt: 0, heard: 0 }
  while (ears.length < sockets) {
    const batch = Array.from({ length: Math.min(100, sockets - ears.length) }, () =>
      listen(there, account, () => {
        write.heard += 1
        delays.push(performance.now() - write.sentAt)
      }),
    )
    ears.push(...(await Promise.all(batch)))
  }
  for (let index = -WARM_UP_WRITES; index < writes; index += 1) {
    if (index === 0) delays.length = 0
    Object.assign(write, { sentAt: performance.now(), heard: 0 })
    const reply = await fetch(`http://127.0.0.1:${here}${DOCUMENTS}`, {
      method: 'POST',
      headers: { ...account.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(entryOf(account)),
    })
    await reply.text()
    while (write.heard < sockets && performance.now() - write.sentAt < GIVE_UP) await sleep(1)
  }
  for (const ear of ears) ear.terminate()
  for (const { server } of servers) await stop(server)
  const database = databaseUrls[0]?.startsWith('file:') === true ? 'sqlite' : 'postgres'
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
  console.log(
    `${database}, ${servers.length} process(es): a write is heard by ${sockets} sockets after ` +
      `${p50.toFixed(1)} ms (median), ${p99.toFixed(1)} ms (p99)`,
  )
  return {
    database,
    sockets,
    processes: servers.length,
    p50Milliseconds: p50,
    p99Milliseconds: p99,
    missing: writes * sockets - delays.length,
  }
}

function entryOf({ userId }: Account) {
  const end = new Date().toISOString()
  const data = { taskId: 'task', userId, startTime: end, endTime: end, durationSeconds: 0 }
  return { documentId: nextId(), data }
}

/** Opens a socket that is subscribed to everything of its owner. */
async function listen(port: number, account: Account, onEvent: () => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=stint`, {
    headers: { cookie: account.headers['Cookie'] ?? '' },
  })
  const ready = Promise.withResolvers<WebSocket>()
  socket.on('error', ready.reject)
  socket.on('message', (bytes) => {
    const text = Buffer.isBuffer(bytes) ? bytes.toString('latin1', 0, 24) : ''
    if (text.startsWith('{"type":"event"')) onEvent()
    else if (text.startsWith('{"type":"response"')) ready.resolve(socket)
    else if (text.startsWith('{"type":"connected"')) {
      socket.send('{"type":"subscribe","data":[{"subscriptionId":"s1","channels":["documents"]}]}')
    }
  })
  return ready.promise
}

/** The share of each server that leaves the database and the load enough of two cores. */
const SHARE = 0.3

/**
 * Compares one process on PostgreSQL with two, with as many users at each: once with a share of a
 * core per process, once with all cores.
 */
async function benchProcesses(url: string, milliseconds: number): Promise<ProcessesResult[]> {
  const results: ProcessesResult[] = []
  const ports = [await freePort(), await freePort()]
  const servers = await Promise.all(ports.map((port) => startServer(url, port, {}, MAIN)))
  const [first = 0] = ports
  const account = await signUp(first)
  const list = listNewest(account, 100)
  const ids = await seed(first, 200, (id) => createEntry(account, id))
  const works = {
    'list 100': { request: () => list, status: 200 },
    get: {
      request: () => httpRequest('GET', `${DOCUMENTS}/${anyOf(ids)}`, account.headers),
      status: 200,
    },
    create: { request: () => createEntry(account, nextId()), status: 201 },
  }
  for (const share of [SHARE, null]) {
    const release = share === null ? [] : servers.map(({ pid }) => limitProcessorTime(pid, share))
    for (const [name, work] of Object.entries(works)) {
      const asked = { pids: noProcesses, connections: 25, ...work }
      const at = (port: number) => load({ port, milliseconds, ...asked })
      await Promise.all(ports.map((port) => load({ port, milliseconds: 1500, ...asked })))
      const one = await at(first)
      const two = await Promise.all(ports.map(at))
      const twoPerSecond = two.reduce((sum, { perSecond }) => sum + perSecond, 0)
      const ratio = twoPerSecond / one.perSecond
      console.log(
        `postgres, ${name}, ${share === null ? 'all on these cores' : `${share} of a core each`}: ` +
          `${one.perSecond.toFixed(0)}/s by one process, ` +
          `${twoPerSecond.toFixed(0)}/s by two, ${ratio.toFixed(2)} times`,
      )
      results.push({ work: name, share, onePerSecond: one.perSecond, twoPerSecond, ratio })
    }
    for (const each of release) each?.()
  }
  for (const server of servers) await stop(server)
  return results
}

/** Measures the same work while a user's history grows. */
async function benchGrowth(
  url: string,
  postgres: TestPostgres | null,
  sizes: readonly number[],
  milliseconds: number,
): Promise<GrowthResult[]> {
  const database = postgres === null ? 'sqlite' : 'postgres'
  const results: GrowthResult[] = []
  const port = await freePort()
  let server = await startServer(url, port, NO_QUOTA, MAIN)
  const account = await signUp(port)
  let entries = 0
  for (const size of sizes) {
    await stop(server)
    await fillHistory(url, account.userId, entries, size)
    entries = size
    server = await startServer(url, port, NO_QUOTA, MAIN)
    const pids = () => [server.pid, ...(postgres === null ? [] : family(postgres.pid()))]
    const cost = async (request: () => Buffer, status: number) => {
      const asked = { port, pids, connections: 10, request, status }
      await load({ ...asked, milliseconds: WARM_UP_MILLISECONDS })
      return (await load({ ...asked, milliseconds })).cpuMicroseconds
    }
    const since = new Date(Date.UTC(2016, 0, 1) + (size - 100) * MINUTE).toISOString()
    // Leaves out the entries that creating adds below.
    const sync = listChanges(account, since, '2020-01-01T00:00:00.000Z')
    const list = listNewest(account, 100)
    const syncMicroseconds = await cost(() => sync, 200)
    const listMicroseconds = await cost(() => list, 200)
    const getMicroseconds = await cost(
      () =>
        httpRequest('GET', `${DOCUMENTS}/old${Math.floor(Math.random() * size)}`, account.headers),
      200,
    )
    const createMicroseconds = await cost(() => createEntry(account, nextId()), 201)
    const megabytes = residentMegabytes(server.pid)
    server.end('SIGKILL')
    await server.exited
    server = await startServer(url, port, NO_QUOTA, MAIN)
    const figures = { listMicroseconds, createMicroseconds, getMicroseconds, syncMicroseconds }
    const shown = Object.values(figures).map((each) => each?.toFixed(0) ?? '?')
    console.log(
      `${database}, ${size} entries: list, create, get, sync in ${shown.join(', ')} µs of processor ` +
        `time; ${megabytes?.toFixed(0) ?? '?'} MB; back ${server.milliseconds} ms after a kill${fileSize(url)}`,
    )
    results.push({
      database,
      entries: size,
      ...figures,
      residentMegabytes: megabytes,
      backMilliseconds: server.milliseconds,
    })
  }
  await stop(server)
  return results
}

const MINUTE = 60_000
/** The warm-up, in which the code is compiled. */
const WARM_UP_MILLISECONDS = 1500

function fileSize(url: string): string {
  if (!url.startsWith('file:')) return ''
  return `, ${(statSync(url.slice('file:'.length)).size / 1e6).toFixed(0)} MB on disk`
}

async function stop(server: ServerProcess): Promise<void> {
  server.end('SIGTERM')
  await server.exited
}
