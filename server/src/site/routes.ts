/** The built web app: prerendered pages, hashed assets, and one shell for every screen. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { apiError, sendError } from '#errors.ts'
import { filledFiles, sendFilled } from './filled.ts'
import { pagePolicy } from './policy.ts'

/** Prerendered pages by path. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['/', 'index.html'],
  ['/terms', 'terms.html'],
  ['/privacy', 'privacy.html'],
  ['/login', 'login.html'],
  ['/signup', 'signup.html'],
])

/** The app's own screens. Any other path shows its 'Page Not Found', with that status. */
const SCREENS =
  /^\/(?:login|signup|dashboard|tasks(?:\/[^/]+)?|reports|signout|settings|data(?:\/print)?|recovery|verify)\/?$/

/** The names of files in a build: no escapes, and no names that begin with a dot. */
const FILE = /^(?:\/[\w-][\w.-]*)+\.[a-z0-9]+$/i

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Serves `folder` at `/`. Without it, replies with how to build the web app. */
export async function registerSite(
  app: FastifyInstance,
  folder: string | null,
  config: Config,
): Promise<void> {
  if (folder === null || !existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler((request, reply) =>
      asksForPage(request) && folder !== null
        ? reply
            .code(503)
            .type('text/plain; charset=utf-8')
            .send('The web app is not built yet. Run: npm run build\n')
        : sendError(reply, apiError('general_route_not_found')),
    )
    return
  }

  const shell = existsSync(join(folder, 'app.html')) ? 'app.html' : 'index.html'
  const plainPolicy = pagePolicy('', config)
  const policies = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, pagePolicy(readFileSync(join(folder, name), 'utf8'), config)]),
  )
  const filled = filledFiles(folder, PAGES, config)
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
  })

  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const page = PAGES.get(path)
    if (page !== undefined && policies.has(page)) return sendPage(reply, page, 200)
    if (SCREENS.test(path)) return sendPage(reply, shell, 200)
    if (FILE.test(path) && (filled.has(path.slice(1)) || existsSync(join(folder, path)))) {
      return sendAsset(reply, path)
    }
    return reply.callNotFound()
  })
  app.setNotFoundHandler((request, reply) =>
    asksForPage(request)
      ? sendPage(reply, shell, 404)
      : sendError(reply, apiError('general_route_not_found')),
  )

  function sendPage(
    reply: FastifyReply,
    name: string,
    status: number,
  ): FastifyReply | Promise<FastifyReply> {
    reply
      .code(status)
      .headers(SITE_HEADERS)
      .header('content-security-policy', policies.get(name) ?? plainPolicy)
      .header('cache-control', 'no-cache')
    return sendFile(reply, name)
  }

  function sendAsset(reply: FastifyReply, path: string): FastifyReply | Promise<FastifyReply> {
    if (path.endsWith('.html')) return sendPage(reply, path.slice(1), 200)
    reply
      .headers(SITE_HEADERS)
      .header('cache-control', path.startsWith('/assets/') ? IMMUTABLE : 'no-cache')
      .header('content-security-policy', plainPolicy)
    return sendFile(reply, path.slice(1))
  }

  function sendFile(reply: FastifyReply, name: string): FastifyReply | Promise<FastifyReply> {
    const file = filled.get(name)
    return file === undefined ? reply.sendFile(name) : sendFilled(reply, file)
  }
}

/** Headers in addition to those of every reply. */
const SITE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

function asksForPage(request: FastifyRequest): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  return isReading && (request.headers.accept ?? '').includes('text/html')
}
