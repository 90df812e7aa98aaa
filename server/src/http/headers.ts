/** The headers that every reply has, whoever writes it: a route, Fastify itself, or the HTTP parser. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#config.ts'
import { apiError, errorText, serviceUnavailable } from '#errors.ts'

/** A year: what a browser that came once asks for by https only. */
const HSTS = 'max-age=31536000'

/**
 * What a reply has unless its route says otherwise: data, not to be cached, framed, sniffed or run.
 * With an https `PUBLIC_URL` browsers are told to ask by https only; not for subdomains, which may
 * belong to somebody else.
 */
export function defaultHeaders(config: Config): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.publicUrl.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  }
}

/**
 * Puts the default headers on every reply of `app`, before anything else can answer. Refuses what
 * Node and Fastify would refuse in their own words and without headers: HTTP/1.1 without a Host, and
 * requests that arrive while the server closes.
 */
export function registerDefaultHeaders(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    if (isClosing) throw serviceUnavailable()
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw apiError('general_argument_invalid')
    }
    done()
  })
}

/** Makes the handler of bytes that are no HTTP request, or one that is too long or too slow. */
export function refuseMalformed(headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const status = MALFORMED[error.code ?? ''] ?? 400
    const body = errorText(apiError('general_argument_invalid'), status)
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}` +
          `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
          `connection: close\r\n\r\n${body}`,
      )
    }
    socket.destroy(error)
  }
}

const MALFORMED: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}
