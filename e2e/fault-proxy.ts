/**
 * A proxy that simulates a bad network: it forwards everything, pages and sockets included, and
 * disturbs the document calls that a test names.
 */
import { createServer, request as requestOf } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Duplex } from 'node:stream'

export type Fault =
  | 'drop the request'
  | 'drop the reply'
  | 'delay'
  /** The server receives it twice; the browser gets the second reply. */
  | 'duplicate'
  | 'truncate the reply'
  /** The server never receives it, and the browser gets no reply. */
  | 'hold the request'
  | 'hold the reply'
  /** The server receives it at once; the browser gets the reply four seconds later. */
  | 'answer late'

/** A call on documents, such as `POST timer_sessions`. */
export interface Call {
  readonly method: string
  readonly collection: string
  readonly body: string
}

export interface FaultProxy {
  readonly url: string
  /** Called for every call on documents from now on; null forwards it. */
  harm(decide: (call: Call) => Fault | null): void
  /** Closes all realtime sockets. */
  cutSockets(): void
  /** False: every connection is closed, and new ones are refused. */
  setOnline(isOnline: boolean): void
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const DELAY_MILLISECONDS = 1500
const LATE_MILLISECONDS = 4000

/** Starts the proxy in front of the server at `target`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  let decide: (call: Call) => Fault | null = harmNothing
  const sockets = new Set<Duplex>()
  let isOnline = true

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    if (!isOnline) socket.destroy()
  })
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const onward = connect(Number(port), hostname, () => {
      onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${rawHeaders(request)}\r\n\r\n`)
      onward.write(head)
      client.pipe(onward).pipe(client)
    })
    for (const socket of [client, onward]) {
      sockets.add(socket)
      socket.on('error', () => cut(client, onward))
      socket.on('close', () => cut(client, onward))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    harm: (next) => void (decide = next),
    cutSockets: () => cut(...sockets),
    setOnline(next) {
      isOnline = next
      if (isOnline) return
      cut(...sockets)
      server.closeAllConnections()
    },
    close() {
      cut(...sockets)
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }

  function cut(...some: Duplex[]): void {
    for (const socket of some) {
      sockets.delete(socket)
      socket.destroy()
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const send = () => handOn(request, body)
    const fault = faultOf(request, body)
    switch (fault) {
      case null:
        return reply(response, await send())
      case 'drop the request':
        return drop(request.socket)
      case 'drop the reply':
        await send()
        return drop(request.socket)
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, DELAY_MILLISECONDS))
        return reply(response, await send())
      case 'answer late': {
        const answer = await send()
        await new Promise((resolve) => setTimeout(resolve, LATE_MILLISECONDS))
        return reply(response, answer)
      }
      case 'duplicate':
        await send()
        return reply(response, await send())
      case 'truncate the reply': {
        const answer = await send()
        response.writeHead(answer.status, {
          ...answer.headers,
          'content-length': String(answer.body.length + 1),
        })
        response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)))
        setImmediate(() => drop(request.socket))
        return
      }
      case 'hold the request':
        return
      case 'hold the reply':
        await send()
    }
  }

  function faultOf(request: IncomingMessage, body: Buffer): Fault | null {
    const { method = '', url = '' } = request
    const collection = /\/collections\/(\w+)\/documents/.exec(url)?.[1]
    if (collection === undefined) return null
    return decide({ method, collection, body: body.toString() })
  }

  async function handOn(request: IncomingMessage, body: Buffer): Promise<Answer> {
    const { method, url, headers } = request
    return new Promise((resolve, reject) => {
      const onward = requestOf({ hostname, port, path: url, method, headers }, (answer) => {
        buffer(answer).then(
          (content) =>
            resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: content }),
          reject,
        )
      })
      onward.on('error', reject)
      onward.end(body)
    })
  }
}

function harmNothing(): null {
  return null
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, ...rest } = headers
  response.writeHead(status, rest).end(body)
}

function drop(socket: Socket): void {
  socket.destroy()
}

function rawHeaders({ rawHeaders: raw }: IncomingMessage): string {
  const lines: string[] = []
  for (let index = 0; index < raw.length; index += 2) lines.push(`${raw[index]}: ${raw[index + 1]}`)
  return lines.join('\r\n')
}
