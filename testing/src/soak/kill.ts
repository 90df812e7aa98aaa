/**
 * Kills the server with SIGKILL at random moments while users track time. After each kill it reads
 * the entries of that round, and at the end everything that was ever acknowledged. This process
 * records what was acknowledged. Refused writes must not be stored; unanswered ones may be.
 */
import type { TestPostgres } from '#postgres.ts'
import { freePort } from '#free-port.ts'
import { startServer, untilReady } from '#server-process.ts'
import { call, signUp } from './client.ts'

const SESSIONS = '/databases/stint/collections/timer_sessions/documents'
const ENTRIES = '/databases/stint/collections/time_entries/documents'

/**
 * The latest moment of a kill, in milliseconds after the start of a round. On a busy machine nothing is
 * acknowledged until then, and the next round lasts longer.
 */
const LATEST_MILLISECONDS = 200

/** The number of entries in one request. */
const PAGE = 1000

export interface KillOptions {
  /** Killed in every other round instead of the server, which continues. */
  readonly postgres?: TestPostgres
  /** The program to run instead of the server's own. */
  readonly main?: URL
  /**
   * Continues after the rounds until this many entries were acknowledged: a busy machine is slow.
   */
  readonly atLeast?: number
  /** Called with the figures after each round. */
  readonly onRound?: (report: KillReport) => void
}

export interface KillReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Sent, but killed before a reply. */
  readonly unknown: number
  readonly lost: readonly string[]
  /** Replies with 5xx other than 503. */
  readonly faults: number
  /** The time from the start of the killed process until the server was ready. */
  readonly slowestStartMilliseconds: number
}

/** Runs the rounds against an empty database at `databaseUrl`. */
export async function killRounds(
  databaseUrl: string,
  rounds: number,
  writers: number,
  { postgres, main, atLeast = 0, onRound }: KillOptions = {},
): Promise<KillReport> {
  const port = await freePort()
  const cookies = new Map<string, string>()
  const answered = new Set<string>()
  const lost = new Set<string>()
  /** The found entries of each writer, in order. The next round reads those after the last. */
  const found = new Map<string, string[]>()
  let unknown = 0
  let faults = 0
  let slowest = 0
  let latest = LATEST_MILLISECONDS
  let next = 0
  let done = 0
  const start = () => startServer(databaseUrl, port, {}, main)

  let server = await start()
  try {
    await run()
  } finally {
    server.end('SIGTERM')
    await server.exited
  }
  return report()

  async function run(): Promise<void> {
    for (let writer = 0; writer < writers; writer++) {
      cookies.set(`w${writer}`, await signUp(port, `w${writer}`))
    }
    for (let round = 1; round <= rounds || answered.size < atLeast; round++) {
      const isDatabase = postgres !== undefined && round % 2 === 0
      // A random moment, from before the first commit to well into the round.
      const answeredBefore = answered.size
      const killed = after(20 + Math.random() * (latest - 20), async () => {
        if (isDatabase) return postgres.kill()
        server.end('SIGKILL')
        await server.exited
      })
      await Promise.all([killed, ...[...cookies.keys()].map(keepTracking)])
      latest = answered.size > answeredBefore ? LATEST_MILLISECONDS : latest * 1.5
      const started = performance.now()
      if (isDatabase) {
        await postgres.resume()
        await untilReady(port)
      } else {
        server = await start()
      }
      slowest = Math.max(slowest, Math.round(performance.now() - started))
      for (const each of await missing()) lost.add(each)
      done = round
      onRound?.(report())
    }
    found.clear()
    for (const each of await missing()) lost.add(each)
  }

  function report(): KillReport {
    return {
      rounds: done,
      acknowledged: answered.size,
      unknown,
      lost: [...lost],
      faults,
      slowestStartMilliseconds: slowest,
    }
  }

  /** Starts, stops, saves and deletes until the server is gone. */
  async function keepTracking(writer: string): Promise<void> {
    for (;;) {
      const id = `s${next++}`
      const times = { startTime: '2026-01-15T11:00:00Z', endTime: '2026-01-15T11:30:00Z' }
      const entry = { taskId: 't1', userId: writer, ...times, durationSeconds: 1800, sessionId: id }
      const steps: [string, string, object][] = [
        [
          'POST',
          SESSIONS,
          { documentId: id, data: { taskId: 't1', userId: writer, startTime: times.startTime } },
        ],
        ['PATCH', `${SESSIONS}/${id}`, { data: { isRunning: false, endTime: times.endTime } }],
        ['POST', ENTRIES, { documentId: id, data: entry }],
        ['DELETE', `${SESSIONS}/${id}`, {}],
      ]
      for (const [method, path, body] of steps) {
        const status = await send(writer, method, path, body)
        if (status === null || status === 503) {
          unknown++
          return
        }
        if (status >= 500) faults++
        if (path === ENTRIES && status === 201) answered.add(`${writer} ${id}`)
        // The session of a killed round is still active; it is stopped with the next one.
        if (status === 409 && path === SESSIONS) await clearSessions(writer)
      }
    }
  }

  function as(writer: string): Record<string, string> {
    return { cookie: cookies.get(writer) ?? '' }
  }

  async function clearSessions(writer: string): Promise<void> {
    const reply = await call(port, 'GET', SESSIONS, undefined, as(writer)).catch(() => null)
    const documents = reply?.status === 200 ? await documentsOf(reply) : []
    for (const { $id } of documents) await send(writer, 'DELETE', `${SESSIONS}/${$id}`, {})
  }

  async function send(writer: string, method: string, path: string, body: object) {
    try {
      const reply = await call(port, method, path, body, as(writer))
      await reply.text()
      return reply.status
    } catch {
      return null
    }
  }

  /** Returns the acknowledged entries that are missing, among those not found before. */
  async function missing(): Promise<string[]> {
    for (const [writer, cookie] of cookies) {
      const ids = found.get(writer) ?? []
      found.set(writer, ids)
      for (let isEnd = false; !isEnd;) {
        const last = ids.at(-1)
        const queries = [
          `{"method":"limit","values":[${PAGE}]}`,
          ...(last === undefined ? [] : [`{"method":"cursorAfter","values":["${last}"]}`]),
        ]
        const search = queries.map((query, at) => `queries[${at}]=${encodeURIComponent(query)}`)
        const documents = await listed(cookie, `${ENTRIES}?${search.join('&')}`)
        ids.push(...documents.map(({ $id }) => $id))
        isEnd = documents.length < PAGE
      }
    }
    const there = new Set([...found].flatMap(([writer, ids]) => ids.map((id) => `${writer} ${id}`)))
    return [...answered].filter((each) => !there.has(each))
  }

  /** Lists documents, with retries while the server is overloaded, which is no sign of a loss. */
  async function listed(cookie: string, path: string) {
    for (;;) {
      const reply = await call(port, 'GET', path, undefined, { cookie })
      if (reply.status === 200) return documentsOf(reply)
      const text = await reply.text()
      if (reply.status !== 503) throw new Error(`A list was answered ${reply.status}: ${text}`)
      await after(100, async () => {})
    }
  }
}

async function after(milliseconds: number, work: () => Promise<void>): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds))
  await work()
}

async function documentsOf(reply: Response): Promise<readonly { readonly $id: string }[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list call's answer
  const { documents } = (await reply.json()) as { documents: { $id: string }[] }
  return documents
}
