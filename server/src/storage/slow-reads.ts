/**
 * Reads that may look at everything an owner has: few at a time, one of each owner, and each with an end.
 * On SQLite they run in a thread of their own, which this file starts and ends.
 */
import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable, QueryTooSlow } from './database.ts'
import type { SlowReadAnswer, SlowReadRequest } from '#storage/sqlite/slow-read-worker.ts'

/** How long one may run, in milliseconds. */
export const MAX_SLOW_READ = 1000

/** How long one may wait until it begins, in milliseconds; the devices behind it give up after ten seconds. */
const MAX_WAIT = 3000

/** How many may wait, of one owner and of all. */
const MAX_WAITING_OF_ONE = 10
const MAX_WAITING = 100

/** Memory of the thread for what it reads, in mebibytes: a page that is larger ends the thread, not the server. */
const MAX_WORKER_MEBIBYTES = 192

/** Runs `work` when it is the owner's turn. @throws DatabaseUnavailable when too much waits. */
export type SlowReads = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>

/** Makes a queue from which at most `atOnce` run at a time, the owners in turn. */
export function slowReads(atOnce: number): SlowReads {
  /** Whose turn is next comes first. */
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
  /** When it was asked for, on the clock of `performance`. */
  readonly since: number
  readonly begin: () => Promise<void>
  readonly reject: (error: unknown) => void
}

/** A thread that reads a SQLite file, started when it is first asked. */
export interface SlowReader {
  /** One at a time. @throws QueryTooSlow, DatabaseUnavailable. */
  read(request: SlowReadRequest): Promise<unknown[]>
  close(): Promise<void>
}

/** Makes the reader of `file`; it starts nothing yet. */
export function slowReader(file: string): SlowReader {
  let worker: Worker | null = null
  /** Tells whoever waits for the thread. */
  let answer: ((value: SlowReadAnswer) => void) | null = null

  return {
    async read(request) {
      worker ??= start()
      const answered = new Promise<SlowReadAnswer>((resolve) => (answer = resolve))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule about windows
      worker.postMessage(request)
      const result = await answered
      if ('rows' in result) return result.rows
      if (result.failed === 'too slow') throw new QueryTooSlow('The read took too long')
      throw new DatabaseUnavailable(result.failed)
    },
    close: async () => void (await worker?.terminate()),
  }

  function start(): Worker {
    const started = new Worker(new URL('./sqlite/slow-read-worker.ts', import.meta.url), {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MEBIBYTES },
    })
    const fail = (failed: string) => {
      // After an error comes an exit, when another thread may be at work already.
      if (worker !== started) return
      worker = null
      answer?.({ failed })
    }
    started.on('message', (result: SlowReadAnswer) => answer?.(result))
    started.on('error', (error) => fail(error instanceof Error ? error.message : String(error)))
    started.on('exit', () => fail('The thread of slow reads ended'))
    started.unref()
    return started
  }
}
