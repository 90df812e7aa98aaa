/**
 * Hostile requests, half of them of a signed-in user, from a generator with a seed. None may crash
 * the server, hang, leak memory or get a 5xx.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createTestApp } from '#test-app.ts'

const SEED = 20_260_115
const CANARY = 'canary-of-ann'
const MEBIBYTE = 2 ** 20

export interface HostileReport {
  readonly requests: number
  /** The number of replies by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The requests with a forbidden reply; at most ten. */
  readonly wrong: readonly string[]
  readonly slowestMilliseconds: number
  readonly loopDelayP99Milliseconds: number
  /** The growth of the process after the warm-up. */
  readonly residentGrowthMebibytes: number
  /** The growth of reachable memory after the warm-up. */
  readonly heapGrowthMebibytes: number
}

/**
 * The largest allowed growth of reachable memory, in mebibytes: code and caches of requests that
 * are new.
 */
export const MAX_HEAP_GROWTH = 20
/** The number of requests of the warm-up, or half of all if they are fewer. */
const WARM_UP = 10_000
/** How long the server keeps temporary state such as answered connections, in milliseconds. */
const FORGOTTEN_WITHIN = 2000

/** Sends so many requests to a separate server. */
export async function hostileRequests(requests: number): Promise<HostileReport> {
  const server = await createTestApp()
  const ann = await server.signedInUser('Ann')
  await ann.call('POST', '/databases/stint/collections/tasks/documents', {
    documentId: 'anns',
    data: { name: CANARY, userId: ann.id },
  })
  const bob = await server.signedInUser('Bob')
  const cookie = [...bob.cookies].map((pair) => pair.join('=')).join('; ')
  const created = await bob.call('POST', '/stint/keys', { name: 'Shell', access: 'write' })
  const routes = server.app.routeTable.map(({ name }) => name)
  const target = {
    routes: [...routes.filter((route) => !LEAVING.test(route)), 'POST /mcp', 'GET /feed/:name'],
    userId: bob.id,
    key: String(created.body.secret),
  }
  const random = generator(SEED)
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  const delay = monitorEventLoopDelay({ resolution: 10 })
  let slowest = 0
  const warmAt = Math.floor(Math.min(WARM_UP, requests / 2))
  let resident = 0
  let heap = 0
  delay.enable()
  for (let count = 0; count < requests; count++) {
    if (count === warmAt) {
      heap = reachableBytes()
      resident = process.memoryUsage.rss()
    }
    const request = hostileRequest(random, target, random() < 0.5 ? cookie : '')
    const started = performance.now()
    const reply = await server.app.inject(request)
    slowest = Math.max(slowest, performance.now() - started)
    statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1)
    // This server sends no mail, and nobody else signs people in to it.
    const isOff = /general_smtp_disabled|user_auth_method_unsupported/.test(reply.body)
    const isWrong =
      (reply.statusCode >= 500 && !isOff) ||
      reply.body.includes(CANARY) ||
      /node_modules|sqlite|select |at \w+ \(/i.test(reply.body)
    // The message is the request, to reproduce it.
    if (isWrong && wrong.length < 10) {
      wrong.push(
        JSON.stringify({ request, status: reply.statusCode, body: reply.body }).slice(0, 2000),
      )
    }
    // Lets the event loop and its monitor run, as between requests of a socket.
    if (count % 10 === 0) await turn()
  }
  delay.disable()
  const growth = process.memoryUsage.rss() - resident
  // Temporary state, such as answered connections, is released by then.
  await sleep(FORGOTTEN_WITHIN)
  const heapGrowth = reachableBytes() - heap
  await server.close()
  return {
    requests,
    statuses: Object.fromEntries(statuses),
    wrong,
    slowestMilliseconds: Math.round(slowest),
    loopDelayP99Milliseconds: Math.round(delay.percentile(99) / 1e6),
    residentGrowthMebibytes: Math.round(growth / MEBIBYTE),
    heapGrowthMebibytes: Math.round(heapGrowth / MEBIBYTE),
  }
}

