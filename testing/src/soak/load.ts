/**
 * A short version of a busy hour: users with several devices on sockets, and a constant rate of
 * requests whatever the server's speed; then more requests at once than it can serve.
 */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { anyOf } from '#soak/attacks/attack.ts'
import { clientFrom, queriesOf } from '#soak/attacks/client.ts'
import type { Answer } from '#soak/attacks/client.ts'
import { entryOf, ENTRIES, newPerson, saveMany } from '#soak/attacks/people.ts'
import type { Person } from '#soak/attacks/people.ts'
import { freePort } from '#free-port.ts'
import { MAIN, startServer } from '#server-process.ts'
import { MAX_WAIT } from '#waits.ts'
import { residentMebibytes, subscribe } from './client.ts'

const DEVICES = 20
/** Entries of each user before the load begins. */
const HISTORY = 100
/** How many sockets connect at the same time. */
const AT_ONCE = 200
/**
 * The share of the run that the growth of memory leaves out, while caches fill and code is
 * compiled.
 */
const WARM_UP = 0.3
/** The number of simultaneous requests of the flood. */
const FLOOD = 3000
/** Linux's units of processor time per second. */
const TICKS = 100
/** The longest duration of the flood, in milliseconds. */
const FLOOD_ENDS = 30_000

export interface LoadOptions {
  readonly sockets: number
  readonly perSecond: number
  readonly seconds: number
  /** True: the run ends with a flood. */
  readonly flood: boolean
}

export interface LoadReport {
  readonly requests: number
  /** The time from when a request was due to its reply, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Replies with 503 and Retry-After. */
  readonly refused: number
  /** Other replies of 500 and above, and missing replies. */
  readonly faults: number
  /** The faults by status, or code of the error. */
  readonly reasons: Readonly<Record<string, number>>
  readonly events: number
  /** Events that did not arrive. */
  readonly missing: number
  /** The time from when a write was due to its event at another device, in milliseconds. */
  readonly eventP99: number
  /** Resident memory at the end, and its growth since the warm-up, in mebibytes. */
  readonly residentMebibytes: number
  readonly residentGrowthMebibytes: number
  /** The delay of this tool's event loop in milliseconds, which the times above include. */
  readonly toolDelayP99: number
  /**
   * The number of cores that other programs used during the run, without the server and this tool.
   */
  readonly othersCores: number
  /** Null: the run had no flood. */
  readonly flood: FloodReport | null
}

interface FloodReport {
  readonly answered: number
  /** Replies with 503 and Retry-After. */
  readonly refused: number
  /** Other replies, and missing ones. */
  readonly faults: number
  /** The longest time to a reply, in milliseconds. */
  readonly longest: number
  /**
   * How long after the flood twenty simultaneous users were all served, in milliseconds; Infinity:
   * they were not.
   */
  readonly recoveredWithin: number
}

/** Puts load on a separate server at `databaseUrl`. */
export async function steadyLoad(databaseUrl: string, options: LoadOptions): Promise<LoadReport> {
  const port = await freePort()
  const server = await startServer(databaseUrl, port, {}, options.flood ? MAIN : undefined)
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const ask = clientFrom('127.0.0.1', port, agent)
  const people = await Promise.all(
    Array.from({ length: Math.max(2, Math.round(options.sockets / DEVICES)) }, async (_, index) => {
      const person = await newPerson(ask, `p${index}`)
      await saveMany(ask, person, 'old', HISTORY, HISTORY, {})
      return person
    }),
  )
  const heard = new EventTimes()
  const sockets: WebSocket[] = []
  while (sockets.length < options.sockets) {
    const batch = Array.from(
      { length: Math.min(AT_ONCE, options.sockets - sockets.length) },
      (_, index) => listen(port, anyOf(people, sockets.length + index), heard),
    )
    sockets.push(...(await Promise.all(batch)))
  }
  const devices = people.map(
    (_, person) => sockets.filter((__, index) => index % people.length === person).length,
  )

  const times: number[] = []
  const memory: number[] = []
  let refused = 0
  let faults = 0
  const reasons: Record<string, number> = {}
  const toolDelay = monitorEventLoopDelay({ resolution: 5 })
  toolDelay.enable()
  const othersBefore = secondsOfOthers(server.pid)
  const watch = setInterval(() => memory.push(residentMebibytes(server.pid)), 500)
  const started = performance.now()
  const running: Promise<void>[] = []
  const total = options.perSecond * options.seconds
  for (let index = 0; index < total; index += 1) {
    const due = started + (index * 1000) / options.perSecond
    const early = due - performance.now()
    if (early > 1) await sleep(early)
    running.push(
      one(index, due).then((answer) => {
        const status = statusOf(answer)
        times.push(performance.now() - due)
        if (status === 503) refused += 1
        else if (status >= 500 || status === 0) {
          faults += 1
          const reason = answer.error || String(status)
          reasons[reason] = (reasons[reason] ?? 0) + 1
        }
      }),
    )
  }
  await Promise.all(running)
  const seconds = (performance.now() - started) / 1000
  const othersCores = (secondsOfOthers(server.pid) - othersBefore) / seconds
  toolDelay.disable()
  await heard.all()
  clearInterval(watch)
  const flood = options.flood ? await floodOf(port, people) : null
  for (const socket of sockets) socket.terminate()
  agent.destroy()
  server.end('SIGTERM')
  await server.exited

  const warm = memory.slice(Math.floor(memory.length * WARM_UP))
  const third = Math.ceil(warm.length / 3)
  return {
    requests: total,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    refused,
    faults,
    reasons,
    events: heard.delays.length,
    missing: heard.missing,
    eventP99: quantile(heard.delays, 0.99),
    residentMebibytes: warm.at(-1) ?? NaN,
    residentGrowthMebibytes:
      quantile(warm.slice(-third), 0.5) - quantile(warm.slice(0, third), 0.5),
    toolDelayP99: Math.round(toolDelay.percentile(99) / 1e5) / 10,
    othersCores: Math.round(othersCores * 10) / 10,
    flood,
  }

  async function create(person: Person, id: string, onRefused: () => void): Promise<Answer> {
    const body = { documentId: id, data: entryOf(person) }
    const answer = await ask('POST', ENTRIES, { cookie: person.cookie, body })
    // 409: a retry found what the first try created.
    if (answer.status !== 201 && answer.status !== 409) onRefused()
    return answer
  }

  /** Sends the `index`th request of a user: two thirds read, a third writes. */
  function one(index: number, due: number): Promise<Answer> {
    const at = index % people.length
    const person = anyOf(people, at)
    const { cookie } = person
    const turn = Math.floor(index / people.length) % 10
    const own = `${ENTRIES}/old${index % HISTORY}`
    switch (turn) {
      case 0:
      case 1: {
        const id = `new${index}`
        const receivers = devices[at] ?? 0
        heard.expect(id, receivers, due)
        return create(person, id, () => heard.expect(id, -receivers, due))
      }
      case 2:
        return ask('PATCH', own, { cookie, body: { data: { note: `note ${index}` } } })
      case 3:
      case 4:
      case 5:
        return ask('GET', `${ENTRIES}?${search(person, NEWEST)}`, { cookie })
      case 6:
      case 7:
        return ask('GET', `${ENTRIES}?${search(person, changesSince(started))}`, { cookie })
      default:
        return ask('GET', own, { cookie })
    }
  }
}

