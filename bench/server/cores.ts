/**
 * Gives the measured servers and their database one core, and the load another. If they shared one,
 * the number of requests per second would depend on the scheduler.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const SERVERS = '0'
const LOAD = '1'

/**
 * Restricts these processes and their future children to one core, and this process to another.
 * Returns a function that releases this process. Without Linux, `taskset` and two cores it prints a
 * message and changes nothing.
 */
export function pinToCores(servers: readonly number[]): () => void {
  try {
    for (const pid of servers) keepOn(SERVERS, pid)
    keepOn(LOAD, process.pid)
    return () => keepOn(`0-${cpus().length - 1}`, process.pid)
  } catch {
    console.log('Servers and load share the cores: this system cannot separate them')
    return () => {}
  }
}

function keepOn(cores: string, pid: number): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' })
}

/**
 * Returns a process and its children, such as PostgreSQL and the processes that serve its
 * connections.
 */
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