/** Returns the memory that is reachable after a full garbage collection. */
function reachableBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u0000',
  "'; drop table tasks; --",
  "' or 1=1 --",
  '%',
  '_',
  '\\',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$gt',
  '../../etc/passwd',
  '%2e%2e',
  '%00',
  '<script>alert(1)</script>',
  'x'.repeat(300),
  '😀'.repeat(300),
  'unique()',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  'current',
  'anns',
  'read("any")',
  '+275760-09-13T00:00:00Z',
  '2026-02-30',
  '0000-01-01',
  '2026-01-15T12:00:00Z',
  '\u200b',
  'Z͑ͫ̓ͪ̂ͫ̽',
  '{}',
  '[]',
  '{"method":"equal"',
  'UTC',
  'Europe/Berlin',
  '9-10',
  '10m ago',
  'last month',
  'day',
  '1_a',
]
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE]
const KEYS = [
  'name',
  'userId',
  'taskId',
  'isActive',
  'goalHours',
  'totalTime',
  'startTime',
  'endTime',
  'durationSeconds',
  'pauses',
  'isRunning',
  '$id',
  '$createdAt',
  '$permissions',
  '$sequence',
  'owner',
  'body',
  'sequence',
  'constructor',
  'toString',
  'email',
  'password',
  'prefs',
  'documentId',
  'data',
  'permissions',
  'secret',
  'url',
  'value',
  'min',
  'max',
  'oldPassword',
  'access',
  'notBefore',
  'invite',
  'remember',
  'task',
  'newTask',
  'line',
  'at',
  'start',
  'end',
  'note',
  'timeZone',
  'jsonrpc',
  'method',
  'params',
  'arguments',
  'reason',
  'changes',
]
/** The queries of programs. */
const PARAMETERS = ['timeZone', 'filter', 'limit', 'cursor', 'period', 'from', 'to', 'by', 'q']
/** The tools of assistants. */
const TOOLS = ['now', 'start', 'stop', 'find_sessions', 'total', 'propose_changes', 'other']
const METHODS = [
  'equal',
  'notEqual',
  'lessThan',
  'greaterThan',
  'between',
  'isNull',
  'contains',
  'startsWith',
  'endsWith',
  'search',
  'regex',
  'and',
  'or',
  'orderAsc',
  'orderDesc',
  'orderRandom',
  'limit',
  'offset',
  'cursorAfter',
  'cursorBefore',
  'select',
  'elemMatch',
  'exists',
  'vectorDot',
  '',
  '__proto__',
]
const TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/json\t;x',
  'multipart/form-data',
  '',
]

/** Numbers from 0 up to 1. */
export type Random = () => number

/** Where a key is sent; elsewhere it is refused before anything is read. */
const TAKES_KEYS = /\/(?:mcp|now|start|stop|pause|resume|toggle|sessions|total|tasks|current)$/

/** Bob must stay signed in, because the remaining requests would otherwise be refused. */
const LEAVING = /^(DELETE \/v1\/account\/sessions|PATCH \/v1\/account\/status)/

/** The target of the requests. */
interface Target {
  readonly routes: readonly string[]
  readonly userId: string
  /** A personal key. */
  readonly key: string
}

function hostileRequest(random: Random, target: Target, cookie: string) {
  const template = pick(random, target.routes)
  const [method = 'GET', pattern = '/'] = template.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => parameter(random, name))
  const search = random() < 0.5 ? `?${query(random)}` : ''
  const body = method === 'GET' ? {} : { payload: hostileBody(random, target) }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- out of the route table
    method: method as 'GET',
    url: path + search,
    headers: {
      'x-appwrite-project': random() < 0.97 ? 'stint' : pick(random, ['', 'other', '__proto__']),
      'content-type': pick(random, TYPES),
      ...(cookie === '' ? {} : { cookie }),
      ...(random() < 0.5 && TAKES_KEYS.test(template)
        ? { authorization: `Bearer ${target.key}`, accept: 'application/json, text/event-stream' }
        : {}),
      ...(random() < 0.1
        ? { 'idempotency-key': pick(random, ['', 'a', 'b', 'x'.repeat(300)]) }
        : {}),
      ...(random() < 0.1
        ? {
            'x-fallback-cookies': pick(random, [
              '{',
              '[]',
              '{"a_session_stint":1}',
              '{"a_session_stint":"e30"}',
            ]),
          }
        : {}),
      ...(random() < 0.1
        ? { 'x-appwrite-session': pick(random, ['x', 'e30', 'bnVsbA', '////']) }
        : {}),
      ...(random() < 0.1
        ? { 'x-appwrite-timestamp': pick(random, ['x', '2026-01-15', '9999']) }
        : {}),
      ...(random() < 0.05
        ? { 'x-forwarded-for': pick(random, ['::1', 'x', '1.1.1.1, 2.2.2.2']) }
        : {}),
    },
    ...body,
  }
}

