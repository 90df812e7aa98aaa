/**
 * Gives a process a share of a core, as a smaller machine of its own would: it is stopped whenever it has
 * had more. Two servers, the database and the load on two cores show nothing of what a second server
 * adds; servers that leave the others room do.
 */
import { readFileSync } from 'node:fs'

/** How often to look, in milliseconds. */
const LOOK_EVERY = 5

/** Begins to hold a process back. @returns how to let it go, or null on a system without /proc. */
export function holdBack(pid: number, share: number): (() => void) | null {
  let last = { at: performance.now(), used: runMilliseconds(pid) ?? NaN }
  if (Number.isNaN(last.used)) return null
  let isStopped = false
  /** What it may still use, in milliseconds; what it did not use it may not keep for long. */
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

/** What its main thread has had of a processor so far; null on a system without /proc. */
function runMilliseconds(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return null
  }
}
