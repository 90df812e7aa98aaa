/**
 * Builds the extension for both browsers: `npm run build -w extension` writes a folder, to load unpacked, and a
 * zip for each into extension/dist.
 */
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { zipSync } from 'fflate'
import { rolldown } from 'rolldown'

import { VERSION } from '@stint/core/version.ts'

/** What differs between the browsers. */
const BROWSERS = {
  chromium: {
    minimum_chrome_version: '128',
    background: { service_worker: 'background.js', type: 'module' },
  },
  firefox: {
    browser_specific_settings: {
      gecko: {
        id: 'stint@extension.invalid',
        strict_min_version: '140.0',
        data_collection_permissions: { required: ['authenticationInfo', 'websiteContent'] },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
    background: { scripts: ['background.js'], type: 'module' },
  },
} as const

/** A browser that the extension is built for. */
export type Browser = keyof typeof BROWSERS

const HERE = import.meta.dirname
const STATIC = join(HERE, 'src/static')
const ICON = join(HERE, '../web/public/icons/icon-192.png')
const SCRIPTS = ['popup', 'options', 'background'] as const
/** The same bytes for the same sources: zips know no date before 1980. */
const EPOCH = new Date(1980, 0, 1)

/** Writes the extension for a browser into a folder, which is emptied first. Rejects if the build fails. */
export async function buildExtension(browser: Browser, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(STATIC, folder, { recursive: true })
  await cp(ICON, join(folder, 'icon.png'))
  await writeFile(
    join(folder, 'manifest.json'),
    `${JSON.stringify(await manifestFor(browser), null, 2)}\n`,
  )
  for (const name of SCRIPTS) {
    const bundle = await rolldown({
      input: join(HERE, `src/${name}.ts`),
      tsconfig: false,
      logLevel: 'warn',
    })
    await bundle.write({ file: join(folder, `${name}.js`), format: 'esm', codeSplitting: false })
    await bundle.close()
  }
}

/** Returns the manifest for a browser, with the version of Stint. */
export async function manifestFor(browser: Browser): Promise<Readonly<Record<string, unknown>>> {
  const common: object = JSON.parse(await readFile(join(STATIC, 'manifest.json'), 'utf8'))
  return { ...common, version: VERSION, ...BROWSERS[browser] }
}

/** Writes the files of a folder into a zip. */
async function zip(folder: string, target: string): Promise<void> {
  const names = await Array.fromAsync(glob('**/*.*', { cwd: folder }))
  const files: Record<string, Uint8Array> = {}
  for (const name of names.toSorted()) files[name] = await readFile(join(folder, name))
  await writeFile(target, zipSync(files, { mtime: EPOCH, level: 9 }))
}

if (import.meta.main) {
  const dist = join(HERE, 'dist')
  await rm(dist, { recursive: true, force: true })
  for (const browser of ['chromium', 'firefox'] as const) {
    const folder = join(dist, browser)
    await buildExtension(browser, folder)
    await zip(folder, join(dist, `stint-${browser}.zip`))
    console.log(folder, `stint-${browser}.zip`)
  }
}
