/**
 * Limits a process to a share of a core, as a smaller machine would: it is stopped whenever it has
 * used more. With two servers, the database and the load on two cores, the gain of a second server
 * is visible only if the servers leave room for the others.
 */
import { readFileSync } from 'node:fs'

/** How often the used time is checked, in milliseconds. */
const LOOK_EVERY = 5

/**
 * Begins to limit a process. @returns a function that ends it, or null on a system without /proc.
 */
export function limitProcessorTime(pid: number, share: number): (() => void) | null {
  let last = { at: performance.now(), used: runMilliseconds(pid) ?? NaN }
  if (Number.isNaN(last.used)) return null
  let isStopped = false
  /** The time that it may still use, in milliseconds. Unused time expires soon. */
  let due = 0
  const timer = setInterval(() => {
    const now = { at: performance.now(), used: runMilliseconds(pid) ?? last.used }
    due = Math.min(LOOK_EVERY, due + (now.at - last.at) * share - (now.used - last.used))
    last = now
    if (due < 0 !== isStopped) process.kill(pid, due < 0 ? 'SIGSTOP' : 'SIGCONT')
    isStopped = due < 0
  }, LOOK_EVERY)
  return () => {
    clearInterval(timer)
    process.kill(pid, 'SIGCONT')
  }
}

/** Returns the processor time of its main thread; null on a system without /proc. */
function runMilliseconds(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return null
  }
}
