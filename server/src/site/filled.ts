/**
 * The files of a build that contain the server's addresses: filled in at the start, compressed on
 * request.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { acceptedEncodings } from '#http/compress.ts'
import { isLoopbackHost } from '#config.ts'
import type { Config } from '#config.ts'
import { robotsText, sitemapText, withPublicUrl, withSupportEmail } from './addresses.ts'

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
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
}

/**
 * Fills in the addresses where the build left them open.
 * @param pages the files of prerendered pages by path.
 * @returns the files that differ from those in `folder`, by name. While `PUBLIC_URL` names this
 * machine only, no canonical address is filled in: a wrong one is worse than none.
 */
export function filledFiles(
  folder: string,
  pages: ReadonlyMap<string, string>,
  { publicUrl, supportEmail }: Config,
): ReadonlyMap<string, FilledFile> {
  const address = isLoopbackHost(new URL(publicUrl).hostname) ? null : publicUrl
  const texts = new Map<string, string>()
  const publicPaths: string[] = []
  for (const [path, name] of pages) {
    if (!existsSync(join(folder, name))) continue
    const built = readFileSync(join(folder, name), 'utf8')
    const shared = address === null ? built : withPublicUrl(built, path, address)
    if (shared !== built) publicPaths.push(path)
    const filled = withSupportEmail(shared, supportEmail)
    if (filled !== built) texts.set(name, filled)
  }
  if (address !== null) {
    texts.set('robots.txt', robotsText('/', address))
    texts.set('sitemap.xml', sitemapText(publicPaths, address))
  }
  return new Map([...texts].map(([name, text]) => [name, filledFile(name, text)]))
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

function once<Result>(make: () => Result): () => Result {
  let made: Result | undefined
  return () => (made ??= make())
}

/** Sends a file in the best encoding that the client accepts, or 304 if the client has it. */
export async function sendFilled(reply: FastifyReply, file: FilledFile): Promise<FastifyReply> {
  const { headers } = reply.request
  const accepted = acceptedEncodings(headers['accept-encoding'] ?? '')
  const encoding = accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null
  const etag = `"${hash('sha256', file.text).slice(0, 16)}-${encoding ?? 'plain'}"`
  reply.headers({ etag, vary: 'accept-encoding' }).type(file.type)
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (encoding === null) return reply.send(file.text)
  return reply.header('content-encoding', encoding).send(await file[encoding]())
}
