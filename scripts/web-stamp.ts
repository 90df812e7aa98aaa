/**
 * Determines whether the build of the web app that the server serves matches the current sources.
 */
import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { BUILDS, currentBuild } from '../server/src/site/build.ts'
import { buildOnce, switchIn } from './builds.ts'
import { ROOT, run } from './run.ts'

/** The sources outside of `web`. */
const SOURCES = [
  'core/src',
  'locales',
  'package-lock.json',
  'scripts/texts',
  'scripts/web-build.ts',
  'scripts/web-stamp.ts',
  'scripts/prerender.ts',
  'server/src/catalogues.ts',
  'server/src/site/addresses.ts',
]
/**
 * The environment variables that affect the build. `PUBLIC_URL` does not: the server fills it in.
 */
const SETTINGS = [
  'STINT_BASE',
  'VITE_APPWRITE_ENDPOINT',
  'VITE_APPWRITE_PROJECT_ID',
  'VITE_APPWRITE_DATABASE_ID',
]

/**
 * Builds the web app unless there is a build of the same sources, and makes it the current one.
 * @returns its folder.
 * @throws Error if the build fails.
 */
export async function buildWebAppIfStale(): Promise<string> {
  return switchIn(BUILDS, await sourceStamp(), async (folder) => {
    console.log('Building the web app …')
    await buildInto(folder)
  })
}

/**
 * Where no build was ever made, builds English alone, which a server can begin with. It does not
 * become the current build.
 * @returns its folder, or null if there is a current build.
 * @throws Error if the build fails.
 */
export async function buildEnglishFirst(): Promise<string | null> {
  if (currentBuild() !== BUILDS) return null
  return buildOnce(BUILDS, `${await sourceStamp()}-first`, async (folder) => {
    console.log('Building the web app in English …')
    await buildInto(folder, 'first')
  })
}

/**
 * Builds into a folder, in a separate process, so that a server does not keep the builder in
 * memory.
 */
async function buildInto(folder: string, ...what: 'first'[]): Promise<void> {
  // For any address, and never a build for tests, whoever asks for it.
  const settings = { PUBLIC_URL: '', SUPPORT_EMAIL: '', NODE_ENV: 'production' }
  const code = await run(process.execPath, ['scripts/build.ts', folder, ...what], settings)
  if (code !== 0) throw new Error('The web app could not be built')
}

/** Returns a stamp of the current sources and settings. */
export async function sourceStamp(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of SETTINGS) hash.update(`${name}=${process.env[name] ?? ''}\n`)
  // Lists the files one by one: other processes may change web/dist while `web` is listed.
  const inWeb = (await readdir(join(ROOT, 'web'))).toSorted().map((name) => `web/${name}`)
  for (const source of [...SOURCES, ...inWeb]) {
    if (/\/(node_modules|dist)$/.test(source)) continue
    for (const file of await filesOf(join(ROOT, source))) {
      if (/\/node_modules\/|\.test\.tsx?$/.test(file)) continue
      hash.update(file.slice(ROOT.length)).update(await readFile(file))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/** Returns all files of a folder and its subfolders, in order; or the file itself. */
export async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
