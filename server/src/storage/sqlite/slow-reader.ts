/**
 * Runs slow reads in a thread. The thread starts at the first read, and again after it has ended.
 */
import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable, QueryTooSlow } from '#storage/database.ts'
import type { SlowReadAnswer, SlowReadRequest } from './slow-read-worker.ts'

/** The thread's memory, in mebibytes. A page that exceeds it ends the thread, not the server. */
const MAX_WORKER_MEBIBYTES = 192

export interface SlowReader {
  /** Runs a read; at most one at a time. @throws QueryTooSlow, DatabaseUnavailable. */
  read(request: SlowReadRequest): Promise<unknown[]>
  close(): Promise<void>
}

/** Returns the reader of `file`. The thread starts later. */
export function slowReader(file: string): SlowReader {
  let worker: Worker | null = null
  /** Resolves the read in progress. */
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
    const started = new Worker(new URL('./slow-read-worker.ts', import.meta.url), {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MEBIBYTES },
    })
    const fail = (failed: string) => {
      // An error is followed by an exit. Another thread may have started by then.
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
