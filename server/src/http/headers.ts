/** The headers of every reply, those of Fastify and of the HTTP parser included. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#config.ts'
import { apiError, errorText, serviceUnavailable } from '#errors.ts'

/** One year, during which browsers use https only. */
const HSTS = 'max-age=31536000'

/**
 * Returns the default headers of a reply: it is data that must not be cached, framed, sniffed or
 * run. With an https `PUBLIC_URL` browsers use https only. Subdomains are left out: they may belong
 * to others.
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
 * Sets the default headers on every reply of `app`, before any other hook. Refuses HTTP/1.1 without
 * a Host, and requests that arrive while the server closes: Node and Fastify would refuse these
 * without the default headers and error body.
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
    reply.headers(headers).header('x-request-id', request.id)
    if (isClosing) throw serviceUnavailable()
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw apiError('general_argument_invalid')
    }
    done()
  })
}

/** Returns the handler of malformed, too long and too slow requests. */
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
