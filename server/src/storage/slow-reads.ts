/**
 * The queue of reads that may read all documents of an owner: few run at a time, one of each owner,
 * and each waits for a limited time. Both databases use it; each has its own timeout for a read.
 */
import { DatabaseUnavailable } from './database.ts'

/** How long a slow read may run, in milliseconds. */
export const MAX_SLOW_READ = 1000

/**
 * How long a slow read may wait until it begins, in milliseconds; clients time out after ten
 * seconds.
 */
const MAX_WAIT = 3000

/** How many slow reads may wait, of one owner and of all. */
const MAX_WAITING_OF_ONE = 10
const MAX_WAITING = 100

/** Runs `work` when it is the owner's turn. @throws DatabaseUnavailable when too much waits. */
export type SlowReads = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>

/** Returns a queue that runs at most `atOnce` reads at a time, the owners in turn. */
export function slowReads(atOnce: number): SlowReads {
  /** The queues by owner. The owner whose turn is next comes first. */
  const waiting = new Map<string, Job[]>()
  const running = new Set<string>()
  let waitingCount = 0

  return (owner, work) => {
    const own = waiting.get(owner) ?? []
    if (own.length >= MAX_WAITING_OF_ONE || waitingCount >= MAX_WAITING) {
      return Promise.reject(new DatabaseUnavailable('Too many slow reads are waiting'))
    }
    return new Promise((resolve, reject) => {
      const begin = () => work().then(resolve, reject)
      own.push({ since: performance.now(), begin, reject })
      waiting.set(owner, own)
      waitingCount += 1
      runNext()
    })
  }

  function runNext(): void {
    for (const [owner, jobs] of waiting) {
      if (running.size >= atOnce) return
      if (running.has(owner)) continue
      waiting.delete(owner)
      const job = jobs.shift()
      if (jobs.length > 0) waiting.set(owner, jobs)
      if (job === undefined) continue
      waitingCount -= 1
      if (performance.now() - job.since > MAX_WAIT) {
        job.reject(new DatabaseUnavailable('A slow read has waited too long'))
        continue
      }
      running.add(owner)
      void job.begin().finally(() => {
        running.delete(owner)
        runNext()
      })
    }
  }
}

interface Job {
  /** When it was queued, on the clock of `performance`. */
  readonly since: number
  readonly begin: () => Promise<void>
  readonly reject: (error: unknown) => void
}
