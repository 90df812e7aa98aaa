/** Runs slow reads in a thread (`slow-read-worker.ts`). */
import { DatabaseUnavailable, QueryTooSlow } from '#storage/database.ts'
import { thread } from '#thread.ts'
import type { SlowReadAnswer, SlowReadRequest } from './slow-read-worker.ts'

/** The thread's memory, in mebibytes. A page that exceeds it ends the thread, not the server. */
const MAX_WORKER_MEBIBYTES = 192

export interface SlowReader {
  /** Runs a read; at most one at a time. @throws QueryTooSlow, DatabaseUnavailable. */
  read(request: SlowReadRequest): Promise<unknown[]>
  close(): Promise<void>
}

/** Returns the reader of `file`. The thread starts later, and each read bounds its own time. */
export function slowReader(file: string): SlowReader {
  const reader = thread<SlowReadRequest, SlowReadAnswer>(
    new URL('./slow-read-worker.ts', import.meta.url),
    { data: file, maxMebibytes: MAX_WORKER_MEBIBYTES },
  )
  return {
    async read(request) {
      const result = await reader
        .ask(request)
        .catch((error: unknown) => ({ failed: String(error) }))
      if ('rows' in result) return result.rows
      if (result.failed === 'too slow') throw new QueryTooSlow('The read took too long')
      throw new DatabaseUnavailable(result.failed)
    },
    close: () => reader.close(),
  }
}
