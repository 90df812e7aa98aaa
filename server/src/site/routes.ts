/** The built web app: prerendered pages, hashed assets, and one shell for every screen. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCREENS } from '@stint/core/screens.ts'
import type { Screen } from '@stint/core/screens.ts'
import { bestLanguage } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'
import type { Config } from '#config.ts'
import { apiError, sendError } from '#errors.ts'
import { accepted, languageNamed } from '#http/language.ts'
import { fileIn } from './addresses.ts'
import { filledFiles, languagesOf, sendFilled } from './filled.ts'
import type { FilledFile } from './filled.ts'
import { pagePolicy } from './policy.ts'

const ALL_SCREENS = Object.entries<Screen>(SCREENS)

/** Prerendered pages by path. */
const PAGES: ReadonlyMap<string, string> = new Map(
  ALL_SCREENS.flatMap(([path, { page }]) => (page === undefined ? [] : [[path, `${page}.html`]])),
)

/** The app's own screens. Any other path shows its 'Page Not Found', with that status. */
const IN_APP = ALL_SCREENS.filter(([, { isOnlyPage }]) => isOnlyPage !== true).map(
  ([path]) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
)

/** The names of files in a build: no escapes, and no names that begin with a dot. */
const FILE = /^(?:\/[\w-][\w.-]*)+\.[a-z0-9]+$/i

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A build as it is served. */
interface Site {
  readonly folder: string
  readonly shell: string
  readonly languages: readonly Language[]
  readonly filled: ReadonlyMap<string, FilledFile>
  readonly policies: ReadonlyMap<string, string>
}

function siteOf(folder: string, config: Config): Site {
  const shell = existsSync(join(folder, 'app.html')) ? 'app.html' : 'index.html'
  const filled = filledFiles(folder, PAGES, shell, config)
  const policies = new Map([...filled].map(([name, { text }]) => [name, pagePolicy(text, config)]))
  return { folder, shell, languages: languagesOf(folder), filled, policies }
}

/**
 * Serves `folder` at `/`. Without it, replies with how to build the web app.
 * @param next the folder that takes its place while the server runs.
 */
export async function registerSite(
  app: FastifyInstance,
  folder: string | null,
  config: Config,
  next?: Promise<string>,
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

  const plainPolicy = pagePolicy('', config)
  let site = siteOf(folder, config)
  let hasAllLanguages = next === undefined
  void next?.then((nextFolder) => {
    site = siteOf(nextFolder, config)
    hasAllLanguages = true
  })
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
  })

  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    // Behind a proxy that signs people in there are no visitors.
    if (path === '/' && config.authProxy !== null) return reply.redirect('/dashboard', 302)
    if (PAGES.has(path) || IN_APP.some((screen) => screen.test(path)))
      return sendPage(request, reply, path, 200)
    if (
      FILE.test(path) &&
      (site.filled.has(path.slice(1)) || existsSync(join(site.folder, path)))
    ) {
      return sendAsset(reply, path)
    }
    return reply.callNotFound()
  })
  app.setNotFoundHandler((request, reply) =>
    asksForPage(request)
      ? sendPage(request, reply, '', 404)
      : sendError(reply, apiError('general_route_not_found')),
  )

  /**
   * Sends the page at a path in the language of the request, or, until its build is there, a text that
   * the browser loads again: a page in English would install the service worker of English.
   */
  function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    status: number,
  ): FastifyReply | Promise<FastifyReply> {
    const named = namedLanguage(request)
    if (!hasAllLanguages && !site.languages.includes(named ?? ownLanguage(request))) {
      return reply.code(503).headers(NOT_YET).type('text/plain; charset=utf-8').send(BUILDING)
    }
    const language = chosenLanguage(request, reply, named)
    const page = fileIn(language, PAGES.get(path) ?? site.shell)
    reply.code(status)
    const name = site.filled.has(page) ? page : fileIn(language, site.shell)
    return sendFile(reply, name, LANGUAGE_HEADERS)
  }

  /**
   * Returns the language that the address names, which is remembered in a cookie, else the request's own,
   * else English.
   */
  function chosenLanguage(
    request: FastifyRequest,
    reply: FastifyReply,
    named: Language | null,
  ): Language {
    if (named !== null && site.languages.includes(named)) {
      reply.setCookie(LANGUAGE_COOKIE, named, {
        path: '/',
        maxAge: YEAR_SECONDS,
        sameSite: 'lax',
        secure: request.protocol === 'https' || config.publicUrl.startsWith('https:'),
      })
      return named
    }
    const own = ownLanguage(request)
    return site.languages.includes(own) ? own : 'en'
  }

  /** Returns the language of the cookie, else that of the browser. */
  function ownLanguage(request: FastifyRequest): Language {
    const { cookie, 'accept-language': header } = request.headers
    const kept = cookie === undefined ? {} : app.parseCookie(cookie)
    return languageNamed(kept[LANGUAGE_COOKIE]) ?? bestLanguage(accepted(header))
  }

  function sendAsset(reply: FastifyReply, path: string): FastifyReply | Promise<FastifyReply> {
    reply.header('cache-control', path.startsWith('/assets/') ? IMMUTABLE : 'no-cache')
    return sendFile(reply, path.slice(1))
  }

  function sendFile(
    reply: FastifyReply,
    name: string,
    vary: readonly string[] = [],
  ): FastifyReply | Promise<FastifyReply> {
    const policy = site.policies.get(name) ?? plainPolicy
    reply.headers(SITE_HEADERS).header('content-security-policy', policy)
    const file = site.filled.get(name)
    if (file === undefined) return reply.sendFile(name, site.folder)
    return sendFilled(reply.header('cache-control', 'no-cache'), file, vary)
  }
}

/** Scripts of the web app can read and set it too (web/src/pwa/language.ts). */
const LANGUAGE_COOKIE = 'stint_language'
const YEAR_SECONDS = 31_536_000

/** Makes a browser load the page again, and no cache keep it. */
const NOT_YET = { refresh: '3', 'retry-after': '3', 'cache-control': 'no-store' }
const BUILDING =
  'Stint is being built in your language. This page opens when it is ready, in less than a minute. English is ready: /?language=en\n'

/** The headers that choose the language of a page. */
const LANGUAGE_HEADERS = ['accept-language', 'cookie']

/** Headers in addition to those of every reply. */
const SITE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** Returns the language that the address names: `?language=de`. */
function namedLanguage(request: FastifyRequest): Language | null {
  const [, query = ''] = request.url.split('?', 2)
  return languageNamed(new URLSearchParams(query).get('language'))
}

function asksForPage(request: FastifyRequest): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  return isReading && (request.headers.accept ?? '').includes('text/html')
}
