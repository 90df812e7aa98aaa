/**
 * A push service of the tests, and the browsers that use it: it decrypts what it gets with the keys of the browser (RFC
 * 8291) and checks the signature of the server (RFC 8292).
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import type { ECDH } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface TestSubscription {
  readonly endpoint: string
  /** In base64url, as a browser gives them. */
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  readonly endpoint: string
  readonly headers: IncomingHttpHeaders
  /** What the server meant for the browser, decrypted. */
  readonly text: string
  /** The key whose signature was right. */
  readonly signedBy: string
  /** What the server says of itself. */
  readonly claims: Readonly<Record<string, unknown>>
}

export interface PushService {
  /** Returns a subscription of a new browser. */
  subscribe(): TestSubscription
  /** What has arrived, the oldest first. */
  readonly received: readonly PushMessage[]
  /** Answers with this status from now on; null: takes the message and does not answer. Default: 201. */
  answerWith(status: number | null): void
  close(): void
}

/** Returns a subscription with this address, which nobody can read. */
export function subscriptionAt(endpoint: string): TestSubscription {
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  return { endpoint, p256dh, auth: randomBytes(16).toString('base64url') }
}

/** Starts a push service on this machine. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { readonly keys: ECDH; readonly auth: Buffer }>()
  const received: PushMessage[] = []
  let status: number | null = 201
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const endpoint = `${origin}${request.url}`
      const browser = browsers.get(endpoint)
      if (browser) {
        const text = decrypted(Buffer.concat(chunks), browser.keys, browser.auth)
        const { headers } = request
        received.push({ endpoint, headers, text, ...signatureOf(headers.authorization ?? '') })
      }
      if (status === null) response.destroy()
      else response.writeHead(browser ? status : 410).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const origin = `http://127.0.0.1:${port}`

  return {
    received,
    subscribe() {
      const keys = createECDH('prime256v1')
      const p256dh = keys.generateKeys('base64url')
      const auth = randomBytes(16)
      const endpoint = `${origin}/${randomBytes(12).toString('base64url')}`
      browsers.set(endpoint, { keys, auth })
      return { endpoint, p256dh, auth: auth.toString('base64url') }
    },
    answerWith: (next) => void (status = next),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns the text of a body of one record: salt, record size, and the key of the sender, then the record. */
function decrypted(body: Buffer, own: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), senderKey])
  const secret = derived(own.computeSecret(senderKey), auth, about, 32)
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

function derived(secret: Buffer, salt: Buffer, about: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, about, length))
}

/** Returns who has signed a request. @throws Error when the signature is wrong. */
function signatureOf(authorization: string): Pick<PushMessage, 'claims' | 'signedBy'> {
  const [, token = '', signedBy = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [header = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(signedBy, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isRight = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('The signature is wrong')
  return { signedBy, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) }
}
