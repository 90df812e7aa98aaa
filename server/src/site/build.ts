/**
 * Finds builds of the web app. They are in `web/dist`, each in a folder that is named after a hash
 * of its sources and never changes. A file names the current one.
 */
import { readFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const BUILDS = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** The file in `web/dist` that names the current build. */
export const CURRENT = 'current'

/** A build that was not touched for this long is unused and may be deleted, in milliseconds. */
export const UNUSED_AFTER = 3_600_000

/** Returns the folder of the current build, or `builds` itself if there is none. */
export function currentBuild(builds: string = BUILDS): string {
  try {
    return join(builds, readFileSync(join(builds, CURRENT), 'utf8').trim())
  } catch {
    return builds
  }
}

/** Marks a build as used while this process runs. */
export function keepBuild(folder: string): void {
  const touch = (): void => {
    // A folder that cannot be written to cannot be cleaned up either.
    utimes(folder, new Date(), new Date()).catch(() => {})
  }
  touch()
  setInterval(touch, UNUSED_AFTER / 10).unref()
}
