/**
 * Manages builds in folders beside each other: a build is made aside, switched in atomically, and
 * deleted when unused.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CURRENT, UNUSED_AFTER } from '../server/src/site/build.ts'
import { withFileLock } from './file-lock.ts'

/** Writes a build into a folder, which it creates. */
type Make = (folder: string) => Promise<void>

/**
 * Makes `builds/<name>` the current build, and creates it first as `buildOnce` does.
 * @returns the folder of the build.
 */
export async function switchIn(builds: string, name: string, make: Make): Promise<string> {
  const folder = await buildOnce(builds, name, make)
  await makeCurrent(builds, name)
  await removeUnused(builds, name)
  return folder
}

/**
 * Creates `builds/<name>` if it does not exist. A partial build is never visible: it gets its name
 * when it is complete. A second process waits for the first one and uses its build. If both make it
 * all the same, the first one is kept.
 * @returns the folder of the build.
 */
export async function buildOnce(builds: string, name: string, make: Make): Promise<string> {
  const folder = join(builds, name)
  await mkdir(builds, { recursive: true })
  if (!existsSync(folder)) {
    await withFileLock(
      join(builds, `.${name}.lock`),
      async () => {
        if (!existsSync(folder)) await makeAside(builds, folder, make)
      },
      () => console.log('Another process is building the web app …'),
    )
  }
  // The build counts as used from now on; the server that starts next marks it again.
  await utimes(folder, new Date(), new Date()).catch(() => {})
  return folder
}

async function makeAside(builds: string, folder: string, make: Make): Promise<void> {
  const aside = join(builds, `.${randomUUID()}`)
  try {
    await make(aside)
    await rename(aside, folder).catch((error: unknown) => {
      // Another process was faster with the same build.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function makeCurrent(builds: string, name: string): Promise<void> {
  const aside = join(builds, `.${randomUUID()}`)
  await writeFile(aside, `${name}\n`)
  await rename(aside, join(builds, CURRENT))
}

/** Deletes what was unused for an hour: old builds, and partial ones of killed processes. */
async function removeUnused(builds: string, current: string): Promise<void> {
  for (const name of await readdir(builds)) {
    if (name === CURRENT || name === current) continue
    const stats = await stat(join(builds, name)).catch(() => null)
    if (stats === null || stats.mtimeMs > Date.now() - UNUSED_AFTER) continue
    await rm(join(builds, name), { recursive: true, force: true })
  }
}
