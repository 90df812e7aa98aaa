/**
 * A lock between processes of one machine: a file with the process id of its owner. A lock whose owner
 * has ended, or that is older than `MAX_HELD`, is taken over.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A lock of this age is stale, in milliseconds: its process id may be that of another program by now. */
export const MAX_HELD = 600_000
/** The time between two tries, in milliseconds. */
const RETRY_AFTER = 100

/**
 * Runs `work` while this process holds the lock, and returns its result. Waits for another owner.
 * Processes of different containers do not see each other and may hold a lock at the same time, so
 * `work` must stay correct then.
 * @param onWait is called once if the lock is held by another owner.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  onWait: () => void = () => {},
): Promise<T> {
  const mine = `${file}.${randomUUID()}`
  await writeFile(mine, `${process.pid}\n`)
  try {
    // A link appears with its content, and only if there is none.
    for (let tries = 0; !(await linked(mine, file)); tries++) {
      if (await isStale(file)) await rm(file, { force: true })
      else {
        if (tries === 0) onWait()
        await sleep(RETRY_AFTER)
      }
    }
    return await work()
  } finally {
    // A lock that another process took over stays.
    if (await isSame(mine, file)) await rm(file, { force: true })
    await rm(mine, { force: true })
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function isStale(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file)
    return Date.now() - mtimeMs > MAX_HELD || !isRunning(Number(await readFile(file, 'utf8')))
  } catch {
    // It was released just now.
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is running too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const inodes = [one, other].map(async (file) => (await stat(file).catch(() => null))?.ino ?? file)
  return new Set(await Promise.all(inodes)).size === 1
}
