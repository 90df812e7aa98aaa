/** Builds the web app. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { build, mergeConfig } from 'vite'

import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { fileIn } from '../server/src/site/addresses.ts'
import { appConfig } from '../web/vite.config.ts'
import { prerender, prerenderScreens } from './prerender.ts'
import { filesOf } from './web-stamp.ts'

/**
 * Builds the web app in every language into a folder, which is emptied first. English pages are in
 * it, those of other languages in folders such as `de`; they share `assets`. The build works at any
 * address. If the environment names one (`PUBLIC_URL`, `SUPPORT_EMAIL`), as for a site without
 * Stint's own server, the pages contain it. Rejects if the build fails.
 */
export async function buildWebApp(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  // English is built in place, the others aside, as a build takes up what it finds in its folder.
  const others = LANGUAGES.filter((language) => language !== 'en')
  const aside = (language: Language) => `${outDir}.${language}`
  try {
    await twoAtATime(LANGUAGES, (language) =>
      buildLanguage(language, language === 'en' ? outDir : aside(language)),
    )
    for (const language of others) await moveInto(outDir, aside(language), language)
    await setMapsAside(outDir)
  } finally {
    for (const language of others) await rm(aside(language), { recursive: true, force: true })
  }
  await precompress(outDir)
}

/**
 * Builds what a server needs to answer soon: English alone, without a service worker, the screens for
 * guests and compressed copies. The files it has are those of the complete build, so a page
 * that is open goes on with that one.
 */
export async function buildFirstPages(outDir: string): Promise<void> {
  await buildPagesAndApp('en', outDir, false)
}

async function buildLanguage(language: Language, outDir: string): Promise<void> {
  const base = await buildPagesAndApp(language, outDir, true)
  await prerenderScreens(outDir, base, language)
}

/** Returns the path that the app is served from. */
async function buildPagesAndApp(
  language: Language,
  outDir: string,
  isInstallable: boolean,
): Promise<string> {
  await rm(outDir, { recursive: true, force: true })
  // The pages come first, so that the service worker, which is built with the app, includes them.
  const base = process.env['STINT_BASE'] || '/'
  await prerender({
    outDir,
    language,
    base,
    publicUrl: process.env['PUBLIC_URL']?.replace(/\/+$/, '') || null,
    supportEmail: process.env['SUPPORT_EMAIL'] || null,
  })
  await build(
    mergeConfig(appConfig(language, isInstallable), {
      configFile: false,
      logLevel: 'warn',
      build: { outDir },
    }),
  )
  return base
}

/** Moves the build of a language into the common folder. A file that is there is the same. */
async function moveInto(outDir: string, folder: string, language: Language): Promise<void> {
  for (const file of await filesOf(folder)) {
    const name = relative(folder, file)
    const target = join(outDir, name.endsWith('.html') ? fileIn(language, name) : name)
    if (existsSync(target)) continue
    await mkdir(dirname(target), { recursive: true })
    await rename(file, target)
  }
}

/** Moves source maps to `.maps`: the server serves no name that begins with a dot. */
async function setMapsAside(outDir: string): Promise<void> {
  await mkdir(join(outDir, '.maps'), { recursive: true })
  for (const file of await filesOf(join(outDir, 'assets'))) {
    if (file.endsWith('.map')) await rename(file, join(outDir, '.maps', basename(file)))
  }
}

/** The files that compression shrinks; pictures are not among them. */
const TEXT_FILES = /\.(html|js|css|svg|json|webmanifest|xml|txt)$/
/** The smallest file to compress; smaller ones fit into one packet in any case. */
const MIN_COMPRESSED_BYTES = 256

/** Writes a Brotli and a gzip copy beside every text of the build, at the highest level. */
async function precompress(folder: string): Promise<void> {
  await twoAtATime(await filesOf(folder), async (file) => {
    if (!TEXT_FILES.test(file) || file.includes('/.vite/')) return
    const content = await readFile(file)
    if (content.length < MIN_COMPRESSED_BYTES) return
    await writeFile(`${file}.br`, await brotli(content))
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  })
}

async function twoAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  // Both take from one iterator.
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all([worker(), worker()])
}

async function brotli(content: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
}
