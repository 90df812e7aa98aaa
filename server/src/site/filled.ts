/**
 * The pages of a build, with the server's addresses filled in at the start. Where nothing was to
 * fill in, the build's compressed copies are sent; the others are compressed on request.
 */
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'
import { accepted } from '#http/language.ts'
import { isLoopbackHost } from '#config.ts'
import type { Config } from '#config.ts'
import { mayHavePasskeys } from '#passkeys/relying-party.ts'
import {
  fileIn,
  pageAddress,
  robotsText,
  sitemapText,
  withPublicUrl,
  withSupportEmail,
} from './addresses.ts'

/** A file as it is sent. */
export interface FilledFile {
  readonly type: string
  readonly text: string
  /** Compressed at the first request, then cached. */
  readonly br: () => Promise<Buffer>
  readonly gzip: () => Promise<Buffer>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
}

/** Returns the languages of a build. */
export function languagesOf(folder: string): readonly Language[] {
  return LANGUAGES.filter(
    (language) => language === 'en' || existsSync(join(folder, language, 'index.html')),
  )
}

/**
 * Reads the pages in every language, and fills in the addresses where the build left them open.
 * @param pages the files of prerendered pages by path.
 * @param shell the file of every other page.
 * @returns the pages, robots.txt and the sitemap, by name. While `PUBLIC_URL` names this machine
 * only, no canonical address is filled in: a wrong one is worse than none.
 */
export function filledFiles(
  folder: string,
  pages: ReadonlyMap<string, string>,
  shell: string,
  config: Config,
): ReadonlyMap<string, FilledFile> {
  const { publicUrl, supportEmail } = config
  const address = isLoopbackHost(new URL(publicUrl).hostname) ? null : publicUrl
  const files = new Map<string, FilledFile>()
  const publicPaths: string[] = []
  const languages = languagesOf(folder)
  for (const language of languages) {
    for (const [path, page] of [...pages, ['', shell] as const]) {
      const name = fileIn(language, page)
      if (files.has(name) || !existsSync(join(folder, name))) continue
      const source = fileIn(language, sourceOf(page, shell, config))
      const built = readFileSync(
        join(folder, existsSync(join(folder, source)) ? source : name),
        'utf8',
      )
      const shared =
        address === null || path === ''
          ? built
          : withPublicUrl(built, address, (each) => pageAddress(path, each), {
              language,
              languages,
            })
      if (shared !== built) publicPaths.push(pageAddress(path, language))
      const filled = withSignInPolicy(withSupportEmail(shared, supportEmail), config)
      files.set(name, filled === built ? builtFile(folder, name, built) : filledFile(name, filled))
    }
  }
  for (const name of readdirSync(folder).filter((each) => /^sw(?:\.\w+)?\.js$/.test(each))) {
    const built = readFileSync(join(folder, name), 'utf8')
    const worker = withOtherPages(built, config)
    if (worker !== built) files.set(name, filledFile(name, worker))
  }
  if (address !== null) {
    files.set('robots.txt', filledFile('robots.txt', robotsText('/', address)))
    files.set('sitemap.xml', filledFile('sitemap.xml', sitemapText(publicPaths, address)))
  }
  return files
}

/** Returns whether the first page is the sign-in page: there is nothing to offer to visitors. */
function signsInFirst({ signup, authProxy }: Config): boolean {
  return signup === 'closed' || authProxy !== null
}

/** Returns the file of the build that is sent for a page. */
function sourceOf(page: string, shell: string, config: Config): string {
  if (page === 'index.html' && signsInFirst(config)) return 'login.html'
  // The built page has the form in it, which not everybody gets.
  if (page === 'signup.html' && config.signup !== 'open') return shell
  return page
}

/**
 * Returns a page that tells the app who may sign up, whether a proxy signs people in, whether it may be used without an
 * account, whether it may read ActivityWatch (web/src/session/page-policy.ts), and that there can be no passkeys.
 */
function withSignInPolicy(html: string, config: Config): string {
  const { signup, authProxy, offersTryOut, readsActivityWatch } = config
  const attributes = [
    ...(mayHavePasskeys(config) ? [] : [' data-passkeys="none"']),
    ...(signup === 'open' ? [] : [` data-signup="${signup}"`]),
    ...(authProxy === null ? [] : [' data-proxy=""']),
    ...(offersTryOut ? [] : [' data-try="off"']),
    ...(readsActivityWatch ? [' data-activitywatch=""'] : []),
  ]
  return attributes.length === 0 ? html : html.replace('<html', `<html${attributes.join('')}`)
}

/**
 * Returns a service worker whose list of files names these pages as others than those of the build.
 * Browsers load them again then: a worker that is the same is not installed again.
 */
function withOtherPages(worker: string, config: Config): string {
  const { signup, authProxy, offersTryOut, readsActivityWatch } = config
  const marks = [
    ...(authProxy === null ? [] : ['-proxy']),
    ...(mayHavePasskeys(config) ? [] : ['-passwords']),
    ...(offersTryOut ? [] : ['-no-try']),
    ...(readsActivityWatch ? ['-activitywatch'] : []),
  ]
  if (signup === 'open' && marks.length === 0) return worker
  const mark = `${signup}${marks.join('')}`
  return worker.replaceAll(/url:"[^"]*\.html",revision:"/g, (start) => `${start}${mark}-`)
}

function filledFile(name: string, text: string): FilledFile {
  return {
    type: TYPES[extname(name)] ?? 'text/plain',
    text,
    // Not the highest quality: this one is 2 % larger and takes 40 % of the time.
    br: once(() =>
      promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    ),
    gzip: once(() => promisify(gzip)(text, { level: 9 })),
  }
}

/** A page as the build left it, with its compressed copies if there are any. */
function builtFile(folder: string, name: string, text: string): FilledFile {
  const file = filledFile(name, text)
  return {
    ...file,
    br: once(() => readFile(join(folder, `${name}.br`)).catch(file.br)),
    gzip: once(() => readFile(join(folder, `${name}.gz`)).catch(file.gzip)),
  }
}

function once<Result>(make: () => Result): () => Result {
  let made: Result | undefined
  return () => (made ??= make())
}

/**
 * Sends a file in the best encoding that the client accepts, or 304 if the client has it.
 * @param vary the headers that chose the file, beside the encoding.
 */
export async function sendFilled(
  reply: FastifyReply,
  file: FilledFile,
  vary: readonly string[] = [],
): Promise<FastifyReply> {
  const { headers } = reply.request
  const taken = accepted(headers['accept-encoding']?.toString().toLowerCase())
  const encoding = (['br', 'gzip'] as const).find((each) => taken.includes(each)) ?? null
  const etag = `"${hash('sha256', file.text).slice(0, 16)}-${encoding ?? 'plain'}"`
  reply.headers({ etag, vary: ['accept-encoding', ...vary].join(', ') }).type(file.type)
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (encoding === null) return reply.send(file.text)
  return reply.header('content-encoding', encoding).send(await file[encoding]())
}
