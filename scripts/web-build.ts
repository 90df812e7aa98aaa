/** Builds the web app. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { build } from 'vite'

import { prerender, prerenderScreens } from './prerender.ts'
import { ROOT } from './run.ts'
import { filesOf } from './web-stamp.ts'

/**
 * Builds the web app into a folder, which is emptied first. The build works at any address. If the
 * environment names one (`PUBLIC_URL`, `SUPPORT_EMAIL`), as for a site without Stint's own server,
 * the pages contain it. Rejects if the build fails.
 */
export async function buildWebApp(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  // The pages come first, so that the service worker, which is built with the app, includes them.
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

/** The files that compression shrinks; pictures are not among them. */
const TEXT_FILES = /\.(html|js|css|svg|json|webmanifest|xml|txt)$/
/** The smallest file to compress; smaller ones fit into one packet in any case. */
const MIN_COMPRESSED_BYTES = 256

/** Writes a Brotli and a gzip copy beside every text of the build, at the highest level. */
async function precompress(folder: string): Promise<void> {
  for (const file of await filesOf(folder)) {
    if (!TEXT_FILES.test(file) || file.includes('/.vite/')) continue
    const content = await readFile(file)
    if (content.length < MIN_COMPRESSED_BYTES) continue
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
