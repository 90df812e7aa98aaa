/** A queue of long work: few run at a time, one of each person, the persons in turn, and each waits for a limited time. */
import { DatabaseUnavailable } from '#storage/database.ts'

/** How long work waits until it begins, in milliseconds; clients time out after ten seconds. */
const MAX_WAIT = 3000

/** How much work waits, of one person and of all. */
const MAX_WAITING_OF_ONE = 10
const MAX_WAITING = 100

/** Runs `work` when it is the owner's turn. @throws DatabaseUnavailable when too much waits. */
export type FairQueue = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Returns a queue that runs work of at most `atOnce` owners at a time.
 * @param maxWait how long work waits, in milliseconds.
 */
export function fairQueue(atOnce: number, maxWait: number = MAX_WAIT): FairQueue {
  /** The queues by owner. The owner whose turn is next comes first. */
  const waiting = new Map<string, Job[]>()
  const running = new Set<string>()
  let waitingCount = 0

  return (owner, work) => {
    const own = waiting.get(owner) ?? []
    if (own.length >= MAX_WAITING_OF_ONE || waitingCount >= MAX_WAITING) {
      return Promise.reject(new DatabaseUnavailable('Too many long reads are waiting'))
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
      if (performance.now() - job.since > maxWait) {
        job.reject(new DatabaseUnavailable('A long read has waited too long'))
        continue
      }
      running.add(owner)
      void job.begin().finally(() => {
        running.delete(owner)
        // What the owner has waiting comes after the others.
        const rest = waiting.get(owner)
        if (rest !== undefined && waiting.delete(owner)) waiting.set(owner, rest)
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
