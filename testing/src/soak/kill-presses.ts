/**
 * Kills the server with SIGKILL at random moments while programs start and stop timers with a key. A call without an
 * answer is repeated with the same `Idempotency-Key` until there is one. In the end, each start has become exactly one
 * session.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#free-port.ts'
import { startServer } from '#server-process.ts'
import { call, signUp } from './client.ts'

/** How long ago each timer starts, in milliseconds, so that its session is saved. */
const AGO = 60_000

export interface KillPressesReport {
  readonly rounds: number
  /** Starts and stops that were answered. */
  readonly presses: number
  /** Calls that were repeated because the server was gone. */
  readonly repeated: number
  /** What is not as it should be. */
  readonly wrong: readonly string[]
}

/** Runs the rounds, and more until there are `atLeast` presses, against an empty database at `databaseUrl`. */
export async function killPresses(
  databaseUrl: string,
  rounds: number,
  people: number,
  atLeast = 0,
): Promise<KillPressesReport> {
  const port = await freePort()
  const wrong: string[] = []
  const over = new AbortController()
  const total = { presses: 0, repeated: 0 }
  let done = 0
  const start = () => startServer(databaseUrl, port)
  let server = await start()
  try {
    const keys = await Promise.all(Array.from({ length: people }, (_, index) => keyOf(index)))
    const pressing = Promise.all(keys.map(keepPressing))
    for (; done < rounds || total.presses < atLeast; done++) {
      await sleep(20 + Math.random() * 180)
      server.end('SIGKILL')
      await server.exited
      server = await start()
    }
    over.abort()
    const counts = await pressing
    for (const [index, key] of keys.entries()) await check(key, counts[index] ?? 0)
  } finally {
    over.abort()
    server.end('SIGTERM')
    await server.exited
  }
  return { rounds: done, ...total, wrong }

  /** Starts and stops until the rounds are over or a press is refused. Returns how often. */
  async function keepPressing(key: string): Promise<number> {
    let count = 0
    for (; !over.signal.aborted; count++) {
      const at = new Date(Date.now() - AGO).toISOString()
      const started = await press(key, 'start', count, { task: 'Write', at, note: `${count}` })
      const stopped = await press(key, 'stop', count, {})
      if (started === null || stopped === null) return count
      if (started.timer.id !== stopped.session?.id) {
        wrong.push(
          `${count} was started as ${started.timer.id} and stopped as ${stopped.session?.id}`,
        )
      }
    }
    return count
  }

  async function press(
    key: string,
    name: string,
    count: number,
    body: object,
  ): Promise<Answer | null> {
    for (;;) {
      try {
        const headers = { 'idempotency-key': `${name} ${count}` }
        const reply = await call(port, 'POST', `/stint/${name}`, body, {
          ...bearer(key),
          ...headers,
        })
        const answer = await reply.json()
        if (reply.ok) {
          total.presses++
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reply of such a call
          return answer as Answer
        }
        if (reply.status !== 503) {
          wrong.push(`${name} ${count}: ${JSON.stringify(answer)}`)
          return null
        }
      } catch {
        total.repeated++
      }
      await sleep(50)
    }
  }

  /** Compares the sessions of a person with the number of timers. */
  async function check(key: string, count: number): Promise<void> {
    const notes: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/stint/sessions?timeZone=UTC&limit=500${cursor && `&cursor=${cursor}`}`
      const reply = await call(port, 'GET', path, undefined, bearer(key))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reply of such a call
      const { sessions, next } = (await reply.json()) as Found
      for (const { note, seconds } of sessions) {
        notes.push(note)
        if (seconds * 1000 < AGO) wrong.push(`${note} has ${seconds} seconds`)
      }
      cursor = next
    }
    const once = new Set(notes)
    if (notes.length !== count || once.size !== count) {
      wrong.push(
        `${count} timers have become ${notes.length} sessions, ${once.size} different ones`,
      )
    }
    const now = await call(port, 'GET', '/stint/now?timeZone=UTC', undefined, bearer(key))
    const text = await now.text()
    if (!text.includes('"timer":null')) wrong.push(`A timer is left: ${text}`)
  }

  async function keyOf(index: number): Promise<string> {
    const cookie = await signUp(port, `p${index}`)
    const key = { name: 'Shell', access: 'write' }
    const created = await call(port, 'POST', '/stint/keys', key, { cookie })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reply of such a call
    return ((await created.json()) as { secret: string }).secret
  }
}

interface Answer {
  readonly timer: { readonly id: string }
  readonly session: { readonly id: string } | null
}

interface Found {
  readonly sessions: readonly { readonly note: string; readonly seconds: number }[]
  readonly next: string | null
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
