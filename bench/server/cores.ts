/**
 * What is measured has a core of its own, with the database that it needs, and what measures has
 * another: else the two take turns with each other, and requests in a second say little.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const SERVERS = '0'
const LOAD = '1'

/**
 * Keeps these processes, and the children they will have, on one core and this process on another, until
 * it is told to let this one go. Where the system cannot (it takes Linux, `taskset` and two cores), it says
 * so, and everything runs where the system will have it.
 */
export function keepApart(servers: readonly number[]): () => void {
  try {
    for (const pid of servers) keepOn(SERVERS, pid)
    keepOn(LOAD, process.pid)
    return () => keepOn(`0-${cpus().length - 1}`, process.pid)
  } catch {
    console.log('Servers and load share the cores: they cannot be kept apart here')
    return () => {}
  }
}

function keepOn(cores: string, pid: number): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' })
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
