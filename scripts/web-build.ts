/** Building the web app. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { build } from 'vite'

import { prerender, prerenderScreens } from './prerender.ts'
import { ROOT } from './run.ts'
import { filesOf } from './web-stamp.ts'

/**
 * Builds the web app into a folder, which is emptied before. It serves any address; where the
 * environment names one (`PUBLIC_URL`, `SUPPORT_EMAIL`), as for a site without Stint's own server, the
 * pages are made for that. Rejects when it cannot be built.
 */
export async function buildWebApp(outDir: string): Promise<void> {
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
