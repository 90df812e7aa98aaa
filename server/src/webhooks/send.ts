/** Calls URLs that people chose. A message to a webhook is signed as standardwebhooks.com describes. */
import { createHmac, randomBytes } from 'node:crypto'
import * as http from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import * as https from 'node:https'
import { VERSION } from '@stint/core/version.ts'
import { addressOf, isPublic, lookupOf, PrivateAddress } from './addresses.ts'
import type { ResolveName } from './names.ts'

/** How long a receiver may take, in milliseconds. */
const MAX_ANSWER = 10_000

const SECRET_PREFIX = 'whsec_'

export interface Message {
  /** The same for every try, so that a receiver knows what it has. */
  readonly id: string
  readonly url: string
  readonly secret: string
  /** JSON text. */
  readonly body: string
}

/** Returns a new secret for signatures. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** How a URL that a person chose is called. */
export interface Way {
  /** Resolves the host of the URL. */
  readonly resolveName: ResolveName
  /** True: the address need not be public. */
  readonly allowsPrivate: boolean
  /** Ends the call early. */
  readonly signal: AbortSignal
}

/**
 * Sends a message.
 * @param sentAt epoch milliseconds.
 * @returns the HTTP status.
 * @throws what `post` throws.
 */
export function send(message: Message, sentAt: number, way: Way): Promise<number> {
  const timestamp = String(Math.floor(sentAt / 1000))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(message, timestamp),
  }
  return post(message.url, headers, message.body, way)
}

/**
 * Posts to a URL that a person chose.
 * @returns the HTTP status. Redirects are not followed, and the body of the answer is not read.
 * @throws PrivateAddress, and the errors of `node:http`.
 */
export function post(
  address: string,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
  { resolveName, allowsPrivate, signal }: Way,
): Promise<number> {
  const url = new URL(address)
  const ip = addressOf(url)
  if (!allowsPrivate && ip !== null && !isPublic(ip)) {
    return Promise.reject(new PrivateAddress())
  }
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_ANSWER)]),
        lookup: lookupOf(resolveName, allowsPrivate),
        headers: {
          'content-length': Buffer.byteLength(body),
          'user-agent': `Stint/${VERSION}`,
          ...headers,
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    sent.on('error', reject)
    // After an answer that changes the protocol there is neither a response nor an error.
    sent.on('close', () => reject(new Error('The receiver closed the connection')))
    sent.end(body)
  })
}

/** Returns why there was no answer, in a word for the log that its owner sees. */
export function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return 'private address'
  if (error instanceof Error && error.name === 'AbortError') return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === '' ? 'no connection' : code
}

function signatureOf({ id, secret, body }: Message, timestamp: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
  return `v1,${mac.digest('base64')}`
}
