/** The HTTP client of an attack, with its own loopback address. */
import { Agent, request } from 'node:http'
import { MAX_WAIT } from '#waits.ts'

export interface Answer {
  /** 0: no reply, or none in time. */
  readonly status: number
  /** Why there was no reply, or ''. */
  readonly error: string
  readonly retryAfter: string | undefined
  /** The `type` of an error's body, or ''. */
  readonly type: string
  /** `name=value` of the session cookie, or ''. */
  readonly cookie: string
  /** The secret of a created key or calendar address, or ''. */
  readonly secret: string
}

export interface Asked {
  readonly cookie?: string
  /** A personal key. */
  readonly key?: string
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: object | string
}

export type Ask = (method: string, path: string, asked?: Asked) => Promise<Answer>

/**
 * Returns a client of the server at `port` with the source address `address`.
 * @returns a function that sends a request and never throws.
 */
export function clientFrom(
  address: string,
  port: number,
  agent: Agent = new Agent({ keepAlive: true }),
): Ask {
  const ask: Ask = (method, path, asked = {}) =>
    new Promise((resolve) => {
      const { cookie = '', key = '', body } = asked
      const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '')
      let isAnswered = false
      const failed = ({ code, message }: NodeJS.ErrnoException): void => {
        const error = code ?? message
        resolve({ status: 0, error, retryAfter: undefined, type: '', cookie: '', secret: '' })
      }
      const sent = request(
        {
          agent,
          host: '127.0.0.1',
          localAddress: address,
          port,
          method,
          path,
          headers: {
            'x-appwrite-project': 'stint',
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            ...(cookie === '' ? {} : { cookie }),
            ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          },
        },
        (reply) => {
          isAnswered = true
          let read = ''
          reply.on('data', (bytes) => {
            // The rest of a long list is not needed.
            if (read.length < 1000) read += String(bytes)
          })
          reply.on('error', failed)
          reply.on('end', () =>
            resolve({
              status: reply.statusCode ?? 0,
              error: '',
              retryAfter: reply.headers['retry-after'],
              type: /"type":"(\w+)"/.exec(read)?.[1] ?? '',
              secret: /"(?:secret":"|path":"\/feed\/)([\w-]+)/.exec(read)?.[1] ?? '',
              cookie: sessionCookie(reply.headers['set-cookie'] ?? []),
            }),
          )
        },
      )
      sent.setTimeout(MAX_WAIT, () => sent.destroy())
      sent.on('error', (error) => {
        // The server closed an idle connection at the moment of its reuse; browsers retry.
        if (sent.reusedSocket && !isAnswered) {
          resolve(ask(method, path, asked))
        } else failed(error)
      })
      sent.end(text)
    })
  return ask
}

function sessionCookie(cookies: readonly string[]): string {
  return cookies.find((each) => each.includes('a_session_'))?.split(';')[0] ?? ''
}

/** Returns `queries[0]=…` of these queries, without optional encoding, so that more fits. */
export function queriesOf(queries: readonly object[]): string {
  return queries
    .map((query, index) => {
      const text = JSON.stringify(query).replaceAll('%', '%25').replaceAll('"', '%22')
      return `queries[${index}]=${text.replaceAll('&', '%26').replaceAll(' ', '%20')}`
    })
    .join('&')
}
