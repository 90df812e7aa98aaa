/**
 * Kills the server with SIGKILL at any moment, again and again, under people who track time, and
 * asks afterwards for everything it ever answered (reliability S1, H5). What it refused must not be
 * there; what it left unanswered may be.
 */
import { freePort, startServer } from './server-process.ts'

const PASSWORD = 'correct horse 1'
const SESSIONS = '/databases/stint/collections/timer_sessions/documents'
const ENTRIES = '/databases/stint/collections/time_entries/documents'

export interface KillReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Sent, but killed before an answer. */
  readonly unknown: number
  readonly lost: readonly string[]
  readonly slowestStartMilliseconds: number
}

/** Runs the rounds against a database of its own at `databaseUrl`. */
export async function killRounds(
  databaseUrl: string,
  rounds: number,
  writers: number,
): Promise<KillReport> {
  const port = await freePort()
  const cookies = new Map<string, string>()
  const answered = new Set<string>()
  const lost: string[] = []
  let unknown = 0
  let slowest = 0
  let next = 0

  for (let round = 0; round < rounds; round++) {
    const server = await startServer(databaseUrl, port)
    slowest = Math.max(slowest, server.milliseconds)
    for (const writer of Array.from({ length: writers }, (_, index) => `w${index}`)) {
      if (!cookies.has(writer)) cookies.set(writer, await signUp(port, writer))
    }
    lost.push(...(await missing()))
    // Any moment: from before the first commit to well into the run.
    const end = setTimeout(() => server.end('SIGKILL'), 20 + Math.random() * 180)
    await Promise.all([...cookies.keys()].map(keepTracking))
    clearTimeout(end)
    await server.exited
  }
  const last = await startServer(databaseUrl, port)
  lost.push(...(await missing()))
  last.end('SIGKILL')
  await last.exited
  return {
    rounds,
    acknowledged: answered.size,
    unknown,
    lost,
    slowestStartMilliseconds: slowest,
  }

  /** Start, stop, save, delete, until the server is gone. */
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
        if (status === null) {
          unknown++
          return
        }
        if (path === ENTRIES && status === 201) answered.add(`${writer} ${id}`)
        // The session of a killed round is still active: it is stopped with the next one.
        if (status === 409 && path === SESSIONS) await clearSessions(writer)
      }
    }
  }

  async function clearSessions(writer: string): Promise<void> {
    const reply = await call(port, cookies.get(writer) ?? '', 'GET', SESSIONS).catch(() => null)
    const documents = reply === null ? [] : await documentsOf(reply)
    for (const { $id } of documents) await send(writer, 'DELETE', `${SESSIONS}/${$id}`, {})
  }

  async function send(writer: string, method: string, path: string, body: object) {
    try {
      const reply = await call(port, cookies.get(writer) ?? '', method, path, body)
      await reply.text()
      return reply.status
    } catch {
      return null
    }
  }

  /** What was answered and is not there. */
  async function missing(): Promise<string[]> {
    const there = new Set<string>()
    for (const [writer, cookie] of cookies) {
      for (let cursor = ''; ;) {
        const queries = ['{"method":"limit","values":[5000]}']
        if (cursor !== '') queries.push(`{"method":"cursorAfter","values":["${cursor}"]}`)
        const search = queries.map((query, at) => `queries[${at}]=${encodeURIComponent(query)}`)
        const reply = await call(port, cookie, 'GET', `${ENTRIES}?${search.join('&')}`)
        const documents = await documentsOf(reply)
        for (const { $id } of documents) there.add(`${writer} ${$id}`)
        const lastOne = documents.at(-1)
        if (lastOne === undefined || documents.length < 5000) break
        cursor = lastOne.$id
      }
    }
    return [...answered].filter((each) => !there.has(each))
  }
}

async function signUp(port: number, id: string): Promise<string> {
  const account = { userId: id, email: `${id}@example.com`, password: PASSWORD }
  await call(port, '', 'POST', '/account', account)
  const reply = await call(port, '', 'POST', '/account/sessions/email', account)
  await reply.text()
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

function call(port: number, cookie: string, method: string, path: string, body?: object) {
  return fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json', cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function documentsOf(reply: Response): Promise<readonly { readonly $id: string }[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list call's answer
  const { documents } = (await reply.json()) as { documents: { $id: string }[] }
  return documents
}
