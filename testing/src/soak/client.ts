/** Requests to a server in another process, sockets of it, and its memory. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Sends a request with a JSON body. `path` follows `/v1`. */
export function call(
  port: number,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Creates an account and signs in, with retries while the server is overloaded. @returns the cookie. */
export async function signUp(port: number, id: string): Promise<string> {
  const account = { userId: id, email: `${id}@example.com`, password: 'correct horse 1' }
  await created(() => call(port, 'POST', '/account', account))
  const reply = await created(() => call(port, 'POST', '/account/sessions/email', account))
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function created(attempt: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const reply = await attempt()
    // 409: a retry found what the first try created.
    if (reply.status === 201 || reply.status === 409) return reply
    const text = await reply.text()
    if (reply.status !== 503) throw new Error(`The server answered ${reply.status}: ${text}`)
    await sleep(100)
  }
}

/** Opens a socket that is subscribed to all documents of its owner. `onEvent` gets the text of each event. */
export function subscribe(
  port: number,
  cookie: string,
  onEvent: (text: string) => void,
  localAddress = '127.0.0.1',
): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=stint`, {
    headers: { cookie },
    localAddress,
  })
  const ready = Promise.withResolvers<WebSocket>()
  socket.on('error', ready.reject)
  socket.on('message', (bytes) => {
    const text = Buffer.isBuffer(bytes) ? bytes.toString() : ''
    if (text.startsWith('{"type":"event"')) onEvent(text)
    else if (text.startsWith('{"type":"response"')) ready.resolve(socket)
    else if (text.startsWith('{"type":"connected"')) {
      socket.send('{"type":"subscribe","data":[{"subscriptionId":"s1","channels":["documents"]}]}')
    }
  })
  return ready.promise
}

/** Returns the resident memory of a process. Linux only. */
export function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