/** The events that sockets should receive, and how long each took. */
class EventTimes {
  readonly delays: number[] = []
  readonly #due = new Map<string, number>()
  #expected = 0

  get missing(): number {
    return this.#expected - this.delays.length
  }

  /** Expects the event of a document so many more times; a negative number reduces the count. */
  expect(id: string, times: number, due: number): void {
    this.#due.set(id, due)
    this.#expected += times
  }

  receive(id: string): void {
    const due = this.#due.get(id)
    if (due !== undefined) this.delays.push(performance.now() - due)
  }

  /** Resolves when all events have arrived, or not all do. */
  async all(): Promise<void> {
    const end = performance.now() + MAX_WAIT
    while (this.missing > 0 && performance.now() < end) await sleep(50)
  }
}

const NEWEST = [
  { method: 'orderDesc', attribute: '$createdAt' },
  { method: 'limit', values: [100] },
]

/**
 * Returns the query for recent changes, as sync sends it; `started` on the clock of `performance`.
 */
function changesSince(started: number) {
  const since = new Date(Math.max(performance.timeOrigin + started, Date.now() - 10_000))
  return [
    { method: 'greaterThanEqual', attribute: '$updatedAt', values: [since.toISOString()] },
    { method: 'orderAsc', attribute: '$updatedAt' },
    { method: 'limit', values: [100] },
  ]
}

function search({ id }: Person, queries: readonly object[]): string {
  return queriesOf([{ method: 'equal', attribute: 'userId', values: [id] }, ...queries])
}

/** Returns the status of an answer: a refusal that does not say when to come again is a fault. */
function statusOf({ status, retryAfter }: Answer): number {
  return status === 503 && retryAfter === undefined ? 500 : status
}

/** Opens a device that receives every event of its owner. */
function listen(port: number, { cookie }: Person, heard: EventTimes): Promise<WebSocket> {
  return subscribe(port, cookie, (text) => heard.receive(/"\$id":"(\w+)"/.exec(text)?.[1] ?? ''))
}

/**
 * Sends far more requests at once than can be served until some are refused, and then one per user.
 */
async function floodOf(port: number, people: readonly Person[]): Promise<FloodReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const end = performance.now() + FLOOD_ENDS
  const counts = { answered: 0, refused: 0, faults: 0, longest: 0 }
  const ask = clientFrom('127.0.0.1', port, agent)
  const list = async (person: Person): Promise<number> =>
    statusOf(await ask('GET', `${ENTRIES}?${search(person, NEWEST)}`, { cookie: person.cookie }))
  await Promise.all(
    Array.from({ length: FLOOD }, async (_, index) => {
      const person = anyOf(people, index)
      while (counts.refused < FLOOD && performance.now() < end) {
        const asked = performance.now()
        const status = await list(person)
        counts.longest = Math.max(counts.longest, Math.round(performance.now() - asked))
        if (status === 200) counts.answered += 1
        else if (status === 503) counts.refused += 1
        else counts.faults += 1
      }
    }),
  )
  const ended = performance.now()
  let recoveredWithin = Infinity
  for (let attempt = 0; attempt < 50 && recoveredWithin === Infinity; attempt += 1) {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => list(anyOf(people, index))),
    )
    if (statuses.every((status) => status === 200)) {
      recoveredWithin = Math.round(performance.now() - ended)
    } else await sleep(100)
  }
  agent.destroy()
  return { ...counts, recoveredWithin }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? NaN) * 10) / 10
}

/** Returns the processor time that programs other than the server and this tool have used. */
function secondsOfOthers(serverPid: number): number {
  const all = readFileSync('/proc/stat', 'utf8').split('\n', 1).join('').split(/\s+/).slice(1, 9)
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = all.map(Number)
  return (
    sum([user, nice, system, interrupts, softInterrupts, stolen]) / TICKS -
    secondsOf(serverPid) -
    secondsOf(process.pid)
  )
}

function secondsOf(pid: number): number {
  // The name of the program may contain spaces, so fields are counted from its closing bracket.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, each) => total + (each ?? 0), 0)
}
