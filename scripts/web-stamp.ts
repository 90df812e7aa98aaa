/** The build of the web app that Stint's own server serves: whether it is of the present sources. */
import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { BUILDS } from '../server/src/site/build.ts'
import { switchIn } from './builds.ts'
import { ROOT, run } from './run.ts'

/** Beside what is in `web`. */
const SOURCES = [
  'core/src',
  'package-lock.json',
  'scripts/web-build.ts',
  'scripts/web-stamp.ts',
  'scripts/prerender.ts',
  'server/src/site/addresses.ts',
]
/** Settings of the environment that end up in the build. `PUBLIC_URL` does not: the server fills it in. */
const SETTINGS = [
  'STINT_BASE',
  'VITE_APPWRITE_ENDPOINT',
  'VITE_APPWRITE_PROJECT_ID',
  'VITE_APPWRITE_DATABASE_ID',
]

/**
 * Builds the web app unless there is a build of the very same sources, and makes it the current one; in a
 * process of its own, since the server that starts next should not carry the builder along.
 * @returns its folder.
 * @throws Error when it cannot be built.
 */
export async function buildWebAppIfStale(): Promise<string> {
  return switchIn(BUILDS, await sourceStamp(), async (folder) => {
    console.log('Building the web app …')
    const anyAddress = { PUBLIC_URL: '', SUPPORT_EMAIL: '' }
    const code = await run(process.execPath, ['scripts/build.ts', folder], anyAddress)
    if (code !== 0) throw new Error('The web app could not be built')
  })
}

/** What tells the present sources and settings from others. */
export async function sourceStamp(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of SETTINGS) hash.update(`${name}=${process.env[name] ?? ''}\n`)
  // Not `web` in one go: while it is listed, other processes may add to and take from web/dist.
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

/** All files in a folder and those in it, in order; or the file itself. */
export async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
