/**
 * What is measured has a core of its own, with the database that it needs, and what measures has
 * another: else the two take turns with each other, and requests in a second say little.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The servers' core, and PostgreSQL's. */
export const SERVER_CORE = 0
/** The load's. */
export const LOAD_CORE = 1

/** Keeps a process, its threads and the children it will have on one core, where that can be done. */
export function pin(pid: number, core: number): void {
  keepOn(String(core), pid)
}

/** Lets a process run on any core again. */
export function unpin(pid: number): void {
  keepOn(`0-${cpus().length - 1}`, pid)
}

/** Elsewhere than on Linux with two cores at least, everything runs where the system will have it. */
function keepOn(cores: string, pid: number): void {
  if (process.platform !== 'linux' || cpus().length < 2) return
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)])
}

/** A process and its children: a PostgreSQL, with the processes that serve its connections. */
export function family(pid: number): number[] {
  try {
    const children = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && parentOf(name) === pid,
    )
    return [pid, ...children.map(Number)]
  } catch {
    return [pid]
  }
}

function parentOf(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return null
  }
}
