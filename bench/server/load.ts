/**
 * A load generator with little overhead: it writes requests to plain sockets, and reads only the
 * status and the length of replies. It also reports the processor time of the server.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface LoadResult {
  readonly perSecond: number
  /**
   * Processor time of the server per request, in microseconds; null if the system does not report
   * it.
   */
  readonly cpuMicroseconds: number | null
  readonly p99Milliseconds: number
  /** Requests that got 503 and were repeated a little later. */
  readonly refused: number
}

export interface Load {
  readonly port: number
  /** The processes of the server and its database, whose time is summed. */
  readonly pids: () => readonly number[]
  readonly connections: number
  /** The duration, or the number of requests per connection. */
  readonly milliseconds?: number
  readonly requests?: number
  /** Returns the bytes of the next request. */
  readonly request: () => Buffer
  /** The expected status; any other ends the measurement. */
  readonly status: number
}

/** How long after a refusal to retry, in milliseconds. */
const RETRY_AFTER = 50

/** Puts load on a server. Throws on an unexpected reply. */
export async function load(options: Load): Promise<LoadResult> {
  const { port, pids, connections, milliseconds = Infinity } = options
  const latencies: number[] = []
  const refusals: number[] = []
  const spentSince = stopwatch(pids)
  const start = performance.now()
  const end = start + milliseconds
  await Promise.all(
    Array.from({ length: connections }, () =>
      oneConnection(port, options, end, latencies, refusals),
    ),
  )
  const seconds = (performance.now() - start) / 1000
  const spent = spentSince()
  latencies.sort((a, b) => a - b)
  return {
    perSecond: latencies.length / seconds,
    cpuMicroseconds: spent === null ? null : (spent * 1_000_000) / latencies.length,
    p99Milliseconds: latencies[Math.floor(latencies.length * 0.99)] ?? NaN,
    refused: refusals.length,
  }
}

/** Returns the bytes of a request, with or without a JSON body. */
export function httpRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`)
}

async function oneConnection(
  port: number,
  { request, status, requests = Infinity }: Load,
  end: number,
  latencies: number[],
  refusals: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentAt = 0
    let sent = 0
    let head = ''
    let isRefused = false
    /** Bytes of the reply's body that have not arrived; null until its head is complete. */
    let rest: number | null = null
    const send = () => {
      if (performance.now() >= end || sent === requests) {
        socket.end()
        return
      }
      sent += 1
      sentAt = performance.now()
      head = ''
      rest = null
      socket.write(request())
    }
    socket.on('connect', send)
    socket.on('close', () => resolve())
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (rest === null) {
        head += chunk.toString('latin1')
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd === -1) return
        const answered = Number(head.slice(9, 12))
        isRefused = answered === 503
        if (answered !== status && !isRefused) {
          reject(
            new Error(`Answered ${head.slice(0, headEnd)} ${head.slice(headEnd, headEnd + 300)}`),
          )
          return void socket.destroy()
        }
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, headEnd))?.[1])
        rest = length - (head.length - headEnd - 4)
      } else {
        rest -= chunk.length
      }
      if (rest > 0) return
      if (isRefused) {
        refusals.push(sentAt)
        sent -= 1
        setTimeout(send, RETRY_AFTER)
        return
      }
      latencies.push(performance.now() - sentAt)
      send()
    })
  })
}

/**
 * Starts a measurement. The returned function returns the processor time of these processes since
 * then in seconds; null on a system without /proc. Processes may start and end, as PostgreSQL's do.
 */
function stopwatch(pids: () => readonly number[]): () => number | null {
  const spentBy = () => new Map(pids().map((pid) => [pid, cpuSeconds(pid)]))
  const before = spentBy()
  return () => {
    let sum = 0
    for (const [pid, spent] of spentBy()) {
      if (spent === null) return null
      sum += spent - (before.get(pid) ?? 0)
    }
    return sum
  }
}

/** Returns the user and system time of a process; null on a system without /proc. */
function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return null
  }
}

/** Returns the resident memory of a process in megabytes; null on a system without /proc. */
export function residentMegabytes(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1000
  } catch {
    return null
  }
}