function parameter(random: Random, name: string): string {
  if (random() < 0.7) {
    if (name === 'databaseId') return 'stint'
    if (name === 'collectionId') return pick(random, ['tasks', 'timer_sessions', 'time_entries'])
    if (name === 'attribute') return pick(random, ['totalTime', 'durationSeconds', 'name'])
    return pick(random, ['anns', 'd1', 'd2', 'current'])
  }
  return encodeURIComponent(pick(random, TEXTS).toWellFormed()) || '%20'
}

function query(random: Random): string {
  return Array.from({ length: Math.floor(random() * 4) }, (_, index) => {
    const value = random() < 0.8 ? JSON.stringify(hostileQuery(random, 0)) : pick(random, TEXTS)
    if (random() < 0.3) {
      return `${pick(random, PARAMETERS)}=${encodeURIComponent(pick(random, TEXTS).toWellFormed())}`
    }
    return `${pick(random, [`queries[${index}]`, 'queries[]', 'queries[0]', 'queries', 'total', 'project'])}=${encodeURIComponent(value.toWellFormed())}`
  }).join('&')
}

function hostileQuery(random: Random, depth: number): unknown {
  const values =
    depth < 5 && random() < 0.3
      ? [hostileQuery(random, depth + 1), hostileQuery(random, depth + 1)]
      : Array.from({ length: Math.floor(random() * 3) }, () => scalar(random))
  return {
    method: pick(random, METHODS),
    attribute: pick(random, random() < 0.8 ? KEYS : TEXTS),
    values: random() < 0.9 ? values : scalar(random),
  }
}

function hostileBody(random: Random, { userId }: Target): Buffer | string {
  const dice = random()
  if (dice < 0.04) return '['.repeat(30_000) + ']'.repeat(30_000)
  if (dice < 0.06) return '{"a":'.repeat(10_000)
  if (dice < 0.08) return JSON.stringify({ data: { name: 'x'.repeat(66_000) } })
  if (dice < 0.1) return '{"__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1}}}'
  if (dice < 0.12) return '{"constructor":{"prototype":{"polluted":1}}}'
  if (dice < 0.14) return Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
  if (dice < 0.16) return '{"data":{"goalHours":1e999,"name":"x"},"documentId":"d1"}'
  if (dice < 0.2) return pick(random, TEXTS)
  const data = object(random, 0)
  if (dice < 0.25) {
    const params = { name: pick(random, TOOLS), arguments: random() < 0.9 ? data : scalar(random) }
    return JSON.stringify({ jsonrpc: '2.0', id: scalar(random), method: 'tools/call', params })
  }
  if (dice < 0.3)
    return `{"task":"x","timeZone":"UTC","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  return JSON.stringify(
    random() < 0.6
      ? {
          documentId: pick(random, ['d1', 'd2', 'unique()', ...TEXTS]),
          data: { name: 'x', userId, ...data },
          permissions: random() < 0.2 ? [scalar(random)] : undefined,
        }
      : data,
  )
}

function object(random: Random, depth: number): Record<string, unknown> {
  const entries = Array.from({ length: Math.floor(random() * 6) }, () => [
    pick(random, random() < 0.9 ? KEYS : TEXTS),
    depth < 3 && random() < 0.15 ? object(random, depth + 1) : scalar(random),
  ])
  return Object.fromEntries(entries)
}

/** Returns any single value that a parser may handle wrongly. */
export function scalar(random: Random): unknown {
  return pick(random, [
    pick(random, TEXTS),
    pick(random, NUMBERS),
    null,
    true,
    false,
    [pick(random, TEXTS)],
    { a: 1 },
  ])
}

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('Nothing to pick from')
  return value
}

/** Returns a generator with the same numbers for the same seed. */
export function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
