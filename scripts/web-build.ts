/** Building the web app, and knowing when that is needed. */
import { createHash } from 'node:crypto'
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { build } from 'vite'

import { prerender, prerenderScreens } from './prerender.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'web/dist')
/** What the build is made of was when it was made; beside the build, so that it goes with it. */
const STAMP = '.stamp'
const SOURCES = [
  'core/src',
  'web',
  'package-lock.json',
  'scripts/web-build.ts',
  'scripts/prerender.ts',
]
/** Settings of the environment that end up in the build (design 9). */
const SETTINGS = [
  'STINT_BASE',
  'PUBLIC_URL',
  'SUPPORT_EMAIL',
  'VITE_APPWRITE_ENDPOINT',
  'VITE_APPWRITE_PROJECT_ID',
  'VITE_APPWRITE_DATABASE_ID',
]

/** Builds the web app into a folder, web/dist unless said. Rejects when it cannot be built. */
export async function buildWebApp(outDir = DIST): Promise<void> {
  const stamp = await sourceStamp()
  await rm(outDir, { recursive: true, force: true })
  // First the pages, so that the service worker, made with the app, knows them too.
  const base = process.env['STINT_BASE'] || '/'
  await prerender({
    outDir,
    base,
    publicUrl: process.env['PUBLIC_URL']?.replace(/\/+$/, '') || null,
    supportEmail: process.env['SUPPORT_EMAIL'] || null,
  })
  await build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  })
  await prerenderScreens(outDir, base)
  await precompress(outDir)
  await writeFile(join(outDir, STAMP), stamp)
}

/** Builds the web app unless what is there was built from the very same sources. */
export async function buildWebAppIfStale(): Promise<void> {
  const built = await readFile(join(DIST, STAMP), 'utf8').catch(() => null)
  if (built === (await sourceStamp())) return
  console.log('Building the web app …')
  await buildWebApp()
}

async function sourceStamp(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of SETTINGS) hash.update(`${name}=${process.env[name] ?? ''}\n`)
  for (const source of SOURCES) {
    for (const file of await filesOf(join(ROOT, source))) {
      if (/\/(node_modules|dist)\/|\.test\.tsx?$/.test(file)) continue
      hash.update(file.slice(ROOT.length)).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** What shrinks; pictures do not. */
const TEXT_FILES = /\.(html|js|css|svg|json|webmanifest|xml|txt)$/
/** Smaller ones fit one packet either way. */
const SMALLEST_TO_COMPRESS_BYTES = 256

/** Puts a Brotli and a gzip copy beside every text of the build: as small as they get, once. */
async function precompress(folder: string): Promise<void> {
  for (const file of await filesOf(folder)) {
    if (!TEXT_FILES.test(file) || file.includes('/.vite/')) continue
    const content = await readFile(file)
    if (content.length < SMALLEST_TO_COMPRESS_BYTES) continue
    await writeFile(`${file}.br`, await brotli(content))
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

async function brotli(content: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
}
