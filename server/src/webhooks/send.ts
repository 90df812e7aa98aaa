/** Sends a message to a webhook, signed as standardwebhooks.com describes. */
import { createHmac, randomBytes } from 'node:crypto'
import * as http from 'node:http'
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

/**
 * Sends a message.
 * @param sentAt epoch milliseconds.
 * @param resolveName resolves the host of the URL.
 * @param allowsPrivate true: the address need not be public.
 * @param signal ends the call early.
 * @returns the HTTP status. Redirects are not followed, and the body of the answer is not read.
 * @throws PrivateAddress, and the errors of `node:http`.
 */
export function send(
  message: Message,
  sentAt: number,
  resolveName: ResolveName,
  allowsPrivate: boolean,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(message.url)
  const address = addressOf(url)
  if (!allowsPrivate && address !== null && !isPublic(address)) {
    return Promise.reject(new PrivateAddress())
  }
  const timestamp = String(Math.floor(sentAt / 1000))
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
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'user-agent': `Stint/${VERSION}`,
          'webhook-id': message.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signatureOf(message, timestamp),
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
    sent.end(message.body)
  })
}

function signatureOf({ id, secret, body }: Message, timestamp: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
  return `v1,${mac.digest('base64')}`
}
