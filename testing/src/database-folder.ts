/** Where the SQLite files of tests are. */
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SHARED_MEMORY = '/dev/shm'
/** What many tests at once need of it, in bytes. A container often has 64 MB. */
const MIN_FREE = 2 ** 31

/**
 * Returns a new folder, in memory where the machine has room: a disk syncs each commit, which takes a quarter of the
 * processor time of a test of the server, and most of its wait. What a killed server keeps is there, too.
 */
export function databaseFolder(prefix: string): string {
  return mkdtempSync(join(hasMemory() ? SHARED_MEMORY : tmpdir(), prefix))
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    return bavail * bsize >= MIN_FREE
  } catch {
    return false
  }
}
