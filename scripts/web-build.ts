/** Building the web app, and knowing when that is needed. */
import { createHash } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'web/dist')
/** What the build is made of was when it was made; beside the build, so that it goes with it. */
const STAMP = join(DIST, '.stamp')
const SOURCES = ['core/src', 'web', 'package-lock.json', 'scripts/web-build.ts']
/** Settings of the environment that end up in the build (design 9). */
const SETTINGS = [
  'STINT_BASE',
  'VITE_APPWRITE_ENDPOINT',
  'VITE_APPWRITE_PROJECT_ID',
  'VITE_APPWRITE_DATABASE_ID',
]

/** Builds the web app. Rejects when it cannot be built. */
export async function buildWebApp(): Promise<void> {
  const stamp = await sourceStamp()
  await build({ configFile: join(ROOT, 'web/vite.config.ts'), logLevel: 'warn' })
  await writeFile(STAMP, stamp)
}

/** Builds the web app unless what is there was built from the very same sources. */
export async function buildWebAppIfStale(): Promise<void> {
  const built = await readFile(STAMP, 'utf8').catch(() => null)
  if (built === (await sourceStamp())) return
  console.log('Building the web app …')
  await buildWebApp()
}

async function sourceStamp(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of SETTINGS) hash.update(`${name}=${process.env[name] ?? ''}\n`)
  for (const source of SOURCES) {
    for (const file of await filesOf(join(ROOT, source))) {
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
    .filter((file) => !/\/(node_modules|dist)\/|\.test\.tsx?$/.test(file))
    .toSorted()
}
