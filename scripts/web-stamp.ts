/** Whether there is a build of the web app, and of the present sources. */
import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { ROOT, run } from './run.ts'

export const DIST = join(ROOT, 'web/dist')
/** What the build is made of was when it was made; beside the build, so that it goes with it. */
export const STAMP = '.stamp'
const SOURCES = [
  'core/src',
  'web',
  'package-lock.json',
  'scripts/web-build.ts',
  'scripts/web-stamp.ts',
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

/**
 * Builds the web app unless what is there was built from the very same sources; in a process of its
 * own, since the server that starts next should not carry the builder along.
 * @throws Error when it cannot be built.
 */
export async function buildWebAppIfStale(): Promise<void> {
  const built = await readFile(join(DIST, STAMP), 'utf8').catch(() => null)
  if (built === (await sourceStamp())) return
  console.log('Building the web app …')
  const code = await run(process.execPath, ['scripts/build.ts'])
  if (code !== 0) throw new Error('The web app could not be built')
}

/** What tells the present sources and settings from others. */
export async function sourceStamp(): Promise<string> {
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

/** All files in a folder and those in it, in order; or the file itself. */
export async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
