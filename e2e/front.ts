/**
 * A web server in front of Stint, as operators may have one: it serves the files of a build, which
 * can be replaced by the next, and forwards /v1.
 */
import { readFile } from 'node:fs/promises'
import { createServer, request as requestOf } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

export interface Front {
  readonly url: string
  /** Switches to another build. */
  serve(folder: string): void
  close(): Promise<void>
}

/** Serves `folder` under `base` and the API of the server at `api` below it. */
export async function startFront(api: string, folder: string, base = '/'): Promise<Front> {
  let served = folder
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path.startsWith(`${base}v1/`)) handOn(request, response, api, base)
    else void answer(response, served, path.slice(base.length))
  })
  // Realtime is not forwarded, so the app polls instead.
  server.on('upgrade', (_request, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The front has no port')
  return {
    url: `http://127.0.0.1:${address.port}${base}`,
    serve: (next) => void (served = next),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(response: ServerResponse, folder: string, path: string): Promise<void> {
  const pages: Readonly<Record<string, string>> = {
    '': 'index.html',
    terms: 'terms.html',
    privacy: 'privacy.html',
  }
  const name = pages[path] ?? (extname(path) === '' ? 'app.html' : path)
  const content = await readFile(join(folder, name)).catch(() => null)
  if (content === null) return void response.writeHead(404).end()
  response
    .writeHead(200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000' : 'no-cache',
    })
    .end(content)
}

function handOn(
  request: IncomingMessage,
  response: ServerResponse,
  api: string,
  base: string,
): void {
  const target = new URL(`/${(request.url ?? '').slice(base.length)}`, api)
  const onward = requestOf(
    { ...addressOf(target), method: request.method, headers: request.headers },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    },
  )
  onward.on('error', () => response.writeHead(502).end())
  request.pipe(onward)
}

function addressOf({ hostname, port, pathname, search }: URL) {
  return { hostname, port, path: pathname + search }
}
